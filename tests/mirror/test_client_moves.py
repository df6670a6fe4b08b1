"""`move east/app west`: an application stops in one cluster and goes on in another (MM-9)."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from simengine.facts.decisive import ConsumerReset
from simengine.scenario import Document, DocumentError, load
from simengine.world.failovers import failover_words
from simengine.world.mirrors.lag import moments_of, running_spans
from simengine.world.world import Refused, World, build
from tests.checked import checked
from tests.engine.cluster import stated
from tests.engine.test_fold import the_facts_tell_all
from tests.mirror.documents import QUIET, SYNCED, Plain, cluster, mirrored

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
    p = world.cluster_runs[int(index)].parts.partition_index[topic, 0]
    return int(client(world, name)["position"][str(p)])


def group_card(world: World) -> dict[str, Any]:
    mirrors: Any = world.verdict()["mirrors"]
    found: dict[str, Any] = mirrors[0]["groups"][0]
    return found


def first_delivery(world: World, name: str, topic: str) -> int:
    """The offset that a consumer was given first: where its group went on."""
    p = world.cluster_runs[1].parts.partition_index[topic, 0]
    number = next(int(one.node.number) for one in world.moves.joined if one.node.name == name)
    return next(fact.new for fact in stated(world, ConsumerReset) if (fact.client, fact.p) == (number, p))


@pytest.fixture(name="failed_over", scope="module")
def _failed_over() -> World:
    return after(60, document(*FAILOVER), checked)


def test_a_producer_and_a_group_go_on_in_the_other_cluster(failed_over: World) -> None:
    world = failed_over
    assert [client(world, f"east/{name}")["state"] for name in "PC"] == ["closed", "closed"]
    assert client(world, "west/P")["acked"] > 900
    assert client(world, "west/P")["rate_milli"] == 50_000
    assert client(world, "west/C")["topics"] == ["orders", "east.orders"]
    assert position(world, "west/C", "east.orders") == 1500
    assert position(world, "west/C", "orders") > 900


def test_the_group_continues_from_its_translated_offset() -> None:
    world = after(46, document(*FAILOVER))
    card = group_card(world)
    assert card["continues"] == first_delivery(world, "west/C", "east.orders")
    assert 0 < card["continues"] < 1500
    assert card["rereads"] == card["true"] - card["continues"] > 0


def test_a_group_that_reads_on_the_target_is_where_it_stands_there(failed_over: World) -> None:
    """A group neither skips nor reads again what it has read on the target itself."""
    card = group_card(failed_over)
    assert (card["continues"], card["starts"], card["skips"], card["rereads"]) == (1500, 1500, 0, 0)


@pytest.mark.parametrize(("reset", "first"), [("earliest", 0), ("latest", 1500)])
def test_without_a_translated_offset_auto_offset_reset_decides(reset: str, first: int) -> None:
    plain = document(*FAILOVER, config={})
    plain["clusters"]["east"]["consumers"][0]["config"]["auto.offset.reset"] = reset
    world = after(46, plain)
    card = group_card(world)
    assert (card["continues"], card["starts"], card["reset"]) == (-1, first, reset)
    assert (card["rereads"], card["skips"]) == (max(0, card["true"] - first), 0)
    assert card["uncommitted"] == max(0, first - card["true"]), "read on the lost cluster, and not committed"
    assert f"auto.offset.reset={reset} starts it at {first:,} (true" in card["sentence"]
    assert first_delivery(world, "west/C", "east.orders") == first


@pytest.mark.parametrize(
    ("config", "reset", "told"),
    [
        ({}, "earliest", "At its move g read 1,500 records of east.orders again."),
        ({}, "latest", "At its move g missed 200 records of orders."),
        (None, "latest", "At its move g read 186 records of east.orders again and missed 200 records of orders."),
        (None, "earliest", "At its move g read 186 records of east.orders again."),
    ],
)
def test_the_sentence_tells_the_price_of_a_group_s_move(config: Plain | None, reset: str, told: str) -> None:
    """50 records/s from 0 to 30 s; the producer moves at 41 s and the group starts at 45 s, with orders at 200.

    What it reads and commits there later changes nothing of it.
    """
    plain = document(*FAILOVER, config=config)
    plain["clusters"]["east"]["consumers"][0]["config"]["auto.offset.reset"] = reset
    world = after(46, plain)
    assert told in str(world.verdict()["sentence"])
    world.run(70 * SECOND)
    assert told in str(world.verdict()["sentence"])


@pytest.mark.parametrize(
    ("config", "price"), [(SYNCED, "read 186 records of orders again"), ({}, "missed 200 records of orders")]
)
def test_under_the_identity_policy_later_records_change_no_price_of_a_move(config: Plain, price: str) -> None:
    """The moved producer writes behind the copies from 41 s on; the group starts at 45 s."""
    policy = {"replication.policy.class": "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"}
    world = after(46, document(*FAILOVER, config={**config, **policy}, west=cluster()))
    told = re.findall(r"At its move g [^.]*", str(world.verdict()["sentence"]))
    assert told == [f"At its move g {price}"]
    true = group_card(world)["true"]
    world.run(90 * SECOND)
    assert re.findall(r"At its move g [^.]*", str(world.verdict()["sentence"])) == told
    assert group_card(world)["true"] == true <= 1500


@pytest.mark.parametrize(("move", "state"), [((), "crashed"), (("close east/P",), "closed")])
def test_a_process_that_has_moved_ends_with_what_it_holds(move: tuple[str, ...], state: str) -> None:
    """It is killed 30 s later, unless it was closed before: then it writes its last calls when the site is back."""
    moves = [("41s", do) for do in (*move, "move east/P west")]
    world = after(100, document(FAILOVER[0], *moves, ("73s", "start-site east")))
    assert client(world, "east/P")["state"] == state
    has_flushed = client(world, "east/P")["acked"] > 1500
    assert has_flushed is (state == "closed")


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


def test_a_client_that_moves_back_to_other_topics_is_another_one_and_its_group_has_no_offset_there() -> None:
    """The application is deployed anew: what its group reads now it has not read before."""
    back = [
        ("20s", "move east/C west"),
        ("25s", "move west/C east orders,west.orders"),
        ("30s", "move east/east.C west"),
    ]
    plain = document(*back)
    plain["mirrors"].append({"source": "west", "target": "east", "process": "back"})
    world = after(28, plain)
    assert [one.node.name for one in world.moves.joined] == ["west/C", "east/east.C"]
    assert client(world, "east/east.C")["topics"] == ["orders", "west.orders"]
    assert [client(world, name)["state"] for name in ("east/C", "west/C", "east/east.C")] == [
        "closed",
        "closed",
        "open",
    ]
    world.run(33 * SECOND)
    assert (world.without_effect(), client(world, "west/C")["state"]) == ({}, "open")


def test_a_client_that_moves_back_to_its_own_topics_is_the_one_that_it_was() -> None:
    world = after(28, document(("20s", "move east/C west"), ("25s", "move west/C east orders")))
    assert [one.node.name for one in world.moves.joined] == ["west/C"]
    assert client(world, "east/C")["state"] == "open"


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


def test_a_producer_that_nobody_moved_keeps_the_failover_open() -> None:
    """The stop counts from the loss, also where only a group moves."""
    told = failover(after(55, document(FAILOVER[0], ("48s", "move east/g west"))))
    assert 18 * SECOND < told["detect_and_decide_us"] < 18.1 * SECOND
    assert told["switch_us"] == told["rto_us"] == -1
    assert "east/P did not move and still waits." in told["sentence"]


def test_a_failover_of_a_group_alone_counts_from_the_loss() -> None:
    plain = document(FAILOVER[0], ("48s", "move east/g west"))
    plain["clusters"]["east"]["producers"] = []
    assert failover(after(55, plain))["detect_and_decide_us"] == 18 * SECOND


def test_a_group_that_moves_while_its_cluster_is_well_stops_nobody() -> None:
    told = failover(after(25, document(("18s", "move east/g west"))))
    assert (told["waiting"], told["detect_and_decide_us"], told["switch_us"]) == ([], 0, 0)


def test_the_rpo_is_that_of_all_topics_and_names_those_without_a_mirror_first() -> None:
    plain = document(*FAILOVER[:3], config={**SYNCED, "topics": "orders"})
    plain["clusters"]["east"]["topics"].append({"name": "audit", "assignment": [[0, 1, 2]]})
    plain["clusters"]["east"]["producers"].append({"id": "A", "topic": "audit", "rate": 10})
    told = failover(after(45, plain))
    [audit] = told["unmirrored"]
    assert (audit["topic"], 295 <= audit["records"] <= 300) == ("audit", True)
    assert audit["records"] <= told["rpo_records"] <= audit["records"] + 5
    assert told["rpo_us"] > 29 * SECOND
    assert f"audit has no mirror: {audit['records']} records stay in east." in told["sentence"]


def test_one_moment_is_told_beside_the_range_of_all() -> None:
    """A pause of 4 s makes the worst moment: 4 s and 200 records behind."""
    pause = (("10s", "pause mirror-maker"), ("14s", "resume mirror-maker"))
    told = failover(after(45, document(*pause, *FAILOVER)))
    p50, p99, worst = told["lag_us"]
    assert p50 < 0.1 * SECOND < 3.5 * SECOND < p99 <= worst < 4.5 * SECOND
    assert 195 <= told["lag_records"][2] <= 225
    assert told["rpo_records"] < 10


def test_the_range_leaves_out_the_time_without_a_flow() -> None:
    """Its process is down from 10 to 20 s; after its start the backlog counts while it is copied."""
    down = (("10s", "kill mirror-maker"), ("20s", "start mirror-maker after 1s"))
    p50, _, _ = failover(after(45, document(*down, *FAILOVER)))["lag_us"]
    world = after(29, document(*down))
    moments = moments_of(running_spans(world.mirrors, world.mirrors.flows()[0], 29 * SECOND))
    assert len(moments) == 1000
    assert [at for at in moments if 10 * SECOND < at < 20 * SECOND] == []
    assert (moments[0] > 0, moments[-1]) == (True, 29 * SECOND)
    assert p50 < 0.1 * SECOND


def test_without_a_flow_all_records_stay_behind() -> None:
    plain = document(("5s", "move east/P west"))
    del plain["mirrors"]
    told = failover(after(8, plain))
    assert told["rpo_records"] == told["rpo_us"] == -1
    assert "No flow copies from east to west" in told["sentence"]


def test_one_record_that_stays_behind_is_named_in_the_singular() -> None:
    found = {"from": "east", "to": "west", "rto_us": -1, "mirrored": True, "rpo_records": 1, "rpo_us": 0}
    found |= {"unmirrored": [], "waiting": []}
    parts = {"detect_and_decide_us": 10 * SECOND, "switch_us": -1, "catch_up_us": -1}
    assert "1 record of east (0.0 s) was not in west when clients moved." in failover_words({**found, **parts})


def test_the_sentence_of_a_lost_cluster_begins_with_what_clients_lose() -> None:
    """Records that only it has, the range before, writes that wait; its controllers stand under ``clusters``."""
    plain = document(*FAILOVER)
    plain["network"] = {"latency": "300ms"}
    world = after(40, plain)
    verdict: Any = world.verdict()
    left = sum(topic["left"] for topic in verdict["mirrors"][0]["topics"])
    assert left > 0
    lost = rf"east is down\. {left} records of east \(0\.3 s\) are not in west\."
    before = (
        r"While its process ran, the mirror was \d+ ms behind at p50, [\d.]+ m?s at p99, [\d.]+ m?s at worst\. "
        r".* is left out\."
    )
    told = rf"{lost} {before} Writes to orders have waited 10\.0 s\. west: "
    assert re.match(told, verdict["sentence"])
    assert "Every controller is gone" in verdict["clusters"][0]["sentence"]
    world.run(46 * SECOND)
    assert "controller" not in str(world.verdict()["sentence"])


def test_the_sentence_of_a_lost_cluster_tells_topics_without_a_mirror_first() -> None:
    plain = document(("30s", "kill-site east"), config={**SYNCED, "topics": "other"})
    told = str(after(32, plain).verdict()["sentence"])
    assert re.match(r"east is down\. orders has no mirror: 1,\d+ records are only in east\.", told)
    plain["mirrors"] = []
    assert str(after(32, plain).verdict()["sentence"]).startswith(
        "east is down. No flow copies from east: all its records"
    )


@pytest.mark.parametrize(
    ("back", "told"),
    [
        ((), "missed 200 records of orders."),
        (("move west/C east",), "missed 200 records of orders and read them later."),
    ],
)
def test_missed_records_that_a_group_reads_after_its_way_back_are_told_so(back: tuple[str, ...], told: str) -> None:
    """The way back copies west's orders to west.orders, whose position the group has committed at 0."""
    entries = (*FAILOVER, ("60s", "start-site east"), *(("90s", do) for do in back))
    plain = document(*entries)
    plain["clusters"]["east"]["consumers"][0]["config"]["auto.offset.reset"] = "latest"
    plain["clusters"]["east"]["consumers"][0]["topics"] = ["orders", "west.orders"]
    plain["mirrors"].append({"source": "west", "target": "east", "process": "back", "config": QUIET})
    world = after(120, plain)
    assert told in str(world.verdict()["sentence"])


def test_missed_records_that_a_later_start_jumps_over_stay_missed() -> None:
    """The group goes back to 10 while its leader is out of reach, and starts at 300 before it has been handed any."""
    stuck = (("50s", "commit west/C west/orders-0 10"), ("51s", "close west/C"), ("62s", "cut west/C|west/0"))
    jump = (("63s", "open west/C"), ("75s", "commit west/C west/orders-0 300"), ("80s", "close west/C"))
    west = cluster("orders")
    west["topics"].append({"name": "__consumer_offsets", "assignment": [[1, 2, 0]]})
    plain = document(*FAILOVER, *stuck, *jump, ("90s", "heal"), ("100s", "open west/C"), west=west)
    plain["clusters"]["east"]["consumers"][0]["config"] = {"auto.offset.reset": "latest", "enable.auto.commit": False}
    world = after(110, plain)
    p = world.cluster_runs[1].parts.partition_index["orders", 0]
    assert [fact.new for fact in stated(world, ConsumerReset) if fact.p == p] == [200, 10, 300]
    assert "missed 200 records of orders. " in str(world.verdict()["sentence"])


def test_a_lost_cluster_that_has_copies_alone_has_no_record_of_its_own() -> None:
    world = after(40, document(("30s", "kill-site west")))
    assert re.match(r"west is down\. (?!No flow copies)", str(world.verdict()["sentence"]))
