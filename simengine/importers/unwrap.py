"""Puts wrapped rows together again: a terminal, a mail or a wiki breaks a long row at any column.

A line that holds no ``Topic:`` of its own belongs to the record above it when the two together read better than the
record alone (a label becomes whole, a broken value becomes valid), or when the line above is as wide as the paste
gets and this one holds only what may follow there. A number alone needs a sign of a wrap: it may be a count, an
offset or an exit status behind the row. Nothing is put together over a prompt, a fence or a blank line
(unless every other line is blank).
"""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from simengine.importers import fields
from simengine.importers.configs import is_topic_key
from simengine.importers.labels import ANY
from simengine.importers.model import NO_LEADER
from simengine.importers.noise import COMMAND, LOG_LINE, is_continued, why_noise
from simengine.importers.text import GAP_MAX, Line
from simengine.importers.whole_row import WholeRow, whole_row

_HAS_TOPIC = re.compile(r"[Tt][Oo][Pp][Ii][Cc]\s*:")  # three times as fast as with a flag
_HAS_PARTITION = re.compile(r"[Pp](?<![\w.=-][Pp])[Aa][Rr][Tt][Ii][Tt][Ii][Oo][Nn]\s*:")
_ANY_LABEL = re.compile(
    r"(?=[TPLRIECF])(?:Topic|Partition|Leader|Replicas|Isr|Elr|Configs|Count|Factor|TopicId)\s*:", re.IGNORECASE
)
_DIGITS = re.compile(r"[\d,\s]+$")
_CONFIG_TAIL = re.compile(r"\s*+\S*+\s*+$")
_REST_OF_LABEL = re.compile(r"\s*(?:[^\W\d_]|\s){0,20}\s*:")  # the second half of a label
_SETTING = re.compile(r"\s*[A-Za-z][\w.-]*=")
_LABEL_WORDS = ("TopicId", "PartitionCount", "ReplicationFactor", "Configs", "Partition", "Leader", "Replicas", "Isr")
_LATE_LABEL_WORDS = (
    "Adding Replicas",
    "Removing Replicas",
    "Offline",
    "LiveObservers",
    "Observers",
    "Elr",
    "LastKnownElr",
)
_HALVES = [word[:end] for word in (*_LABEL_WORDS, *_LATE_LABEL_WORDS) for end in range(1, len(word) + 1)]
_HALF_LABEL = re.compile(rf"\s(?:{'|'.join(sorted(dict.fromkeys(_HALVES), key=len, reverse=True))})\s*$")
HALF_CHARS_MAX = max(map(len, _HALVES)) + 1  # and the blank in front
TAB_WIDTH = 8
WRAPPED_LINES_MAX = 200  # one row over more lines than this is no row
WRAPPED_CHARS_MAX = 100_000
TRIED_CHARS_MAX = 20_000  # of all attempts to put lines behind one row; lines that only lengthen configs are free
KEY_CHARS_MAX = 300  # of half a config key


@dataclass(slots=True)
class Logical:
    """One or more lines of the paste that form one line of the tool's output."""

    text: str
    lines: list[Line]
    score: int
    records: list[fields.LabelledValues] | None = None  # of the text, where they are known already
    row: WholeRow | None = None  # of the text, where it is one
    in_configs: bool = False  # it is sound and ends in configs, so a line without a label changes no other value
    tried: int = 0  # characters of all attempts to put a line behind it

    @property
    def tail(self) -> str:
        """The end of the text without the blanks behind it."""
        return self.text[-2 * GAP_MAX :].rstrip()

    @property
    def no(self) -> int:
        """Number of its first line."""
        return self.lines[0].no


def logical_lines(lines: list[Line]) -> tuple[list[Logical], list[tuple[Line, str]]]:
    """The data lines, put together, and the others, each with the reason why it is not data."""
    widths = _Widths(lines)
    is_spread = _is_double_spaced(lines)
    data: list[Logical] = []
    rest: list[tuple[Line, str]] = []
    current: Logical | None = None
    in_command = False
    for line in lines:
        row = whole_row(line.text)
        if row is not None:
            in_command = False
            current = Logical(line.text, [line], row.members.fields, row=row)
            data.append(current)
            continue
        text = line.text
        if not text.strip():
            current = current if is_spread else None
            continue
        if ":" in text and (_HAS_TOPIC.search(text) or _starts_partition(text, current)):
            in_command = False
            current = _opened(text, line)
            data.append(current)
            continue
        noise = COMMAND if in_command else why_noise(text)
        in_command = is_continued(text) and noise is not None
        joined = _join(current, text, widths) if current and not (noise and not _holds_label(text)) else None
        if joined is None:
            rest.append((line, noise or "no label of kafka-topics.sh --describe in this line"))
            current = current if noise == LOG_LINE else None  # a warning of the tool may stand between two halves
        elif current is not None:
            _extend(current, line, joined)
    return data, rest


def _holds_label(text: str) -> bool:
    return ":" in text and _ANY_LABEL.search(text) is not None


def _extend(current: Logical, line: Line, joined: "_Read") -> None:
    """Put a line behind a logical one."""
    current.text, current.score, current.in_configs = joined.text, joined.score, joined.in_configs
    current.records, current.row = joined.records, joined.row
    current.lines.append(line)


def _is_double_spaced(lines: list[Line]) -> bool:
    """True if there is a blank line between any two lines, as a mail or a chat puts it: then it parts nothing."""
    filled = [bool(line.text.strip()) for line in lines]
    return sum(filled) > 1 and not any(one and other for one, other in pairwise(filled))


class _Widths:
    """The widest line of the paste, counted in characters and in columns: where a hard wrap would break."""

    def __init__(self, lines: list[Line]) -> None:
        self._lines = lines

    @cached_property
    def chars(self) -> int:
        return max((len(line.text) for line in self._lines), default=0)

    @cached_property
    def columns(self) -> int:
        return max(map(_columns, self._lines), default=0)

    @cached_property
    def chars_times(self) -> int:
        return sum(len(line.text) == self.chars for line in self._lines)

    @cached_property
    def columns_times(self) -> int:
        return sum(_columns(line) == self.columns for line in self._lines)

    def is_full(self, text: str) -> bool:
        return len(text) == self.chars or len(text.expandtabs(TAB_WIDTH)) == self.columns

    def is_wrapped(self, text: str) -> bool:
        """True if the line is as wide as the widest, and others are too: one alone is no sign of a wrap."""
        full_chars = len(text) == self.chars and self.chars_times > 1
        return full_chars or len(text.expandtabs(TAB_WIDTH)) == self.columns and self.columns_times > 1


def _columns(line: Line) -> int:
    return len(line.text.expandtabs(TAB_WIDTH)) if "\t" in line.text else len(line.text)


def _starts_partition(text: str, current: Logical | None) -> bool:
    """True if a line opens a row without ``Topic:``; behind a lone ``Topic: x`` it is that row's second half."""
    if not _HAS_PARTITION.search(text):
        return False
    if current is None or current.row is not None:
        return True
    last = _records(current)
    return not last or last[-1].is_row or last[-1].is_header


def _records(current: Logical) -> list[fields.LabelledValues]:
    """The records of the text, found once."""
    if current.records is None:
        current.records = fields.records(current.text)
    return current.records


@dataclass(slots=True)
class _Read:
    """A text with its score and records. Half a label at its end is no fault, for the other half may follow."""

    text: str
    score: int = 0
    records: list[fields.LabelledValues] | None = None
    row: WholeRow | None = None
    in_configs: bool = False


def _opened(text: str, line: Line) -> Logical:
    """A logical line of one line of the paste."""
    read = _labelled(text)
    return Logical(text, [line], read.score, read.records, in_configs=read.in_configs)


def _read(text: str) -> _Read:
    row = whole_row(text)
    return _Read(text, row.members.fields, row=row) if row else _labelled(text)


def _labelled(text: str) -> _Read:
    if len(text) > WRAPPED_CHARS_MAX:
        return _Read(text)  # nothing is put behind it
    whole = _without_half_label(text)
    found = fields.records(whole)
    score = sum(map(fields.score, found))
    return _Read(text, score, found if whole == text else None, in_configs=fields.end_in_configs(found))


def _without_half_label(text: str) -> str:
    """The text without half a label at its end: it would end in a letter."""
    if not text.rstrip()[-1:].isalpha():
        return text
    half = _HALF_LABEL.search(text, max(0, len(text.rstrip()) - HALF_CHARS_MAX))
    return text[: half.start()] if half else text


def _join(current: Logical, text: str, widths: _Widths) -> _Read | None:
    """The two lines as one; None if they do not belong together."""
    if len(current.lines) >= WRAPPED_LINES_MAX or len(current.text) > WRAPPED_CHARS_MAX:
        return None
    if current.in_configs and not _adds_label(current, text):
        follows = _continues_configs(current, text, widths)
        return _Read(_glued(current, text, widths), current.score, in_configs=True) if follows else None
    if current.row and not _DIGITS.match(text) and not _adds_label(current, text):
        return None
    if current.tried > TRIED_CHARS_MAX:
        return None
    current.tried += len(current.text)
    glued = _read(_glued(current, text, widths))
    if glued.row and glued.score > current.score:
        return glued  # a blank in between makes no further label of it
    spaced = _read(f"{current.text.rstrip()} {text.strip()}")
    best = spaced if spaced.score > glued.score else glued
    if best.score > current.score or best.score == current.score and _may_follow(current, text, widths):
        return best
    return None


def _adds_label(current: Logical, text: str) -> bool:
    """True if a label can be in the second line, or begin in the first and end in the second."""
    if ":" not in text:
        return False
    return bool(ANY.search(text)) or current.tail[-1:].isalpha() and bool(_REST_OF_LABEL.match(text))


def _glued(current: Logical, text: str, widths: _Widths) -> str:
    """The two lines with nothing between; blanks in front of the second count where the first is full."""
    return current.text + (text if widths.is_full(current.lines[-1].text) else text.lstrip())


def _may_follow(current: Logical, text: str, widths: _Widths) -> bool:
    """True if a line without a label can be the end of the value above it."""
    last = _records(current)
    if not last:
        return False
    column = next(reversed(last[-1].values))
    if column == "configs":
        return _continues_configs(current, text, widths)
    if not _DIGITS.match(text):
        return False
    return _is_open(current, text) or _completes_ids(last[-1], column, text, widths, current.lines[-1].text)


def _is_open(current: Logical, text: str) -> bool:
    """True if there is a comma where the second line begins."""
    return current.tail.endswith(",") or text.lstrip().startswith(",")


def _continues_configs(current: Logical, text: str, widths: _Widths) -> bool:
    """True if a line can be the end of the configs above it."""
    above = current.lines[-1].text
    return bool(_CONFIG_TAIL.match(text)) and (
        _is_open(current, text)
        or _completes_key(current.text, text)
        or _opens_configs(current, text)
        or widths.is_full(above)
        and (not _SETTING.match(text) or widths.is_wrapped(above))
    )


def _completes_ids(record: fields.LabelledValues, column: str, text: str, widths: _Widths, above: str) -> bool:
    """True if digits belong to the value above them; a count or an exit status may follow any row.

    Elr and its like are mostly empty, so a number behind such a column is none of its ids.
    """
    value = record.values[column]
    replicas = fields.id_list(record.values.get("replicas", "")) or ()
    if column not in fields.ID_LISTS or column == "replicas":
        return not value or widths.is_full(above)
    if value:
        before, ids = fields.id_list(value) or (), fields.id_list(value + text.strip())
        is_broken = any(broker not in replicas for broker in before)
        return bool(ids) and all(broker in replicas for broker in ids or ()) and (is_broken or widths.is_wrapped(above))
    ids = fields.id_list(text) if column == "isr" else None
    is_led = fields.leader(record.values.get("leader", "")) not in (None, NO_LEADER)
    return bool(ids) and is_led and all(broker in replicas for broker in ids or ())


def _completes_key(above: str, text: str) -> bool:
    """True if half a config key above and the other half here make a key of Kafka's, which this half is not."""
    half = re.split(r"[,\s]", above[-KEY_CHARS_MAX:])[-1]
    key = text.strip().partition("=")[0]
    return "=" not in half and "=" in text and is_topic_key(half + key) and not is_topic_key(key)


def _opens_configs(current: Logical, text: str) -> bool:
    """True if a line holds the first setting of a header that ends with its label."""
    key, equals, _ = text.strip().partition("=")
    return current.tail.endswith("Configs:") and equals == "=" and is_topic_key(key)
