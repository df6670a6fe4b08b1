"""Mirrors in a document: the topics that MirrorMaker makes, and what is refused with its place and what is allowed."""

from typing import Any

import pytest

from simengine.scenario import DocumentError, load, to_yaml
from simengine.scenario.contents import mirror_facts
from simengine.scenario.mirror_plan import flows_of
from simengine.scenario.parts import parts_of, written_parts
from tests.mirror.documents import QUIET, Plain, cluster

IDENTITY = {"replication.policy.class": "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"}


def plain(*mirrors: Plain, **more: Any) -> Plain:
    clusters = {"east": cluster("orders"), "west": cluster("orders")}
    return {"format": 1, "clusters": clusters, "mirrors": list(mirrors), **more}


def flow(source: str = "east", target: str = "west", **more: Any) -> Plain:
    return {"source": source, "target": target, **more}


def topics(document: Plain) -> dict[str, list[str]]:
    return {name: [topic.name for topic in part.topics] for name, part in parts_of(load(document)).items()}


def wrong(document: Plain) -> list[str]:
    with pytest.raises(DocumentError) as error:
        load(document)
    return [str(problem) for problem in error.value.problems]


def test_a_flow_has_its_remote_topics_and_its_own_in_both_clusters() -> None:
    assert topics(plain(flow(config=QUIET))) == {
        "east": ["orders", "mm2-offset-syncs.west.internal"],
        "west": ["orders", "mm2-offsets.east.internal", "east.checkpoints.internal", "east.orders"],
    }


def test_offset_syncs_stand_at_the_target_under_the_name_of_the_source_where_the_flow_says_so() -> None:
    found = topics(plain(flow(config={"offset-syncs.topic.location": "target"})))
    assert found["east"] == ["orders"]
    assert "mm2-offset-syncs.east.internal" in found["west"]


def test_in_both_directions_no_copy_is_copied_back() -> None:
    found = topics(plain(flow(config=QUIET), flow("west", "east", config=QUIET)))
    assert [name for name in found["east"] if not name.endswith(".internal")] == ["orders", "west.orders"]
    assert [name for name in found["west"] if not name.endswith(".internal")] == ["orders", "east.orders"]


def test_a_copy_is_copied_on_to_a_third_cluster() -> None:
    document = plain(flow("west", "north", config=QUIET), flow(config=QUIET))
    document["clusters"]["north"] = cluster()
    found = topics(document)
    assert [name for name in found["north"] if "orders" in name] == ["west.orders", "west.east.orders"]


def test_a_remote_topic_has_the_partitions_of_its_source_its_own_factor_and_the_configs_that_travel() -> None:
    document = plain(flow(config={"topics": "pay", "replication.factor": 1}))
    config = {"min.insync.replicas": 2, "retention.ms": 60000}
    pay = {"name": "pay", "assignment": [[0, 1], [1, 2]], "partitions": [3, 7], "config": config}
    document["clusters"]["east"]["topics"].append(pay)
    (remote,) = [topic for topic in parts_of(load(document))["west"].topics if topic.name == "east.pay"]
    assert list(remote.numbers) == [3, 7]
    assert [len(replicas) for replicas in remote.assignment] == [1, 1]
    assert remote.config == {"retention.ms": 60000}


def test_a_topic_that_the_document_has_written_is_left_as_it_is() -> None:
    document = plain(flow())
    own = {"name": "east.orders", "assignment": [[2, 1, 0]], "config": {"min.insync.replicas": 1}}
    document["clusters"]["west"]["topics"].append(own)
    found = [topic for topic in parts_of(load(document))["west"].topics if topic.name == "east.orders"]
    assert [topic.assignment for topic in found] == [[[2, 1, 0]]]


def test_it_is_written_without_the_topics_that_follow_from_it() -> None:
    document = load(plain(flow(phases={"offset-flush": "5s"}, state="down")))
    assert load(to_yaml(document)) == document
    assert "east.orders" not in to_yaml(document)


def test_heartbeats_of_the_way_back_are_copied() -> None:
    document = load(plain(flow(), flow("west", "east")))
    flows = flows_of(document.mirrors, written_parts(document))
    assert flows[0].copies == {"heartbeats": "east.heartbeats", "orders": "east.orders"}


@pytest.mark.parametrize(
    ("mirrors", "told"),
    [
        (
            [flow(target="wets")],
            "mirrors[0].target: there is no cluster 'wets'; did you mean west? Allowed: east, west.",
        ),
        ([flow(target="east")], "mirrors[0].target: the source itself (got east). Allowed: another cluster"),
        (
            [flow(), flow(process="other")],
            "mirrors[1]: mirrors[0] is a flow from east to west, too",
        ),
        ([flow(process="east")], "mirrors[0].process: this is a name of a cluster (got east). Allowed: another name."),
        (
            [flow(process="a/b")],
            "mirrors[0].process: a name of a process has no slash (got a/b).",
        ),
        (
            [flow(), flow("west", "east", state="down")],
            "mirrors[1].state: another flow of mirror-maker is running at t=0 (got down). Allowed: running.",
        ),
        (
            [flow(config=IDENTITY), flow("west", "east", config=IDENTITY)],
            "mirrors[1].config.topics: mirrors[0] copies it the other way under the same name",
        ),
        (
            [flow(config={"replication.factor": 4})],
            "mirrors[0].config.replication.factor: west has 3 brokers, and MirrorMaker cannot make its remote "
            "topics (got 4). Allowed: 1 to 3.",
        ),
        ([flow(config={"topics": "("})], "mirrors[0].config.topics: not a regular expression"),
        (
            [flow(config={"topics": "orders, (a|a)*b"})],
            "mirrors[0].config.topics: matching this with 1 topic can take for ever (got orders|(a|a)*b). Allowed: "
            "fewer repeats in one expression, and none inside another.",
        ),
        ([flow(config={"groups": "a?" * 30})], "mirrors[0].config.groups: matching this"),
        ([flow(config={"topics.exclude": ".*a.*a.*a.*b"})], "mirrors[0].config.topics.exclude: matching this"),
        ([flow(config={"topics": "a{99999999999}"})], "not a regular expression: the repetition number is too large"),
        (
            [flow(config={"topics": "a" + " " * 30_000 + "b"})],
            "mirrors[0].config.topics: too long (got 30,002 characters). Allowed: at most 20,000 characters.",
        ),
        ([flow(config={"topics": "(" * 3000 + ")" * 3000})], "not a regular expression: nested too deep"),
        ([flow(config={"topics": "orders, (?i)paid"})], "not a regular expression: global flags not at the start"),
        ([flow(config={"offset.lag.mx": 1})], "did you mean offset.lag.max?"),
    ],
)
def test_what_is_wrong_is_told(mirrors: list[Plain], told: str) -> None:
    found = wrong(plain(*mirrors))
    assert any(told in problem for problem in found), found


def test_a_loop_by_names_is_found_where_a_separator_hides_where_a_topic_came_from() -> None:
    document = plain(
        flow("dc-a", "dc-b", config={"replication.policy.separator": "-"}),
        flow("dc-b", "dc-a", config={"replication.policy.separator": "-"}),
    )
    document["clusters"] = {"dc-a": cluster("orders"), "dc-b": cluster()}
    assert any("copied back and forth for ever" in problem for problem in wrong(document))


def test_a_written_remote_topic_needs_the_partitions_of_its_source() -> None:
    document = plain(flow())
    document["clusters"]["east"]["topics"][0]["assignment"] = [[0, 1, 2], [1, 2, 0]]
    document["clusters"]["west"]["topics"][0]["name"] = "east.orders"
    (told,) = wrong(document)
    assert told.endswith("partitions of its source east/orders (got east.orders). Allowed: also east.orders-1.")


def test_a_document_of_one_cluster_has_no_mirrors() -> None:
    found = wrong({"format": 1, **cluster("orders"), "mirrors": [flow()]})
    assert found == ["mirrors: a mirror copies from one cluster to another. Allowed: a document with clusters:."]


@pytest.mark.parametrize(
    "action",
    ["kill mirror-maker", "start mirror-maker after 5s", "cut mirror-maker|east", "slow-link west/0|mirror-maker 80ms"],
)
def test_actions_name_the_process(action: str) -> None:
    load(plain(flow(), timeline=[{"at": "1s", "do": action}]))


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("kill mirror-make", "there is no process 'mirror-make'; did you mean mirror-maker? Allowed: mirror-maker"),
        ("start mirror-maker empty", "mirror-maker is a process of MirrorMaker, not a broker (got empty)"),
        ("kill east/mirror-maker", "there is no node 'mirror-maker'"),
        ("rate mirror-maker 5", "'mirror-maker' does not say which cluster it is of"),
    ],
)
def test_actions_that_do_not_fit_the_process_are_refused(action: str, told: str) -> None:
    found = wrong(plain(flow(), timeline=[{"at": "1s", "do": action}]))
    assert any(told in problem for problem in found), found


def test_the_check_command_tells_what_a_flow_copies() -> None:
    assert mirror_facts(load(plain(flow()))) == ["east->west by mirror-maker: orders to east.orders"]
