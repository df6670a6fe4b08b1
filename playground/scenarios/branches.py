"""A branch of a run: what the engine service makes of a stored document before anything is stored.

It travels as plain values, the document as JSON.
"""

from dataclasses import asdict, dataclass
from typing import Any

from playground.scenarios import documents
from playground.scenarios.later import LaterActions, afresh
from playground.scenarios.size import size_of
from simengine.scenario import Document, parse, to_json
from simengine.scenario.action_words import clauses, node_names
from simengine.scenario.model import TimelineEntry

Plain = dict[str, Any]
Action = tuple[int, str]
"""A moment, and what is done then."""
Left = dict[int, str]
"""Later actions of a branch that are left out, by their places among them, and why."""


@dataclass(frozen=True)
class Branch:
    """A branch that is not stored yet: its document ends with ``do`` at ``at_us``; ``later`` came after that.

    ``text``: the document as JSON, ``actions``: how many its timeline has, ``size``: of its run (``size.Size``).
    """

    text: str
    actions: int
    at_us: int
    do: str
    later: list[Action]
    size: Plain

    @property
    def stored(self) -> documents.StoredScenario:
        """The run of the branch."""
        return documents.StoredScenario(self.text, [], self.size)

    @classmethod
    def from_plain(cls, plain: Plain) -> "Branch":
        """A branch as it came through the pipe."""
        return cls(**{**plain, "later": [(at_us, do) for at_us, do in plain["later"]]})

    @classmethod
    def of(cls, document: Document, at_us: int, do: str, from_us: int) -> "Branch":
        """The branch of a document at ``at_us``; what is later begins at ``from_us``. Raises DocumentError."""
        branch = documents.branched(document, at_us, do)
        later, size = actions_of(document, from_us), asdict(size_of(branch))
        return cls(to_json(branch), len(branch.timeline), at_us, do, later, size)


@dataclass(frozen=True)
class StoredBranch:
    """A branch as it is stored: its document with the later actions that it keeps.

    ``change``: what it changed, ``later``: what became of the later actions, both in words.
    """

    checked: documents.CheckedDocument
    change: str
    later: Plain | None


def grown(branch: Branch, left: Left | None) -> StoredBranch:
    """A branch with its later actions, but without ``left`` of them (None: it starts afresh). Raises DocumentError."""
    document = documents.read_stored(branch.text)
    name = node_names(document)
    whole, later = _with_later(document, branch.later, left)
    moment = documents.seconds(branch.at_us)
    change = f"{moment}: {clauses(str(parse(branch.do)), name)}" if branch.do else f"cut at {moment}"
    return StoredBranch(documents.CheckedDocument.of(whole), change, later.plain(name))


def _with_later(document: Document, later: list[Action], left: Left | None) -> tuple[Document, LaterActions]:
    if left is None:
        return document, afresh(later)
    entries = [TimelineEntry.model_construct(at_us=at_us, action=parse(do)) for at_us, do in later]
    stays = [entry for number, entry in enumerate(entries) if number not in left]
    whole, refused = documents.going_on(document, stays)
    kept = whole.timeline[len(document.timeline) :]
    gone = [(entries[number], reason) for number, reason in left.items()] + refused
    told = sorted(((entry.at_us, str(entry.action), reason) for entry, reason in gone), key=lambda one: one[0])
    return whole, LaterActions([(entry.at_us, str(entry.action)) for entry in kept], told)


def actions_of(document: Document, from_us: int = 0) -> list[Action]:
    """The actions of a timeline at or after a moment."""
    return [(entry.at_us, str(entry.action)) for entry in document.timeline if entry.at_us >= from_us]


def stepped_back(
    document: Document, until_us: int, cut_us: int | None, parent: Document | None
) -> tuple[Branch, list[str], bool] | None:
    """The undo of the newest action up to ``until_us``: the branch without it, the actions, and whether it leads back.

    Several actions of one moment go together; None where there is none. It leads back to ``parent``, off which the
    document was branched at ``cut_us``, if nothing else was done in it.
    """
    happened = [entry.at_us for entry in document.timeline if entry.at_us <= until_us]
    if not happened:
        return None
    at_us = happened[-1]
    actions = [str(entry.action) for entry in document.timeline if entry.at_us == at_us]
    branch = Branch.of(document, at_us, "", at_us + 1)
    leads_back = parent is not None and cut_us == at_us and set(branch.later) <= set(actions_of(parent))
    return branch, actions, leads_back
