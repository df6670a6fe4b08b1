"""JSON inside a paste: the values that stand in it, whatever prompts and prose stand around them."""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any, Final, NamedTuple

from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.noise import holds
from simengine.importers.text import Paste

_CURLED: Final = str.maketrans("\u201c\u201d\u201e\u201f\u2033\u2018\u2019", '"""""\'\'')
_OPENING = re.compile(r"[{\[]")
_COMMENT = re.compile(r"((?:[^\"#/<(]|\"(?:[^\"\\]|\\.)*\"|/(?!/)|[<(](?!\d{1,2}[>)]))*)(?:#|//|[<(]\d{1,2}[>)])")
_COMMENT_WORDS: Final = ("#", "//")
_CALL_OUT = re.compile(r"[<(]\d{1,2}[>)]")
_NUMBER_FIRST = re.compile(r"-?\d[\d.eE+-]*\s*(?:[,\]]|$)")  # a date in a log's bracket is no array
_LINE = re.compile(r"\s*(?:[{}\[\]\"\u201c\u201d]|-?\d[\d.]*,?\s*$|(?:true|false|null),?\s*$)")
_PIECE = re.compile(r"[\"'}\]]\s{0,9}[:,}\]]|[\[{,]\s{0,9}[\"'{]")  # of JSON that is broken into lines anywhere
_LAST_COMMA = re.compile(r",(?=\s{0,200}[}\]])")
VALUES_MAX: Final = 2_000
TRIES_MAX: Final = 20_000
EFFORT_PER_CHARACTER: Final = 4  # characters that may be read in vain, for each one of the text
EFFORT_MIN: Final = 100_000
AHEAD: Final = 200
PASSED_MAX: Final = 16 * 1024  # characters passed that are kept: an error of the decoder counts the lines in them


class PlacedValue(NamedTuple):
    """A value, where in the text it begins and ends, and the number of its first line in the paste."""

    value: Any
    start: int
    end: int
    line: int


def json_values(text: str, paste: Paste) -> list[Any]:
    """Every outermost JSON object or array that parses, in order; text that does not parse is skipped.

    ``paste``: whose text it is. It keeps the values, for several readers ask for them: do not change them.
    """
    return [one.value for one in placed_values(text, paste)]


def json_lines(paste: Paste, is_mine: Callable[[Any], bool]) -> list[int]:
    """The lines of a paste that belong to the JSON of a reader; those of other whole values do not."""
    text = paste.joined()
    found = placed_values(text, paste)
    starts = [0, *accumulate(len(line.text) + 1 for line in paste.lines)]
    belongs = [_LINE.match(line.text) is not None for line in paste.lines]
    is_whole = any(is_mine(one.value) for one in found)
    if not is_whole:
        belongs = [one or _PIECE.search(line.text) is not None for one, line in zip(belongs, paste.lines, strict=True)]
    for value, start, end, _ in found:
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end - 1)
        belongs[first:last] = [is_mine(value) or not is_whole] * (last - first)
    return [line.no for line, one in zip(paste.lines, belongs, strict=True) if one]


def placed_values(text: str, paste: Paste) -> list[PlacedValue]:
    """The same, each with its place."""
    if text not in paste.json:
        paste.json[text] = list(_placed_values(text, paste))
    return paste.json[text]


def _placed_values(text: str, paste: Paste) -> Iterator[PlacedValue]:
    line, before = 0, 0
    for start, end, value in _spans(text):
        line, before = line + text.count("\n", before, start), start
        number = paste.lines[min(line, len(paste.lines) - 1)].no if paste.lines else 0
        yield PlacedValue(value, start, end, number)


def _spans(text: str) -> list[tuple[int, int, Any]]:
    decoder = json.JSONDecoder()
    values: list[tuple[int, int, Any]] = []
    base, rest, at = 0, text, 0  # rest is the text from base on
    effort = EFFORT_PER_CHARACTER * len(text) + EFFORT_MIN
    for _ in range(TRIES_MAX):
        if at > PASSED_MAX:
            base, rest, at = base + at, rest[at:], 0
        match = _OPENING.search(rest, at)
        if match is None or len(values) >= VALUES_MAX:
            break
        at = match.end()
        if not _is_worth_trying(rest, match.start()):
            continue
        try:
            value, at = decoder.raw_decode(rest, match.start())
        except json.JSONDecodeError as error:
            effort -= error.pos - match.start()
        except (RecursionError, ValueError):
            effort -= EFFORT_MIN // 10
        if effort < 0:
            break
        if at == match.end():
            continue
        if isinstance(value, dict) and value or isinstance(value, list):
            values.append((base + match.start(), base + at, value))
    return values


def straightened(text: str) -> str:
    """Quote marks as JSON has them: word processors and chats curl them, Python prints single ones."""
    text = text.translate(_CURLED)
    return text if '"' in text or "{'" not in text else text.replace("'", '"')


def unbroken(text: str) -> str:
    """The text as one line: a terminal breaks JSON inside its strings."""
    return text.replace("\n", "")


def loosened(text: str) -> str:
    """The text without what authors write into JSON and no parser takes: comments, call-outs, commas at an end."""
    lines = text.split("\n")
    if holds(text, _COMMENT_WORDS) or _CALL_OUT.search(text):
        lines = [match.group(1) if (match := _COMMENT.match(line)) else line for line in lines]
    return _LAST_COMMA.sub("", "\n".join(lines))


def _is_worth_trying(text: str, at: int) -> bool:
    """A cheap look ahead: an object opens with a key, an array with a value."""
    ahead = text[at + 1 : at + 1 + AHEAD].lstrip()
    if text[at] == "{":
        return ahead.startswith(('"', "}"))
    return bool(ahead) and (ahead[0] in '{["]' or _NUMBER_FIRST.match(ahead) is not None)


def as_int(value: object) -> int | None:
    """A whole number out of JSON; booleans are none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def as_id(value: object) -> int | None:
    """A broker id out of JSON; None for what is none, -1 (nobody) included."""
    number = as_int(value)
    return number if number is not None and 0 <= number <= BROKER_ID_MAX else None


def as_ids(value: object) -> tuple[int, ...] | None:
    """A list of broker ids; None if the value is not one."""
    if not isinstance(value, list):
        return None
    ids = [as_int(item) for item in value]
    return tuple(item for item in ids if item is not None) if None not in ids else None
