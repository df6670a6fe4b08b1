"""Reads tables of partitions with their leader, replicas and ISR, as ``confluent kafka topic describe`` prints them.

A table without a column of topics is that of the topic that the lines above it name. Settings beside a table are those
of its topic, where it lists only one.
"""

import re
from dataclasses import replace
from itertools import chain
from typing import Final, NamedTuple

from simengine.importers.addresses import is_address, known, led
from simengine.importers.evidence import PastedValue
from simengine.importers.fields import leader, topic_name
from simengine.importers.foreign_table import PartitionTable, ids_in, tables
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import (
    NO_LEADER,
    UNNAMED,
    PastedCluster,
    PastedPartition,
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
    r"(?:--topic|-t|\btopics?(?: (?:describe|name))?|\bget partitions)[ =:]+(?:-\S+ )*[\"'`]?"
    r"(?!(?:summary|information|details|overview|list)\s*$)([\w.-]{1,249})"
    r"(?:[\"'`:*]*\s*$|[\"']?\s+--?[a-z])|^\W*name:?\s+([\w.-]{1,249})\s*$",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\s*(?:(?:Internal|Compacted|Partitions|Config|Summed HighWatermark):(?:\s+\w+)?|"
    r"(?:Name\s+Value\s+ReadOnly\s+Sensitive|CONFIG\s+VALUE))\s*$"
)  # what kaf and kafkactl print around a table
_EMPTY = re.compile(r"\W*|\W*(?:n/?a|none|null|nil|no|empty)\W*", re.IGNORECASE)
_LISTS: Final = ("replicas", "isr", "elr", "last_known", "offline")
ABOVE_MAX: Final = 60  # lines above a head that may name the topic


def read(paste: Paste) -> PasteResult | None:
    """The partitions of all tables, of each partition the last row; None without a row that can be used."""
    if "eader" not in paste.joined() and "LEADER" not in paste.joined():
        return None
    cluster = PastedCluster()
    reading = PasteResult(KIND, LABEL, cluster=cluster)
    found = _parts(tables([line.text for line in paste.lines]), paste.lines)
    ends = [*(part.start for part in found), len(paste.lines)][1:]
    rows: list[tuple[str, PastedPartition]] = []
    for moment, (part, end) in enumerate(zip(found, ends, strict=True)):
        mine = _rows(part, paste.lines, moment, reading)
        topics = dict.fromkeys(row.topic for _, row in mine)
        if mine:
            cluster.evidence.lines_read += [paste.lines[at].no for at in (part.start, part.table.head_at)]
            rows += mine
        if len(topics) == 1:
            around = [
                *paste.lines[part.start : part.table.head_at],
                *paste.lines[max(part.table.rows) + 1 : end],
            ]
            _take_settings(around, next(iter(topics)), cluster)
    if not rows:
        return None
    cluster.evidence.lines_read += [line.no for line in paste.lines if _OWN.match(line.text)]
    for row in led(rows, reading.warn, known(paste)):
        cluster.put(settled(row, reading.warn))
    cluster.name_brokers()
    reading.facts = count(cluster)
    return reading


class _Part(NamedTuple):
    """A table, the topic that the lines above it name ("" for none), and the first line that belongs to it."""

    table: PartitionTable
    topic: str
    start: int


def _parts(found: list[PartitionTable], lines: list[Line]) -> list[_Part]:
    """The tables that tell an ISR. One without a column of topics begins at the line that names its topic."""
    parts: list[_Part] = []
    after = 0  # the table before
    for table in found:
        if "isr" in table.columns and _OF_CRUISE_CONTROL not in table.columns and table.rows:
            above = range(table.head_at - 1, max(after, table.head_at - ABOVE_MAX) - 1, -1)
            said = [] if "topic" in table.columns else [(at, name) for at in above if (name := _name(lines[at]))][:1]
            start, topic = said[0] if said else (table.head_at, "")
            parts.append(_Part(table, topic, start))
        after = max([table.head_at, *table.rows]) + 1
    return parts


def _name(line: Line) -> str:
    """The topic that a line names; "" for none."""
    names = [match[1] or match[2] for match in _NAMED.finditer(line.text[:1000])]
    return names[-1] if names else ""


def _rows(part: _Part, lines: list[Line], moment: int, reading: PasteResult) -> list[tuple[str, PastedPartition]]:
    """The rows of a table, each with the address of its leader where that stands for the id."""
    is_named = part.topic or "topic" in part.table.columns
    if not is_named:
        reading.warn(f"The table names no topic: its partitions were taken for those of one topic, {UNNAMED}.")
    other = part.topic if is_named else UNNAMED
    found: list[tuple[str, PastedPartition]] = []
    for at, cells in part.table.rows.items():
        topic, line = cells.get("topic", other), lines[at].no
        unclear = [key for key in _LISTS if key in cells and not _is_clear(cells[key])]
        row = None if "isr" in unclear else _row(cells, topic, line, moment)
        found += [row] if row else []
        for key in unclear:
            left_out = "it is left out" if row else "this row is left out"
            reading.warn(f"Line {line}: the cell {cells[key][:60]} is no list of brokers; {left_out}.")
    return found


def _is_clear(cell: str) -> bool:
    """True for broker ids and for a cell that says that there are none."""
    return bool(ids_in(cell)) or _EMPTY.fullmatch(cell) is not None


def _row(cells: dict[str, str], topic: str, line: int, moment: int) -> tuple[str, PastedPartition] | None:
    address = cells.get("leader", "") if is_address(cells.get("leader")) else ""
    name, led_by = topic_name(topic), NO_LEADER if address else leader(cells.get("leader", ""))
    lists = {key: tuple(map(int, ids_in(cells.get(key, "")))) for key in _LISTS}
    replicas, isr = lists["replicas"], lists["isr"]
    number = int(cells["partition"])
    is_cut = not isr and (address or led_by != NO_LEADER)  # a leader is in its ISR
    if name is None or led_by is None or is_cut:
        return None
    if number > PARTITION_NUMBER_MAX or max(chain((0,), *lists.values())) > BROKER_ID_MAX:
        return None
    elr = lists["elr"] if "elr" in cells else None
    row = PastedPartition(name, number, led_by, replicas, isr, elr, lists["last_known"], line=line, moment=moment)
    return address, replace(row, offline=lists["offline"])


def _take_settings(lines: list[Line], topic: str, cluster: PastedCluster) -> None:
    for line in lines:
        setting = _SETTING.match(line.text) if len(line.text) < 300 else None
        if setting:
            said = PastedValue(bare_value(setting[2]), line.no, LABEL)
            cluster.evidence.topic_configs.append((topic, setting[1], said))
