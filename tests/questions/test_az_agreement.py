"""A cell of the AZ table, the run that it opens and the cluster at the loss say the same, for many pasted clusters."""

from functools import cache
from typing import Any

import pytest

from simengine.importers.report import import_text
from simengine.questions.az import figures as az_figures
from simengine.questions.az import losses as az_losses
from simengine.questions.az import partition_outages as az_parts
from simengine.questions.az import run as az_run
from simengine.questions.az.answer import answer
from simengine.questions.az.cell import ACKS, AZ, AzCell, AzLoss
from simengine.questions.az.partition_outages import UNTIL_BACK
from simengine.questions.az.row import AzRow
from simengine.questions.az.whys import AzCause, causes_of
from simengine.scenario import Document, load, to_json
from simengine.world.world import World, build
from tests.importers import samples
from tests.questions.az_clusters import losses

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
def rows(name: str) -> list[AzLoss]:
    return losses(document(name))


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
    """The run that a cell opens: what it says at the loss, and at its end."""

    def __init__(self, doc: Document, loss: AzLoss, acks: str) -> None:
        stored = az_run.cell_document(doc, loss, acks)
        self.early = partitions(ran(stored, az_run.KILL_US - 1))
        self.world = ran(stored, stored.until_us)
        self.late = partitions(self.world)
        self.end_us = stored.until_us

    def grown(self, place: tuple[str, int], key: str) -> int:
        """The growth of a partition's time out from the loss to the end."""
        return int(self.late[place][key]) - int(self.early.get(place, {key: 0})[key])


@cache
def cells(name: str) -> list[tuple[AzLoss, AzCell, Opened]]:
    """Every cell of a cluster's table with the run that it opens."""
    doc = document(name)
    return [(loss, az_run.run_cell(doc, loss, acks), Opened(doc, loss, acks)) for loss in rows(name) for acks in ACKS]


@pytest.mark.parametrize("name", list(CLUSTERS))
def test_the_figures_of_a_cell_are_those_of_the_verdict_of_its_run(name: str) -> None:
    for _, found, run in cells(name):
        check_figures(found, run)


def check_figures(found: AzCell, run: Opened) -> None:
    assert sum(part.lost for part in found.parts) == sum(partition["lost"] for partition in run.late.values())
    parts = {part.place: part for part in found.parts}
    for place in run.late:
        part = parts.get(place)
        mode = "all" if place[0].startswith("__") else found.acks  # brokers write to their topics with acks=all
        servers, client = run.grown(place, f"write_down_{mode}_us"), run.grown(place, "write_down_client_us")
        if part is None:
            assert (servers, run.grown(place, "read_down_us"), run.late[place]["hidden"]) == (0, 0, 0)
            assert client == 0
        elif part.write_us != UNTIL_BACK:
            assert (part.write_us, part.write_servers_us) == (max(servers, client), servers)
        elif not part.was_out:
            assert max(servers, client) > 1_000_000
        if part is not None and part.read_us == UNTIL_BACK:
            assert run.late[place]["hidden"] or run.grown(place, "read_down_us") or part.was_unread or part.read_us


@pytest.mark.parametrize("name", list(CLUSTERS))
def test_what_stops_until_it_is_back_cannot_be_written_at_the_end_of_the_run(name: str) -> None:
    for _, found, run in cells(name):
        names = {
            (run.world.cluster.topics[topic].name, number): p
            for p, (topic, number) in enumerate(run.world.cluster.partition_names)
        }
        running = az_parts.running(run.world)
        for part in found.parts:
            if part.stops_us == UNTIL_BACK:
                state: Any = run.world.cluster.quorum.image.partition(names[part.place])
                is_led = int(state.leader) in running
                is_whole = len(state.isr) >= part.wanted and all(int(one) in running for one in state.isr)
                assert not is_led or not is_whole
                assert found.acks == "all" or part.is_internal or not is_led


@pytest.mark.parametrize("name", list(CLUSTERS))
def test_the_causes_of_a_row_are_of_the_partitions_that_its_figures_count(name: str) -> None:
    found = {(loss.key, cell.acks): (loss, cell) for loss, cell, _ in cells(name)}
    for loss in rows(name):
        (_, safe), (_, fast) = found[loss.key, "all"], found[loss.key, "1"]
        causes = causes_of(loss, safe, fast)
        places = [one.safe.place for cause in causes for one in cause.parts]
        assert len(places) == len(set(places))
        counted = [
            part.place for cell in (safe, fast) for what in ("lost", "write", "read") for part in listed(cell, what)
        ]
        assert set(counted) == set(places)
        bands = [(cause.step == az_figures.FOR_GOOD, cause.step > az_figures.SECONDS) for cause in causes]
        assert bands == sorted(bands, reverse=True), "lost for good, until it is back, for seconds"
        lasting = [cause for cause, (is_gone, lasts) in zip(causes, bands, strict=True) if lasts and not is_gone]
        left = [_least_left(cause) for cause in lasting if not cause.is_internal]
        assert left == sorted(left), "without any replica before below min.insync.replicas"


def _least_left(cause: AzCause) -> int:
    """The worst place in the order of what is left of a partition."""
    return min(az_parts.WORST_FIRST.index(one.safe.why) for one in cause.parts)


def listed(cell: AzCell, what: str) -> Any:
    return az_figures.listed(cell, what)


@pytest.mark.parametrize("name", list(CLUSTERS))
def test_the_headline_is_true_of_the_table(name: str) -> None:
    found = {(loss.key, cell.acks): cell for loss, cell, _ in cells(name)}
    table = [AzRow(loss, found[loss.key, "all"], found[loss.key, "1"]) for loss in rows(name)]
    said = answer(document(name), table)
    worst = next(row for row in table if row.loss.key == said.worst)
    stops = az_figures.writes(worst.safe)
    groups = az_figures.groups(worst.safe)
    assert ("taking acks=all writes" in said.headline) == (stops.until_back > 0)
    assert ("join" in said.headline) == (groups.until_back > 0)
    lasting = stops.until_back + groups.until_back + worst.only_fast.until_back
    assert ("until it is back" in said.headline) == (lasting > 0)
    assert "nothing stops." not in said.headline or not (stops.us or groups.us or stops.until_back)
    assert ("gone in this run with acks=all" in said.headline) == (az_figures.lost_records(worst.safe) > 0)
    assert ("cannot be read" in said.headline) <= (az_figures.reads(worst.fast).until_back > 0)
    for row in table:
        assert row.loss.kind != AZ or row.rank <= worst.rank


@pytest.mark.parametrize("name", list(CLUSTERS))
def test_no_other_broker_weighs_more_than_the_one_called_worst(name: str) -> None:
    worst = next(loss for loss in rows(name) if loss.kind == "broker")
    doc = document(name)
    running = [broker.id for broker in doc.brokers if broker.state == "running"]
    pasted = [topic.name for topic in doc.topics]  # what the cluster has made itself decides nothing
    offline = {}
    for broker in running:
        run = az_run.run_cell(doc, az_losses.broker_loss(doc, broker, "dark"), "1")
        offline[broker] = sum(part.stops_us == UNTIL_BACK and part.topic in pasted for part in run.parts)
    assert offline[worst.brokers[0]] == max(offline.values())
