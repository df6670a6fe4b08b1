"""What is told of outputs that give little or nothing: the way there, and no sentence that is not so."""

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
