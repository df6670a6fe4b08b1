"""Documents between the database and the engine: stored text, added actions, branches. Times in microseconds.

Every function returns a new document; none changes what it was given.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple

from playground.scenarios.size import size_of
from simengine.scenario import Document, DocumentError, Problem, load, parse, to_json, to_plain
from simengine.scenario.action_words import brokers_of, clauses, node_names
from simengine.scenario.limits import TIMELINE_MAX, UPLOAD_BYTES_MAX
from simengine.scenario.model import TimelineEntry
from simengine.scenario.parts import parts_of
from simengine.scenario.problems import FieldError
from simengine.scenario.sites import WorldNames

Plain = dict[str, Any]
UNTITLED: Final = "Untitled cluster"
Source = str | bytes | Plain | Document
UNREAD: Final[Plain] = {"actions": 0, "ends": [], "outcome": "", "brokers": []}
"""The row that lists show (``told_of``) for a document that cannot be read."""


class StoredScenario(NamedTuple):
    """A run as it is stored, and as the engine service is given it: the text of its document, the accepted actions.

    ``size``: of the document (``size.Size``), as plain data; None where its row does not tell.
    """

    text: str
    actions: list[tuple[int, str]]
    size: Plain | None = None


@dataclass(frozen=True)
class CheckedDocument:
    """A checked document as it is stored: its canonical JSON, its title and profile, and the row that lists show."""

    text: str
    title: str
    profile: str
    told: Plain = field(default_factory=dict)  # ``told_of``

    @property
    def stored(self) -> StoredScenario:
        """The run of the document, before anything was done in it."""
        return StoredScenario(self.text, [], self.told.get("size"))

    @classmethod
    def of(cls, document: Document) -> "CheckedDocument":
        """A document, ready to be stored. Raises DocumentError where that would be longer than an upload."""
        return cls(stored_text(document), title_of(document, UNTITLED), document.profile, told_of(document))


def check(source: Source) -> Plain:
    """The fields of Checked. Raises DocumentError."""
    return asdict(CheckedDocument.of(read(source)))


def read(source: Source) -> Document:
    """A checked document. Raises DocumentError with every problem."""
    return source if isinstance(source, Document) else load(source)


def read_stored(body: str) -> Document:
    """The document of a stored text, however long it is: what was accepted stays readable.

    Raises DocumentError if today's rules refuse it.
    """
    try:
        plain = json.loads(body) if body else body
    except (ValueError, RecursionError):
        raise DocumentError([Problem("document", "", "not JSON: it is damaged")]) from None
    return load(plain)


def of_stored(stored: StoredScenario) -> Document:
    """The whole document of a stored run. Raises DocumentError if today's rules refuse it."""
    return with_actions(read_stored(stored.text), stored.actions)


def stored_text(document: Document) -> str:
    """The canonical JSON under which a document is stored. Raises DocumentError where it is longer than an upload."""
    text = to_json(document)
    size = len(text.encode())
    if size > UPLOAD_BYTES_MAX:
        most = f"at most {UPLOAD_BYTES_MAX:,} bytes (4 MiB)"
        raise DocumentError([Problem("document", f"{size:,} bytes", "too long once it is written out", most)])
    return text


def with_actions(document: Document, actions: Iterable[tuple[int, str]]) -> Document:
    """The document with (at_us, do) pairs added in the order of time, after others of the same moment.

    Raises DocumentError where an action cannot be read: what is stored of it is damaged.
    """
    for number, (at_us, do) in enumerate(actions):
        try:
            action = parse(do)
        except FieldError as wrong:
            raise DocumentError([wrong.at(f"accepted[{number}]")]) from None
        document = document.with_action(at_us, action)
    return document


def branched(document: Document, at_us: int, do: str) -> Document:
    """The document without what was at or after ``at_us``, going on with ``do`` there; ``do`` "" adds nothing.

    What the document expects of its run is left out: this is another run. Raises DocumentError for an action that
    cannot be read, names what does not exist, or comes too late.
    """
    branch = document.cut_before(at_us).model_copy(update={"expect": []})
    if not do:
        return branch
    if len(branch.timeline) >= TIMELINE_MAX:
        raise DocumentError(
            [Problem("timeline", str(TIMELINE_MAX + 1), f"a timeline has at most {TIMELINE_MAX} actions")]
        )
    try:
        action = parse(do)
    except FieldError as wrong:
        raise DocumentError([wrong.at("do")]) from None
    return load(to_plain(branch.with_action(at_us, action)))


def going_on(branch: Document, later: list[TimelineEntry]) -> tuple[Document, list[tuple[TimelineEntry, str]]]:
    """A branch with later actions as well, and those that it cannot take, each with the reason.

    It lasts at least until the last of them. What is over the limit of a timeline is not taken either.
    """
    names = WorldNames(parts_of(branch))
    for entry in branch.timeline:
        names.add(entry.action)
    taken: list[TimelineEntry] = []
    refused: list[tuple[TimelineEntry, str]] = []
    for entry in later:
        try:
            names.check(entry.action)
        except FieldError as wrong:
            refused.append((entry, wrong.message))
            continue
        if len(branch.timeline) + len(taken) == TIMELINE_MAX:
            refused.append((entry, f"a timeline has at most {TIMELINE_MAX} actions"))
            continue
        names.add(entry.action)
        taken.append(entry)
    timeline = [*branch.timeline, *taken]
    until_us = max(branch.until_us, taken[-1].at_us) if taken else branch.until_us
    return load(to_plain(branch.model_copy(update={"timeline": timeline, "until_us": until_us}))), refused


def lasting(document: Document, shown_us: int) -> Document:
    """The document with an end that comes neither before ``shown_us`` nor before its last action: rooms play on."""
    last_us = document.timeline[-1].at_us if document.timeline else 0
    return document.model_copy(update={"until_us": max(document.until_us, shown_us, last_us)})


def title_of(document: Document, fallback: str) -> str:
    """The title to list a document under."""
    return document.title.strip() or fallback


def told_actions(document: Document, entries: list[TimelineEntry]) -> list[tuple[int, str, str]]:
    """The actions of a document: the moment (us), the words, and the action as the timeline writes it."""
    name = node_names(document)
    return [(e.at_us, f"{clauses(str(e.action), name)}.", str(e.action)) for e in entries]


def told_of(document: Document) -> Plain:
    """The row of a document in lists, which then need not read it: its length, its actions, its outcome, its brokers.

    ``ends``: the first and the last of its actions, (us, words). ``size``: the size of its run (``size.Size``).
    """
    entries = document.timeline
    outcomes = [caption.text for caption in document.captions if caption.kind == "outcome"]
    return {
        "until_us": document.until_us,
        "actions": len(entries),
        "ends": [[at_us, words] for at_us, words, _ in told_actions(document, [*entries[:1], *entries[1:][-1:]])],
        "outcome": outcomes[0] if outcomes else "",
        "brokers": brokers_of(document),
        "size": asdict(size_of(document)),
    }


def seconds(at_us: int) -> str:
    """A moment as the clock shows it: 21.160 s."""
    return f"{at_us / 1_000_000:.3f} s"
