"""Outputs of kafka-topics.sh with a filter: what they leave out, and what an empty one means."""

import pytest

from simengine.importers.report import import_text
from tests.importers.test_field_faults import assumption, imported, states, warned

COMMAND = "$ kafka-topics.sh --bootstrap-server b:9092 --describe {}\n"
FULL = (
    "Topic: t\tPartitionCount: 3\tReplicationFactor: 3\tConfigs: \n"
    "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n"
    "\tTopic: t\tPartition: 1\tLeader: 2\tReplicas: 2,3,1\tIsr: 2,1\n"
    "\tTopic: t\tPartition: 2\tLeader: 1\tReplicas: 3,1,2\tIsr: 1,2\n"
)
SHORT = "\tTopic: t\tPartition: 2\tLeader: 1\tReplicas: 3,1,2\tIsr: 1\n"
URP, OFFLINE, UNDER_MIN = "--under-replicated-partitions", "--unavailable-partitions", "--under-min-isr-partitions"


class TestAlone:
    @pytest.mark.parametrize("flag", [URP, UNDER_MIN, "--at-min-isr-partitions"])
    def test_a_filtered_output_is_not_taken_for_the_whole_topic(self, flag: str) -> None:
        row = SHORT.replace("Partition: 2", "Partition: 0")
        result = imported(COMMAND.format(flag) + row)
        assert warned(result, f"{flag} lists a partition only if it ")
        assert assumption(result, "listed in part")["value"] == "t"
        assert "may be in others" in assumption(result, "broker 2")["why"]

    def test_rows_of_one_kind_without_a_header_look_filtered(self) -> None:
        assert warned(imported(SHORT), "as --under-replicated-partitions lists them")
        whole = SHORT.replace("Isr: 1", "Isr: 1,2,3").replace("Partition: 2", "Partition: 0")
        assert not warned(imported(SHORT + whole), "as --under-replicated-partitions lists them")

    def test_with_the_whole_listing_beside_it_nothing_is_left_out(self) -> None:
        result = imported(COMMAND.format(UNDER_MIN) + SHORT + COMMAND.format("") + FULL)
        assert not warned(result, "lists a partition only if")


class TestBehindAWholeListing:
    def test_a_partition_that_is_not_under_min_isr_keeps_its_members(self) -> None:
        result = imported(FULL + COMMAND.format(UNDER_MIN) + SHORT)
        assert states(result) == {1: "running", 2: "running", 3: "running"}
        assert result["scenario"]["topics"][0]["initial"]["1"]["isr"] == [2, 1]

    def test_a_partition_that_was_in_sync_and_is_not_listed_shows_that_its_brokers_run(self) -> None:
        result = imported(FULL + COMMAND.format(URP) + SHORT)
        assert states(result) == {1: "running", 2: "running", 3: "running"}
        assert result["summary"]["under_replicated"] == 1


PROMPTS = ["", "$ \n", "$\n", "[user@host ~]$ \n", "$ date\n", "PS C:\\kafka> \n"]


class TestNothingPrinted:
    @pytest.mark.parametrize("behind", PROMPTS)
    def test_all_is_in_sync_then(self, behind: str) -> None:
        result = imported(FULL + COMMAND.format(URP) + behind)
        assert result["summary"]["under_replicated"] == 0
        assert warned(
            result, "Line 5: --under-replicated-partitions printed nothing: t-1, t-2 taken for in sync since."
        )

    def test_in_front_of_the_listing_it_is_told_and_changes_nothing(self) -> None:
        result = imported(COMMAND.format(URP) + COMMAND.format("") + FULL)
        assert result["summary"]["under_replicated"] == 2
        assert (
            "Line 1: --under-replicated-partitions printed nothing: no partition is under-replicated."
            in result["notes"]
        )

    def test_no_partition_is_without_leader(self) -> None:
        result = imported(FULL.replace("Leader: 2", "Leader: none") + COMMAND.format(OFFLINE))
        assert result["summary"]["leaderless"] == 0
        assert states(result) == {1: "running", 2: "running", 3: "running"}

    @pytest.mark.parametrize(
        "behind",
        [
            "Error while executing topic command : Timed out waiting for a node assignment.\n",
            "[2026-01-01 00:00:00,000] WARN Connection to node -1 could not be established. (org.apache.kafka)\n",
            "shows the rest\n",
        ],
    )
    def test_an_error_or_a_sentence_behind_the_command_is_no_empty_output(self, behind: str) -> None:
        assert imported(FULL + COMMAND.format(URP) + behind)["summary"]["under_replicated"] == 2

    def test_a_piped_output_tells_nothing(self) -> None:
        assert imported(FULL + COMMAND.format(URP + " | grep x"))["summary"]["under_replicated"] == 2

    def test_a_sentence_that_names_the_filter_is_no_command(self) -> None:
        text = "Below is kafka-topics.sh --describe and --under-replicated-partitions:\n"
        assert imported(text + FULL)["summary"]["under_replicated"] == 2
        assert imported(FULL + text)["summary"]["under_replicated"] == 2

    def test_one_topic_that_the_command_names_is_in_sync(self) -> None:
        other = FULL.replace(": t\t", ": u\t")
        result = imported(FULL + other + COMMAND.format(URP + " --topic u") + "$ \n")
        assert result["summary"]["under_replicated"] == 2

    def test_beside_a_listing_of_kcat(self) -> None:
        listing = (
            "Metadata for all topics (from broker 1: k1:9092/1):\n 2 brokers:\n  broker 1 at k1:9092\n"
            '  broker 2 at k2:9092\n 1 topics:\n  topic "a" with 1 partitions:\n'
            "    partition 0, leader 1, replicas: 1,2, isrs: 1\n"
        )
        assert imported(listing + COMMAND.format(URP) + "$ \n")["summary"]["under_replicated"] == 0

    @pytest.mark.parametrize(
        "text",
        [
            COMMAND.format(URP),
            COMMAND.format(URP).replace("\n", "\r\n") + "$ \r\n",
            "$ kubectl exec -it kafka-0 -n kafka -- bin/kafka-topics.sh --bootstrap-server localhost:9092 --describe "
            '--under-replicated-partitions\nDefaulted container "kafka" out of: kafka, init (init)\n$ \n',
        ],
    )
    def test_alone_it_says_that_all_is_well(self, text: str) -> None:
        result = import_text(text)
        assert result["status"] == "reject"
        assert result["reason"].startswith("--under-replicated-partitions printed nothing: no partition is under-repl")


def test_lines_that_were_used_are_not_listed_as_unread() -> None:
    text = (
        "$ kafka-topics.sh --create --topic t --partitions 3 --replication-factor 3 --config min.insync.replicas=2\n"
        "topic u has min ISR=2\n"
        "topic rate u 1500/s\n" + COMMAND.format(UNDER_MIN) + SHORT + SHORT.replace(": t\t", ": u\t")
    )
    assert import_text(text)["unread"] == []
