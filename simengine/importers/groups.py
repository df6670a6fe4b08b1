"""Reads ``kafka-consumer-groups.sh --describe``: how far each group is, and where each log ends.

It names topics and offsets, neither replicas nor brokers: alone it makes no cluster.
"""

import re
from typing import Final

from simengine.importers.evidence import GroupLag, PastedEvidence
from simengine.importers.fields import topic_name
from simengine.importers.model import PastedCluster, PasteResult
from simengine.importers.noise import holds
from simengine.importers.text import Paste
from simengine.importers.values import whole

KIND: Final = "foreign"
LABEL: Final = "kafka-consumer-groups.sh"
_HEAD = re.compile(
    r"\bCURRENT-OFFSET\s+LOG-END-OFFSET|\bCONSUMER-ID\s+HOST\s+CLIENT-ID|\bGROUP\s+COORDINATOR \(ID\)|"
    r"\bTOPIC\s+PARTITION\s+.{0,60}\bLAG\b"
)
_HEAD_WORDS: Final = ("OFFSET", "CONSUMER-ID", "COORDINATOR", "LAG")  # one of them in each head
_GROUP = re.compile(r"Consumer group '([^'\n]{1,249})'|--group[ =]['\"]?([^\s'\"]{1,249})")
DEFAULT_GROUP: Final = "readers"
_NUMBERS: Final = ("PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET")
COLUMNS_MIN: Final = 4  # topic, partition, offset, log end
NUMBERS_OF_A_ROW: Final = 3  # partition, offset, log end, and the lag beside them


def read(paste: Paste) -> PasteResult | None:
    """The positions of the groups; None without the tool's head line."""
    if not holds(paste.joined(), _HEAD_WORDS):
        return None
    evidence = PastedEvidence()
    columns: list[str] = []
    found, lost = False, False
    group = DEFAULT_GROUP  # of a table that has no such column
    for line in paste.lines:
        if len(line.text) > 2_000:
            continue
        group = _named(line.text) or group
        if holds(line.text, _HEAD_WORDS) and _HEAD.search(line.text):
            found, columns = True, line.text.split()
            evidence.lines_read.append(line.no)
            continue
        if columns:
            cells = line.text.split()
            lag = _row(columns, cells, group, line.no)
            lost = lost or lag is None and len(cells) - [*map(whole, cells)].count(None) >= NUMBERS_OF_A_ROW
            if lag is not None:
                evidence.lags.append(lag)
    if not found:
        return None
    reading = PasteResult(KIND, LABEL, cluster=PastedCluster(evidence=evidence))
    if "START-OFFSET" in columns:
        reading.warn("The offsets of a share group (kafka-share-groups.sh) stand in the paste. They are not used.")
    elif lost and not evidence.lags:
        reading.warn(f"{LABEL} stands in the paste, and no row of it tells an offset: it gives nothing.")
    return reading


def _named(text: str) -> str:
    """The group that a command or a message of the tool names; "" for none."""
    match = _GROUP.search(text) if "group" in text else None
    return match[1] or match[2] if match else ""


def _row(columns: list[str], cells: list[str], group: str, line: int) -> GroupLag | None:
    if len(cells) < COLUMNS_MIN:
        return None
    row = dict(zip(columns, cells, strict=False))
    number, committed, end = (whole(row.get(column, "")) for column in _NUMBERS)
    if number is None or end is None or not topic_name(row.get("TOPIC", "")):
        return None
    has_member = row.get("CONSUMER-ID") != "-"
    return GroupLag(row.get("GROUP", group), row["TOPIC"], number, committed, end, line, has_member)
