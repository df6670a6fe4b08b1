"""Listings as authors of posts, issues and tests change them: labels taken away, comments, two moments in one paste."""

import pytest

from simengine.importers.model import UNNAMED
from simengine.importers.recognise import read
from simengine.importers.report import import_text, status
from tests.importers.test_describe import facts, header, row

BARE = "loads  Partition: {}  Leader: {}  Replicas: 4,5,6 Isr: {}\n"


def test_a_name_in_front_of_rows_without_the_label_is_their_topic() -> None:
    reading = read(BARE.format(0, 4, "4,5,6") + BARE.format(1, 5, "5"))
    assert facts(reading) == (3, 1, 2, 1, 0, 1)
    assert reading.cluster is not None and list(reading.cluster.topics) == ["loads"]
    assert status(reading) == "accept-warn"


def test_a_prefix_of_a_log_is_no_topic_where_a_header_stands_above() -> None:
    reading = read(header() + "worker7   Partition: 0  Leader: 1  Replicas: 1,2  Isr: 1,2\n")
    assert reading.cluster is not None and list(reading.cluster.topics) == ["t"]


def test_rows_without_any_topic_become_one_topic_which_is_not_counted_as_named() -> None:
    result = import_text(
        "Partition: 0  Leader: 3  Replicas: 3,1  Isr: 3\nPartition: 1  Leader: 1  Replicas: 1,3  Isr: 1,3\n"
    )
    assert (result["status"], result["summary"]["topics"], result["summary"]["partitions"]) == ("accept-warn", 0, 2)
    assert [topic["name"] for topic in result["scenario"]["topics"]] == [UNNAMED]


@pytest.mark.parametrize("tail", ["\u526f\u672c", " \u540c\u6b65", "\uff08\u6ca1\u6709\uff09", " \u2190 gone"])
def test_words_in_another_script_behind_an_isr_are_a_comment(tail: str) -> None:
    reading = read(header() + row(isr="1,2").rstrip("\n") + tail + "\n")
    assert facts(reading) == (3, 1, 1, 1, 0, 0)


def test_values_in_bold_are_read() -> None:
    text = "**Topic: t** PartitionCount: 1\nTopic: t Partition: 0 Leader: **1** Replicas: **1**,2 Isr: **1**\n"
    assert facts(read(text)) == (2, 1, 1, 1, 0, 0)


def test_full_width_colons_and_commas_are_read() -> None:
    text = "Topic\uff1at\u3000PartitionCount\uff1a1\n\u3000Topic\uff1at\u3000Partition\uff1a0\u3000Leader\uff1a2\u3000"
    assert facts(read(text + "Replicas\uff1a2\uff0c1\u3000Isr\uff1a2\n")) == (2, 1, 1, 1, 0, 0)


def test_columns_that_grew_together_are_parted_at_their_labels() -> None:
    text = header() + "\tTopic: t\tPartition: 0\tLeader: 1Replicas: 1,2Isr: 1Elr: \tLastKnownElr: \n"
    assert facts(read(text)) == (2, 1, 1, 1, 0, 0)


def test_a_filtered_listing_before_a_whole_one_is_an_earlier_moment() -> None:
    filtered = "kafka-topics.sh --describe --unavailable-partitions\n" + row(7, "none", isr="3")
    text = filtered + "we restart it\nkafka-topics.sh --describe\n" + header(count=2) + row(0) + row(1)
    reading = read(text)
    assert facts(reading) == (3, 1, 2, 0, 0, 0)
    assert any("listed 2 times" in warning for warning in reading.warnings)


def test_prose_with_labels_but_no_number_loses_no_row() -> None:
    reading = read(header() + row() + "Partition: its number, Leader: who leads, Replicas: all, Isr: who keeps up\n")
    assert status(reading) == "accept"


@pytest.mark.parametrize(
    "prose",
    [
        "- `Partition: 0 Leader: 1`: broker 1 leads partition 0",
        "  - `Replicas: 1,2,3`: there are three copies of `Partition: 0`",
        "As `Partition: 0 Leader: 1 Isr: 1` shows, the rest is gone",
    ],
)
def test_an_explanation_that_quotes_columns_is_no_lost_row(prose: str) -> None:
    reading = read(header() + row() + "\n" + prose + "\n")
    assert facts(reading) == (3, 1, 1, 0, 0, 0)
    assert (status(reading), len(reading.unread)) == ("accept", 1)


def test_a_header_that_a_wiki_wrapped_before_its_configs_is_whole() -> None:
    text = "Topic: t\tPartitionCount: 1\tReplicationFactor: 3\n    Configs: flush.ms=1000,\n    min.insync.replicas=2\n"
    reading = read(text + row())
    assert reading.cluster is not None
    assert reading.cluster.topics["t"].configs == {"flush.ms": "1000", "min.insync.replicas": "2"}


def test_a_broker_id_beyond_kafkas_range_is_not_read() -> None:
    result = import_text(header(count=2) + row() + row(1, 4294967296, "4294967296", "4294967296"))
    assert result["summary"]["partitions"] == 1
    assert [entry["line"] for entry in result["unread"]] == [3]


def test_half_a_character_does_not_reach_the_document() -> None:
    assert import_text(header() + row() + "\ud800 Topic: \udfff\n")["status"] == "accept"


def test_a_comment_behind_a_kcat_topic_is_no_error_of_it() -> None:
    text = 'Metadata for t:\n 1 brokers:\n  broker 1 at h:9092\n 1 topics:\n  topic "t" with 1 partitions:  <- here{}\n'
    reading = read(text.format("") + "    partition 0, leader 1, replicas: 1, isrs: 1\n")
    assert status(reading) == "accept"
    reading = read(text.format(": Broker: Unknown topic or partition"))
    assert any("Broker: Unknown topic" in warning for warning in reading.warnings)


@pytest.mark.parametrize(
    "said", ["*none*", "{color:red}none{color}", "none :fire:", "\u274c none", ":x: none", "**-1**", "_none_"]
)
def test_marks_around_no_leader_are_no_part_of_it(said: str) -> None:
    assert facts(read(header() + row(leader=said))) == (3, 1, 1, 0, 1, 0)


def test_numbers_between_the_lines_are_left_out_and_noted() -> None:
    lines = [header().rstrip("\n"), *(row(number=number).rstrip("\n") for number in range(3))]
    reading = read("\n".join(f"{at}\n{line}" for at, line in enumerate(lines, 1)))
    assert facts(reading) == (3, 1, 3, 0, 0, 0)
    assert reading.notes == ["The numbers between the lines were taken for line numbers and left out."]


def test_a_topic_that_is_marked_for_deletion_is_told_once() -> None:
    lines = [header().rstrip("\n"), *(row(number=number).rstrip("\n") for number in range(3))]
    reading = read("\n".join(f"{line}\tMarkedForDeletion: true" for line in lines))
    assert facts(reading) == (3, 1, 3, 0, 0, 0)
    (note,) = reading.notes
    assert note.endswith("is marked for deletion; it is built as it is listed, and is not deleted.")
    assert read("\n".join(f"{line}\tMarkedForDeletion: false" for line in lines)).notes == []
