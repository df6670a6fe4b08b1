"""The state of a run as text reads back as the same state."""

from simengine.importers.describe_text import describe_text
from simengine.importers.recognise import read
from simengine.importers.report import import_text, status
from simengine.scenario import load
from simengine.world import build
from tests.importers import samples

SECOND = 1_000_000


def test_the_state_of_a_run_reads_back_as_it_was() -> None:
    scenario = import_text(samples.MODERN)["scenario"]
    scenario["timeline"] = [{"at": "2s", "do": "kill 2"}]
    world = build(load(scenario))
    for at in (0, 1, 5, 20):
        world.run(at * SECOND)
        view = world.snapshot()
        reading = read(describe_text(view))
        assert reading.cluster is not None
        assert status(reading) == "accept"
        found = {(row.topic, row.number): row for row in reading.cluster.rows()}
        topics, partitions = view["topics"], view["partitions"]
        assert isinstance(topics, list) and isinstance(partitions, list)
        assert len(found) == len(partitions)
        for partition in partitions:
            row = found[topics[partition["topic"]]["name"], partition["number"]]
            assert row.leader == partition["leader"]
            for name in ("replicas", "isr", "elr", "last_known"):
                assert list(getattr(row, name) or ()) == partition[name], name


def test_configs_are_written_as_kafka_writes_them() -> None:
    scenario = import_text(samples.MODERN)["scenario"]
    text = describe_text(build(load(scenario)).snapshot())
    again = read(text)
    assert again.cluster is not None
    assert again.cluster.topics["parcels"].configs == {"min.insync.replicas": "2"}


def test_no_topics_give_no_text() -> None:
    assert describe_text({"topics": [], "partitions": []}) == ""
