"""A cell of the AZ table, the run that it opens and the cluster at the loss say the same, for many pasted clusters."""

from functools import cache
from typing import Any

import pytest

from simengine.importers import az_table
from simengine.importers.az_causes import (
    ALL_THERE,
    CONTROLLERS,
    FAILOVER,
    FOLLOWERS,
    ISR_SHRINKS,
    ISR_THERE,
    MIN_ISR,
    NOTHING,
    RF_1,
    TWO_IN_ONE,
)
from simengine.importers.az_cell import ACKS, Cell, Loss
from simengine.importers.report import import_text
from simengine.kernel.facts import PARTITION_CHANGED
from simengine.scenario import Document, load, to_json
from simengine.verdict.sentence import plural
from simengine.world import World, build
from tests.importers import samples

CRLF = (
    "[alice@bastion ~]$ kafka-topics.sh --bootstrap-server b1:9092 --describe\r\n"
    "Topic: invoices\tPartitionCount: 3\tReplicationFactor: 3\tConfigs: min.insync.replicas=2\r\n"
    "\tTopic: invoices\tPartition: 0\tLeader: 2\tReplicas: 1,2,3\tIsr: 2,3\tElr: \tLastKnownElr: \r\n"
    "\tTopic: invoices\tPartition: 1\tLeader: none\tReplicas: 2,3,1\tIsr: \tElr: 3\tLastKnownElr: 1\r\n"
    "\tTopic: invoices\tPartition: 2\tLeader: 3\tReplicas: 3,1,2\tIsr: 3,2,1\tElr: \tLastKnownElr: \r\n"
)
LONE = (
    "Topic: clicks\tPartitionCount: 4\tReplicationFactor: 3\tConfigs: min.insync.replicas=2\n"
    "\tTopic: clicks\tPartition: 0\tLeader: 101\tReplicas: 101,102,103\tIsr: 101,102,103\n"
    "\tTopic: clicks\tPartition: 1\tLeader: 102\tReplicas: 102,103,101\tIsr: 102,103\n"
    "\tTopic: clicks\tPartition: 2\tLeader: 103\tReplicas: 103,101,102\tIsr: 103,102,101\n"
    "\tTopic: clicks\tPartition: 3\tLeader: 101\tReplicas: 101,103,102\tIsr: 101\n"
)
DEAD = (
    "Topic: a.b\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: min.insync.replicas=2\n"
    "\tTopic: a.b\tPartition: 0\tLeader: 10\tReplicas: 10,20,40\tIsr: 10,20\n"
    "\tTopic: a.b\tPartition: 1\tLeader: none\tReplicas: 40,50\tIsr: \n"
    "Topic: solo\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n"
    "\tTopic: solo\tPartition: 0\tLeader: 30\tReplicas: 30\tIsr: 30\n"
)
BELOW = (
    "Topic: thin\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: min.insync.replicas=2\n"
    "\tTopic: thin\tPartition: 0\tLeader: 1\tReplicas: 1,9\tIsr: 1\n"
    "\tTopic: thin\tPartition: 1\tLeader: 2\tReplicas: 2,3\tIsr: 2,3\n"
)
PAIRS = "".join(
    f"Topic: t{n}\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: min.insync.replicas={n % 3}\n".replace("=0", "=1")
    + f"\tTopic: t{n}\tPartition: 0\tLeader: {n}\tReplicas: {n},{n + 3}\tIsr: {n},{n + 3}\n"
    + f"\tTopic: t{n}\tPartition: 1\tLeader: {n + 1}\tReplicas: {n + 1},{n}\tIsr: {n + 1},{n}\n"
    for n in (1, 2, 3, 4, 5)
)
CLUSTERS: dict[str, tuple[str, dict[str, Any], str]] = {  # text, assumed values, the AZ of each broker by id mod 3
    "modern": (samples.MODERN, {}, "abc"),
    "old": (samples.OLD, {}, "abc"),
    "very old": (samples.VERY_OLD, {"records_per_s": 40}, "aab"),
    "kcat": (samples.KCAT, {"min_insync_replicas": 2}, "abc"),
    "kcat json": (samples.KCAT_JSON, {}, "abb"),
    "crlf": (CRLF, {}, "abc"),
    "crlf in two": (CRLF, {"controllers": 1}, "aab"),
    "lone": (LONE, {"records_per_s": 200}, "abc"),
    "lone in two": (LONE, {"records_per_s": 200}, "baa"),
    "dead": (DEAD, {}, "abc"),
    "dead, all in one": (DEAD, {"controllers": 1}, "aaa"),
    "below": (BELOW, {}, "abc"),
    "pairs": (PAIRS, {"records_per_s": 30}, "abc"),
    "pairs in two": (PAIRS, {"records_per_s": 30, "profile": "3.7"}, "aba"),
}


@cache
def document(name: str) -> Document:
    text, assumed, zones = CLUSTERS[name]
    plain = import_text(text, assumed, {})["scenario"]
    racks = {broker["id"]: f"az-{zones[broker['id'] % 3]}" for broker in plain["cluster"]["brokers"]}
    return load(import_text(text, assumed, racks)["scenario"])


@cache
def rows(name: str) -> list[Loss]:
    return az_table.losses(document(name))


def ran(doc: Document, until_us: int) -> World:
    """The document as it is stored and read again, run so far."""
    world = build(load(to_json(doc)))
    world.run(until_us)
    return world


def partitions(world: World) -> dict[tuple[str, int], dict[str, Any]]:
    """The verdict on each partition, under the number that its topic gives it."""
    topics: Any = world.verdict()["topics"]
    names = world.cluster.partition_names
    return {
        (one["topic"], names[partition["partition"]][1]): partition for one in topics for partition in one["partitions"]
    }


class Opened:
    """The run that a cell opens: its state at the loss, what the controllers did then, and its verdict at the end."""

    def __init__(self, doc: Document, loss: Loss, acks: str) -> None:
        stored = az_table.cell_document(doc, loss, acks)
        self.gone = loss.brokers
        self.before = ran(stored, az_table.KILL_US - 1)
        self.after = ran(stored, stored.until_us)
        self.early, self.late = partitions(self.before), partitions(self.after)
        self.start = {p: self.before.cluster.quorum.image.partition(p) for p in range(len(self.names))}
        self.changes: dict[int, list[tuple[int, list[int]]]] = {p: [] for p in self.start}  # leader and ISR
        for fact in self.after.trace.decisive:
            if fact.kind == PARTITION_CHANGED and fact.t >= az_table.KILL_US:
                self.changes[fact.values[0]].append((fact.values[1], list(fact.lists[1])))

    @property
    def names(self) -> list[tuple[int, int]]:
        return self.before.cluster.partition_names

    def place(self, p: int) -> tuple[str, int]:
        topic, number = self.names[p]
        return self.before.cluster.topics[topic].name, number

    def least(self, p: int) -> int:
        started = self.start[p]
        assert started is not None
        return min(int(self.before.cluster.quorum.image.min_insync(self.names[p][0])), len(started.replicas))

    def told(self) -> list[int]:
        return [p for p in self.start if self.place(p) in self.late]

    def offline(self) -> list[int]:
        """Partitions that had a leader, and then had none."""
        led = [p for p in self.told() if (at := self.start[p]) is not None and at.leader >= 0]
        return [p for p in led if any(leader < 0 for leader, _ in self.changes[p])]

    def below(self) -> list[int]:
        """Partitions whose ISR was as large as min.insync.replicas asks, and then smaller."""
        enough = [p for p in self.told() if (at := self.start[p]) is not None and len(at.isr) >= self.least(p)]
        return [p for p in enough if any(len(isr) < self.least(p) for _, isr in self.changes[p])]

    def touching(self) -> list[int]:
        return [p for p, at in self.start.items() if at is not None and set(at.replicas) & set(self.gone)]

    def led(self) -> list[int]:
        return [p for p in self.told() if (at := self.start[p]) is not None and at.leader in self.gone]


@cache
def cells(name: str) -> list[tuple[Cell, Opened]]:
    """Every cell of a cluster's table with the run that it opens."""
    doc = document(name)
    return [(az_table.run_cell(doc, loss, acks), Opened(doc, loss, acks)) for loss in rows(name) for acks in ACKS]


@pytest.mark.parametrize("name", list(CLUSTERS))
def test_the_figures_of_a_cell_are_those_of_the_verdict_of_its_run(name: str) -> None:
    for found, run in cells(name):
        check_figures(found, run)


def check_figures(found: Cell, run: Opened) -> None:
    assert run.after.doc.until_us == run.after.now_us == az_table.HORIZON_US
    for key in ("lost", "duplicated"):
        assert getattr(found, key) == sum(partition[key] for partition in run.late.values())
    assert found.hidden + found.hidden_before == sum(partition["hidden"] for partition in run.late.values())
    for what, key in (("write", f"write_down_{found.acks}_us"), ("read", "read_down_us")):
        spans = [run.late[place][key] - run.early.get(place, {key: 0})[key] for place in run.late]
        lasting = [span for span in spans if span >= az_table.HORIZON_US - az_table.KILL_US - 1_500_000]
        still = getattr(found, f"{what}_until_back") + getattr(found, f"{what}_before")
        assert still == len(lasting)
        assert getattr(found, f"{what}_partitions") + getattr(found, f"{what}_before") == sum(s > 0 for s in spans)
        assert getattr(found, f"{what}_us") == max((s for s in spans if s not in lasting), default=0)


@pytest.mark.parametrize("name", list(CLUSTERS))
def test_the_outcome_of_a_cell_is_what_the_verdict_of_its_run_says(name: str) -> None:
    for found, run in cells(name):
        check_outcome(found, run)


def check_outcome(found: Cell, run: Opened) -> None:
    topics: Any = run.after.verdict()["topics"]
    if len(topics) > 3:
        assert found.outcome == run.after.verdict()["sentence"]
    else:
        assert all(topic["sentence"] in found.outcome for topic in topics)
    grave = [key for key in ("lost", "duplicated", "hidden") if any(topic[key] for topic in topics)]
    words = {"lost": "gone", "duplicated": "twice", "hidden": "cannot be read"}
    assert [key for key in grave if words[key] in found.outcome][:1] == grave[:1]
    assert bool(grave) <= (found.tint == "bad" or bool(found.hidden_before))


@pytest.mark.parametrize("name", list(CLUSTERS))
def test_the_causes_of_a_cell_are_true_of_its_run(name: str) -> None:
    for found, run in cells(name):
        check_causes(found, run)


def check_causes(found: Cell, run: Opened) -> None:
    hides = [p for p in run.told() if run.late[run.place(p)]["hidden"]]
    bearing = [*run.offline(), *(p for p in run.below() if found.acks == "all" or p in hides)]
    if found.cause == CONTROLLERS:
        assert all(p in run.touching() for p in hides)
        return
    if bearing:
        assert found.cause in (RF_1, ALL_THERE, TWO_IN_ONE, ISR_THERE, MIN_ISR)
    else:
        assert found.cause in (FAILOVER, ISR_SHRINKS, FOLLOWERS, NOTHING)
    told = [line for line in found.causes if "internal topics" not in line]
    assert sum(int(line.split()[0].replace(",", "")) for line in told) == len(set(bearing))
    if found.cause in (FOLLOWERS, NOTHING):
        assert not run.led()
        assert (found.write_us, found.write_until_back, found.read_us, found.hidden) == (0, 0, 0, 0)
        assert bool(run.touching()) == (found.cause == FOLLOWERS)
    if found.cause == FAILOVER:
        assert any(leader not in run.gone for p in run.led() for leader, _ in run.changes[p])
    if found.cause == ISR_SHRINKS:
        assert not run.led()
        assert found.write_us > 0
    if found.cause == MIN_ISR:
        assert set(run.below()) & set(bearing)


@pytest.mark.parametrize("name", list(CLUSTERS))
def test_the_headline_is_true_of_the_table(name: str) -> None:
    found = [cell for cell, _ in cells(name)]
    said = az_table.sentence(rows(name), found)
    zone = said.removeprefix("If ").partition(" goes dark")[0]
    safe, fast = (next(cell for cell in found if (cell.row, cell.acks) == (zone, acks)) for acks in ACKS)
    assert ("writes go on" in said) == (not safe.write_partitions)
    assert " 0 " not in said
    assert ("goes offline" in said or "go offline" in said) == (fast.write_until_back > 0)
    if fast.hidden and not fast.lost and not fast.duplicated:
        unread = plural(fast.hidden, "acknowledged record cannot", "acknowledged records cannot")
        assert f"{unread} be read with acks=1" in said
    assert ("no acknowledged record is at risk" in said) <= (safe.by == fast.by == "rule")


@pytest.mark.parametrize("name", list(CLUSTERS))
def test_no_other_broker_weighs_more_than_the_one_called_worst(name: str) -> None:
    worst = rows(name)[-1]
    doc = document(name)
    running = [broker.id for broker in doc.brokers if broker.state == "running"]
    offline = {one: len(Opened(doc, az_table.broker_loss(doc, one), "all").offline()) for one in running}
    assert offline[worst.brokers[0]] == max(offline.values())
