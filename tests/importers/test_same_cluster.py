"""Any document's state, printed as kafka-topics.sh prints it and imported again, is the same cluster.

What the listing cannot carry stands in docs/scenario-documents.md; here it is left out of the comparison by name.
"""

from pathlib import Path
from typing import Any

import pytest

from simengine.commands import run
from simengine.importers.describe_text import describe_text
from simengine.importers.report import import_text
from simengine.scenario import Document, load
from simengine.world.world import World, build
from tests.importers.test_round_trip import OWN_TOPIC, living, rows_of
from tests.swarm.draw import document_of, draw

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))
RANDOM = range(30)
MIN_ISR = "min.insync.replicas"


def documents() -> list[Any]:
    written = [pytest.param(path.read_bytes(), id=path.stem) for path in SCENARIOS]
    return written + [pytest.param(document_of(draw(seed)), id=f"random-{seed}") for seed in RANDOM]


def in_force(world: World) -> dict[str, tuple[list[int], bool, int]]:
    """Of each topic: M as each of its leaders has it, unclean elections, and the number of partitions at hand."""
    image = world.cluster.quorum.image
    found = {}
    for topic in world.cluster.topics:
        leaders = [(p, image.partition(p)) for p in topic.partitions]
        m = [
            int(replica.min_isr)
            for p, registration in leaders
            if registration is not None
            and registration.leader >= 0
            and (replica := world.cluster.by_id[registration.leader].replica(p)) is not None
        ]
        found[topic.name] = (m, bool(image.unclean(topic.index)), len(topic.partitions))
    return found


def carries_elr(document: Document, text: str) -> bool:
    """A 4.x listing where every topic shows min.insync.replicas could come from either kind of cluster."""
    headers = [line for line in text.splitlines() if line.startswith("Topic: ")]
    return document.elr or not document.version.elr_possible or any(MIN_ISR not in line for line in headers)


def imported(document: Document, world: World) -> tuple[Document, str]:
    view: Any = world.snapshot()
    text = describe_text(view, document)
    return load(import_text(text, {"states": living(view)})["scenario"]), text


@pytest.mark.parametrize("given", documents())
def test_the_listing_of_a_document_imports_as_the_same_cluster(given: Any) -> None:
    document = load(given)
    world = build(document)
    again, text = imported(document, world)
    other = build(again)
    before, after = rows_of(world.snapshot()), rows_of(other.snapshot())
    named = {member for row in before.values() for member in row["replicas"]}
    assert sorted(broker.id for broker in again.brokers) == sorted(named)
    assert {place: row for place, row in after.items() if place in before} == before
    assert {place[0] for place in after if place not in before} <= {OWN_TOPIC}
    observed = {topic.name for topic in document.topics if topic.observers}  # not Apache's: no column tells of them
    single = any(MIN_ISR in broker.config for broker in document.brokers)  # one broker's own value is in no listing
    first = 1 if single else 0
    wanted = {name: known[first:] for name, known in in_force(world).items() if name not in observed}
    assert {name: known[first:] for name, known in in_force(other).items() if name in wanted} == wanted
    if carries_elr(document, text):
        assert again.elr == document.elr


TOPIC = {"name": "t", "assignment": [[1, 2, 3]]}


def cluster(config: dict[str, Any], **rest: Any) -> dict[str, Any]:
    brokers = rest.pop("brokers", [1, 2, 3])
    return {"format": 1, "cluster": {"brokers": brokers, "config": config}, "topics": [TOPIC], **rest}


def header_after(document: Document, seconds: int) -> str:
    world = build(document)
    world.run(seconds * 1_000_000)
    view: Any = world.snapshot()
    return describe_text(view, document).splitlines()[0].split("\t")[-1]


def test_what_is_set_for_the_cluster_stands_behind_configs_under_the_topics_names() -> None:
    config = {
        MIN_ISR: 2,
        "log.retention.ms": 60_000,
        "log.flush.interval.messages": 1,
        "unclean.leader.election.enable": True,
    }
    assert header_after(load(cluster(config, elr=False)), 0) == (
        "Configs: flush.messages=1,min.insync.replicas=2,retention.ms=60000,unclean.leader.election.enable=true"
    )


def test_what_a_topic_sets_itself_goes_over_the_cluster() -> None:
    topic = {**TOPIC, "config": {MIN_ISR: 1, "retention.ms": 5}}
    assert header_after(load({**cluster({MIN_ISR: 2}), "topics": [topic]}), 0) == (
        "Configs: min.insync.replicas=1,retention.ms=5"
    )


def test_with_elr_every_topic_shows_min_insync_replicas_and_without_only_what_is_set() -> None:
    """ELR-7: with ELR on, the controller has written a value for all brokers."""
    assert header_after(load(cluster({})), 0) == "Configs: min.insync.replicas=1"
    assert header_after(load(cluster({}, elr=False)), 0) == "Configs: "


def test_what_is_set_while_the_cluster_runs_is_shown_once_it_is_committed() -> None:
    timeline = [{"at": "2s", "do": f"config cluster {MIN_ISR} 2"}]
    document = load(cluster({}, elr=False, timeline=timeline))
    assert [header_after(document, 1), header_after(document, 4)] == ["Configs: ", "Configs: min.insync.replicas=2"]


def test_properties_of_the_broker_that_answers_are_shown() -> None:
    brokers = [{"id": 1, "state": "down"}, {"id": 2, "config": {MIN_ISR: 2}}, {"id": 3, "config": {MIN_ISR: 3}}]
    assert header_after(load(cluster({}, elr=False, brokers=brokers)), 0) == "Configs: min.insync.replicas=2"
    timeline = [{"at": "1s", "do": f"config broker.2 {MIN_ISR} 1"}]
    document = load(cluster({}, elr=False, brokers=brokers, timeline=timeline))
    assert header_after(document, 4) == "Configs: min.insync.replicas=1"


@pytest.mark.parametrize(("profile", "columns"), [("3.7", False), ("4.0", True), ("4.1", True), ("4.2", True)])
def test_elr_columns_are_those_of_the_version_also_where_they_are_empty(profile: str, columns: bool) -> None:
    document = load(cluster({}, profile=profile, elr=False))
    view: Any = build(document).snapshot()
    row = describe_text(view, document).splitlines()[1]
    assert row.endswith("\tElr: \tLastKnownElr: ") == columns
    assert ("Elr:" in row) == columns


def test_the_command_prints_what_is_set_for_the_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "d.yaml"
    file.write_text(
        "format: 1\nelr: false\ncluster: {brokers: [1], config: {min.insync.replicas: 2}}\n"
        "topics: [{name: t, assignment: [[1]]}]\n"
    )
    assert run.main([str(file), "--describe", "--until", "1s"]) == 0
    assert "\tConfigs: min.insync.replicas=2\n" in capsys.readouterr().out
