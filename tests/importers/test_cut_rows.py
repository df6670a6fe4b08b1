"""A row that breaks off in its ISR has no small ISR: what is left of it is not all of it."""

from typing import Any

import pytest

from tests.importers.test_field_faults import assumption, imported, states, warned

HEAD = "Topic: a\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: min.insync.replicas=2\n"
WHOLE = "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3"
ELR = "\tElr: \tLastKnownElr: "
KCAT = (
    "Metadata for a (from broker 1: k1:9092/1):\n 3 brokers:\n  broker 1 at k1:9092\n  broker 2 at k2:9092\n"
    '  broker 3 at k3:9092\n 1 topics:\n  topic "a" with 2 partitions:\n'
    "    partition 0, leader 1, replicas: 1,2,3, isrs: 1,2,3\n"
)


def isr(result: dict[str, Any], number: str = "1") -> list[int]:
    found = result["scenario"]["topics"][0]["initial"][number]["isr"]
    assert isinstance(found, list)
    return found


def last(leader: int | str, members: str) -> str:
    return f"\tTopic: a\tPartition: 1\tLeader: {leader}\tReplicas: 2,3,1\tIsr: {members}"


class TestTheLastRow:
    @pytest.mark.parametrize(
        ("elr", "row"),
        [
            (ELR, last(2, "2")),
            (ELR, last(2, "2,3")),
            (ELR, last(2, "2,")),
            (ELR, last(2, "")),
            (ELR, last(2, "2\n")),
            ("\tElr: N/A\tLastKnownElr: N/A", last(2, "2")),
            ("", last(3, "2")),
            ("", last(2, "2,")),
            ("", last(2, "2,3...")),
            ("", last(2, "2>")),
            ("", last(2, "2,3\u00bb\n")),
            ("", last(2, "2,3\u2026\n")),
            ("", last(2, "")),
        ],
    )
    def test_its_replicas_are_taken_for_in_sync_and_the_doubt_is_told(self, elr: str, row: str) -> None:
        result = imported(f"{HEAD}{WHOLE}{elr}\n{row}")
        assert sorted(isr(result)) == [1, 2, 3]
        assert result["summary"]["under_replicated"] == 0
        assert warned(result, "Line 3: a-1 breaks off in its Isr")
        assert not any(one["key"] == "backlog" for one in result["assumptions"])

    def test_what_it_does_not_show_is_no_sign_of_life(self) -> None:
        row = "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2\tElr: \tLastKnownElr: \n"
        result = imported(f"{HEAD}{row}{last(2, '2')}")
        assert states(result) == {1: "running", 2: "running", 3: "down"}
        assert sorted(isr(result)) == [1, 2]

    def test_a_row_of_a_topic_of_its_own_is_cut_too(self) -> None:
        head = "Topic: b\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: \n"
        row = "\tTopic: b\tPartition: 0\tLeader: 2\tReplicas: 2,3,1\tIsr: 2"
        result = imported(f"{HEAD}{WHOLE}{ELR}\n{last(2, '2,3,1')}{ELR}\n{head}{row}")
        assert warned(result, "b-0 breaks off in its Isr")
        apart = f"{HEAD}{WHOLE}{ELR}\n{last(2, '2,3,1')}{ELR}\n\n{head}{row}"
        assert warned(imported(apart), "b-0 breaks off in its Isr")
        assert not warned(imported(apart + "\n"), "b-0 breaks off in its Isr")

    def test_the_leader_and_a_partition_without_one_stay(self) -> None:
        result = imported(f"{HEAD}{WHOLE}{ELR}\n{last('none', '2')}")
        assert result["summary"]["leaderless"] == 1
        assert isr(result) == [2]
        assert warned(result, "not taken for in sync, for it has no leader")

    def test_an_elr_that_breaks_off_is_a_doubt(self) -> None:
        result = imported(f"{HEAD}{WHOLE}{ELR}\n{last(2, '2')}\tElr: 3")
        assert isr(result) == [2]
        assert warned(result, "Line 3: the row breaks off in its Elr ('3' is left of it).")

    @pytest.mark.parametrize("end", [",unclean.leader.election.enab", ",uncl", ",r\n"])
    def test_a_header_that_breaks_off_in_its_next_key_keeps_its_last_value(self, end: str) -> None:
        result = imported(HEAD.rstrip("\n") + end + "\n" + WHOLE)
        assert result["scenario"]["topics"][0]["config"] == {"min.insync.replicas": 2}


class TestRowsThatAreWhole:
    @pytest.mark.parametrize(
        "text",
        [
            f"{HEAD}{WHOLE}\n{last(2, '2')}",
            f"{HEAD}{WHOLE}{ELR}\n{last(2, '2')}{ELR}",
            f"{HEAD}{WHOLE}{ELR}\n$ older/bin/kafka-topics.sh --describe --topic a\n{HEAD}{WHOLE}\n{last(2, '2')}",
            f"{HEAD}{WHOLE}\n{last(2, '2')}\nlater:\n{WHOLE}{ELR}\n",
            f"{HEAD}{WHOLE}{ELR}\n{last(2, '2')}\tAdding Replicas: 3",
        ],
    )
    def test_a_small_isr_stays_small(self, text: str) -> None:
        result = imported(text)
        assert isr(result) == [2]
        assert not warned(result, "breaks off")
        assert assumption(result, "backlog")["value"] == 300

    def test_an_isr_with_all_replicas_is_whole_wherever_its_row_ends(self) -> None:
        assert not warned(imported(f"{HEAD}{WHOLE}{ELR}\n{last(2, '2,3,1')}"), "breaks off")


class TestKcat:
    @pytest.mark.parametrize("end", ["2,", "2,\n", "2\u2026", "", "\n"])
    def test_isrs_that_break_off_are_taken_whole(self, end: str) -> None:
        result = imported(f"{KCAT}    partition 1, leader 2, replicas: 2,3,1, isrs: {end}")
        assert sorted(isr(result)) == [1, 2, 3]
        assert warned(result, "a-1 breaks off in its Isr")

    def test_a_leader_outside_the_isrs_of_the_last_line_is_cut_off(self) -> None:
        assert warned(imported(f"{KCAT}    partition 1, leader 3, replicas: 2,3,1, isrs: 2"), "breaks off")

    @pytest.mark.parametrize("end", ["2", "2\n", '2",\n'])
    def test_isrs_that_end_with_an_id_stay(self, end: str) -> None:
        assert isr(imported(f"{KCAT}    partition 1, leader 2, replicas: 2,3,1, isrs: {end}")) == [2]


@pytest.mark.parametrize("mark", [">", "\u2026", ",...", "\u00bb"])
@pytest.mark.parametrize("rest", ["", ",min.insync.repl"])
def test_configs_that_break_off_keep_what_is_whole_and_say_so(mark: str, rest: str) -> None:
    head = f"Topic: a\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: retention.ms=5,flush.ms=7{rest}{mark}\n"
    result = imported(f"{head}{WHOLE}\n")
    assert warned(result, "Line 1: the configs of a break off behind")
    assert result["scenario"]["topics"][0]["config"]["retention.ms"] == 5


def test_an_arrow_behind_the_isr_with_a_blank_is_a_remark() -> None:
    assert isr(imported(f"{HEAD}{WHOLE}\n{last(2, '2,3 > why?')}\n")) == [2, 3]
