"""The state of a run as text reads back as the same state."""

from simengine.importers.describe_text import describe_text
from simengine.importers.recognise import read
from simengine.importers.report import import_text, status
from simengine.scenario import load
from simengine.world.world import build
from tests.importers import samples
from tests.importers.test_describe import header, row

SECOND = 1_000_000


def test_the_state_of_a_run_reads_back_as_it_was() -> None:
    scenario = import_text(samples.MODERN)["scenario"]
    scenario["timeline"] = [{"at": "2s", "do": "kill 2"}]
    document = load(scenario)
    world = build(document)
    for at in (0, 1, 5, 20):
        world.run(at * SECOND)
        view = world.snapshot()
        reading = read(describe_text(view, document))
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
    document = load(scenario)
    text = describe_text(build(document).snapshot(), document)
    again = read(text)
    assert again.cluster is not None
    assert again.cluster.topics["parcels"].configs == {
        "min.insync.replicas": "2",
        "cleanup.policy": "compact,delete",
    }


def test_a_topic_listed_in_part_keeps_its_own_partition_count() -> None:
    text = header(count=9) + row(3) + row(7)
    document = load(import_text(text)["scenario"])
    assert document.partition_counts() == {"t": 9}
    again = describe_text(build(document).snapshot(), document)
    assert "PartitionCount: 9\t" in again
    assert "t: 2 of 9 partitions are listed. The rest is not made up." in read(again).warnings


def test_a_topic_whose_count_is_unknown_has_as_many_as_its_numbers_need() -> None:
    document = load(import_text(row(3) + row(7))["scenario"])
    assert document.partition_counts() == {}
    assert "PartitionCount: 8\t" in describe_text(build(document).snapshot(), document)


def test_a_header_that_counts_fewer_than_are_listed_is_not_believed() -> None:
    assert load(import_text(header(count=2) + row(3) + row(7))["scenario"]).partition_counts() == {}


def test_no_topics_give_no_text() -> None:
    document = load({"format": 1, "cluster": {"brokers": [1]}})
    assert describe_text({"topics": [], "partitions": []}, document) == ""
