"""`move east/app west`: an application stops in one cluster and goes on in another (MM-9)."""

from collections.abc import Callable
from typing import Any

import pytest

from simengine.facts.decisive import ConsumerReset
from simengine.failovers import failover_words
from simengine.scenario import Document, DocumentError, load
from simengine.testing.checked import checked
from simengine.world import Refused, World, build
from tests.engine.cluster import stated
from tests.engine.test_fold import the_facts_tell_all
from tests.mirror.documents import SYNCED, Plain, cluster, mirrored

SECOND = 1_000_000
FAILOVER = (
    ("30s", "kill-site east"),
    ("40s", "kill mirror-maker"),
    ("41s", "move east/P west"),
    ("42s", "move east/g west"),
)


def document(*entries: tuple[str, str], config: Plain | None = None, west: Plain | None = None) -> Plain:
    found = mirrored(SYNCED if config is None else config)
    found["clusters"]["west"] = cluster("orders") if west is None else west
    return {**found, "timeline": [{"at": at, "do": do} for at, do in entries]}


def after(seconds: float, plain: Plain, build: Callable[[Document], World] = build) -> World:
    world = build(load(plain))
    world.run(int(seconds * SECOND))
    return world


def client(world: World, name: str) -> dict[str, Any]:
    clients: Any = world.snapshot()["clients"]
    found: dict[str, Any] = next(one for one in clients if one["id"] == name)
    return found


def position(world: World, name: str, topic: str) -> int:
    index = world.moves.joined[0].node.site.index
    p = world.runs[int(index)].parts.partition_index[topic, 0]
    return int(client(world, name)["position"][str(p)])


def group_card(world: World) -> dict[str, Any]:
    mirrors: Any = world.verdict()["mirrors"]
    found: dict[str, Any] = mirrors[0]["groups"][0]
    return found


def first_delivery(world: World, name: str, topic: str) -> int:
    """The offset that a consumer was given first: where its group went on."""
    p = world.runs[1].parts.partition_index[topic, 0]
    number = next(int(one.node.number) for one in world.moves.joined if one.node.name == name)
    return next(fact.new for fact in stated(world, ConsumerReset) if (fact.client, fact.p) == (number, p))


@pytest.fixture(name="failed_over", scope="module")
def _failed_over() -> World:
    return after(60, document(*FAILOVER), checked)


def test_a_producer_and_a_group_go_on_in_the_other_cluster(failed_over: World) -> None:
    world = failed_over
    assert client(world, "east/P")["state"] == client(world, "east/C")["state"] == "closed"
    assert client(world, "west/P")["acked"] > 900
    assert client(world, "west/P")["rate_milli"] == 50_000
    assert client(world, "west/C")["topics"] == ["orders", "east.orders"]
    assert position(world, "west/C", "east.orders") == 1500
    assert position(world, "west/C", "orders") > 900


def test_the_group_continues_from_its_translated_offset(failed_over: World) -> None:
    world = failed_over
    card = group_card(world)
    assert card["continues"] == first_delivery(world, "west/C", "east.orders")
    assert 0 < card["continues"] < 1500
    assert card["rereads"] == card["true"] - card["continues"] > 0


@pytest.mark.parametrize(("reset", "first"), [("earliest", 0), ("latest", 1500)])
def test_without_a_translated_offset_auto_offset_reset_decides(reset: str, first: int) -> None:
    plain = document(*FAILOVER, config={})
    plain["clusters"]["east"]["consumers"][0]["config"]["auto.offset.reset"] = reset
    world = after(46, plain)
    assert group_card(world)["continues"] == -1
    assert first_delivery(world, "west/C", "east.orders") == first


def test_facts_tell_a_world_with_moved_clients() -> None:
    the_facts_tell_all(build(load(document(*FAILOVER))), 48 * SECOND, 12)


def test_a_live_move_is_that_of_a_timeline(failed_over: World) -> None:
    live = checked(load(document()))
    for at, do in FAILOVER:
        live.run(int(at.removesuffix("s")) * SECOND - 1)
        live.act(int(at.removesuffix("s")) * SECOND, do)
    live.run(60 * SECOND)
    assert live.digest() == failed_over.digest()
    assert live.snapshot() == failed_over.snapshot()


def test_a_client_that_moves_back_is_the_one_that_it_was() -> None:
    world = after(9, document(("5s", "move east/P west"), ("6s", "rate west/P 20"), ("7s", "move west/P east")))
    assert [one.node.name for one in world.moves.joined] == ["west/P"]
    assert client(world, "west/P")["state"] == "closed"
    assert client(world, "east/P")["state"] == "open"
    assert client(world, "east/P")["rate_milli"] == 20_000


def test_a_client_whose_id_is_taken_gets_its_clusters_name() -> None:
    west = cluster("orders", producers=[{"id": "P", "topic": "orders", "rate": 5}])
    world = after(9, document(("5s", "move east/P west"), ("7s", "move west/east.P east"), west=west))
    assert [one.node.name for one in world.moves.joined] == ["west/east.P"]
    assert client(world, "west/P")["state"] == "open"
    assert client(world, "east/P")["state"] == "open"


def test_topics_may_be_named() -> None:
    plain = document(("5s", "move east/P west east.orders"), ("6s", "move east/C west east.orders"))
    world = after(8, plain)
    assert client(world, "west/C")["topics"] == ["east.orders"]
    assert client(world, "west/P")["topics"] == ["east.orders"]


def test_with_the_identity_policy_both_use_the_name_of_the_topic() -> None:
    policy = {"replication.policy.class": "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"}
    world = after(45, document(*FAILOVER, config={**SYNCED, **policy}, west=cluster()))
    assert client(world, "west/C")["topics"] == client(world, "west/P")["topics"] == ["orders"]


def test_later_actions_and_expectations_may_name_a_moved_client() -> None:
    plain = document(("5s", "move east/P west"), ("7s", "close west/P"))
    plain["expect"] = [{"producer": "west/P", "acked": [1, 1000]}]
    assert client(after(8, plain), "west/P")["state"] == "closed"


@pytest.mark.parametrize(
    ("do", "words"),
    [
        ("move east/X west", "there is no client or group 'X'"),
        ("move east/P north", "there is no other cluster 'north'"),
        ("move east/P east", "there is no other cluster 'east'"),
        ("move east/P west payments", "west: there is no topic 'payments'"),
        ("move east/P west orders,east.orders", "a producer moves to one topic"),
        ("move east/P", "something is missing"),
    ],
)
def test_what_cannot_move_is_refused(do: str, words: str) -> None:
    with pytest.raises(DocumentError, match=words):
        load(document(("20s", do)))
    with pytest.raises(Refused, match=words):
        after(1, document()).act(20 * SECOND, do)


def test_a_producer_needs_a_topic_of_its_name() -> None:
    with pytest.raises(DocumentError, match=r"no topic 'orders' to move to.*east\.orders"):
        load(document(("20s", "move east/P west"), west=cluster()))
    created = load(document(("20s", "create west/orders 3 1"), ("25s", "move east/P west"), west=cluster()))
    assert str(created.timeline[1].action) == "move east/P west"


def test_a_group_needs_a_cluster_with_group_offsets() -> None:
    plain = document(("20s", "move east/g west"))
    del plain["mirrors"]
    with pytest.raises(DocumentError, match="west has no __consumer_offsets"):
        load(plain)


def test_one_cluster_has_nowhere_to_move_to() -> None:
    alone = {"format": 1, **cluster("orders", producers=[{"id": "P", "topic": "orders"}])}
    with pytest.raises(DocumentError, match="this document has one cluster"):
        load({**alone, "timeline": [{"at": "1s", "do": "move P west"}]})


def test_a_second_move_changes_nothing() -> None:
    world = after(8, document(("5s", "move east/P west"), ("7s", "move east/P west")))
    assert world.without_effect() == {1: "it has moved already"}


def failover(world: World) -> dict[str, Any]:
    found: Any = world.verdict()["failovers"]
    told: dict[str, Any] = found[0]
    return told


def test_the_verdict_tells_a_failover_in_parts(failed_over: World) -> None:
    told = failover(failed_over)
    assert (told["from"], told["to"]) == ("east", "west")
    assert 29.9 * SECOND < told["stopped_at_us"] < 30 * SECOND
    assert told["detect_and_decide_us"] == 40 * SECOND - told["stopped_at_us"]
    assert SECOND <= told["switch_us"] < 1.2 * SECOND
    assert 0 < told["catch_up_us"] < 10 * SECOND
    assert told["rto_us"] == sum(told[key] for key in ("detect_and_decide_us", "switch_us", "catch_up_us"))
    flows: Any = failed_over.verdict()["mirrors"]
    assert told["rpo_records"] == sum(topic["not_mirrored"] for topic in flows[0]["topics"])


def test_what_is_written_after_the_way_back_is_no_part_of_the_rpo() -> None:
    back = [("60s", "start-site east"), ("90s", "move west/P east")]
    world = after(89, document(*FAILOVER, *back))
    rpo = failover(world)["rpo_records"]
    world.run(110 * SECOND)
    flows: Any = world.verdict()["mirrors"]
    assert sum(topic["not_mirrored"] for topic in flows[0]["topics"]) > rpo == failover(world)["rpo_records"]


def test_a_failover_that_is_not_over_has_no_end() -> None:
    told = failover(after(41.0005, document(*FAILOVER)))
    assert told["switch_us"] == told["catch_up_us"] == told["rto_us"] == -1
    assert "is not over" in told["sentence"]


def test_without_a_flow_all_records_stay_behind() -> None:
    plain = document(("5s", "move east/P west"))
    del plain["mirrors"]
    told = failover(after(8, plain))
    assert told["rpo_records"] == told["rpo_us"] == -1
    assert "No flow copies from east to west" in told["sentence"]


def test_one_record_that_stays_behind_is_named_in_the_singular() -> None:
    found = {"from": "east", "to": "west", "rto_us": -1, "mirrored": True, "rpo_records": 1, "rpo_us": 0}
    parts = {"detect_and_decide_us": 10 * SECOND, "switch_us": -1, "catch_up_us": -1}
    assert "1 record of east (0.0 s) was not in west when clients moved." in failover_words({**found, **parts})
