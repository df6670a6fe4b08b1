"""The load of single topics, where a paste tells it: a line with a topic's name and a number of records a second.

The number has a unit of records and time, or a word such as ``rate`` stands in the line or in the head of its table;
a line of a name and a number alone is in records a second. Bytes are no records.
"""

import re
from collections.abc import Iterator
from typing import Final

from simengine.importers.evidence import PastedValue
from simengine.importers.model import PastedCluster
from simengine.importers.noise import holds
from simengine.importers.text import Paste

_RECORDS: Final = r"(?:records?|recs?|messages?|msgs?|events?)"
_TIME: Final = r"(s|secs?|seconds?|min|minutes?|h|hours?)\b"
_NUMBER: Final = (
    r"(?<![\w.-])(?<!\d[, :])(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,3})\d{0,12})?\s{0,3}([kKM]?)(?![\w.,:-]*\d|\s?%)"
)
_WITH_UNIT = re.compile(rf"{_NUMBER}[\s|]{{0,9}}(?:{_RECORDS}[\s|]{{0,3}})?(?:/\s?|per )\s?{_TIME}")
_SHORT_UNIT = re.compile(rf"{_NUMBER}\s{{0,3}}(?:rps|mps|eps)(\b)")
_BARE = re.compile(_NUMBER)
_WORD = re.compile(
    rf"\b(?:rate|throughput|MessagesInPerSec|OneMinuteRate|{_RECORDS}[ _]?(?:/|per[ _]?)[ _]?s(?:ec(?:ond)?)?|rps)\b",
    re.I,
)
_WORD_PARTS: Final = ("rate", "throughput", "persec", "rps", "/", "per")  # one of them in each of these, in lower case
_BYTES = re.compile(r"\b[kKMGT]?i?[bB](?:ytes?)?\s?(?:/|ps\b|per )|\bbytes", re.I)
_BYTES_FIGURE = re.compile(r"\d[\d.,]{0,15}\s{0,3}[kKMGT]?i?[bB](?:ytes?)?\s?(?:/\s?|ps\b|per )\w{0,9}")
_PLAIN = re.compile(
    r"^\s{0,20}(?:topic[ =:]{1,3})?([A-Za-z0-9._-]{1,249})(?:\s{1,20}|\s{0,9}[:=]\s{0,9})(\d{1,9})(?:\.(\d{1,3}))?\s*$"
)
_LABELS = re.compile(r"\b(?:Partition|PartitionCount|Leader|Isr|Replicas)\s?:")
_NAMES = re.compile(r"[A-Za-z0-9._-]{1,249}")
_OF_NAME = re.compile(r"[A-Za-z0-9._-]")
_HEAD = re.compile(r"\btopics?\b", re.I)
DIGITS_MAX: Final = 60  # likewise with more digits
SOURCE: Final = "a line with its rate"
LINE_CHARS_MAX: Final = 200  # a longer line is none of these
_FACTORS: Final = {"": 1, "k": 1_000, "K": 1_000, "M": 1_000_000}
_SECONDS: Final = {"m": 60, "h": 3_600}  # by the first letter of the unit; of any other it is one


def contribute(paste: Paste, cluster: PastedCluster) -> None:
    """Add the rate of each topic of the cluster that a line gives; a number alone is in records a second."""
    if not cluster.topics:
        return
    is_table = False
    has_heads = holds(paste.joined().lower(), _WORD_PARTS)
    for line in paste.lines:
        text = line.text
        if len(text) > LINE_CHARS_MAX or not has_heads and ":" in text and _LABELS.search(text):
            continue
        if len(text) > DIGITS_MAX and _digits(text) > DIGITS_MAX:
            continue
        named = list(_named(text, cluster))
        if not named:
            is_head = has_heads and _is_head(text)
            is_table = is_head or is_table and bool(text.strip())
        rate = _rate(text, named[0], is_table) if len(named) == 1 else None
        if rate is not None:
            cluster.evidence.rates[named[0]] = PastedValue(f"{rate:g}", line.no, SOURCE)


def _digits(text: str) -> int:
    return sum(map(text.count, "0123456789")) if text.isascii() else sum(map(str.isdigit, text))


def _is_head(text: str) -> bool:
    """True if a line is the head of a table of rates by topic."""
    lower = text.lower()
    if "topic" not in lower or not holds(lower, _WORD_PARTS):
        return False
    return _HEAD.search(text) is not None and _WORD.search(text) is not None and not _BYTES.search(text)


def _named(text: str, cluster: PastedCluster) -> Iterator[str]:
    """The topics of the cluster that a line names; a row or a header of a listing is none of these lines."""
    if ":" in text and _LABELS.search(text) or not any(map(str.isdigit, text)):
        return
    for word in dict.fromkeys(_NAMES.findall(text)):
        if word in cluster.topics or word.rstrip(".") in cluster.topics and text.rstrip().endswith(word):
            yield word if word in cluster.topics else word.rstrip(".")


def _rate(text: str, name: str, is_table: bool) -> float | None:
    """The records a second that a line gives; None where it tells none, or several."""
    plain = _PLAIN.match(text)
    if plain and plain.group(1) == name:
        return float(f"{plain.group(2)}.{plain.group(3) or 0}")
    if not (is_table or "ps" in text or holds(text.lower(), _WORD_PARTS)):
        return None
    rest = _BYTES_FIGURE.sub(" ", _without_name(text, name))
    if _BYTES.search(rest):
        return None
    for pattern, signs in ((_WITH_UNIT, ("/", "per ")), (_SHORT_UNIT, ("ps",))):
        found = pattern.findall(rest) if any(sign in rest for sign in signs) else []
        if found:
            whole, part, factor, unit = found[0]
            return _per_second(whole, part, factor, unit) if len(found) == 1 else None
    found = _BARE.findall(rest) if is_table or _WORD.search(rest) else []
    return _per_second(*found[0]) if len(found) == 1 else None


def _without_name(text: str, name: str) -> str:
    """The line without the first place at which the topic's name stands as a word."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (_OF_NAME.match(text[at - 1 : at]) or _OF_NAME.match(text, end)):
            return f"{text[:at]} {text[end:]}"
        at = text.find(name, at + 1)
    return text


def _per_second(whole: str, part: str, factor: str, unit: str = "") -> float:
    number = float(f"{whole.replace(',', '')}.{part or 0}") * _FACTORS[factor]
    return number / _SECONDS.get(unit[:1], 1)
