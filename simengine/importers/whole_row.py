"""A partition row just as ``kafka-topics.sh --describe`` prints it: one pattern reads it, for most rows are such.

Any other row is read label by label (fields.py); what comes back here is what that would give, in a tenth of the time.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from simengine.importers.labels import STRICT
from simengine.importers.model import NO_LEADER, PastedPartition

_ROW = re.compile(
    r"\s*Topic:\s*([A-Za-z0-9._-]{1,249})\s+Partition:\s*(\d{1,9})\s+Leader:\s*(none|-1|\d{1,9})\s+"
    r"Replicas:\s*([\d,]+)\s+Isr:\s*([\d,]*)(?:\s+Elr:\s*([\d,]*|N/A)\s+LastKnownElr:\s*([\d,]*|N/A))?\s*",
    re.ASCII,
)
_GAP: Final = r"(?:[\s|]|\*\*)"  # blanks, the bars of a table and bold marks in Markdown
_NEXT: Final = r"\s*:(?:\*\*)?\s*"
_FRAMED_ROW = re.compile(
    rf"(?<![\w.=-])Topic{_NEXT}([A-Za-z0-9._-]{{1,249}}){_GAP}+Partition{_NEXT}(\d{{1,9}}){_GAP}+"
    rf"Leader{_NEXT}(none|-1|\d{{1,9}}){_GAP}+Replicas{_NEXT}([\d,]+){_GAP}+Isr{_NEXT}([\d,]*)"
    rf"(?:{_GAP}+Elr{_NEXT}([\d,]*|(?-i:N/A)){_GAP}+LastKnownElr{_NEXT}([\d,]*|(?-i:N/A)))?{_GAP}*",
    re.ASCII | re.IGNORECASE,
)  # with something in front, with bars between the columns, or in other letters
_LEADER = re.compile(r"none|-1|\d{1,9}", re.ASCII)
DIGITS_MAX: Final = 9  # of an id
ROW_CHARS_MAX: Final = 1_000  # of a row that is read so: what is kept is small
MEMBERS_KEPT_MAX: Final = 16_384  # a listing of the largest cluster may stand several times in a paste
FIELDS: Final = 5  # of a row without Elr columns
FIELDS_WITH_ELR: Final = 7


@dataclass(frozen=True, slots=True)
class Members:
    """The brokers that a row names. Its lists hold replicas only, each once, and its leader is in its ISR."""

    leader: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    elr: tuple[int, ...] | None
    last_known: tuple[int, ...]
    fields: int  # labels of the row


class WholeRow(NamedTuple):
    """A row with its topic, its partition and its brokers."""

    topic: str
    number: int
    members: Members

    def row(self, line: int) -> PastedPartition:
        """The row that stands in that line."""
        members = self.members
        return PastedPartition(
            self.topic,
            self.number,
            members.leader,
            members.replicas,
            members.isr,
            members.elr,
            members.last_known,
            line=line,
        )


def whole_row(text: str) -> WholeRow | None:
    """The row of a line; None if the line is anything else, or holds anything that needs a second look."""
    if len(text) > ROW_CHARS_MAX:
        return None
    match = _ROW.fullmatch(text)
    if match is not None:
        return _of(*match.groups())
    return _framed(text) if "Isr" in text or "isr" in text or "ISR" in text else None


def _framed(text: str) -> WholeRow | None:
    """The row of a line that something stands around, if that holds no label."""
    start = max(0, text.lower().find("topic"))
    match = _FRAMED_ROW.fullmatch(text, start)
    if match is None or start and STRICT.search(text, 0, start):
        return None
    topic, number, leader, *ids = match.groups()
    return _of(topic, number, leader.lower(), *ids)


def _of(
    topic: str, number: str, leader: str, replicas: str, isr: str, elr: str | None, last_known: str | None
) -> WholeRow | None:
    found = members(leader, replicas, isr, elr, last_known)
    return None if found is None or topic in (".", "..") else WholeRow(topic, int(number), found)


@lru_cache(MEMBERS_KEPT_MAX)
def members(leader: str, replicas: str, isr: str, elr: str | None, last_known: str | None) -> Members | None:
    """The brokers of a row by its texts, which rows of one cluster repeat; None if they need a second look."""
    if not _LEADER.fullmatch(leader):
        return None
    led_by = NO_LEADER if leader in ("none", "-1") else int(leader)
    placed, in_sync = plain_ids(replicas), plain_ids(isr)
    eligible = plain_ids("" if elr == "N/A" else elr or "")
    known = plain_ids("" if last_known == "N/A" else last_known or "")
    if not placed or in_sync is None or eligible is None or known is None:
        return None
    if any(broker not in placed for ids in (in_sync, eligible, known) for broker in ids):
        return None
    if led_by != NO_LEADER and led_by not in in_sync:
        return None
    has_elr = elr is not None and elr != "N/A"
    fields = FIELDS if elr is None else FIELDS_WITH_ELR
    return Members(led_by, placed, in_sync, eligible if has_elr else None, known, fields)


def plain_ids(text: str) -> tuple[int, ...] | None:
    """Ids that stand once each; None for any other text."""
    if not text:
        return ()
    words = text.split(",")
    if not text.isascii() or not all(map(str.isdigit, words)):
        return None
    if max(map(len, words)) > DIGITS_MAX:
        return None
    ids = tuple(map(int, words))
    return ids if len(frozenset(ids)) == len(ids) else None
