"""The reader of kafka-topics.sh --describe, on the tool's forms and on the text that people paste around them."""

import pytest

from simengine.importers.model import PasteResult
from simengine.importers.recognise import read
from simengine.importers.report import status
from tests.importers import samples

HEADER = "Topic: t\tPartitionCount: {count}\tReplicationFactor: 3\tConfigs: {configs}\n"
ROW = "\tTopic: t\tPartition: {number}\tLeader: {leader}\tReplicas: {replicas}\tIsr: {isr}\n"


def facts(reading: PasteResult) -> tuple[int | None, ...]:
    """Counts in the order of the summary."""
    counted = reading.facts
    return (
        counted.brokers,
        counted.topics,
        counted.partitions,
        counted.under_replicated,
        counted.leaderless,
        counted.leader_not_first,
    )


def row(number: int = 0, leader: object = 1, replicas: str = "1,2,3", isr: str = "1,2,3") -> str:
    return ROW.format(number=number, leader=leader, replicas=replicas, isr=isr)


def header(count: int = 1, configs: str = "") -> str:
    return HEADER.format(count=count, configs=configs)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (samples.MODERN, samples.MODERN_FACTS),
        (samples.OLD, samples.OLD_FACTS),
        (samples.VERY_OLD, samples.VERY_OLD_FACTS),
        (samples.KCAT, samples.KCAT_FACTS),
        (samples.KCAT_JSON, samples.KCAT_JSON_FACTS),
    ],
)
def test_every_form_gives_its_counts(text: str, expected: tuple[int, ...]) -> None:
    assert facts(read(text)) == expected


@pytest.mark.parametrize("word", ["none", "-1", "LEADER_NOT_AVAILABLE", "null", "N/A", ""])
def test_every_way_to_say_no_leader_is_understood(word: str) -> None:
    assert read(header() + row(leader=word)).facts.leaderless == 1


def test_a_clean_listing_is_accepted_without_a_warning() -> None:
    reading = read(header() + row())
    assert status(reading) == "accept"
    assert reading.unread == []


def test_a_command_above_is_listed_as_noise_and_changes_nothing() -> None:
    reading = read("PS C:\\kafka> .\\bin\\windows\\kafka-topics.bat --describe\n" + header() + row())
    assert status(reading) == "accept"
    assert [(unread.line, unread.noise) for unread in reading.unread] == [(1, True)]


def test_a_filtered_listing_keeps_what_it_lists_and_says_how_much_is_missing() -> None:
    reading = read(header(count=50) + row(3) + row(7))
    assert reading.facts.partitions == 2
    assert any("2 of 50 partitions are listed" in warning for warning in reading.warnings)


def test_rows_without_a_header_are_used_with_a_warning() -> None:
    reading = read(row())
    assert status(reading) == "accept-warn"
    assert reading.facts.partitions == 1


def test_of_each_partition_the_last_row_counts_and_what_a_later_listing_leaves_out_stays() -> None:
    first = header(count=2) + row(0, "none", isr="1") + row(1, "none", isr="1")
    reading = read(first + "\nlater:\n\n" + header(count=2) + row(0))
    assert (reading.facts.partitions, reading.facts.leaderless) == (2, 1)
    assert any("listed 2 times" in warning for warning in reading.warnings)
    assert "The last listing of t does not show t-1: taken from an earlier one." in reading.warnings


def test_a_topic_that_was_made_anew_keeps_no_row_of_the_old_one() -> None:
    old = header(count=2).replace("\tPart", "\tTopicId: A\tPart") + row(0) + row(1)
    again = header(count=2).replace("\tPart", "\tTopicId: B\tPart") + row(0)
    assert read(old + "$ later\n" + again).facts.partitions == 1
    assert read(old + "$ later\n" + header(count=1) + row(0)).facts.partitions == 1


def test_a_header_behind_its_rows_belongs_to_them() -> None:
    reading = read(row(0) + row(1) + header(count=2, configs="min.insync.replicas=2"))
    assert status(reading) == "accept"
    assert reading.cluster is not None
    assert reading.cluster.topics["t"].configs == {"min.insync.replicas": "2"}


def test_a_row_under_another_topics_header_keeps_its_own_name() -> None:
    reading = read("Topic: other\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: min.insync.replicas=2\n" + row())
    assert status(reading) == "accept-warn"
    assert reading.cluster is not None
    assert reading.cluster.topics["t"].configs is None


def test_a_header_without_rows_is_no_topic_of_the_count() -> None:
    """It is not built, so the summary must not count it."""
    reading = read("Topic: other\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n" + header() + row())
    assert (reading.facts.topics, reading.facts.partitions) == (1, 1)
    assert "other: 0 of 1 partitions are listed. The rest is not made up." in reading.warnings


def test_rows_that_name_no_topic_take_the_header_above_with_a_warning() -> None:
    text = header() + "\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
    reading = read(text)
    assert reading.facts.partitions == 1
    assert status(reading) == "accept-warn"


def test_an_empty_isr_does_not_take_the_next_label_as_its_value() -> None:
    reading = read(header() + "\tTopic: t  Partition: 0  Leader: none  Replicas: 1,2  Isr:   Elr: 1  LastKnownElr: 1\n")
    assert reading.cluster is not None
    found = next(reading.cluster.rows())
    assert (found.isr, found.elr, found.last_known) == ((), (1,), (1,))


def test_config_values_may_hold_commas_colons_and_json() -> None:
    configs = (
        'leader.replication.throttled.replicas=0:1,1:2,confluent.placement.constraints={"version":1,"replicas":'
        '[{"count":2,"constraints":{"rack":"west"}}]},cleanup.policy=compact,delete,min.insync.replicas=2'
    )
    reading = read(header(configs=configs) + row())
    assert reading.cluster is not None
    parsed = reading.cluster.topics["t"].configs
    assert parsed is not None
    assert parsed["min.insync.replicas"] == "2"
    assert parsed["cleanup.policy"] == "compact,delete"
    assert parsed["leader.replication.throttled.replicas"] == "0:1,1:2"


def test_reassignment_and_observer_columns_do_not_disturb_the_isr() -> None:
    text = header() + (
        "\tTopic: t\tPartition: 0\tLeader: 4\tReplicas: 2,1,4,3\tIsr: 4,3\tAdding Replicas: 3\tRemoving Replicas: 1"
        "\tOffline: 2,1\tLiveObservers: \n"
    )
    reading = read(text)
    assert reading.cluster is not None
    found = next(reading.cluster.rows())
    assert (found.isr, found.adding, found.removing, found.offline) == ((4, 3), (3,), (1,), (2, 1))


def test_a_broken_row_is_listed_with_its_line_and_reason_and_the_rest_is_used() -> None:
    reading = read(header(count=2) + row(0) + "\tTopic: t\tPartition: 1\tLeader: 2\tReplicas: 2,1\n")
    assert reading.facts.partitions == 1
    assert [(unread.line, unread.reason) for unread in reading.unread] == [(3, "the row breaks off: no Isr")]
    assert status(reading) == "accept-warn"


def test_a_value_that_is_cut_off_gives_a_warning() -> None:
    cut = row().rstrip("\n") + "\tElr: N/A\tLastKnownElr: N\n"
    assert any("LastKnownElr is cut off" in warning for warning in read(header() + cut).warnings)


def test_html_and_its_entities_are_taken_away_with_a_warning() -> None:
    text = "<pre><code>" + (header() + row()).replace("\t", "&#9;") + "</code></pre>"
    reading = read(text)
    assert reading.facts.partitions == 1
    assert reading.facts.under_replicated == 0
    assert status(reading) == "accept-warn"


def test_a_python_repr_with_literal_backslash_t_is_read_once() -> None:
    reading = read(row(isr="") + "call returned (0, '" + row(isr="").strip("\n").replace("\t", "\\t") + "')\n")
    assert reading.facts.partitions == 1
    assert status(reading) == "accept-warn"


def test_commands_that_name_different_servers_raise_the_question_of_two_clusters() -> None:
    command = "$ kafka-topics.sh --bootstrap-server {}:9092 --describe\n"
    text = command.format("east.example") + header() + row() + command.format("west.example")
    reading = read(text + header().replace("Topic: t", "Topic: u") + row().replace("Topic: t", "Topic: u"))
    assert any("two clusters" in warning for warning in reading.warnings)


def test_a_leader_outside_its_isr_is_pointed_out() -> None:
    reading = read(header() + row(leader=1, isr="2,3"))
    assert any("not in its ISR" in warning for warning in reading.warnings)


def test_a_row_that_names_its_partition_and_cannot_be_read_is_a_warning() -> None:
    reading = read(header() + row() + row().replace("Partition: 0", "Partition: one"))
    assert [unread.noise for unread in reading.unread] == [False]
    assert status(reading) == "accept-warn"


def test_settings_that_a_mail_put_on_the_next_line_belong_to_the_header_above() -> None:
    quoted = "> Topic: t PartitionCount: 1 ReplicationFactor: 3 Configs:\n>  min.insync.replicas=2\n" + row().strip()
    reading = read(quoted)
    assert reading.cluster is not None
    assert reading.cluster.topics["t"].configs == {"min.insync.replicas": "2"}
    assert reading.unread == []


def test_a_copy_that_is_offline_on_a_broker_that_lives_is_told() -> None:
    """Confluent's column: its log directory failed, which no broker's death explains."""
    rows = row(0, 1, "1,2", "1,2") + row(1, 2, "2,1", "2").rstrip("\n") + "\tOffline: 1\n"
    reading = read(header(2) + rows)
    assert [one for one in reading.warnings if one.startswith("Offline although the broker is alive")] == [
        "Offline although the broker is alive, as after the failure of a log directory: t-1 on broker 1. "
        "Failed disks are not simulated: such a copy is taken for one that works."
    ]
    two = header(1).replace("Factor: 3", "Factor: 2")
    dead = read(two + row(0, 1, "1,2", "1").rstrip("\n") + "\tOffline: 2\n")
    assert dead.warnings == []
