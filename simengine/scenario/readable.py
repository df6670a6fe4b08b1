"""The problems between the parts of a document of which some cannot be read: the rest, looked at without them.

What cannot be read is left out: the key if it has a default, else the element that needs it. Where one value decides
about others (`STAND_INS`) two values are tried, and only what both readings find is told: it holds whatever the author
meant. Where a name is lost that others may refer to, what refers to it is left in peace.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from simengine.scenario import checks
from simengine.scenario.config_keys import BROKER, CONSUMER, PRODUCER, SIMULATED, TOPIC
from simengine.scenario.limits import FORMAT
from simengine.scenario.model import Document
from simengine.scenario.near import nearest
from simengine.scenario.problems import MARK, Problem
from simengine.scenario.shape_problems import path_of, problems_of
from simengine.scenario.verbs import verbs_of

ROUNDS_MAX: Final = 8  # each round leaves out what the one before could not read, or the part that holds it
STAND_INS: Final[dict[tuple[str, str], tuple[object, object]]] = {
    ("format", ""): (FORMAT, FORMAT),
    ("profile", ""): ("4.2", "3.7"),
    ("elr", ""): (None, False),
    ("until", ""): ("24h", "24h"),
    ("cluster", "state"): ("running", "down"),
    ("producers", "acks"): ("all", "0"),
    ("timeline", "at"): (0, 0),
    ("timeline", "do"): ("heal", "heal"),
    ("captions", "at"): (0, 0),
}  # by the root of the place and its own key
NAMED: Final[dict[tuple[int | str, ...], str]] = {
    ("cluster", "brokers"): "id",
    ("cluster", "controllers"): "id",
    ("topics",): "name",
    ("producers",): "id",
    ("consumers",): "id",
}  # lists of what actions and references name
CREATING: Final = (*verbs_of("new_topic"), *verbs_of("new_name"))  # actions that give names
_SCOPES: Final = {"cluster": BROKER, "topics": TOPIC, "producers": PRODUCER, "consumers": CONSUMER}
_CUT: Final = re.compile(r"[\s,|>/]+")

Loc = tuple[int | str, ...]


class _Lost(Exception):
    """Too little can be read: whatever refers to something may refer to what is lost."""


def problems_behind(data: dict[str, Any], error: ValidationError) -> list[Problem]:
    """The problems between the parts that can be read; `error`: what pydantic said of the whole."""
    if "clusters" in data:
        return []  # whatever names a cluster of which a part cannot be read would be told as wrong, too
    remainder = _Remainder(data)
    try:
        for _ in range(ROUNDS_MAX):
            remainder.leave_out(error)
            readings = remainder.readings()
            if isinstance(readings, ValidationError):
                error = readings
                continue
            return remainder.told(*readings)
    except _Lost:
        pass
    return []


def in_document_order(problems: list[Problem]) -> list[Problem]:
    """Problems of shape and those between the parts, as a reader of the document comes upon them."""
    roots = [info.alias or name for name, info in Document.model_fields.items()]

    def place(problem: Problem) -> tuple[int, list[int]]:
        root = re.split(r"[.\[]", problem.path, maxsplit=1)[0]
        return (roots.index(root) if root in roots else -1, [int(n) for n in re.findall(r"\[(\d+)\]", problem.path)])

    return sorted(problems, key=place)


@dataclass(slots=True)
class _Remainder:
    """The document without what could not be read."""

    data: dict[str, Any]
    out: set[Loc] = field(default_factory=set)
    stand_ins: dict[Loc, tuple[object, object]] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    wrong: set[str] = field(default_factory=set)  # paths that have a problem of shape
    kept: dict[Loc, list[int]] = field(default_factory=dict)  # of lists that lost elements: which ones are left

    def leave_out(self, error: ValidationError) -> None:
        """Leave out the places that `error` names. Raises _Lost."""
        self.wrong |= {self._as_written(problem.path) for problem in problems_of(error)}
        for detail in error.errors(include_url=False):
            loc = self._written(tuple(part for part in detail["loc"] if part != "[key]"))
            inner: Sequence[Problem] = detail["ctx"]["problems"] if detail["type"] == MARK else ()
            if loc[-1:] == ("config",) and all(problem.path for problem in inner) and inner:
                for problem in inner:
                    self._leave_key(loc, problem.path)
            else:
                if detail["type"] == "extra_forbidden":
                    self._note_stray(loc)
                self._leave(loc)

    def readings(self) -> tuple[Document, Document] | ValidationError:
        """The remainder, read with either stand-in; or what pydantic says of it."""
        try:
            found = []
            for choice in (0, 1):
                self.kept = {}
                found.append(Document.model_validate(self._without(self.data, (), choice)))
            return found[0], found[1]
        except ValidationError as error:
            return error

    def told(self, one: Document, other: Document) -> list[Problem]:
        """The problems that both readings find, at their places in the whole document, without those told already."""
        also = {(problem.path, problem.message) for problem in checks.check(other)}
        found = [problem for problem in checks.check(one) if (problem.path, problem.message) in also]
        placed = [problem._replace(path=self._as_written(problem.path)) for problem in found]
        return [problem for problem in placed if problem.path not in self.wrong and not self._names_lost(problem)]

    def _leave_key(self, config: Loc, key: str) -> None:
        """One configuration key; it may hold anything in its range."""
        known = SIMULATED[_SCOPES.get(str(config[0]), BROKER)].get(key)
        if known is None or isinstance(known.default, str):
            self.out.add((*config, key))
        elif isinstance(known.default, bool):
            self.stand_ins[*config, key] = (True, False)
        else:
            self.stand_ins[*config, key] = (known.low, known.high)

    def _leave(self, loc: Loc) -> None:
        """One place: a stand-in, or out with it, or with the part that cannot be without it."""
        while loc in self.out or loc in self.stand_ins or (loc and not self._may_go(loc)):
            loc = loc[:-1]
        if loc[2:3] == ("initial",):
            loc = loc[:4]  # the parts of one state are checked against each other
        if not loc or loc in (("cluster",), ("cluster", "brokers"), ("topics",), ("producers",), ("consumers",)):
            raise _Lost
        key = loc[-1]
        stand_in = _stand_in(loc)
        if stand_in is not None:
            self._note_created(loc)
            self.stand_ins[loc] = stand_in
            return
        if loc[:-1] == ("timeline",):
            raise _Lost  # what it does may create what others name
        identity = NAMED.get(loc[:-1])
        if identity is not None:
            self._note_element(loc, identity)
        elif loc[:-2] in NAMED:
            if key in ("id", "name", "rack"):
                raise _Lost
            if key in ("partitions", "count"):
                self._note_element(loc[:-1], "name")
        self.out.add(loc)
        self.wrong.add(path_of(loc))

    def _may_go(self, loc: Loc) -> bool:
        """True if this place can be left out by itself: no item of a plain list, and nothing that is not there."""
        holder = self._at(loc[:-1])
        if isinstance(holder, dict):
            return loc[-1] in holder or _stand_in(loc) is not None
        return isinstance(holder, list) and loc[:-1] in _ELEMENTS

    def _note_element(self, loc: Loc, identity: str) -> None:
        element = self._at(loc)
        if not isinstance(element, dict) or not isinstance(element.get(identity), str | int):
            raise _Lost
        if path_of((*loc, identity)) in self.wrong:
            raise _Lost
        self.lost |= {str(element[key]) for key in (identity, "rack") if key in element}

    def _note_stray(self, loc: Loc) -> None:
        """A key that nobody knows may be one that others refer to, misspelt."""
        value = self._at(loc)
        if len(loc) == 1 and isinstance(value, dict | list) or isinstance(value, dict):
            raise _Lost
        self.lost |= {str(part) for part in (value if isinstance(value, list) else [value])}

    def _note_created(self, loc: Loc) -> None:
        if loc[-1] != "do":
            return
        text = self._at(loc)
        if not isinstance(text, str):
            raise _Lost
        words = text.split()
        if len(words) > 1 and (words[0] in CREATING or nearest(words[0], CREATING)):
            self.lost.add(words[1])

    def _names_lost(self, problem: Problem) -> bool:
        words = [*_CUT.split(problem.value), *re.findall(r"'([^']*)'", problem.message)]
        return any(word in self.lost or word.rpartition("-")[0] in self.lost for word in words)

    def _at(self, loc: Loc) -> Any:
        place: Any = self.data
        for part in loc:
            if isinstance(place, dict):
                place = place.get(part)
            elif isinstance(place, list) and isinstance(part, int) and part < len(place):
                place = place[part]
            else:
                return None
        return place

    def _without(self, value: Any, loc: Loc, choice: int) -> Any:
        if loc in self.stand_ins:
            return self.stand_ins[loc][choice]
        if isinstance(value, dict):
            found = {
                key: self._without(one, (*loc, key), choice)
                for key, one in value.items()
                if (*loc, key) not in self.out
            }
            missing = [place for place in self.stand_ins if place[:-1] == loc and place[-1] not in value]
            return found | {place[-1]: self.stand_ins[place][choice] for place in missing}
        if isinstance(value, list):
            left = [index for index in range(len(value)) if (*loc, index) not in self.out]
            if len(left) < len(value):
                self.kept[loc] = left
            return [self._without(value[index], (*loc, index), choice) for index in left]
        return value

    def _written(self, loc: Loc) -> Loc:
        """A location in the remainder as one in the document as written: with its indices, keys and spelling."""
        found: Loc = ()
        for part in loc:
            holder = self._at(found)
            if isinstance(holder, dict):
                found = (*found, next((key for key in holder if str(key) == str(part)), part))
            elif isinstance(holder, list) and isinstance(part, int):
                found = (*found, self.kept[found][part] if found in self.kept else part)
            else:
                break  # an id that stands for its whole element
        return found

    def _as_written(self, path: str) -> str:
        """The same for a path."""
        for loc, left in self.kept.items():
            prefix = path_of(loc) + "["
            if path.startswith(prefix):
                number, rest = path.removeprefix(prefix).split("]", 1)
                return f"{prefix}{left[int(number)]}]{rest}"
        return path


def _stand_in(loc: Loc) -> tuple[object, object] | None:
    return STAND_INS.get((str(loc[0]), str(loc[-1]) if len(loc) > 1 else ""))


_ELEMENTS: Final = (
    *NAMED,
    ("network", "links"),
    ("timeline",),
    ("expect",),
    ("captions",),
)  # lists of parts of their own: one may go without the others
