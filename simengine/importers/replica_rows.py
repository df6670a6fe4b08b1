"""Partitions out of a listing that has a line for each replica; and ``kafka-replica-status``, a table of such lines.

Such a listing has no order of replicas: the leader is taken for the preferred one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from simengine.importers.evidence import LogDirReplica, PastedEvidence
from simengine.importers.fields import topic_name
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import NO_LEADER, PastedCluster, PastedPartition, PasteResult, count
from simengine.importers.text import Paste
from simengine.importers.values import whole
from simengine.scenario.limits import PARTITION_NUMBER_MAX

KIND: Final = "metadata"
LABEL: Final = "kafka-replica-status (Confluent)"
_COLUMNS: Final = ("Topic", "Partition", "Replica", "IsLeader", "IsInIsr")
_FLAGS: Final = {"true": True, "false": False}
_LINE_MAX: Final = 2_000


@dataclass(frozen=True, slots=True)
class PastedReplica:
    """One replica of a partition; ``log_end`` is None where nothing tells it."""

    topic: str
    number: int
    broker: int
    leads: bool
    in_sync: bool
    observes: bool
    log_end: int | None
    line: int


def rows_of(copies: Iterable[PastedReplica], evidence: PastedEvidence) -> Iterator[PastedPartition]:
    """The partitions, each of its copies; how far those are behind their leader goes into the evidence."""
    partitions: dict[tuple[str, int], dict[int, PastedReplica]] = {}
    for one in copies:
        partitions.setdefault((one.topic, one.number), {})[one.broker] = one
    for (topic, number), by_broker in partitions.items():
        mine = sorted(by_broker.values(), key=lambda one: not one.leads)
        leader = mine[0].broker if mine[0].leads else NO_LEADER
        end = mine[0].log_end if mine[0].leads else None
        for one in mine:
            if end is not None and one.log_end is not None:
                evidence.stored.append(LogDirReplica(topic, number, one.broker, 0, max(0, end - one.log_end), one.line))
        yield PastedPartition(
            topic,
            number,
            leader,
            tuple(one.broker for one in mine),
            tuple(one.broker for one in mine if one.in_sync),
            observers=tuple(one.broker for one in mine if one.observes),
            line=max(one.line for one in mine),
        )


def read(paste: Paste) -> PasteResult | None:
    """The table of ``kafka-replica-status``; None without its head line and a row."""
    if "IsInIsr" not in paste.joined():
        return None
    columns: list[str] = []
    copies: list[PastedReplica] = []
    cluster = PastedCluster()
    for line in paste.lines:
        cells = line.text[:_LINE_MAX].replace("|", " ").split()
        if all(name in cells for name in _COLUMNS):
            columns = cells
            cluster.evidence.lines_read.append(line.no)
        elif columns and len(cells) == len(columns):
            copy = _copy(dict(zip(columns, cells, strict=True)), line.no)
            copies += [copy] if copy is not None else []
    if not copies:
        return None
    for row in rows_of(copies, cluster.evidence):
        cluster.put(row)
    cluster.evidence.lines_read += [copy.line for copy in copies]
    cluster.name_brokers()
    reading = PasteResult(KIND, LABEL, count(cluster), cluster)
    reading.note("kafka-replica-status lists replicas in no order: the leader is taken for the preferred one.")
    return reading


def _copy(row: dict[str, str], line: int) -> PastedReplica | None:
    number, broker = whole(row["Partition"]), whole(row["Replica"])
    leads, in_sync = _FLAGS.get(row["IsLeader"]), _FLAGS.get(row["IsInIsr"])
    if None in (number, broker, leads, in_sync) or topic_name(row["Topic"]) is None:
        return None
    assert number is not None and broker is not None
    if number > PARTITION_NUMBER_MAX or broker > BROKER_ID_MAX:
        return None
    observes = row.get("IsObserver") == "true"
    return PastedReplica(
        row["Topic"], number, broker, bool(leads), bool(in_sync), observes, whole(row.get("LogEndOffset", "")), line
    )
