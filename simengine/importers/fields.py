"""The labelled fields of ``kafka-topics.sh --describe``: where each label stands in a line and what its value is.

Lines are split on known labels, never on columns: tools, terminals, mail and wikis change tabs and blanks at will.
The labels themselves stand in labels.py.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import Final, TypeVar

from simengine.importers.labels import GLUED, STRICT, is_exact, name_of
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.whole_row import ROW_CHARS_MAX, Members, members, plain_ids

_OPENING = re.compile(r"[Tt][Oo][Pp][Ii][Cc]\s*:|[Pp][Aa][Rr][Tt][Ii][Tt][Ii][Oo][Nn]\s*:")  # faster than with a flag
_VALUE: Final = r"([^\s:*]*)"
_ROW = re.compile(
    rf"\s*(?:Topic:\s*{_VALUE}\s+)?Partition:\s*{_VALUE}\s+Leader:\s*{_VALUE}(?:\s+Replicas:\s*{_VALUE})?"
    rf"(?:\s+Isr:\s*{_VALUE}(?:\s+Elr:\s*{_VALUE}\s+LastKnownElr:\s*{_VALUE})?)?\s*"
)  # a value without a colon holds no label
_HEADER = re.compile(
    rf"\s*Topic:\s*{_VALUE}\s+(?:TopicId:\s*{_VALUE}\s+)?PartitionCount:\s*{_VALUE}\s+"
    rf"ReplicationFactor:\s*{_VALUE}\s+Configs:([^:]*)"
)
_ROW_NAMES: Final = ("topic", "partition", "leader", "replicas", "isr", "elr", "last_known")
_HEADER_NAMES: Final = ("topic", "topic_id", "count", "rf")  # in front of the configs
IDS_MAX: Final = 1_000  # of one list; a longer one is none
_IDS = re.compile(rf"\s*[*_`]{{0,3}}\[?\s*(\d{{1,10}}(?:\s*,\s*\d{{1,10}}){{0,{IDS_MAX - 1}}})?\s*\]?")
_NOT_AVAILABLE = re.compile(r"\s*N/A\b")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,249}$")
_TAIL_COMMENT = re.compile(r"\s*(?:#|//|<|>|->|=>|--|\(|\||\*|[^\x00-\x7f]|\.\.\.)")
_TAIL_QUOTE = re.compile(r"[\s\"'`\\,;\])}*_]*(?:n\W*)?$")
NO_LEADER_WORDS: Final = ("none", "-1", "leader_not_available", "null", "n/a", "", "no leader", "-")
_NO_LEADER_AND_COMMENT = re.compile(r"(?:none|-1)(?![\w.-])\s*(?:\(|[^\x00-\x7f]|<|#|\*|!|:\w)", re.IGNORECASE)
_SIGNS_IN_FRONT = re.compile(r"^(?:[^\x00-\x7f\w]+\s*|:[a-z_]+:\s*)")  # an emoji, as a character or as a chat spells it

_LABEL_ENDS: Final = ("opic", "artition", "eader", " Replicas", "\tReplicas", "Isr", "KnownElr", "onfigs", "TopicId")
ID_DIGITS_MAX: Final = 10
PLAIN_CHARS_MAX: Final = IDS_MAX * (ID_DIGITS_MAX + 1)
KEPT_MAX: Final = 16_384  # values of a function whose results are kept: the rows of a listing repeat them
KEPT_CHARS_MAX: Final = 200
ID_LISTS: Final = ("replicas", "isr", "elr", "last_known", "adding", "removing", "offline", "observers")
_USUAL: Final = frozenset(("topic", "partition", "leader", "replicas", "isr"))
_USUAL_WITH_ELR: Final = _USUAL | {"elr", "last_known"}


Result = TypeVar("Result")


def kept(function: Callable[[str], Result]) -> Callable[[str], Result]:
    """Keep the results of a function of a short text."""
    of_short = lru_cache(KEPT_MAX)(function)

    @wraps(function)
    def result(text: str) -> Result:
        return of_short(text) if len(text) <= KEPT_CHARS_MAX else function(text)

    return result


@dataclass(slots=True)
class LabelledValues:
    """The labelled values of one header or one partition row, still as text; ``before``: what stands in front."""

    values: dict[str, str] = field(default_factory=dict)
    line: int = 0
    before: str = ""
    is_glued: bool = False  # its labels were looked for in the middle of words too
    bad: list[str] | None = None  # what ``invalid`` found
    sound: Members | None = None  # the brokers of a row that needs no second look, once ``invalid`` is asked

    @property
    def is_row(self) -> bool:
        """True if it names a partition and at least one of its columns."""
        values = self.values
        return "partition" in values and ("leader" in values or "replicas" in values or "isr" in values)

    @property
    def is_header(self) -> bool:
        """True if it names a topic and something that only headers say."""
        return "topic" in self.values and not self.is_row and _has_header_field(self.values)


def records(text: str) -> list[LabelledValues]:
    """The records in one logical line; a paste that lost its line ends has many in a line."""
    usual = _usual(text) if len(text) <= ROW_CHARS_MAX else None
    if usual is not None:
        return [usual]
    strict, labels = _split(text, STRICT)
    if strict and all(_complete(record) and not invalid(record) for record in strict):
        return strict
    if text.count(":") == sum(len(record.values) for record in strict) and all(map(is_exact, labels)):
        return strict  # each colon stands behind a label, and does so in the other form
    glued, _ = _split(text, GLUED)
    return glued if sum(map(score, glued)) > sum(map(score, strict)) else strict


def _usual(text: str) -> LabelledValues | None:
    """The record of a line with the labels of the tool in their order and no other colon."""
    match = _ROW.fullmatch(text)
    if match is not None:
        return LabelledValues(
            {name: value for name, value in zip(_ROW_NAMES, match.groups(), strict=True) if value is not None}
        )
    match = _HEADER.fullmatch(text)
    if match is None:
        return None
    *values, configs = match.groups()
    found = {name: value for name, value in zip(_HEADER_NAMES, values, strict=True) if value is not None}
    return LabelledValues({**found, "configs": configs.strip()})


def _split(text: str, pattern: re.Pattern[str]) -> tuple[list[LabelledValues], list[str]]:
    """The records of a text, and the labels as they are spelled."""
    found: list[LabelledValues] = []
    before, *parts = pattern.split(text)  # label, value, label, value …
    labels = parts[::2]
    values: dict[str, str] = {}
    for label, value in zip(labels, parts[1::2], strict=True):
        name = name_of(label)
        if not values or name == "topic" or name == "partition" and (name in values or _has_header_field(values)):
            found.append(LabelledValues(before="" if found else before, is_glued=pattern is GLUED))
            values = found[-1].values
        if name not in values:
            bare = value.strip()
            values[name] = bare.replace("**", "") if "*" in bare and name != "configs" else bare  # bold in Markdown
    return found, labels


def count_labels(text: str) -> int:
    """The rough number of times the commonest label occurs in a text: a cheap look at how many rows it may hold."""
    return max(text.count(f"{end}:") for end in _LABEL_ENDS)


def may_hold(text: str) -> bool:
    """True if a label that opens a header or a row can be in the text at all."""
    return bool(_OPENING.search(text))


def _has_header_field(values: dict[str, str]) -> bool:
    return "configs" in values or "count" in values or "rf" in values or "topic_id" in values


def _complete(record: LabelledValues) -> bool:
    values = record.values
    if record.is_row:
        return "leader" in values and "replicas" in values and "isr" in values
    return record.is_header


def end_in_configs(found: list[LabelledValues]) -> bool:
    """True if records are whole and sound and the last value is that of configs: more text behind it changes no other.

    Only text without a label; what a label in it would change is not told.
    """
    if not found or next(reversed(found[-1].values)) != "configs":
        return False
    return not found[-1].is_glued and all(_complete(record) and not invalid(record) for record in found)


def score(record: LabelledValues) -> int:
    """The quality of a record as a number: a field with a valid value counts one, an invalid one takes two away."""
    bad = len(invalid(record))
    return len(record.values) - 3 * bad


def invalid(record: LabelledValues) -> list[str]:
    """The fields whose value is not what their label promises."""
    if record.bad is None:
        record.bad = _invalid(record)
    return record.bad


def _invalid(record: LabelledValues) -> list[str]:
    bad = [name for name, value in record.values.items() if name in _READ_AS and _READ_AS[name](value) is None]
    record.sound = None if bad else sound_members(record.values)
    return bad


def sound_members(values: dict[str, str]) -> Members | None:
    """The brokers of a row that has the usual fields and no others; None for any other."""
    if not (values.keys() == _USUAL or values.keys() == _USUAL_WITH_ELR):
        return None
    number = values["partition"]
    if not (number.isdigit() and number.isascii() and len(number) < ID_DIGITS_MAX):
        return None
    if sum(map(len, values.values())) > ROW_CHARS_MAX:
        return None
    return members(values["leader"], values["replicas"], values["isr"], values.get("elr"), values.get("last_known"))


def id_list(value: str, may_repeat_last: bool = False) -> tuple[int, ...] | None:
    """Broker ids; ``N/A`` and nothing give (), text that is neither an id list nor one with a comment gives None.

    ``may_repeat_last``: the last id may be one that stands there already, as the beginning of another one may look.
    """
    return _id_list_cut(value) if may_repeat_last else _id_list(value)


@kept
def _id_list(value: str) -> tuple[int, ...] | None:
    return _ids_of(value, may_repeat_last=False)


@kept
def _id_list_cut(value: str) -> tuple[int, ...] | None:
    return _ids_of(value, may_repeat_last=True)


def _ids_of(value: str, may_repeat_last: bool) -> tuple[int, ...] | None:
    plain = plain_ids(value) if len(value) <= PLAIN_CHARS_MAX else None
    if plain is not None:
        return plain
    if _NOT_AVAILABLE.match(value):
        return ()
    match = _IDS.match(value)
    assert match is not None, "the pattern matches the empty text"
    tail = value[match.end() :]
    if tail.strip() and not (_TAIL_COMMENT.match(tail) or _TAIL_QUOTE.fullmatch(tail)):
        return None
    ids = tuple(int(part) for part in (match.group(1) or "").split(",") if part.strip())
    once = ids[:-1] if may_repeat_last else ids
    is_valid = len(once) == len(dict.fromkeys(once)) and max(ids, default=0) <= BROKER_ID_MAX
    return ids if is_valid else None


def is_not_available(value: str) -> bool:
    """True if the column says ``N/A``: the cluster is older than the tool."""
    return bool(_NOT_AVAILABLE.match(value))


@kept
def tail_of_ids(value: str) -> str:
    """The text behind an id list: a trailing comma or a comment, mostly nothing."""
    if _NOT_AVAILABLE.match(value):
        return ""
    match = _IDS.match(value)
    return value[match.end() :].strip() if match else value


@kept
def leader(value: str) -> int | None:
    """The leader's id, -1 for none; None if the value says neither."""
    word = _SIGNS_IN_FRONT.sub("", value.strip("\"'`,;|*_ \t"))
    if word.lower() in NO_LEADER_WORDS or _NO_LEADER_AND_COMMENT.match(word):
        return -1
    match = re.match(r"(\d{1,10})(?![\w.-])", word, re.ASCII)
    return int(match.group(1)) if match and int(match.group(1)) <= BROKER_ID_MAX else None


@kept
def whole_number(value: str) -> int | None:
    """The number a value starts with; None if it is none, or part of a word."""
    match = re.match(r"\s*(\d{1,9})(?![\w.])", value, re.ASCII)
    return int(match.group(1)) if match else None


def bare_name(before: str) -> str | None:
    """A topic name that stands alone in front of a row, where an author took ``Topic:`` away; it has a letter."""
    match = re.fullmatch(r"\s*([A-Za-z0-9._-]{1,249})\s+", before)
    return match.group(1) if match and re.search("[A-Za-z]", match.group(1)) else None


@kept
def topic_name(value: str) -> str | None:
    """A legal topic name (1 to 249 of ``[A-Za-z0-9._-]``); blanks inside mean that this is prose."""
    word = value.strip().strip("\"'`,;*| ")
    return word if _NAME.fullmatch(word) and word not in (".", "..") else None


_READ_AS: Final[dict[str, Callable[[str], object]]] = {
    **dict.fromkeys(ID_LISTS, id_list),
    **dict.fromkeys(("count", "rf", "partition"), whole_number),
    "topic": topic_name,
    "leader": leader,
}  # of the fields that can be wrong: None for a value that is
