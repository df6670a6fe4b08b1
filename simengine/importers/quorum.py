"""Names the output of ``kafka-metadata-quorum.sh describe``: voters (controllers) and observers (brokers)."""

import re
from typing import Final

from simengine.importers.model import Facts, Reading
from simengine.importers.text import Paste

KIND: Final = "quorum"
LABEL: Final = "kafka-metadata-quorum.sh describe"
_MARK = re.compile(r"\bCurrentVoters\s*:|\bLeaderEpoch\s*:.*|\bNodeId\b.*\bLogEndOffset\b")
_STATUS_MARK = re.compile(r"\bCurrentVoters\s*:|\bNodeId\s.*\bLogEndOffset\b|\bMaxFollowerLag\s*:")
_MEMBERS = re.compile(
    r"\b(CurrentVoters|CurrentObservers)\s*:\s*\[(.*?)\](?=\s*(?:#.*)?$|\s*Current|\s*[A-Z]\w+:)",
    re.DOTALL | re.MULTILINE,
)
_ID = re.compile(r"\"id\"\s*:\s*(\d{1,10})")
_PLAIN_IDS = re.compile(r"^\s*(?:\d{1,10}\s*,\s*)*\d{1,10}\s*$")
_ROW = re.compile(r"^[\s#>|]*(\d{1,10})\s+.*\b(Leader|Follower|Observer)\b\s*$")
_NUMBER = re.compile(r"\b(HighWatermark|MaxFollowerLag)\s*:\s*(\d+)")


def read(paste: Paste) -> Reading | None:
    """Voters and observers that are named; elided ones are not made up. None if it is no such output."""
    text = paste.joined()
    if not _STATUS_MARK.search(text):
        return None
    reading = Reading(KIND, LABEL)
    nodes: dict[int, str] = {}
    for match in _MEMBERS.finditer(text):
        _take_members(match.group(2), match.group(1), nodes, reading)
    for line in paste.lines:
        row = _ROW.match(line.text)
        if row:
            nodes.setdefault(int(row.group(1)), row.group(2))
    reading.facts = Facts(brokers=len(nodes))
    if not nodes:
        reading.rejected = "This is a quorum status, but no voter and no observer of it can be read."
    _warn(text, paste, reading)
    return reading


def _take_members(body: str, field: str, nodes: dict[int, str], reading: Reading) -> None:
    ids = [int(number) for number in (re.findall(r"\d+", body) if _PLAIN_IDS.match(body) else _ID.findall(body))]
    for number in ids:
        nodes.setdefault(number, field)
    if "..." in body or "\u2026" in body:
        reading.warn(f"{field} was shortened by hand (...): only the ids that are written are taken.")


def _warn(text: str, paste: Paste, reading: Reading) -> None:
    numbers = {name: int(value) for name, value in _NUMBER.findall(text)}
    if numbers.get("MaxFollowerLag", 0) > numbers.get("HighWatermark", 0) > 0:
        reading.warn("MaxFollowerLag is above HighWatermark: the leader has not heard of one of the voters yet.")
    if paste.had_html:
        reading.warn("The paste was HTML; its tags were taken away.")
