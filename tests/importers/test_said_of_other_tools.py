"""Outputs that give little or nothing: the cure is told, and no untrue sentence."""

import pytest

from tests.importers.test_field_faults import assumption, imported, warned

ROW = "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
MIRRORS = "clusters = A, B\nA.bootstrap.servers = a:9092\nB.bootstrap.servers = b:9092\nA->B.enabled = true\n"
API = "k1:9092 (id: 1 rack: az-a) ->{0}\nk2:9092 (id: 2 rack: az-b) ->{0}\n"
NO_GROUP = "TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID\n"
LAG = "t      0          10              510             500  -            -     -\n"


class TestMirrorMaker:
    def test_its_properties_belong_under_mirror_maker(self) -> None:
        result = imported("I use this mm2.properties\n\n" + MIRRORS)
        assert "under MirrorMaker between them" in result["reason"]
        assert "not read" not in result["reason"]

    def test_its_resource_belongs_there_too(self) -> None:
        result = imported("apiVersion: kafka.strimzi.io/v1\nkind: KafkaMirrorMaker2\nmetadata: {name: m}\n")
        assert "under MirrorMaker between them" in result["reason"]

    def test_beside_a_listing_it_is_told_and_the_listing_is_built(self) -> None:
        result = imported(ROW + MIRRORS)
        assert result["scenario"] is not None
        assert any("under MirrorMaker between them" in note for note in result["notes"])
        assert not any("MirrorMaker" in note for note in imported(ROW)["notes"])


class TestNamedWithACure:
    @pytest.mark.parametrize(
        ("text", "label", "cure"),
        [
            (
                "NAME                                     DESIRED REPLICAS   ROLES        NODEIDS\n"
                'kafkanodepool.kafka.strimzi.io/broker    3                  ["broker"]   [0,1,2]\n',
                "a table of kubectl get",
                "-o yaml",
            ),
            (
                "$ kubectl get kafkatopics\nNAME     CLUSTER      PARTITIONS   REPLICATION FACTOR   READY\n"
                "orders   my-cluster   12           3                    True\n",
                "a table of kubectl get",
                "-o yaml",
            ),
            (
                "NAME         DESIRED KAFKA REPLICAS   DESIRED ZK REPLICAS   READY   WARNINGS\nc   3   3   True\n",
                "a table of kubectl get",
                "-o yaml",
            ),
            (
                '{"is_healthy": false, "unhealthy_reasons": ["leaderless_partitions"], "all_nodes": [0, 1], '
                '"leaderless_partitions": ["kafka/t/1"]}',
                "rpk cluster health",
                "Redpanda is no Kafka",
            ),
            (
                "2026-01-01 07:52:04 DEBUG KafkaAvailability:137 - t/1 has ISR=[0], replicas=[0,2]\n"
                "2026-01-01 07:52:04 INFO  KafkaRoller:384 - Pod c-kafka-0 can't be rolled\n",
                "the log of Strimzi's operator",
                "kubectl get -o yaml",
            ),
        ],
    )
    def test_the_name_and_what_to_paste_instead(self, text: str, label: str, cure: str) -> None:
        result = imported(text)
        assert result["status"] == "reject"
        assert label in result["label"]
        assert cure in result["reason"]


class TestApiVersions:
    @pytest.mark.parametrize("end", ["", " ", " ("])
    def test_a_list_of_apis_that_was_cut_away_is_no_broker_that_did_not_answer(self, end: str) -> None:
        assert imported("$ kafka-broker-api-versions.sh | grep id:\n" + API.format(end) + ROW)["warnings"][1:] == []

    def test_an_error_is_told_as_it_stands(self) -> None:
        error = " ERROR: org.apache.kafka.common.errors.DisconnectException"
        assert warned(imported(API.format(error) + ROW), "Broker 1 did not tell its APIs: DisconnectException.")


class TestGroups:
    def test_its_head_is_read_where_it_has_no_column_group(self) -> None:
        result = imported(NO_GROUP + LAG + ROW)
        assert not any("CURRENT-OFFSET" in one["text"] for one in result["unread"])
        assert "Read together: kafka-topics.sh --describe, kafka-consumer-groups.sh." in result["notes"]

    def test_a_head_without_a_row_that_can_be_read_is_not_read_together(self) -> None:
        result = imported(NO_GROUP + "t/0        10              510             500  -            -     -\n" + ROW)
        assert not any("Read together" in note for note in result["notes"])
        assert warned(result, "no row of it tells an offset")

    @pytest.mark.parametrize(
        "above",
        [
            "Consumer group 'billing' has no active members.\n",
            "Warning: Consumer group 'billing' is rebalancing.\n",
            "$ kafka-consumer-groups.sh --bootstrap-server k1:9092 --describe --group billing\n",
        ],
    )
    def test_a_group_is_named_above_its_table(self, above: str) -> None:
        assert assumption(imported(above + NO_GROUP + LAG + ROW), "lag of group billing")["value"] == 500

    def test_the_lag_of_each_group_stands_in_the_description_farthest_behind_first(self) -> None:
        head = "GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG\n"
        rows = "slow t 0 10 3500010 3500000\nslow u 1 0 5 5\nquick t 0 3500000 3500010 10\nidle t 0 7 7 0\n"
        result = imported(head + rows + ROW)
        lags = [one for one in result["assumptions"] if one["key"].startswith("lag of group")]
        assert [(one["key"], one["value"]) for one in lags] == [
            ("lag of group slow", 3_500_005),
            ("lag of group quick", 10),
        ]
        assert "in 2 partitions, 3,500,000 of it in t-0" in lags[0]["why"]
        assert "lag of group slow: 3,500,005" in result["scenario"]["about"]

    def test_neutral_names_hide_groups_and_topics(self) -> None:
        result = imported(NO_GROUP + LAG + ROW, {"neutral_names": True})
        assert assumption(result, "lag of group group-1")["why"].startswith(
            "records in 1 partition, 500 of it in topic-1-0"
        )


class TestTopicsThatAreNamed:
    """A paste that names topics gets these, and none that stands for all."""

    BROKERS = "ID HOST PORT RACK\n1 k1 9092 a\n2 k2 9092 b\n3 k3 9092 c\n"
    CONFIGS = "Dynamic configs for topic t are:\n  min.insync.replicas=2 sensitive=false synonyms={}\n"

    def test_a_topic_that_a_group_reads_has_as_many_partitions_as_are_named(self) -> None:
        result = imported(self.BROKERS + NO_GROUP + LAG + LAG.replace("0  ", "4  ", 1))
        assert [(one["name"], len(one["assignment"])) for one in result["scenario"]["topics"]] == [("t", 5)]
        assert assumption(result, "placed by Kafka's rule")["value"] == "t"

    def test_a_topic_whose_configs_are_shown_has_them(self) -> None:
        (topic,) = imported(self.BROKERS + self.CONFIGS)["scenario"]["topics"]
        assert (topic["name"], topic["config"]) == ("t", {"min.insync.replicas": 2})

    def test_configs_that_are_shown_count_over_those_of_a_resource(self) -> None:
        resource = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: t}\nspec:\n  partitions: 1\n"
        resource += "  replicas: 3\n  config:\n    min.insync.replicas: 1\n"
        (topic,) = imported(self.BROKERS + resource + "---\n```\n" + self.CONFIGS)["scenario"]["topics"]
        assert topic["config"] == {"min.insync.replicas": 2}


class TestSentencesAreOfTheirOutput:
    TWO_LISTS = "Metadata for t (from broker 1: k1:9092/1):\n {0} brokers:\n{1} 1 topics:\n"
    TOPIC = '  topic "t" with 1 partitions:\n    partition 0, leader 1, replicas: 1,2, isrs: 1\n'
    BOTH = "  broker 1 at k1:9092\n  broker 2 at k2:9092\n"

    def test_an_ellipsis_in_prose_cuts_no_listing(self) -> None:
        assert not warned(imported("It began like this:\n...\nThen I ran:\n\n$ describe\n" + ROW), "cut out")
        assert warned(imported(ROW + "...\n"), "Lines were cut out of this listing")
        assert warned(imported("...\n\n" + ROW), "Lines were cut out of this listing")

    def test_a_broker_that_a_later_row_shows_alive_is_not_taken_for_down(self) -> None:
        lists = self.TWO_LISTS.format(2, self.BOTH) + self.TOPIC
        lists += self.TWO_LISTS.format(1, "  broker 1 at k1:9092\n") + self.TOPIC
        assert warned(imported(lists), "does not name 2 any more: taken for down")
        later = imported(lists + "later:\n" + ROW)
        assert not warned(later, "taken for down")
        assert {one["id"]: one["state"] for one in later["scenario"]["cluster"]["brokers"]}[2] == "running"

    def test_the_doubts_about_a_load_are_none_beside_a_listing(self) -> None:
        load = "PARTITION LEADER FOLLOWERS CPU DISK NW_IN NW_OUT MSG_IN\nt-0 1 [2] 0.1 1.0 1.0 1.0 5.0\n"
        assert warned(imported(load), "who is in sync")
        assert not warned(imported(load + ROW), "who is in sync")

    def test_a_verbose_state_of_cruise_control_lists_all(self) -> None:
        state = "BROKER LEADER(S) REPLICAS OUT-OF-SYNC OFFLINE IS_CONTROLLER\n1 1 1 0 0 true\n2 0 1 0 0 false\n"
        state += "TOPIC PARTITION LEADER REPLICAS IN-SYNC OUT-OF-SYNC OFFLINE MIN-ISR\n{}t 0 1 [1, 2] [1, 2] [] [] 1\n"
        assert warned(imported(state.format("")), "only those in trouble")
        assert not warned(imported(state.format("All Partitions in the Cluster (verbose):\n")), "in trouble")

    def test_a_resource_without_its_first_line_is_no_template(self) -> None:
        reason = imported("kind: KafkaNodePool\nmetadata: {name: b}\nspec: {replicas: 3, roles: [broker]}\n")["reason"]
        assert reason.startswith("A KafkaNodePool without apiVersion is incomplete.")

    def test_the_default_of_a_topic_that_the_paste_tells_is_not_unknown(self) -> None:
        topic = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: t}\nspec: {replicas: 1}\n"
        kafka = "---\napiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: c}\n"
        kafka += "spec:\n  kafka:\n    replicas: 3\n    config:\n      num.partitions: 6\n"
        assert warned(imported(topic), "which is unknown here")
        result = imported(topic + kafka)
        assert not warned(result, "unknown here")
        assert len(result["scenario"]["topics"][0]["assignment"]) == 6
