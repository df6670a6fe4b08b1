"""One paste, many outputs: each tells what it knows, and all of it makes one cluster."""

from typing import Any

import pytest

from simengine.importers.recognise import read
from simengine.importers.report import import_text
from simengine.scenario import load
from simengine.world.world import build
from tests.importers.test_field_faults import assumption, imported, min_isr, states, warned

LISTED = (
    "Topic: t\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: min.insync.replicas=2\n"
    "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n"
    "\tTopic: t\tPartition: 1\tLeader: 2\tReplicas: 2,3,1\tIsr: 2,3,1\n"
)
API = "k{0}:9092 (id: {0} rack: az-{1}) -> (\n\tProduce(0): 0 to 11 [usable: 11]\n)\n"
VOTERS = (
    "ClusterId: abc\nLeaderId: {0}\nHighWatermark: 10\nMaxFollowerLag: 0\n"
    'CurrentVoters: [{{"id": {0}}}, {{"id": {1}}}, {{"id": {2}}}]\n'
    "CurrentObservers: {3}\n"
)


def racks(result: dict[str, Any]) -> dict[int, str]:
    return {broker["id"]: broker.get("rack") for broker in result["scenario"]["cluster"]["brokers"]}


class TestBrokers:
    def test_racks_of_the_api_versions_are_used_and_brokers_that_only_they_name_are_built(self) -> None:
        text = "".join(API.format(broker, rack) for broker, rack in [(1, "a"), (2, "b"), (3, "a"), (4, "b")]) + LISTED
        result = imported(text)
        assert racks(result) == {1: "az-a", 2: "az-b", 3: "az-a", 4: "az-b"}
        assert result["summary"]["brokers"] == 4
        assert "kafka-broker-api-versions.sh" in result["notes"][-1]

    def test_a_table_of_brokers_gives_racks(self) -> None:
        table = "ID  HOST  PORT  RACK\n1  h1  9092  r1\n2  h2  9092  r2\n3  h3  9092  r1\n"
        assert racks(imported(table + LISTED)) == {1: "r1", 2: "r2", 3: "r1"}

    def test_topics_that_a_table_lists_below_the_brokers_are_placed_by_kafkas_rule(self) -> None:
        table = "ID  HOST  PORT  RACK\n0*  h0  9092  r0\n1  h1  9092  r1\n2  h2  9092  r2\n"
        result = imported(
            f"BROKERS\n=======\n{table}\nTOPICS\n======\nNAME  PARTITIONS  REPLICAS\nt  12  3\n_u  1  1\n"
        )
        built = {topic["name"]: topic["assignment"] for topic in result["scenario"]["topics"]}
        assert {name: (len(rows), len(rows[0])) for name, rows in built.items()} == {"t": (12, 3), "_u": (1, 1)}
        assert (result["summary"]["brokers"], result["summary"]["topics"], result["summary"]["partitions"]) == (
            3,
            2,
            13,
        )
        assert "t, _u" in assumption(result, "placed by Kafka's rule")["value"]

    def test_two_racks_of_one_broker_are_told_and_the_later_counts(self) -> None:
        table = "ID  HOST  PORT  RACK\n1  h1  9092  r9\n"
        result = imported(API.format(1, "a") + table + LISTED)
        assert racks(result)[1] == "r9"
        assert warned(result, "Broker 1 is said to be in two racks: az-a")

    def test_placement_constraints_name_racks_and_observers(self) -> None:
        constraint = (
            'confluent.placement.constraints={"version":1,"replicas":[{"count":2,"constraints":{"rack":"west"}}],'
            '"observers":[{"count":2,"constraints":{"rack":"east"}}]}'
        )
        text = (
            f"Topic: a\tPartitionCount: 1\tReplicationFactor: 4\tConfigs: min.insync.replicas=1,{constraint}\n"
            "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2,4,3\tIsr: 1,2\tOffline: \tLiveObservers: 4,3\n"
        )
        result = imported(text)
        assert racks(result) == {1: "west", 2: "west", 3: "east", 4: "east"}
        assert result["scenario"]["topics"][0]["observers"] == [4, 3]
        document = load({**result["scenario"], "timeline": [{"at": "3s", "do": "kill-rack west"}]})
        world = build(document)
        world.run(40_000_000)
        view: Any = world.snapshot()
        assert view["partitions"][0]["leader"] == -1

    def test_an_observer_that_leads_is_told_as_an_ordinary_replica(self) -> None:
        text = (
            "\tTopic: a\tPartition: 0\tLeader: 3\tReplicas: 1,3\tIsr: 3\tOffline: 1\tLiveObservers: \n"
            "\tTopic: a\tPartition: 1\tLeader: 1\tReplicas: 1,3\tIsr: 1\tOffline: \tLiveObservers: 3\n"
        )
        result = imported(text)
        assert "observers" not in result["scenario"]["topics"][0]
        assert warned(result, "a: 3 is an observer")


class TestControllers:
    def test_voters_that_are_brokers_share_their_az(self) -> None:
        text = (
            VOTERS.format(1, 2, 3, "[]")
            + LISTED
            + "".join(API.format(broker, "abc"[broker - 1]) for broker in (1, 2, 3))
        )
        controllers = imported(text)["scenario"]["cluster"]["controllers"]
        assert [controller["rack"] for controller in controllers] == ["az-a", "az-b", "az-c"]

    def test_voters_of_their_own_keep_their_ids(self) -> None:
        observers = '[{"id": 1}, {"id": 2}, {"id": 3}]'
        result = imported(VOTERS.format(101, 102, 103, observers) + LISTED)
        controllers = result["scenario"]["cluster"]["controllers"]
        assert [controller["id"] for controller in controllers] == [101, 102, 103]
        assert "kafka-metadata-quorum.sh" in assumption(result, "controllers")["why"]

    def test_a_quorum_alone_makes_a_cluster_of_its_brokers(self) -> None:
        result = imported(VOTERS.format(9, 10, 11, '[{"id": 1}, {"id": 2}]'))
        assert sorted(states(result)) == [1, 2]
        combined = imported(VOTERS.format(1, 2, 3, "[]"))
        assert sorted(states(combined)) == [1, 2, 3]
        assert len(combined["scenario"]["cluster"]["controllers"]) == 3


class TestConfigs:
    def test_the_configs_of_other_outputs_are_taken_and_contradictions_told(self) -> None:
        text = LISTED + "Dynamic configs for topic t are:\n  min.insync.replicas=3 sensitive=false synonyms={}\n"
        result = imported(text)
        assert min_isr(result) == {"t": 3}
        assert warned(result, "t: min.insync.replicas is 2 in line 1 and 3 in line 5")

    def test_a_row_of_kafka_configs_is_no_line_of_server_properties(self) -> None:
        row = "  min.insync.replicas=1 sensitive=false synonyms={DEFAULT_CONFIG:min.insync.replicas=1}\n"
        result = imported(LISTED + "Dynamic configs for topic t are:\n" + row)
        assert min_isr(result) == {"t": 1}
        assert not any(one["key"].startswith("config ") for one in result["assumptions"])
        assert not any("server.properties" in note for note in result["notes"])

    def test_the_default_of_all_brokers_is_that_of_topics_without_a_value(self) -> None:
        file = "node.id=1\nprocess.roles=broker\nmin.insync.replicas=2\n"
        result = imported(file + LISTED.replace("min.insync.replicas=2", ""))
        assert min_isr(result) == {"t": 2}
        assert "a server.properties file says 2" in assumption(result, "min.insync.replicas")["why"]

    def test_a_part_of_server_properties_tells_voters_and_defaults(self) -> None:
        part = "controller.quorum.voters=1@a:9,2@b:9,3@c:9,4@d:9,5@e:9\nunclean.leader.election.enable=true\n"
        result = imported(part + LISTED)
        cluster = result["scenario"]["cluster"]
        assert (len(cluster["controllers"]), cluster["config"]["unclean.leader.election.enable"]) == (5, True)

    def test_server_properties_alone_make_a_cluster(self) -> None:
        voters = "controller.quorum.voters=1@a:9,2@b:9,3@c:9\n"
        file = "node.id={0}\nprocess.roles=broker,controller\nbroker.rack=r{0}\n" + voters
        result = imported("".join(file.format(number) for number in (1, 2, 3)))
        assert racks(result) == {1: "r1", 2: "r2", 3: "r3"}
        assert [one["rack"] for one in result["scenario"]["cluster"]["controllers"]] == ["r1", "r2", "r3"]


def test_a_plan_fills_up_what_a_filtered_listing_leaves_out_and_never_replaces_a_row() -> None:
    plan = (
        '{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1,2]},'
        '{"topic":"t","partition":1,"replicas":[3,4]}]}\n'
    )
    result = imported("\tTopic: t\tPartition: 0\tLeader: 2\tReplicas: 2,1\tIsr: 2\n" + plan)
    topic = result["scenario"]["topics"][0]
    assert topic["assignment"] == [[2, 1], [3, 4]]
    assert topic["initial"]["0"]["isr"] == [2]
    assert assumption(result, "leader and ISR")["value"] == "t-1"


POOLS = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: c, labels: {strimzi.io/cluster: k}}
spec: {replicas: 3, roles: [controller]}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: b, labels: {strimzi.io/cluster: k}, annotations: {strimzi.io/next-node-ids: "[10-19]"}}
spec: {replicas: 4, roles: [broker]}
---
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: k, annotations: {strimzi.io/node-pools: enabled}}
spec: {kafka: {version: 4.1.0, config: {min.insync.replicas: 2, default.replication.factor: 3}}}
"""
TOPIC = """\
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: orders, labels: {strimzi.io/cluster: k}}
spec: {partitions: 6, replicas: 3, config: {min.insync.replicas: 1}}
"""


class TestDeclaredClusters:
    def test_resources_of_strimzi_alone_make_a_cluster_placed_by_kafkas_rule(self) -> None:
        result = imported(POOLS + TOPIC)
        assert result["status"] == "accept"
        assert sorted(states(result)) == [10, 11, 12, 13]
        assert [one["id"] for one in result["scenario"]["cluster"]["controllers"]] == [0, 1, 2]
        topic = result["scenario"]["topics"][0]
        assert (topic["name"], len(topic["assignment"])) == ("orders", 6)
        assert all(len(replicas) == 3 for replicas in topic["assignment"])
        assert (result["scenario"]["profile"], min_isr(result)) == ("4.1", {"orders": 1})
        assert "no listing tells where" in assumption(result, "placed by Kafka's rule")["why"]

    def test_the_ids_in_the_status_of_a_pool_are_the_nodes(self) -> None:
        pools = POOLS.replace("roles: [controller]}", "roles: [controller]}\nstatus: {nodeIds: [3, 4, 5]}")
        told = pools.replace("roles: [broker]}", "roles: [broker]}\nstatus: {nodeIds: [20, 21, 30, 31]}")
        result = imported(told)
        assert sorted(states(result)) == [20, 21, 30, 31]
        assert [one["id"] for one in result["scenario"]["cluster"]["controllers"]] == [3, 4, 5]
        assert not any(one["key"] == "ids of brokers" for one in result["assumptions"])
        growing = imported(told.replace(", 31]", "]"))
        assert sorted(states(growing)) == [10, 20, 21, 30]
        assert "does not give them all" in assumption(growing, "ids of brokers")["why"]

    def test_a_cluster_without_a_topic_gets_one_that_can_be_edited(self) -> None:
        result = imported(POOLS)
        assert len(result["scenario"]["topics"][0]["assignment"]) == 4
        edited = imported(POOLS, {"topic_partitions": 9, "topic_replicas": 2})
        assert [len(replicas) for replicas in edited["scenario"]["topics"][0]["assignment"]] == [2] * 9

    def test_a_topic_alone_is_built_on_an_assumed_number_of_brokers(self) -> None:
        result = imported(TOPIC)
        assert assumption(result, "brokers")["value"] == 3
        assert len(states(imported(TOPIC, {"brokers": 5}))) == 5

    def test_ids_that_no_resource_tells_never_stand_beside_those_of_a_listing(self) -> None:
        result = imported(POOLS.replace("annotations: {strimzi.io/next-node-ids", "x: {y") + LISTED)
        assert sorted(states(result)) == [1, 2, 3]
        assert len(result["scenario"]["cluster"]["controllers"]) == 3

    def test_ids_that_are_counted_give_way_to_those_of_any_other_output(self) -> None:
        plan = '{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[7,8,9]}]}\n'
        for resources in (TOPIC, POOLS.replace("annotations: {strimzi.io/next-node-ids", "x: {y")):
            result = imported(resources + "$ cat plan.json\n" + plan, {"brokers": 4})
            assert sorted(states(result)) == [7, 8, 9]

    def test_a_compose_file_alone_makes_a_cluster_with_its_racks_and_voters(self) -> None:
        service = (
            "  k{0}:\n    image: apache/kafka:4.0.0\n    environment:\n      KAFKA_NODE_ID: {0}\n"
            "      KAFKA_PROCESS_ROLES: broker,controller\n      KAFKA_BROKER_RACK: r{0}\n"
            "      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@k1:9093,2@k2:9093,3@k3:9093\n"
            "      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 1\n      KAFKA_CREATE_TOPICS: 'orders:4:3'\n"
        )
        result = imported("services:\n" + "".join(service.format(number) for number in (1, 2, 3)))
        assert racks(result) == {1: "r1", 2: "r2", 3: "r3"}
        topics = {topic["name"]: topic["assignment"] for topic in result["scenario"]["topics"]}
        assert (len(topics["orders"]), len(topics["orders"][0])) == (4, 3)
        assert (len(topics["__consumer_offsets"]), len(topics["__consumer_offsets"][0])) == (50, 1)
        assert result["scenario"]["profile"] == "4.0"

    def test_placement_goes_over_the_racks_that_are_told(self) -> None:
        table = "ID HOST PORT RACK\n" + "".join(f"{number} h 9092 r{number % 3}\n" for number in range(6))
        create = "$ kafka-topics.sh --create --topic orders --partitions 12 --replication-factor 3\n"
        topic = imported(table + create)["scenario"]["topics"][0]
        assert all(len({broker % 3 for broker in replicas}) == 3 for replicas in topic["assignment"])


@pytest.mark.parametrize(
    "text", [POOLS, TOPIC, LISTED, VOTERS.format(1, 2, 3, "[]"), "x", "services:\n  a: {image: nginx}\n"]
)
def test_accept_means_that_a_cluster_is_built(text: str) -> None:
    result = import_text(text)
    assert (result["status"] != "reject") == (result["scenario"] is not None)
    assert (result["reason"] is None) == (result["scenario"] is not None)


GROUP = "GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID\n"


class TestLoadAndLag:
    def test_a_group_begins_as_far_behind_as_it_is_listed(self) -> None:
        result = imported(
            LISTED + "\n" + GROUP + "pay  t  0  100  150  50  c-1  /1  c\npay  t  1  80  80  0  c-1  /1  c\n"
        )
        scenario = result["scenario"]
        assert scenario["consumers"] == [
            {"id": "consumer-1", "group": "pay", "topics": ["t"], "committed": [["t", 0, 100], ["t", 1, 80]]}
        ]
        assert [state["leo"] for state in scenario["topics"][0]["initial"].values()] == [150, 80]
        assert assumption(result, "groups")["why"].startswith("at the offsets that they have committed")
        load(scenario)

    @pytest.mark.parametrize(
        ("offset", "end", "run"),
        [
            (48_211_037, 48_211_337, (211_037, 211_337, 48_000_000)),
            (47_999_990, 48_000_010, (999_990, 1_000_010, 47_000_000)),
            (1_000, 48_000_010, (0, 1_000_010, 47_000_000)),
        ],
    )
    def test_offsets_beyond_what_a_log_of_a_run_holds_are_moved_and_said_so(
        self, offset: int, end: int, run: tuple[int, int, int]
    ) -> None:
        result = imported(LISTED + "\n" + GROUP + f"pay  t  0  {offset}  {end}  {end - offset}  c-1  /1  c\n")
        scenario = result["scenario"]
        committed, log_end, moved = run
        assert scenario["consumers"][0]["committed"] == [["t", 0, committed]]
        assert scenario["topics"][0]["initial"]["0"]["leo"] == log_end
        assert assumption(result, "offsets moved")["value"] == moved
        assert "t-0: all its offsets" in assumption(result, "offsets moved")["why"]

    def test_a_group_without_members_reads_nothing(self) -> None:
        result = imported(LISTED + "\n" + GROUP + "pay  t  0  100  150  50  -  -  -\n")
        [consumer] = result["scenario"]["consumers"]
        assert (consumer["state"], consumer["committed"]) == ("closed", [["t", 0, 100]])

    def test_what_is_assumed_of_logs_and_backlogs_agrees_with_the_logs_that_a_lag_gives(self) -> None:
        listed = LISTED.replace("Isr: 2,3,1", "Isr: 2,3")
        result = imported(
            listed + "\n" + GROUP + "pay  t  0  1  51  50  c-1  /1  c\npay  t  1  90  95  5  c-1  /1  c\n"
        )
        assert result["scenario"]["topics"][0]["initial"]["1"]["lag"] == {"1": 95}
        assert "no more than its log holds" in assumption(result, "backlog")["why"]
        assert "that no group of the paste reads" in assumption(result, "records per log")["why"]
        assert "no more" not in assumption(imported(listed), "backlog")["why"]

    def test_sizes_and_lags_of_the_log_directories_count_over_assumed_ones(self) -> None:
        listed = LISTED.replace("Isr: 2,3,1", "Isr: 2,3")
        copies = [(0, 1, 3_000_000_000, 0), (1, 1, 1_000_000_000, 4321), (1, 2, 2_000_000_000, 0)]
        dirs = ",".join(
            f'{{"broker":{broker},"logDirs":[{{"logDir":"/d","error":null,"partitions":'
            f'[{{"partition":"t-{number}","size":{size},"offsetLag":{lag},"isFuture":false}}]}}]}}'
            for number, broker, size, lag in copies
        )
        result = imported(listed + f'{{"version":1,"brokers":[{dirs}]}}\n')
        state = result["scenario"]["topics"][0]["initial"]["1"]
        assert (state["lag"], state["leo"]) == ({"1": 4321}, 4321)
        assert result["scenario"]["basis"]["log_mb"] == 2000
        assert result["scenario"]["basis"]["from"]["log_gb"] == "read"
        assert "the mean of the 3 that are listed" in assumption(result, "log of each partition")["why"]
        assert assumption(result, "backlog of listed copies")["value"] == 4321
        assert "backlog" not in [entry["key"] for entry in result["assumptions"]]
        load(result["scenario"])

    def test_the_log_of_a_partition_that_a_group_reads_ends_where_the_paste_says(self) -> None:
        result = imported(LISTED + "\n" + GROUP + "pay  t  0  150  150  0  c-1  /1  c\n")
        assert result["scenario"]["topics"][0]["initial"]["0"]["leo"] == 150
        assert "config" not in result["scenario"]["consumers"][0]

    def test_names_of_groups_are_neutral_with_those_of_topics(self) -> None:
        text = LISTED + "\n" + GROUP + "pay  t  0  100  150  50  c-1  /1  c\n"
        assert "pay" not in str(imported(text, {"neutral_names": True})["scenario"])

    @pytest.mark.parametrize(
        "line", ["t 50\n", "t: 50 msg/s\n", "| t | 50 records/s |\n", "t=50/s\n", "t  0.05k records per second\n"]
    )
    def test_a_line_with_a_topic_and_its_rate_counts(self, line: str) -> None:
        result = imported(LISTED + "\n" + line)
        assert result["scenario"]["producers"][0]["rate"] == 50
        assert "line 5" in assumption(result, "records/s of t")["why"]

    def test_rates_by_hand_and_two_figures_with_a_share(self) -> None:
        text = LISTED + LISTED.replace("Topic: t", "Topic: u").replace("Count: 2", "Count: 2")
        by_hand = imported(text, {"rates": "t 7\nu: 9"})["scenario"]["producers"]
        assert [producer["rate"] for producer in by_hand] == [7, 9]
        shared = imported(text, {"records_per_s": 2, "busy_records_per_s": 90, "busy_share": 50})["scenario"][
            "producers"
        ]
        assert [producer["rate"] for producer in shared] == [90, 2]


class TestInternalTopics:
    ROW = "\tTopic: __consumer_offsets\tPartition: 0\tLeader: 1\tReplicas: {0}\tIsr: {0}\n"

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            (ROW.format("1"), "__consumer_offsets has one replica: while the broker of one is down, no group"),
            (
                "Topic: __consumer_offsets\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: min.insync.replicas=2\n"
                + ROW.format("1,2"),
                "as many replicas as min.insync.replicas (2)",
            ),
            (
                "node.id=1\nprocess.roles=broker\noffsets.topic.replication.factor=1\n",
                "__consumer_offsets is made with one replica",
            ),
        ],
    )
    def test_what_one_broker_stops_is_a_hint(self, text: str, words: str) -> None:
        assert any(words in note for note in imported(text)["notes"])

    def test_three_replicas_are_none(self) -> None:
        assert imported(self.ROW.format("1,2,3"))["notes"] == []


class TestYamlBesideOthers:
    RESOURCES = POOLS.replace("annotations: {strimzi.io/next-node-ids", "x: {y")

    @pytest.mark.parametrize(
        "text",
        [
            "Our cluster:\n```\n" + LISTED + "```\nand its resources:\n```yaml\n" + RESOURCES + "```\nthanks!\n",
            "```yaml\n" + RESOURCES + "```\nand the state:\n```\n$ kafka-topics.sh --describe\n" + LISTED + "```\n",
            RESOURCES + "$ kafka-topics.sh --describe\n" + LISTED,
        ],
    )
    def test_resources_beside_a_listing_tell_version_configs_and_controllers(self, text: str) -> None:
        result = imported(text)
        assert (result["status"], result["kind"]) == ("accept", "describe")
        assert result["scenario"]["profile"] == "4.1"
        assert len(result["scenario"]["cluster"]["controllers"]) == 3
        assert not any("NodePool" in line["text"] for line in result["unread"])

    def test_prose_between_two_resources_takes_none_away(self) -> None:
        text = "First the pools\n```yaml\n" + POOLS.replace("---\n", "```\nthen this:\n```yaml\n") + "```\n"
        assert sorted(states(imported(text))) == [10, 11, 12, 13]

    @pytest.mark.parametrize("piece", ["[1, ", "{a: ", "- "])
    def test_yaml_that_is_nested_too_deeply_is_refused(self, piece: str) -> None:
        result = import_text("apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nspec:\n  " + piece * 50_000)
        assert result["status"] == "reject"


def test_lines_that_another_reader_used_are_not_listed_as_unread() -> None:
    text = (
        LISTED
        + "$ kcat -L\n"
        + "Metadata for all topics (from broker 1: k1:9092/1):\n 1 brokers:\n  broker 1 at k1:9092\n"
    )
    result = imported(text + API.format(2, "b").splitlines()[0] + "\n)\n")
    assert [line["text"] for line in result["unread"] if not line["noise"]] == []


@pytest.mark.parametrize(
    "output",
    [
        VOTERS.format(1, 2, 3, "[]") + "NodeId\tLogEndOffset\tLag\tStatus\n1\t100\t0\tLeader\n2\t100\t0\tFollower\n",
        API.format(1, "a") + API.format(2, "b"),
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0 5 9 4 - - -\n",
        "node.id=1\nprocess.roles=broker,controller\nbroker.rack=az-a\nlog.dirs=/d\n",
        "ID  HOST  PORT  RACK\n1  h1  9092  r1\n",
        "Dynamic configs for topic t are:\n  retention.ms=5 sensitive=false synonyms={}\n",
        "Querying brokers for log directories information\nReceived log directory information from brokers 1\n"
        '{"version":1,"brokers":[{"broker":1,"logDirs":[{"logDir":"/d","error":null,"partitions":[]}]}]}\n',
        "Current partition replica assignment\n"
        '{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[1]}]}\n',
    ],
)
def test_the_heads_and_the_rest_of_an_output_that_was_read_are_not_listed_as_unread(output: str) -> None:
    result = imported(output + LISTED)
    assert "Read together" in result["notes"][-1]
    assert result["unread"] == []


class TestOrderOfReplicas:
    """kcat lists the replicas of old brokers in no order; a describe has the preferred leader first."""

    KCAT = (
        "Metadata for t (from broker 1: k1:9092/1):\n 3 brokers:\n  broker 1 at k1:9092\n  broker 2 at k2:9092\n"
        '  broker 3 at k3:9092\n 1 topics:\n  topic "t" with 2 partitions:\n'
        "    partition 0, leader 1, replicas: {}, isrs: 1,3\n    partition 1, leader 2, replicas: 1,2,3, isrs: 1,2,3\n"
    )

    def test_the_order_of_a_describe_stays_and_the_later_state_counts(self) -> None:
        result = imported(LISTED + "later:\n" + self.KCAT.format("3,2,1"))
        assert result["scenario"]["topics"][0]["assignment"] == [[1, 2, 3], [2, 3, 1]]
        assert result["scenario"]["topics"][0]["initial"]["0"]["isr"] == [1, 3]
        assert result["summary"]["leader_not_first"] == 0
        assert not warned(result, "in no order")

    def test_other_replicas_are_a_later_assignment(self) -> None:
        result = imported(LISTED + "later:\n" + self.KCAT.format("3,4,1"))
        assert result["scenario"]["topics"][0]["assignment"] == [[3, 4, 1], [2, 3, 1]]

    def test_a_move_in_flight_and_observers_stay(self) -> None:
        moving = (
            "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,3,2\tIsr: 1,3\tAdding Replicas: 2\tRemoving Replicas: 1\n"
        )
        result = imported(moving + "later:\n" + self.KCAT.format("3,2,1"))
        start = result["scenario"]["topics"][0]["initial"]["0"]
        assert (start["adding"], start["removing"]) == ([2], [1])

    def test_of_two_listings_of_kcat_the_later_order_counts(self) -> None:
        result = imported(self.KCAT.format("1,2,3") + "later:\n" + self.KCAT.format("3,2,1"))
        assert result["scenario"]["topics"][0]["assignment"][0] == [3, 2, 1]


class TestSentencesThatAnotherOutputMakesUntrue:
    CONFIGS = (
        "Dynamic configs for topic t are:\n  min.insync.replicas=2 sensitive=false "
        "synonyms={DYNAMIC_TOPIC_CONFIG:min.insync.replicas=2}\n"
    )
    KCAT = TestOrderOfReplicas.KCAT.format("1,2,3")

    def test_kcat_tells_no_configs_and_another_output_does(self) -> None:
        assert not any("tells no configs" in note for note in imported(self.CONFIGS + self.KCAT)["notes"])
        assert any("assumed one for every topic" in note for note in imported(self.KCAT)["notes"])

    def test_of_several_topics_those_without_configs_are_named(self) -> None:
        more = self.KCAT.replace("1 topics:", "2 topics:") + '  topic "u" with 1 partitions:\n'
        more += "    partition 0, leader 1, replicas: 1,2, isrs: 1,2\n"
        assert any("the assumed one for u." in note for note in imported(self.CONFIGS + more)["notes"])

    def test_a_partition_that_another_output_lists_is_not_missing(self) -> None:
        part = "Topic: t\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: \n"
        part += "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n"
        assert warned(imported(part), "1 of 2 partitions")
        assert not warned(imported(part + self.KCAT), "partitions are listed")

    def test_kcat_tells_how_many_partitions_a_topic_without_a_header_has(self) -> None:
        row = "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n"
        assert warned(imported(row), "PartitionCount and configs are unknown")
        assert not warned(imported(row + self.KCAT), "PartitionCount")

    def test_a_table_of_brokers_tells_who_runs_where_no_listed_partition_has_a_leader(self) -> None:
        row = "\tTopic: t\tPartition: 0\tLeader: none\tReplicas: 1,2,3\tIsr: 1\n"
        table = "ID HOST PORT RACK STATE ENDPOINT_TYPE\n" + "".join(
            f"{broker} k{broker} 9092 null {state} broker\n"
            for broker, state in ((1, "fenced"), (2, "unfenced"), (3, "unfenced"))
        )
        assert warned(imported(row), "nothing tells which of 2, 3 run")
        assert not warned(imported(row + table), "nothing tells")

    def test_a_list_of_brokers_without_partitions_gets_a_topic(self) -> None:
        brokers = self.KCAT.partition(" 1 topics:")[0] + " 0 topics:\n"
        assert warned(imported(brokers), "No partition is listed: one topic stands for all.")


@pytest.mark.parametrize("configs", ["min.insync.replicas=3", "segment.bytes=1073741824,\n> min.insync.replicas=3"])
def test_settings_of_a_topic_that_a_mail_wraps_are_no_defaults_of_the_servers(configs: str) -> None:
    rows = "> Topic: {0} Partition: 0 Leader: 1 Replicas: 1,2,3 Isr: 1,2,3\n"
    head = "> Topic: {0} PartitionCount: 1 ReplicationFactor: 3 Configs:\n"
    text = head.format("a") + f"> {configs}\n" + rows.format("a") + head.format("b") + rows.format("b")
    reading = read(text)
    assert reading.cluster is not None
    assert (reading.cluster.topics["a"].configs or {})["min.insync.replicas"] == "3"
    assert reading.cluster.evidence.cluster_configs == []
