"""The timeline's grammar: what a person does to a cluster, as one line of text and as an `Action`.

`parse` reads a line and checks its form by the table of `verbs`; whether the broker or topic it names exists is the
business of `references`. `str(action)` is the canonical line, and ``parse(str(a)) == a`` for every action.

In a document of several clusters each name says its cluster: ``kill east/1``, ``acks east/orders all`` (`sites`).
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from simengine.scenario.arguments import one_of
from simengine.scenario.invisible import invisible_in
from simengine.scenario.limits import ACTION_TEXT_MAX
from simengine.scenario.near import nearest
from simengine.scenario.problems import FieldError
from simengine.scenario.verb import Form, Slot, Verb
from simengine.scenario.verbs import VERBS, form_of, verbs_of

NODE_VERBS: Final = verbs_of("node")
DISKS: Final = ("empty", "wiped")  # what may have become of a disk before a start
SUBJECT_BROKER: Final = "broker."
SUBJECT_CLUSTER: Final = "cluster"
# what people ask for and a run cannot do yet, and why
UNSUPPORTED: Final[dict[str, str]] = {
    "delete-topic": "the verb is delete: delete <topic>",
    "add-partitions": "the verb is partitions: partitions <topic> <how many it is to have>",
    "unregister": "brokers cannot be unregistered while a run goes on: kill the broker instead",
    "restart": "a restart is two actions: stop (or kill) and start",
}
_CLUSTER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*/")


class Action(NamedTuple):
    """One action: a verb and its arguments, in the order of its form in the table of `verbs`."""

    verb: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.verb, *self.args))

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The argument or word of its form that each of its arguments is."""
        found = form_of(self.verb, self.args)
        assert found is not None, "an action has one of the forms of its verb"
        return found.slots

    @property
    def named(self) -> dict[str, str]:
        """Its arguments by their kinds; words that stand for themselves are left out."""
        return {slot.kind: arg for slot, arg in zip(self.slots, self.args, strict=True) if slot.kind}

    @property
    def places_of_names(self) -> list[int]:
        """The places of its arguments that name something of a cluster."""
        return [place for place, slot in enumerate(self.slots) if slot.kind and slot.of.has_cluster]


def parse(text: str) -> Action:
    """The action that `text` says. Raises FieldError (a ValueError) with the form of the verb, or the near verb."""
    if not isinstance(text, str):
        raise FieldError("an action is a text", text, "such as kill 2")
    if len(text) > ACTION_TEXT_MAX:
        raise FieldError(f"an action has at most {ACTION_TEXT_MAX} characters", text)
    words = text.split()
    if unseen := invisible_in("".join(words)):
        raise FieldError(f"{unseen} cannot be seen: no action may hold it", text)
    if not words:
        raise FieldError("an action is missing", text, ", ".join(VERBS))
    name, rest = words[0], words[1:]
    verb = VERBS.get(name)
    if verb is None:
        if name in UNSUPPORTED:
            raise FieldError(UNSUPPORTED[name], text, ", ".join(VERBS))
        raise FieldError(f"unknown verb {name!r}", text, ", ".join(VERBS), nearest(name, VERBS))
    try:
        return Action(name, _read(verb, rest))
    except FieldError as wrong:
        raise FieldError(f"{name}: {wrong.message}", text, wrong.allowed or verb.usage, wrong.near) from None


def _read(verb: Verb, words: list[str]) -> tuple[str, ...]:
    """The arguments that the words behind a verb are."""
    most = max(len(form.slots) for form in verb.forms)
    if len(words) < min(form.shortest for form in verb.forms):
        raise FieldError("something is missing")
    if len(words) > most:
        raise FieldError(f"{words[most]!r} is too much")
    forms, args = list(verb.forms), []
    for place, word in enumerate(words):
        forms = _fitting(forms, place, word, len(words))
        args.append(_read_word(forms[0].slots[place], word))
    whole = next((form for form in forms if form.shortest <= len(words)), None)
    if whole is None:
        raise FieldError("something is missing")
    return *args, *(slot.default for slot in whole.slots[len(words) :])


def _fitting(forms: list[Form], place: int, word: str, count: int) -> list[Form]:
    """Those of the forms that `word` fits at its place among `count` words."""
    longer = [form for form in forms if place < len(form.slots)]
    if not longer:
        raise FieldError(f"{word!r} is too much")
    exact = [form for form in longer if not form.slots[place].kind and form.slots[place].text == word]
    if exact:
        return exact
    free = [form for form in longer if form.slots[place].kind]
    if not free:
        one_of(word, dict.fromkeys(form.slots[place].text for form in longer))
    best = next((form for form in free if form.shortest <= count <= len(form.slots)), free[0])
    return [form for form in free if form.slots[place].of.read is best.slots[place].of.read]


def _read_word(slot: Slot, word: str) -> str:
    """A word as its canonical text; a name with its cluster before it, as it was."""
    if not slot.kind:
        return word
    found = _CLUSTER.match(word) if slot.of.has_cluster else None
    cluster = found[0] if found else ""
    return cluster + slot.of.read(word.removeprefix(cluster))


def is_emptied(verb: str, args: Sequence[str]) -> bool:
    """True if an action starts a broker whose disk was replaced or wiped."""
    return verb == "start" and any(arg in DISKS for arg in args[1:2])


def created_partitions(args: tuple[str, ...]) -> int:
    """The number of partitions that a `create` with these arguments makes."""
    return len(args[1].split("/")) if len(args) == 2 else int(args[2])
