"""Reads a table of partitions with their topic, leader, replicas and ISR, as ``confluent kafka topic describe`` prints.

Settings in a table below it are those of its topic, where it lists only one.
"""

import re
from typing import Final

from simengine.importers.evidence import PastedValue
from simengine.importers.fields import leader, topic_name
from simengine.importers.foreign_table import ids_in, last_table
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import PastedCluster, PastedPartition, PastedTopic, PasteResult, count
from simengine.importers.text import Line, Paste
from simengine.importers.values import bare_value
from simengine.scenario.limits import PARTITION_NUMBER_MAX

KIND: Final = "metadata"
LABEL: Final = "a table of partitions"
_NEEDED: Final = ("topic", "isr")  # beside those of each such table
_OF_CRUISE_CONTROL: Final = "out-of-sync"  # which lists partitions that are ill, and has a reader of its own
_SETTING = re.compile(r"\s{0,40}([a-z][a-z.]{3,80})\s{0,80}[|\u2502]\s{0,40}(\S.{0,80})$")


def read(paste: Paste) -> PasteResult | None:
    """The partitions of the last table; None without its head line and a row that can be used."""
    if "eader" not in paste.joined() and "LEADER" not in paste.joined():
        return None
    table = last_table([line.text for line in paste.lines])
    if _OF_CRUISE_CONTROL in table.columns or any(name not in table.columns for name in _NEEDED):
        return None
    cluster = PastedCluster()
    for at, cells in table.rows.items():
        row = _row(cells, paste.lines[at].no)
        if row is not None:
            cluster.topics.setdefault(row.topic, PastedTopic(row.topic, line=row.line)).rows[row.number] = row
    if not cluster.topics:
        return None
    cluster.name_brokers()
    cluster.evidence.lines_read.append(paste.lines[table.head_at].no)
    if len(cluster.topics) == 1:
        _take_settings(paste.lines[max(table.rows) :], next(iter(cluster.topics)), cluster)
    return PasteResult(KIND, LABEL, count(cluster), cluster)


def _row(cells: dict[str, str], line: int) -> PastedPartition | None:
    name, led_by = topic_name(cells.get("topic", "")), leader(cells.get("leader", ""))
    replicas, isr = (tuple(map(int, ids_in(cells.get(key, "")))) for key in ("replicas", "isr"))
    number = int(cells["partition"])
    if name is None or led_by is None or number > PARTITION_NUMBER_MAX or max(*replicas, *isr, 0) > BROKER_ID_MAX:
        return None
    return PastedPartition(name, number, led_by, replicas, isr, line=line)


def _take_settings(lines: list[Line], topic: str, cluster: PastedCluster) -> None:
    for line in lines:
        setting = _SETTING.match(line.text) if len(line.text) < 300 else None
        if setting:
            said = PastedValue(bare_value(setting[2]), line.no, LABEL)
            cluster.evidence.topic_configs.append((topic, setting[1], said))
