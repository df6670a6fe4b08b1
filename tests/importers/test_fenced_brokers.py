"""Brokers that an output calls fenced are down, and what shows a version counts wherever in the paste it stands."""

import pytest

from tests.importers.test_field_faults import assumption, imported, states, warned

HEAD = "ID         HOST      PORT       RACK       STATE      ENDPOINT_TYPE\n"
ENDPOINTS = (
    HEAD
    + "7  k7  9092  az-a  unfenced  broker\n8  k8  9092  az-b  fenced  broker\n9  k9  9092  az-c  unfenced  broker\n"
)
BEFORE_4_0 = "ID  HOST  PORT  RACK  ENDPOINT_TYPE\n7  k7  9092  az-a  broker\n8  k8  9092  az-b  broker\n"
PLAN = '{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[8,7]}]}\n'
TOPIC = (
    "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata:\n  name: t\nspec:\n  partitions: 3\n  replicas: 3\n"
)
LISTED = "\tTopic: t\tPartition: 0\tLeader: 7\tReplicas: 8,7\tIsr: 7\n"


class TestFenced:
    @pytest.mark.parametrize("more", ["", TOPIC])
    def test_a_fenced_broker_runs_nowhere_and_leads_nothing_that_is_placed_here(self, more: str) -> None:
        result = imported(ENDPOINTS + more)
        assert states(result) == {7: "running", 8: "down", 9: "running"}
        starts = [start for topic in result["scenario"]["topics"] for start in topic["initial"].values()]
        assert [sorted(start["isr"]) for start in starts] == [[7, 9]] * 3
        assert {start["leader"] for start in starts} == {7, 9}
        assert not any(one["key"].startswith("repaired") for one in result["assumptions"])

    def test_a_fenced_broker_leads_nothing_of_a_plan(self) -> None:
        result = imported(ENDPOINTS + PLAN)
        assert states(result)[8] == "down"
        assert result["scenario"]["topics"][0]["initial"]["0"]["leader"] == 7

    def test_where_all_brokers_are_fenced_nobody_leads(self) -> None:
        result = imported(HEAD + "1  k1  9092  a  fenced  broker\n2  k2  9092  b  fenced  broker\n")
        assert states(result) == {1: "down", 2: "down"}
        starts = result["scenario"]["topics"][0]["initial"].values()
        assert all(start["leader"] == "none" and sorted(start["isr"]) == [1, 2] for start in starts)

    def test_a_listing_beside_it_stays_as_it_is(self) -> None:
        result = imported(LISTED + ENDPOINTS)
        assert states(result) == {7: "running", 8: "down", 9: "running"}

    def test_of_a_listing_and_a_later_state_the_later_counts(self) -> None:
        leads = "\tTopic: t\tPartition: 0\tLeader: 8\tReplicas: 8,7\tIsr: 8,7\n"
        later = imported(leads + "$ later\n" + ENDPOINTS)
        assert states(later) == {7: "running", 8: "down", 9: "running"}
        assert later["scenario"]["topics"][0]["initial"]["0"]["leader"] == 7
        assert states(imported(ENDPOINTS + "$ later\n" + leads))[8] == "running"


class TestVersion:
    def test_the_column_state_is_of_4_0_or_later(self) -> None:
        said = assumption(imported(ENDPOINTS + LISTED), "version")
        assert (said["value"], said["why"]) == (
            "4.4",
            "line 1, kafka-cluster.sh list-endpoints has a column STATE, which is printed since 4.0",
        )

    def test_a_version_that_is_written_counts_where_it_fits(self) -> None:
        assert assumption(imported("image: apache/kafka:4.1.0\n" + ENDPOINTS), "version")["value"] == "4.1"

    def test_a_version_that_does_not_fit_is_told(self) -> None:
        result = imported("image: apache/kafka:3.9.0\n" + ENDPOINTS)
        assert assumption(result, "version")["value"] == "4.4"
        assert warned(result, "an image tag names Kafka 3.9, but line 2, kafka-cluster.sh list-endpoints has a column")

    def test_without_that_column_nothing_is_told(self) -> None:
        result = imported(BEFORE_4_0)
        assert result["label"] == "kafka-cluster.sh list-endpoints"
        assert assumption(result, "version")["why"] == "the listing does not tell"

    @pytest.mark.parametrize(
        ("elr", "eligible"),
        [("Elr: \tLastKnownElr: ", True), ("Elr: 3\tLastKnownElr: ", True), ("Elr: N/A\tLastKnownElr: N/A", False)],
    )
    def test_elr_columns_count_in_rows_that_a_later_listing_replaces(self, elr: str, eligible: bool) -> None:
        first = f"\tTopic: t\tPartition: 0\tLeader: 2\tReplicas: 1,2,3\tIsr: 2\t{elr}\n"
        result = imported(f"{first}later:\n\tTopic: t\tPartition: 0\tLeader: 2\tReplicas: 1,2,3\tIsr: 2,3,1\n")
        assert assumption(result, "version")["value"] == ("4.4" if eligible else "3.7")
        assert result["scenario"]["elr"] is eligible

    def test_elr_columns_count_in_a_row_that_is_left_out(self) -> None:
        result = imported(
            "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: one\tElr: \tLastKnownElr: \n"
            "later:\n\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
        )
        assert warned(result, "This row is left out")
        assert assumption(result, "version")["value"] == "4.4"

    def test_zookeeper_of_a_resource_counts_beside_a_listing(self) -> None:
        kafka = "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata:\n  name: c\n"
        kafka += "spec:\n  zookeeper:\n    replicas: 3\n"
        assert "ZooKeeper" in assumption(imported(LISTED + "---\n" + kafka), "version")["why"]
