"""A row of the table of verbs: its forms, words and traits.

A form is what follows the verb. Words in angle brackets are arguments of a kind of `arguments`; a value behind ``:``
is the only one that the form is for, one behind ``=`` stands where nothing is written. Other words stand for
themselves. Each form has a clause, and some have a label. In both ``{node}`` stands for an argument as it is called
("broker 2"), ``{hosts?go:goes}`` for one of two words, the first where the argument names several, and
``{call+count}`` for the last of so many numbers.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from simengine.scenario.arguments import KINDS, Kind


class Slot(NamedTuple):
    """One word of a form: an argument of a kind, or a word that stands for itself (no kind).

    ``text``: what has to stand there, "" for anything of the kind. ``default``: where nothing stands there, or "".
    """

    text: str
    kind: str = ""
    default: str = ""

    @property
    def of(self) -> Kind:
        """The kind of this argument."""
        return KINDS[self.kind]

    @property
    def label(self) -> str:
        """As a usage has it."""
        label = self.text or self.of.label
        return f"[{label}]" if self.default else label


class Form(NamedTuple):
    """One way to write an action: its words, its clause and its label."""

    slots: tuple[Slot, ...]
    clause: str
    label: str  # of its item in the menu of what it acts on; "" where each menu has its own

    @property
    def shortest(self) -> int:
        """The fewest words that make this form."""
        return sum(not slot.default for slot in self.slots)

    def fits(self, args: tuple[str, ...]) -> bool:
        """True if an action with these arguments is written so."""
        words = zip(self.slots, args, strict=False)
        return self.shortest <= len(args) <= len(self.slots) and all(slot.text in ("", arg) for slot, arg in words)


class Verb(NamedTuple):
    """One verb. ``noun``: of one and of several actions; without one they are other actions.

    ``traits``: what is true of every such action, of `FAULT` and the others below; a verb without one is looked at as
    one that may do anything.
    """

    name: str
    forms: tuple[Form, ...]
    usage: str
    noun: tuple[str, str]
    undo: str  # the verb that ends what this one began, or ""
    traits: frozenset[str]


OTHER: Final = ("other action", "other actions")
FAULT: Final = "it breaks something"
REPAIR: Final = "it ends a fault"
USE: Final = "it harms nothing: a client's or an administrator's use of the cluster"
SETTING: Final = "to ask for it twice is to ask for it once"
KEEPS: Final = "every copy stays on its disk, apart from a start with another disk"
FORESEEN: Final = "the rule that says when a run is at rest (`questions.rest`) reads all of its effects"


def _form(text: str, clause: str, label: str) -> Form:
    """The form that a text says."""
    return Form(tuple(_slot(word) for word in text.split()), clause, label)


def _slot(word: str) -> Slot:
    if not word.startswith("<"):
        return Slot(word)
    named, _, default = word[1:-1].partition("=")
    kind, _, text = named.partition(":")
    assert kind in KINDS, f"there is no kind of argument {kind!r}"
    return Slot(text, kind, default)


def verb_of(
    name: str,
    forms: dict[str, str],
    noun: tuple[str, str] = OTHER,
    *,
    usage: str = "",
    undo: str = "",
    labels: Mapping[str, str] = MappingProxyType({}),
    traits: Iterable[str] = (),
) -> Verb:
    """A row of the table; ``forms``: the clause of each, ``labels``: the label of some."""
    assert labels.keys() <= forms.keys(), f"{name}: a label is of no form"
    known = tuple(_form(text, clause, labels.get(text, "")) for text, clause in forms.items())
    return Verb(name, known, usage or _usage(name, known), noun, undo, frozenset(traits))


def _usage(name: str, forms: tuple[Form, ...]) -> str:
    """The words of the first form; what a second adds to it stands in brackets."""
    labels = [[slot.label for slot in one.slots] for one in forms]
    added = labels[1][len(labels[0]) :] if len(labels) == 2 else []
    return " ".join([name, *labels[0], *([f"[{' '.join(added)}]"] if added else [])])
