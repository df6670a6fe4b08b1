"""The questions that people ask, as the file beside this module lists them, and the documents of their runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

from playground.library.scenario_files import FOLDER
from simengine.scenario.loading import read_plain

FILE: Final = Path(__file__).parent / "questions.yaml"
OF_THE_SCENARIO: Final = ("about", "expect", "captions")  # they speak of its own run: a changed run goes otherwise

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Side:
    """A run of a question: a scenario of the gallery, or what `changes` make of it (path of a value: the new value)."""

    title: str
    label: str
    scenario: str
    changes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess before the run shows it. The right one of `choices` is the figure `side.name`."""

    ask: str
    figure: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionCaption:
    """Words on the run `side` at a fact of the kind `on`: what happens, and why it matters. Both may have figures."""

    side: str
    on: str
    lead: str
    text: str


@dataclass(frozen=True, slots=True)
class OwnSide:
    """A run on a cluster of one's own: changes, and actions as a time and words, `10s kill {leader}`."""

    changes: Mapping[str, Any]
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `answer`, one sentence, and `more` have names of figures in curly brackets: `{a.lost}`.

    `mine`: its two runs on a cluster of one's own; none where `why_not_mine` says why.
    """

    key: str
    title: str
    group: str
    sign: str
    sides: tuple[tuple[str, Side], tuple[str, Side]]
    answer: str
    more: str
    seen: str
    captions: tuple[QuestionCaption, ...]
    guess: Guess
    rules: tuple[str, ...]
    mine: tuple[OwnSide, ...]
    why_not_mine: str


@lru_cache(maxsize=1)
def read_questions() -> tuple[Question, ...]:
    """All questions in the order of the path."""
    return tuple(_question(raw) for raw in cast("list[Json]", read_plain(FILE.read_bytes())))


def _question(raw: Json) -> Question:
    guess = raw["predict"]
    return Question(
        key=raw["key"],
        title=raw["title"],
        group=raw["group"],
        sign=raw["sign"],
        sides=(("a", _side(raw["title"], raw["a"])), ("b", _side(raw["title"], raw["b"]))),
        answer=raw["answer"],
        more=raw["more"],
        seen=raw["seen"],
        captions=tuple(QuestionCaption(**one) for one in raw["captions"]),
        guess=Guess(guess["ask"], guess["figure"], tuple(guess["choices"])),
        rules=tuple(raw["rules"]),
        mine=_own_sides(raw["mine"]),
        why_not_mine=raw["mine"].get("no", ""),
    )


def _own_sides(raw: Json) -> tuple[OwnSide, ...]:
    sides = [raw[letter] for letter in ("a", "b") if letter in raw]
    return tuple(OwnSide(side.get("set", {}), tuple(side.get("do", raw.get("do", ())))) for side in sides)


def _side(title: str, raw: Json) -> Side:
    return Side(title, raw["label"], raw["run"], raw.get("set", {}))


def document_of(side: Side) -> Json:
    """The document of a run, as plain values. It has the question as its title.

    Raises KeyError if a change names a value that the scenario cannot have.
    """
    document = cast("Json", read_plain((FOLDER / f"{side.scenario}.yaml").read_bytes()))
    if side.changes:
        for key in OF_THE_SCENARIO:
            document.pop(key, None)
        for path, value in side.changes.items():
            change(document, path.split("/"), value)
    document["title"] = f"{side.title} {side.label}"
    return document


def change(part: Any, path: list[str], value: Any) -> None:
    """Set the value at a path, and make the mappings on the way to it. `*`: in each member of a list."""
    first, *rest = path
    if first == "*":
        for member in part:
            change(member, rest, value)
        return
    key: Any = _place(part, first) if isinstance(part, list) else first
    if not rest:
        part[key] = value
    elif isinstance(part, list):
        change(part[key], rest, value)
    else:
        change(part.setdefault(key, {}), rest, value)


def drop(part: Any, path: list[str]) -> None:
    """Take the value at a path away, if there is one."""
    *way, last = path
    for named in way:
        part = part[_place(part, named)] if isinstance(part, list) else part.get(named, {})
    part.pop(last, None)


def _place(members: list[Any], named: str) -> int:
    """The place of a member in a list: by its name, its id or its number. Raises KeyError without one."""
    for i, member in enumerate(members):
        if isinstance(member, dict) and named in (member.get("name"), member.get("id")):
            return i
    if named.isdigit() and int(named) < len(members):
        return int(named)
    raise KeyError(named)
