"""Reads ``kafka-consumer-groups.sh --describe``: how far each group is, and where each log ends.

It names topics and offsets, neither replicas nor brokers: alone it makes no cluster.
"""

import re
from typing import Final

from simengine.importers.evidence import Evidence, GroupLag
from simengine.importers.model import Cluster, Reading
from simengine.importers.noise import holds
from simengine.importers.text import Paste

KIND: Final = "foreign"
LABEL: Final = "kafka-consumer-groups.sh"
_HEAD = re.compile(
    r"\bCURRENT-OFFSET\s+LOG-END-OFFSET|\bCONSUMER-ID\s+HOST\s+CLIENT-ID|\bGROUP\s+COORDINATOR \(ID\)|"
    r"\bTOPIC\s+PARTITION\s+.{0,60}\bLAG\b"
)
_HEAD_WORDS: Final = ("OFFSET", "CONSUMER-ID", "COORDINATOR", "LAG")  # one of them in each head
_COLUMNS: Final = ("GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET")
OFFSET_MAX: Final = 10**15


def read(paste: Paste) -> Reading | None:
    """The positions of the groups; None without the tool's head line."""
    if not holds(paste.joined(), _HEAD_WORDS):
        return None
    evidence = Evidence()
    columns: list[str] = []
    found = False
    for line in paste.lines:
        if len(line.text) > 2_000:
            continue
        if holds(line.text, _HEAD_WORDS) and _HEAD.search(line.text):
            found, columns = True, line.text.split()
            continue
        if columns:
            lag = _row(columns, line.text.split(), line.no)
            if lag is not None:
                evidence.lags.append(lag)
    if not found:
        return None
    return Reading(KIND, LABEL, cluster=Cluster(evidence=evidence))


def _row(columns: list[str], cells: list[str], line: int) -> GroupLag | None:
    if len(cells) < len(_COLUMNS) - 1:
        return None
    row = dict(zip(columns, cells, strict=False))
    number, end = row.get("PARTITION", ""), row.get("LOG-END-OFFSET", "")
    if not (_is_number(number) and _is_number(end) and "TOPIC" in row):
        return None
    offset = row.get("CURRENT-OFFSET", "")
    committed = int(offset) if _is_number(offset) else None
    return GroupLag(row.get("GROUP", "readers"), row["TOPIC"], int(number), committed, int(end), line)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 15
