"""ZooKeeper's nodes tell a cluster older than 4.0: which brokers run, the replicas and the ISR of each partition."""

from tests.importers.test_field_faults import assumption, imported, states, warned

TOPIC = """\
[zk: zk1:2181(CONNECTED) 1] get /kafka/brokers/topics/orders
{"version":2,"partitions":{"0":[1,2,3],"1":[2,3,1]},"adding_replicas":{"1":[1]},"removing_replicas":{}}
"""
STATES = """\
$ zookeeper-shell.sh zk1:2181/kafka get /brokers/topics/orders/partitions/0/state
Connecting to zk1:2181/kafka

WATCHER::

WatchedEvent state:SyncConnected type:None path:null
{"controller_epoch":14,"leader":1,"version":1,"leader_epoch":9,"isr":[1,2]}
cZxid = 0x200000a5c
ctime = Thu May 02 10:00:00 UTC 2024
[zk: zk1:2181(CONNECTED) 3] get /brokers/topics/orders/partitions/1/state
{"controller_epoch":14,"leader":-1,"version":1,"leader_epoch":7,"isr":[3]}
"""
BROKERS = """\
[zk: zk1:2181(CONNECTED) 4] ls /brokers/ids
[1, 2]
[zk: zk1:2181(CONNECTED) 5] get /brokers/ids/1
{"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"endpoints":["PLAINTEXT://b1:9092"],"rack":"az-a","port":9092,"host":"b1","version":5}
"""


def test_the_state_nodes_give_leader_and_isr() -> None:
    result = imported(TOPIC + STATES + BROKERS)
    first, second = result["scenario"]["topics"][0]["assignment"]
    assert first == [1, 2, 3] and second == [2, 3, 1]
    summary = result["summary"]
    assert (summary["partitions"], summary["under_replicated"], summary["leaderless"]) == (2, 2, 1)
    assert result["unread"] == [] or all(one["noise"] for one in result["unread"])


def test_brokers_run_if_zookeeper_lists_them() -> None:
    result = imported(TOPIC + STATES + BROKERS)
    assert states(result) == {1: "running", 2: "running", 3: "down"}
    assert result["scenario"]["cluster"]["brokers"][0]["rack"] == "az-a"


def test_zookeeper_is_older_than_4_0() -> None:
    assert "ZooKeeper" in assumption(imported(TOPIC), "version")["why"]


def test_a_state_without_the_replicas_is_left_out_and_says_what_to_paste() -> None:
    assert warned(imported(STATES + BROKERS), "Paste get /brokers/topics/orders as well")


def test_replicas_alone_are_taken_for_in_sync_and_that_is_said() -> None:
    assert "taken for in sync" in assumption(imported(TOPIC), "leader and ISR")["why"]


def test_a_node_that_no_command_names_says_so() -> None:
    assert warned(imported(TOPIC.split("\n", 1)[1]), "no command above it names the topic")
