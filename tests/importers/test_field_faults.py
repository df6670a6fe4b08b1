"""Faults that pastes from the field showed, each from the smallest text that had it, and others of its kind."""

from typing import Any

import pytest

from simengine.importers.recognise import read
from simengine.importers.report import import_text
from simengine.scenario import load
from simengine.world.world import build

ELR_ROW = "\tTopic: {topic}\tPartition: 0\tLeader: 1\tReplicas: {replicas}\tIsr: {isr}\tElr: {elr}\tLastKnownElr: \n"


def imported(text: str, changes: dict[str, Any] | None = None) -> dict[str, Any]:
    """The result of an import, whose scenario loads."""
    result = import_text(text, changes)
    if result["scenario"]:
        load(result["scenario"])
    return result


def min_isr(result: dict[str, Any]) -> dict[str, int]:
    """min.insync.replicas of each topic, as a run has it."""
    default = result["scenario"]["cluster"]["config"]["min.insync.replicas"]
    return {
        topic["name"]: topic["config"].get("min.insync.replicas", default) for topic in result["scenario"]["topics"]
    }


def states(result: dict[str, Any]) -> dict[int, str]:
    return {broker["id"]: broker["state"] for broker in result["scenario"]["cluster"]["brokers"]}


def assumption(result: dict[str, Any], key: str) -> dict[str, Any]:
    return next(one for one in result["assumptions"] if one["key"] == key)


def warned(result: dict[str, Any], words: str) -> bool:
    return any(words in warning for warning in result["warnings"])


class TestMinIsr:
    """1. An assumption never stands against a fact of the same paste."""

    def test_an_elr_proves_more_than_the_members_of_the_isr_topic_by_topic(self) -> None:
        text = ELR_ROW.format(topic="a", replicas="1,2", isr="1", elr="2")
        text += ELR_ROW.format(topic="b", replicas="1,2,3", isr="1,3", elr="2")
        text += ELR_ROW.format(topic="c", replicas="1,2,3", isr="1,3", elr="")
        result = imported(text)
        assert min_isr(result) == {"a": 2, "b": 3, "c": 1}
        assert "a-0 has an Elr with an ISR of 1" in assumption(result, "min.insync.replicas of a")["why"]

    def test_the_run_of_such_a_topic_refuses_acks_all(self) -> None:
        result = imported(ELR_ROW.format(topic="a", replicas="1,2", isr="1", elr="2"))
        world = build(load(result["scenario"]))
        world.run(20_000_000)
        verdict: Any = world.verdict()
        assert verdict["topics"][0]["acked"] == 0

    def test_a_value_that_is_set_by_hand_is_not_below_the_proof(self) -> None:
        text = ELR_ROW.format(topic="a", replicas="1,2,3", isr="1", elr="2,3")
        assert min_isr(imported(text, {"min_insync_replicas": 1})) == {"a": 2}
        assert min_isr(imported(text, {"min_insync_replicas": 3})) == {"a": 3}

    @pytest.mark.parametrize(
        ("above", "value"),
        [
            ("$ kafka-topics.sh --bootstrap-server b:9092 --describe --under-min-isr-partitions\n", 3),
            ("$ kafka-topics.sh --bootstrap-server b:9092 --describe --at-min-isr-partitions\n", 2),
            ("$ kafka-topics.sh --create --topic a --partitions 1 --config min.insync.replicas=2\n", 2),
            ("$ kafka-configs.sh --alter --entity-type topics --entity-name a --add-config min.insync.replicas=2\n", 2),
            ("The size of the current ISR : 1 is insufficient to satisfy the min.isr requirement of 3 for a\n", 3),
            (
                "NotEnoughReplicasException: The size of the current ISR Set(1) is insufficient to satisfy the "
                "min.isr requirement of 3 for partition a-0\n",
                3,
            ),
            (
                "NotEnoughReplicasException: The size of the current ISR Set(1) is insufficient to satisfy the "
                "min.isr requirement of 2 for partition a-0\nWARN topic-partition a-0, Error: NOT_ENOUGH_REPLICAS\n",
                2,
            ),
            (
                "$ kafka-configs.sh --describe --all --entity-type topics --entity-name a | grep min.insync\n"
                "  min.insync.replicas=2 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:min.insync.replicas=2, "
                "STATIC_BROKER_CONFIG:min.insync.replicas=1, DEFAULT_CONFIG:min.insync.replicas=1}\n",
                2,
            ),
            ("Dynamic configs for topic a are:\n  min.insync.replicas=2 sensitive=false synonyms={}\n", 2),
            ("Configs for topic 'a' are retention.ms=5,min.insync.replicas=2\n", 2),
            ("- `a` (RF=3, min ISR=2)\n", 2),
            ("WARN Got error produce response on topic-partition a-0, retrying. Error: NOT_ENOUGH_REPLICAS\n", 3),
        ],
    )
    def test_what_else_the_paste_says_of_it_counts(self, above: str, value: int) -> None:
        row = "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2\n"
        assert min_isr(imported(above + row))["a"] == value

    def test_a_sentence_or_a_command_that_an_elr_contradicts_does_not_hide_it(self) -> None:
        row = ELR_ROW.format(topic="a", replicas="1,2,3", isr="1", elr="2")
        for text in ("topic a has min ISR=1\n" + row, row + "topic a has min ISR=1\n"):
            assert min_isr(imported(text)) == {"a": 2}
        assert min_isr(imported(row + "topic a has min ISR=3\n")) == {"a": 3}
        create = "$ kafka-topics.sh --create --topic a --partitions 1 --config min.insync.replicas=1\n"
        result = imported(create + row)
        assert min_isr(result) == {"a": 2}
        assert warned(result, "a: its configs say min.insync.replicas=1, but a-0 has an Elr")
        assert warned(result, "It is 2 or more now.")
        later = "$ kafka-configs.sh --alter --entity-type topics --entity-name a --add-config min.insync.replicas=1\n"
        assert min_isr(imported(row + later)) == {"a": 1}

    def test_a_refusal_that_names_no_partition_counts_where_one_topic_can_be_meant(self) -> None:
        error = "Messages are rejected since there are fewer in-sync replicas than required.\n"
        row = "\tTopic: {}\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: {}\n"
        assert min_isr(imported(row.format("a", "1,2") + row.format("b", "1,2,3") + error)) == {"a": 3, "b": 1}
        assert min_isr(imported(row.format("a", "1") + row.format("b", "1") + error)) == {"a": 1, "b": 1}

    def test_configs_that_contradict_an_elr_are_told(self) -> None:
        header = "Topic: a\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: min.insync.replicas=1\n"
        result = imported(header + ELR_ROW.format(topic="a", replicas="1,2", isr="1", elr="2"))
        assert warned(result, "a: its configs say min.insync.replicas=1, but a-0 has an Elr")

    def test_a_contradiction_is_told_once_and_names_both_values(self) -> None:
        header = "Topic: a\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: min.insync.replicas=1\n"
        listing = header + "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n"
        create = "$ kafka-topics.sh --create --topic a --partitions 1 --config min.insync.replicas=2\n"
        told = imported(create + listing)["warnings"]
        assert [one for one in told if "min.insync.replicas" in one] == [
            "a: min.insync.replicas is 1 in line 2 and 2 in line 1, a command that creates a topic; 1 counts."
        ]
        assert warned(imported("We run a with min ISR=2.\n" + listing), "say min.insync.replicas=1, but line 1 says 2.")


FULL = (
    "Topic: t\tPartitionCount: 3\tReplicationFactor: 2\tConfigs: \n"
    "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
    "\tTopic: t\tPartition: 1\tLeader: 2\tReplicas: 2,3\tIsr: 2\n"
    "\tTopic: t\tPartition: 2\tLeader: 2\tReplicas: 2,3\tIsr: 2\n"
)
LATER = "\tTopic: t\tPartition: 1\tLeader: 2\tReplicas: 2,3\tIsr: 2\n"


class TestFilteredListings:
    """2. A later listing counts by partition."""

    def test_rows_behind_a_full_listing_leave_the_other_partitions_as_they_are(self) -> None:
        result = imported(FULL + "$ grep 'Partition: 1' out.txt\n" + LATER)
        assert result["summary"]["partitions"] == 3
        assert result["summary"]["under_replicated"] == 2
        assert states(result) == {1: "running", 2: "running", 3: "down"}

    def test_what_the_filter_for_under_replicated_ones_leaves_out_was_in_sync(self) -> None:
        command = "$ kafka-topics.sh --bootstrap-server b:9092 --describe --under-replicated-partitions\n"
        result = imported(FULL + command + LATER)
        assert (result["summary"]["partitions"], result["summary"]["under_replicated"]) == (3, 1)
        assert warned(result, "does not list t-2 any more: taken for in sync since")
        assert states(result)[3] == "running"

    def test_nothing_follows_from_a_filtered_listing_that_was_cut(self) -> None:
        command = "$ kafka-topics.sh --bootstrap-server b:9092 --describe --under-replicated-partitions | head -1\n"
        assert imported(FULL + command + LATER)["summary"]["under_replicated"] == 2

    def test_a_filter_for_leaderless_ones_takes_no_broker_away(self) -> None:
        command = "$ kafka-topics.sh --zookeeper z:2181 --describe --topic t --unavailable-partitions\n"
        result = imported(FULL + command + "\tTopic: t\tPartition: 1\tLeader: -1\tReplicas: 2,3\tIsr: 3\n")
        assert (result["summary"]["partitions"], result["summary"]["leaderless"]) == (3, 1)
        assert states(result) == {1: "running", 2: "running", 3: "down"}

    def test_the_head_of_a_later_full_listing_counts_for_the_rows_it_shows(self) -> None:
        head = "".join(FULL.replace("Isr: 1,2", "Isr: 1").splitlines(keepends=True)[:2])
        result = imported(FULL + "$ kafka-topics.sh --describe --topic t | head -2\n" + head)
        assert (result["summary"]["partitions"], result["summary"]["under_replicated"]) == (3, 3)
        assert warned(result, "The last listing of t does not show t-1, t-2")

    def test_two_moments_of_two_topics_are_told(self) -> None:
        other = "\tTopic: u\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
        before = "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
        after = "\tTopic: t\tPartition: 0\tLeader: 2\tReplicas: 1,2\tIsr: 2\n"
        assert warned(imported(other + "$ a\n" + before + "$ kill 1\n" + after), "Two moments are put together")
        assert not warned(imported(before + "$ kill 1\n" + after + other), "Two moments")

    def test_who_lives_is_told_by_the_last_moment_that_tells_of_a_broker(self) -> None:
        command = "$ kafka-topics.sh --describe --topic t --unavailable-partitions\n"
        result = imported(FULL + command + "\tTopic: t\tPartition: 0\tLeader: none\tReplicas: 1,2\tIsr: 1\n")
        assert states(result) == {1: "down", 2: "running", 3: "down"}
        assert result["scenario"]["topics"][0]["initial"]["0"]["leader"] == "none"

    def test_brokers_that_only_a_plan_names_are_not_built_beside_a_listing(self) -> None:
        plan = '{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1,9]}]}\n'
        assert sorted(states(imported(plan + FULL))) == [1, 2, 3]


EMPTY_END = "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\tElr: \tLastKnownElr: \n"


class TestStrayNumbers:
    """3. A number behind a row is no broker."""

    @pytest.mark.parametrize("number", ["6", "1", "0", "2,1"])
    def test_behind_an_empty_elr(self, number: str) -> None:
        result = imported(EMPTY_END + number + "\n")
        assert states(result) == {1: "running", 2: "running"}
        assert result["scenario"]["topics"][0]["initial"]["0"]["last_known"] == []

    def test_behind_an_elr_with_members(self) -> None:
        row = "Topic: a Partition: 0 Leader: none Replicas: 1,2 Isr:  Elr: 1,2 LastKnownElr: \n"
        assert imported(row + "1\n")["scenario"]["topics"][0]["initial"]["0"]["last_known"] == []

    def test_behind_an_empty_isr_of_a_partition_without_leader(self) -> None:
        row = "\tTopic: a\tPartition: 0\tLeader: none\tReplicas: 1,2\tIsr: \n"
        assert next(read(row + "1\n").cluster.rows()).isr == ()  # type: ignore[union-attr]

    def test_behind_observers(self) -> None:
        row = "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\tOffline: \tLiveObservers: \n"
        assert states(imported(row + "3\n")) == {1: "running", 2: "running"}

    def test_the_end_of_an_id_that_was_broken_off_is_still_put_to_it(self) -> None:
        row = "\tTopic: t\tPartition: 0\tLeader: 30\tReplicas: 30,132\tIsr: 30,13\n"
        assert next(read(row + "2\n").cluster.rows()).isr == (30, 132)  # type: ignore[union-attr]

    def test_behind_a_listing_of_kcat(self) -> None:
        for end in ("1, leader 1, replicas: 1,2, isrs: 1,2\n6\n", "1, leader -1, replicas: 1,2, isrs: \n1\n"):
            cluster = read(FIRST.replace("with 1", "with 2") + f"    partition {end}").cluster
            assert cluster is not None
            assert sorted(cluster.brokers) == [1, 2]
            assert cluster.topics["a"].rows[1].isr in ((1, 2), ())

    def test_the_numbers_of_cat_n_are_taken_away_with_those_of_empty_lines(self) -> None:
        text = "".join(f"{at:6d}\t{line}\n" for at, line in enumerate((EMPTY_END + "\n\n" + EMPTY_END).split("\n"), 1))
        assert states(imported(text)) == {1: "running", 2: "running"}

    def test_a_setting_of_another_program_is_no_config_of_the_topic(self) -> None:
        header = "Topic: a\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: \n"
        cluster = read(header + "a=b\n" + EMPTY_END).cluster
        assert cluster is not None and cluster.topics["a"].configs == {}


class TestIdsThatAreNoReplicas:
    """4. No broker and no smaller ISR out of an id that is no replica."""

    def test_an_isr_that_is_cut_is_read_as_the_replica_it_begins(self) -> None:
        result = imported("\tTopic: t\tPartition: 0\tLeader: 30\tReplicas: 30,132\tIsr: 30,13\n")
        assert states(result) == {30: "running", 132: "running"}
        assert result["scenario"]["topics"][0]["initial"]["0"]["isr"] == [30, 132]
        assert warned(result, "13 in its Isr, which is cut off: read as 132")

    @pytest.mark.parametrize(
        ("replicas", "isr", "built", "state"),
        [
            ("30,131,132", "30,13", [30, 131, 132], "running"),
            ("1,10,11", "1,1", [1, 10, 11], "running"),
            ("30,131,132", "30,", [30, 131, 132], "running"),
        ],
    )
    def test_a_cut_id_that_fits_two_replicas_leaves_neither_dead(
        self, replicas: str, isr: str, built: list[int], state: str
    ) -> None:
        result = imported(f"\tTopic: t\tPartition: 0\tLeader: {built[0]}\tReplicas: {replicas}\tIsr: {isr}\n")
        assert result["scenario"]["topics"][0]["initial"]["0"]["isr"] == built
        assert states(result) == dict.fromkeys(map(int, replicas.split(",")), state)
        assert warned(result, "cut off") or warned(result, "breaks off in its Isr (30 is left of it)")
        assert "no line tells" in assumption(result, f"broker {replicas.rsplit(',', maxsplit=1)[-1]}")["why"]

    def test_the_end_of_replicas_that_is_cut_is_read_as_the_broker_that_its_isr_names(self) -> None:
        result = imported("\tTopic: t\tPartition: 0\tLeader: 101\tReplicas: 101,102,10\tIsr: 101,102,103\n")
        assert sorted(states(result)) == [101, 102, 103]
        assert warned(result, "10 in its Replicas, which is cut off: read as 103")

    @pytest.mark.parametrize("column", ["Isr: 1,9", "Isr: 1\tElr: \tLastKnownElr: 9", "Isr: 1\tOffline: 9"])
    def test_any_other_is_left_out_of_the_summary_and_of_the_run_alike(self, column: str) -> None:
        result = imported(f"\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\t{column}\n")
        assert sorted(states(result)) == [1, 2]
        assert result["summary"]["under_replicated"] == 1
        assert assumption(result, "backlog")["value"] == 300
        assert warned(result, "broker 9 in its ")

    @pytest.mark.parametrize("elr", ["0,1", "1,0"])
    @pytest.mark.parametrize("is_named_elsewhere", [True, False])
    @pytest.mark.parametrize("profile", ["4.2", "4.4", "3.7"])
    def test_the_elr_may_name_a_broker_that_a_reassignment_took_out(
        self, elr: str, is_named_elsewhere: bool, profile: str
    ) -> None:
        """ELR-2: it is a broker, and no other ELR version has a reason to leave it out; 3.7 has no ELR."""
        rows = f"\tTopic: t\tPartition: 0\tLeader: 3\tReplicas: 3,1,2\tIsr: 3\tElr: {elr}\tLastKnownElr: \n"
        if is_named_elsewhere:
            rows += "\tTopic: t\tPartition: 1\tLeader: 0\tReplicas: 0,1,2\tIsr: 0,1,2\tElr: \tLastKnownElr: \n"
        result = imported(rows, {"profile": profile})
        assert not warned(result, "in its Elr")
        assert any("Broker 0 is in the Elr of t-0 without a replica there" in note for note in result["notes"])
        assert 0 in states(result)
        state = result["scenario"]["topics"][0]["initial"]["0"]
        assert state.get("elr") == (None if profile == "3.7" else [int(one) for one in elr.split(",")])

    def test_an_id_that_is_a_broker_is_not_cut_off_in_an_elr(self) -> None:
        """Broker 1 was taken out of the first partition; it does not stand for 11 or 12."""
        rows = (
            "\tTopic: t\tPartition: 0\tLeader: 10\tReplicas: 10,11,12\tIsr: 10\tElr: 1\tLastKnownElr: \n"
            "\tTopic: t\tPartition: 1\tLeader: 1\tReplicas: 1,11,12\tIsr: 1\tElr: 11\tLastKnownElr: \n"
        )
        result = imported(rows)
        assert not warned(result, "cut off")
        assert result["scenario"]["topics"][0]["initial"]["0"]["elr"] == [1]
        assert imported(rows.splitlines()[0])["scenario"]["topics"][0]["initial"]["0"]["elr"] == [11]

    def test_the_elr_makes_no_cut_id_of_a_whole_replica(self) -> None:
        """Broker 10 was taken out; the last replica is broker 1."""
        result = imported("\tTopic: t\tPartition: 0\tLeader: 3\tReplicas: 3,2,1\tIsr: 3\tElr: 10\tLastKnownElr: \n")
        assert result["scenario"]["topics"][0]["assignment"] == [[3, 2, 1]]

    def test_a_last_known_leader_behind_an_elr_may_be_running(self) -> None:
        """ELR-6: it leads only once the ELR is empty, so a partition without leader does not tell that it is down."""
        row = "\tTopic: t\tPartition: 0\tLeader: none\tReplicas: 3,1,2\tIsr: \tElr: {elr}\tLastKnownElr: 3\n"
        assert states(imported(row.format(elr="0")))[3] == "running"
        assert states(imported(row.format(elr="1"))) == {1: "down", 2: "running", 3: "running"}
        assert states(imported(row.format(elr="")))[3] == "down"

    def test_fewer_replicas_than_the_replication_factor_are_a_doubt(self) -> None:
        header = "Topic: t\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: \n"
        result = imported(header + "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n")
        assert warned(result, "Fewer replicas are listed than ReplicationFactor: 3 says: t-0.")


KCAT = """\
Metadata for all topics (from broker 1: k1:9092/1):
 {count} brokers:
{brokers} 1 topics:
  topic "a" with 1 partitions:
    partition 0, leader 1, replicas: 1,2, isrs: {isrs}
"""
FIRST = KCAT.format(count=2, brokers="  broker 1 at k1:9092\n  broker 2 at k2:9092\n", isrs="1,2")
SECOND = KCAT.format(count=1, brokers="  broker 1 at k1:9092\n", isrs="1")
AS_JSON = (
    '{"originating_broker":{"id":1,"name":"k1"},"query":{"topic":"*"},"controllerid":1,"brokers":[{"id":1,"name":"k1"}'
    ',{"id":2,"name":"k2"}],"topics":[{"topic":"a","partitions":[{"partition":0,"leader":2,"replicas":[{"id":1},'
    '{"id":2}],"isrs":[{"id":2}]}]}]}\n'
)
DESCRIBED = "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"


class TestSeveralListings:
    """5. The later listing counts, whichever tool wrote it."""

    def test_a_broker_that_the_last_list_does_not_name_is_down(self) -> None:
        result = imported(FIRST + SECOND)
        assert states(result) == {1: "running", 2: "down"}
        assert "does not name it" in assumption(result, "broker 2")["why"]
        assert not warned(result, "brokers are listed")

    def test_a_broker_that_the_last_list_does_not_name_is_down_whichever_form_it_has(self) -> None:
        three = AS_JSON.replace('"name":"k2"}]', '"name":"k2"},{"id":3,"name":"k3"}]')
        for text in (three + "$ kcat -L\n" + FIRST, DESCRIBED + three + "$ kcat -L\n" + FIRST):
            assert states(imported(text)) == {1: "running", 2: "running", 3: "down"}
            assert warned(imported(text), "The last list of brokers does not name 3 any more")
        assert states(imported(FIRST + "$ kcat -L -J\n" + three))[3] == "running"

    @pytest.mark.parametrize(
        ("text", "leader"),
        [
            (FIRST + "$ kcat -L -J\n" + AS_JSON, 2),
            (AS_JSON + "$ kcat -L\n" + FIRST, 1),
            (DESCRIBED + "$ kcat -L -J\n" + AS_JSON, 2),
            (AS_JSON + "$ kafka-topics.sh --describe\n" + DESCRIBED, 1),
        ],
    )
    def test_the_later_of_two_forms_counts_and_the_difference_is_told(self, text: str, leader: int) -> None:
        result = imported(text)
        assert result["scenario"]["topics"][0]["initial"]["0"]["leader"] == leader
        assert warned(result, "Two outputs differ, and the later one counts: a-0")
        assert result["status"] == "accept-warn"


class TestVersion:
    """6. The version is what the paste says, or what its columns can tell."""

    ROW = "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2{}\n"

    @pytest.mark.parametrize(
        ("columns", "profile"),
        [("", "3.7"), ("\tElr: N/A\tLastKnownElr: N/A", "3.7"), ("\tElr: \tLastKnownElr: ", "4.4")],
    )
    @pytest.mark.parametrize("header", ["", "Topic: t\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: \n"])
    def test_the_columns_say_the_same_with_a_header_and_without(self, header: str, columns: str, profile: str) -> None:
        assert imported(header + self.ROW.format(columns))["scenario"]["profile"] == profile

    @pytest.mark.parametrize(
        ("words", "profile"),
        [
            ("metadata.version 3.9-IV0", "3.7"),
            ("Feature: metadata.version\tSupportedMinVersion: 3.3-IV3\tFinalizedVersionLevel: 4.0-IV3", "4.0"),
            ("$ tar xzf kafka_2.13-3.9.0.tgz", "3.7"),
            ("image: apache/kafka:4.1.0", "4.1"),
            ("image: confluentinc/cp-kafka:7.6.0", "3.7"),
            ("image: confluentinc/cp-kafka:8.0.0", "4.0"),
            ("4.1.1 (Commit:0123456789abcdef)", "4.1"),
            ("inter.broker.protocol.version=3.5", "3.7"),
            (
                "[2026-01-01 00:00:00,000] INFO Kafka version: 4.0.0 (org.apache.kafka.common.utils.AppInfoParser)",
                "4.0",
            ),
        ],
    )
    def test_a_version_that_is_written_counts(self, words: str, profile: str) -> None:
        result = imported(words + "\n" + self.ROW.format("\tElr: \tLastKnownElr: "))
        assert result["scenario"]["profile"] == profile
        assert "line 1" in assumption(result, "version")["why"]

    def test_a_leaderless_row_without_columns_has_no_elr(self) -> None:
        scenario = imported("\tTopic: t\tPartition: 0\tLeader: none\tReplicas: 1,2,3\tIsr: 3\n")["scenario"]
        assert (scenario["profile"], scenario["elr"]) == ("3.7", False)


class TestProse:
    """7. A sentence about a broker is no line of ``kcat -L``."""

    @pytest.mark.parametrize(
        "sentence",
        ["restarted broker 1 at 14:49:20", "broker 1 at 10.0.0.1:9092 went down", "--- broker 1 at 14:49:20"],
    )
    def test_alone_and_beside_a_listing(self, sentence: str) -> None:
        assert imported(sentence + "\n")["status"] == "reject"
        assert imported(DESCRIBED + sentence + "\n")["notes"] == []
        assert states(imported(FIRST + sentence.replace("broker 1", "broker 7") + "\n")).keys() == {1, 2}


class TestLeaderlessListings:
    """8. Dead is only who would otherwise lead."""

    @pytest.mark.parametrize(
        ("columns", "down"),
        [
            ("Isr: \tElr: 1\tLastKnownElr: 1", [1]),
            ("Isr: \tElr: \tLastKnownElr: 2", [2]),
            ("Isr: 1", [1]),
            ("Isr: ", [1, 2]),
        ],
    )
    def test_the_others_are_unknown_and_asked_for(self, columns: str, down: list[int]) -> None:
        result = imported(f"\tTopic: t\tPartition: 0\tLeader: none\tReplicas: 1,2\t{columns}\n")
        assert [broker for broker, state in states(result).items() if state == "down"] == down
        for broker in [broker for broker in (1, 2) if broker not in down]:
            assert "no line tells" in assumption(result, f"broker {broker}")["why"]
            assert warned(result, "paste the whole kafka-topics.sh --describe")
        load(result["scenario"])
