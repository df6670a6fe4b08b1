"""Names the texts of Cruise Control: ``kafka_cluster_state``, ``partition_load`` and ``load``."""

import re
from typing import Final

from simengine.importers.model import Facts, Reading
from simengine.importers.text import Line, Paste

KIND: Final = "cruise"
LABEL: Final = "Cruise Control"
_STATE = re.compile(r"\bBROKER\s+LEADER\(S\)\s+REPLICAS\b")
_LOAD = re.compile(r"\bPARTITION\s+LEADER\s+FOLLOWERS\b")
_SUMMARY = re.compile(r"has (\d+) brokers?, (\d+) replicas?, (\d+) leaders?, and (\d+) topics?")
_STATE_ROW = re.compile(r"^\s*(\d{1,10})\s+\d+\s+\d+\s+\d+\s+\d+\s+(?:true|false)\b")
_LOAD_ROW = re.compile(r"^\s*(\S+)-(\d{1,9})\s+(-?\d{1,10})\s+\[([\d, ]*)\]")


def read(paste: Paste) -> Reading | None:
    """What the text counts; None if it is none of these."""
    text = paste.joined()
    rows = [match for line in paste.lines if (match := _LOAD_ROW.match(line.text))]
    if not (_STATE.search(text) or _LOAD.search(text)):
        return None
    reading = Reading(KIND, LABEL)
    if _LOAD.search(text):
        reading.facts = _load(rows)
        reading.warn("partition_load tells leaders and followers, but not who is in sync.")
    else:
        reading.facts = _state(paste.lines, text)
        reading.warn("kafka_cluster_state counts the partitions, it does not list them.")
    return reading


def _load(rows: list[re.Match[str]]) -> Facts:
    brokers: dict[str, None] = {}
    for row in rows:
        members = [row.group(3), *row.group(4).replace(",", " ").split()]
        brokers.update(dict.fromkeys(member for member in members if member != "-1"))
    topics = dict.fromkeys(row.group(1) for row in rows)
    leaderless = sum(row.group(3) == "-1" for row in rows)
    return Facts(len(brokers), len(topics), len(rows), leaderless=leaderless)


def _state(lines: list[Line], text: str) -> Facts:
    brokers = dict.fromkeys(match.group(1) for line in lines if (match := _STATE_ROW.match(line.text)))
    summary = _SUMMARY.search(text)
    return Facts(brokers=len(brokers), topics=int(summary.group(4)) if summary else 0)
