"""Several clusters in one world: each goes as it goes alone, and "all" means its own."""

from typing import Any

import pytest

from simengine.commands.expect import wrongs_of
from simengine.explain.refusals import refusal_line, refusals
from simengine.kernel.network import Network
from simengine.kernel.node import Node
from simengine.kernel.sim import Sim
from simengine.scenario import load
from simengine.world.world import Refused, World, build
from tests.checked import checked, checks_of
from tests.engine import pairs
from tests.invariants.link_checks import message_conservation

SAMPLE = (
    ("s38-no-quorum", "s15-unclean-on-request"),
    ("s46-the-groups-log-is-gone", "s52-a-coordinator-that-was-replaced"),
    ("s24-elr", "s18-legacy-logs-differ"),
    ("s36-reassignment", "s53-topic-created-again"),
)


CLUSTER: dict[str, Any] = {  # two brokers and topic t with one partition on both, written with acks=all
    "cluster": {"brokers": [1, 2]},
    "topics": [{"name": "t", "assignment": [[1, 2]]}],
    "producers": [{"id": "P", "topic": "t", "rate": 10}],
}


def two(**more: Any) -> World:
    """A world of clusters east and west, both as above."""
    world = build(load({"format": 1, "clusters": {"east": CLUSTER, "west": CLUSTER}, **more}))
    world.trace.keep_traffic = True
    return world


def registered(world: World, run: int, p: int) -> tuple[int, list[int]]:
    """Leader and ISR of a partition."""
    registration = world.cluster_runs[run].cluster.quorum.image.partition(p)
    assert registration is not None
    return int(registration.leader), list(registration.isr)


@pytest.mark.parametrize(("first", "second"), SAMPLE)
def test_a_cluster_states_beside_another_what_it_states_alone(first: str, second: str) -> None:
    assert pairs.differences(first, second) == []


def test_clusters_are_numbered_by_the_next_free_thousand() -> None:
    world = two()
    assert [int(run.site.base) for run in world.cluster_runs] == [0, 1000]
    assert [int(broker.id) for run in world.cluster_runs for broker in run.cluster.brokers] == [1, 2, 1001, 1002]
    assert registered(world, 1, 1) == (1001, [1001, 1002])
    wide = two(clusters={"a": {**CLUSTER, "cluster": {"brokers": [1, 2, 4711]}}, "b": CLUSTER})
    assert [int(run.site.base) for run in wide.cluster_runs] == [0, 5000]


def test_an_action_is_of_the_cluster_that_its_names_say() -> None:
    world = two()
    world.act(1_000_000, "kill west/1")
    world.run(20_000_000)
    assert registered(world, 0, 0) == (1, [1, 2])
    assert registered(world, 1, 1) == (1002, [1002])
    assert "kill west/1" in [fact.words for fact in world.trace.decisive]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("kill 1", "does not say which cluster"),
        ("kill north/1", "there is no cluster 'north'"),
        ("send east/P west/t-0 3", "an action is of one cluster"),
        ("kill east/7", "there is no node '7'"),
    ],
)
def test_an_action_that_no_cluster_has_is_refused_in_words(text: str, wrong: str) -> None:
    with pytest.raises(Refused, match=wrong):
        two().check(text)


def test_all_partitions_are_those_of_the_cluster() -> None:
    world = two()
    for name in ("east", "west"):
        world.act(1_000_000, f"kill {name}/1")
        world.act(15_000_000, f"start {name}/1 after 1s")
    world.act(60_000_000, "elect preferred west/all")
    world.run(70_000_000)
    assert registered(world, 0, 0)[0] == 2
    assert registered(world, 1, 1)[0] == 1001


def test_a_bare_heal_is_of_everything_and_a_heal_of_one_cluster_leaves_the_other() -> None:
    world = two()
    world.act(1_000_000, "cut east/1|east/2")
    world.act(1_000_000, "cut west/1|west/2")
    world.act(1_000_000, "cut east|west")
    world.act(2_000_000, "heal east>east")
    world.run(3_000_000)
    east, west = ([run.cluster.brokers[0], run.cluster.brokers[1]] for run in world.cluster_runs)
    assert not world.net.is_cut(*east)
    assert world.net.is_cut(*west)
    assert world.net.is_cut(east[0], west[1])
    assert world.net.is_cut(west[1], east[0])
    world.act(4_000_000, "heal")
    world.run(5_000_000)
    assert int(world.net.cuts) == 0


def test_the_link_between_two_clusters_is_no_cause_of_what_happens_in_one() -> None:
    world = two()
    world.act(1_000_000, "cut east|west")
    world.run(1_500_000)
    assert all(int(broker.why) == 0 for run in world.cluster_runs for broker in run.cluster.brokers)


def test_each_cluster_has_a_verdict_of_its_own() -> None:
    world = two()
    world.act(1_000_000, "kill west/1")
    world.act(1_000_000, "kill west/2")
    world.run(30_000_000)
    east, west = (run.book for run in world.cluster_runs)
    assert [int(account.p) for account in east.accounts] == [0]
    assert [int(account.p) for account in west.accounts] == [1]
    assert east.figures()["0"]["stopped_all"] == 0
    assert west.figures()["1"]["stopped_all"] == 1


def test_nodes_join_a_network_that_is_in_use() -> None:
    sim = Sim(1)
    a, b, c = (Node(sim, i, name, "") for i, name in enumerate("abc"))
    net = Network(sim, [a, b], 1_000, 0)
    net.set_latency(a, b, 7_000, 0)
    net.slow_down(a, b, 500)
    net.cut(b, a)
    net.add([c], 3_000, 0)
    assert [int(net.latency(a, b)), int(net.latency(b, a)), int(net.latency(a, c))] == [7_500, 7_000, 3_000]
    assert net.is_cut(b, a)
    assert not net.is_cut(a, b)
    assert not net.is_cut(c, a)


def test_a_cluster_is_taken_down_and_brought_back_as_one() -> None:
    world = two()
    world.act(1_000_000, "kill-site west")
    world.run(2_000_000)
    assert [node.up for node in world.cluster_runs[1].parts.nodes()] == [False] * 5 + [True]  # its clients live
    assert all(node.up for node in world.cluster_runs[0].parts.nodes())
    world.act(3_000_000, "start-site west")
    world.run(30_000_000)
    assert registered(world, 1, 1)[1] == [1001, 1002]


def test_links_between_clusters_have_latencies_of_their_own() -> None:
    links = [{"between": ["east/1", "west"], "latency": "80ms", "jitter": "0s"}]
    world = two(network={"latency": "20ms", "jitter": "0s", "links": links})
    east, west = (run.cluster.brokers for run in world.cluster_runs)
    assert int(world.net.latency(east[0], west[1])) == 80_000
    assert int(world.net.latency(west[0], east[1])) == 20_000
    assert int(world.net.latency(west[0], west[1])) < 2_000


def test_the_verdict_names_the_cluster_and_its_nodes() -> None:
    world = two()
    world.act(1_000_000, "kill west/1")
    world.run(30_000_000)
    verdict: Any = world.verdict()
    assert str(verdict["sentence"]).startswith("west: ")
    assert "east: Nothing" in str(verdict["sentence"])
    told = {topic["topic"]: topic for topic in verdict["topics"]}
    assert list(told) == ["east/t", "west/t"]
    assert told["west/t"]["deciding"]["text"] == "broker west/1 died"


def test_what_ends_in_another_cluster_at_the_same_moment_did_not_end_with_it() -> None:
    world = two()
    world.act(1_000_000, "kill east/2")
    world.act(1_000_000, "kill west/1")
    world.run(30_000_000)
    verdict: Any = world.verdict()
    assert next(t for t in verdict["topics"] if t["topic"] == "west/t")["deciding"]["text"] == "broker west/1 died"


def test_expectations_are_of_the_cluster_that_their_subject_says() -> None:
    document = load(
        {
            "format": 1,
            "until": "40s",
            "clusters": {"east": CLUSTER, "west": CLUSTER},
            "timeline": [{"at": "5s", "do": "kill west/1"}],
            "expect": [
                {"partition": "east/t-0", "leader": 1, "isr": [1, 2], "leo": [350, 400]},
                {"partition": "west/t-0", "leader": 2, "isr": [2]},
                {"broker": "west/1", "registration": "fenced"},
                {"producer": "west/P", "failed": 0},
                {"verdict": "west/t", "lost": 0},
                {"metric": "west/UnderReplicatedPartitions", "is": 1, "of": 2},
                {"fact": "west/ProcessChanged", "where": {"node": 1, "state": "down"}, "count": 1},
                {"fact": "east/ProcessChanged", "count": 0},
                {"partition": "east/t-0", "leader": 2},
            ],
        }
    )
    assert wrongs_of(document) == ["expect[8] partition east/t-0 leader 2: at 40s leader was 1, not 2"]


def test_the_invariants_hold_in_each_cluster_by_itself() -> None:
    world = pairs.busy_pair(checked)
    world.run(40_000_000)
    counts = [int(checks_of(run).count) for run in world.cluster_runs]
    assert len(counts) == 2
    assert min(counts) > 100
    message_conservation(world.net)


def test_an_election_for_all_without_a_cluster_is_held_in_each() -> None:
    world = two()
    for name in ("east", "west"):
        world.act(1_000_000, f"kill {name}/1")
        world.act(15_000_000, f"start {name}/1 after 1s")
    world.act(60_000_000, "elect preferred all")
    world.run(70_000_000)
    assert [registered(world, run, run)[0] for run in (0, 1)] == [1, 1001]
    assert [fact.words for fact in world.trace.decisive].count("elect preferred all") == 1


def test_a_refused_call_says_its_cluster() -> None:
    world = two()
    world.act(1_000_000, "elect preferred west/t-0")
    world.act(1_500_000, "delete west/t")
    world.act(2_000_000, "delete west/t")
    world.run(5_000_000)
    lines = [refusal_line(one) for one in refusals(world.trace.decisive, world.names())]
    assert lines[0].startswith("1.000 s: elect west/t-0 (deleted) was refused")
    assert lines[1].startswith("2.000 s: delete t in cluster west was refused")


def test_a_rack_may_have_a_slash_in_its_name_also_beside_another_cluster() -> None:
    racks = {**CLUSTER, "cluster": {"brokers": [{"id": 1, "rack": "dc1/a"}, {"id": 2, "rack": "west/b"}]}}
    world = two(clusters={"east": racks, "west": racks})
    world.act(1_000_000, "kill-rack east/west/b")
    world.act(1_000_000, "kill-rack west/dc1/a")
    world.run(20_000_000)
    assert registered(world, 0, 0)[1] == [1]
    assert registered(world, 1, 1)[1] == [1002]
    with pytest.raises(Refused, match="there is no cluster 'dc1'"):
        world.check("kill-rack dc1/a")
