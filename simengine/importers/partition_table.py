"""Reads tables of partitions with their leader, replicas and ISR, as ``confluent kafka topic describe`` prints them.

A table without a column of topics is that of the topic that the lines above it name. Settings in a table below it are
those of its topic, where it lists only one.
"""

import re
from typing import Final

from simengine.importers.addresses import is_address, led
from simengine.importers.evidence import PastedValue
from simengine.importers.fields import leader, topic_name
from simengine.importers.foreign_table import PartitionTable, ids_in, tables
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import (
    NO_LEADER,
    UNNAMED,
    PastedCluster,
    PastedPartition,
    PastedTopic,
    PasteResult,
    count,
)
from simengine.importers.row_checks import settled
from simengine.importers.text import Line, Paste
from simengine.importers.values import bare_value
from simengine.scenario.limits import PARTITION_NUMBER_MAX

KIND: Final = "metadata"
LABEL: Final = "a table of partitions"
_OF_CRUISE_CONTROL: Final = "out-of-sync"  # which lists partitions that are ill, and has a reader of its own
_SETTING = re.compile(r"\s{0,40}([a-z]+(?:\.[a-z]+)+)(?:\s{0,80}[|\u2502]\s{0,40}|\s{2,80})(\S{1,80})(?:\s|$)")
_NAMED = re.compile(
    r"(?:\btopics?(?: (?:describe|name))?|\bpartitions|--topic|-t)[ =:]+(?:-\S+ )*[\"']?([\w.-]{1,249})[\"':]?(?:\s|$)|"
    r"^\W*name:?\s+([\w.-]{1,249})\s*$",
    re.IGNORECASE,
)
ABOVE_MAX: Final = 12  # lines above a head that may name the topic


def read(paste: Paste) -> PasteResult | None:
    """The partitions of all tables, of each partition the last row; None without a row that can be used."""
    if "eader" not in paste.joined() and "LEADER" not in paste.joined():
        return None
    found = tables([line.text for line in paste.lines])
    reading = PasteResult(KIND, LABEL, cluster=PastedCluster())
    assert reading.cluster is not None
    cluster = reading.cluster
    ends = [*(table.head_at for table in found), len(paste.lines)][1:]
    rows: list[tuple[str, PastedPartition]] = []
    for moment, (table, end) in enumerate(zip(found, ends, strict=True)):
        if _OF_CRUISE_CONTROL in table.columns or "isr" not in table.columns:
            continue
        mine = _rows(table, paste.lines, moment, reading)
        topics = dict.fromkeys(row.topic for _, row in mine)
        if mine:
            cluster.evidence.lines_read.append(paste.lines[table.head_at].no)
            rows += mine
        if len(topics) == 1:
            _take_settings(paste.lines[max(table.rows) : end], next(iter(topics)), cluster)
    if not rows:
        return None
    for row in led(rows, reading.warn):
        topic = cluster.topics.setdefault(row.topic, PastedTopic(row.topic, line=row.line))
        topic.rows[row.number] = settled(row, reading.warn)
    cluster.name_brokers()
    reading.facts = count(cluster)
    return reading


def _rows(
    table: PartitionTable, lines: list[Line], moment: int, reading: PasteResult
) -> list[tuple[str, PastedPartition]]:
    """The rows of a table, each with the address of its leader where that stands for the id."""
    named = "" if "topic" in table.columns or not table.rows else _named_above(table, lines, reading)
    found = [_row(cells, cells.get("topic", named), lines[at].no, moment) for at, cells in table.rows.items()]
    return [one for one in found if one is not None]


def _named_above(table: PartitionTable, lines: list[Line], reading: PasteResult) -> str:
    """The topic of a table without a column of topics."""
    for line in reversed(lines[max(0, table.head_at - ABOVE_MAX) : table.head_at]):
        names = [match[1] or match[2] for match in _NAMED.finditer(line.text[:1000])]
        if names:
            assert reading.cluster is not None
            reading.cluster.evidence.lines_read.append(line.no)
            return names[-1]
    reading.warn(f"The table names no topic: its partitions were taken for those of one topic, {UNNAMED}.")
    return UNNAMED


def _row(cells: dict[str, str], topic: str, line: int, moment: int) -> tuple[str, PastedPartition] | None:
    address = cells.get("leader", "") if is_address(cells.get("leader")) else ""
    name, led_by = topic_name(topic), NO_LEADER if address else leader(cells.get("leader", ""))
    replicas, isr = (tuple(map(int, ids_in(cells.get(key, "")))) for key in ("replicas", "isr"))
    number = int(cells["partition"])
    is_cut = not isr and (address or led_by != NO_LEADER)  # a leader is in its ISR
    if name is None or led_by is None or is_cut:
        return None
    if number > PARTITION_NUMBER_MAX or max(*replicas, *isr, 0) > BROKER_ID_MAX:
        return None
    return address, PastedPartition(name, number, led_by, replicas, isr, line=line, moment=moment)


def _take_settings(lines: list[Line], topic: str, cluster: PastedCluster) -> None:
    for line in lines:
        setting = _SETTING.match(line.text) if len(line.text) < 300 else None
        if setting:
            said = PastedValue(bare_value(setting[2]), line.no, LABEL)
            cluster.evidence.topic_configs.append((topic, setting[1], said))
