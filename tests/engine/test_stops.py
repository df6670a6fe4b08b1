"""The cause of a stop, and the number of records it held back: by the partitions that were out (STOP-1, STOP-3)."""

from typing import Any

import pytest

from simengine.facts.decisive import ProcessChanged
from simengine.facts.kinds import PROCESS_DOWN
from simengine.scenario import load
from simengine.verdict.outage import Closing, Outage
from simengine.world.world import build
from tests.engine.cluster import SECOND, THREE_BROKERS, stated

DOCUMENT = (
    THREE_BROKERS
    + """
topics:
  - {name: orders, assignment: [[1, 2, 3], [2, 3, 1]], config: {min.insync.replicas: 2}}
producers:
  - {id: orders-producer, topic: orders, rate: 40, acks: "ACKS"}
"""
)


def orders(acks: str, until_s: int, *actions: str) -> dict[str, Any]:
    timeline = "timeline:\n" + "".join(f"  - {{{action}}}\n" for action in actions) if actions else ""
    world = build(load((DOCUMENT.replace("ACKS", acks) + timeline).encode()))
    world.run(until_s * SECOND)
    topics: Any = world.verdict()["topics"]
    found: dict[str, Any] = next(topic for topic in topics if topic["topic"] == "orders")
    return found


def test_a_stop_by_min_insync_replicas_goes_back_to_the_setting_and_not_to_the_isr_before_it() -> None:
    """HW-3, PROD-2: the ISR of two was enough until three were asked for."""
    found = orders("all", 20, "at: 1s, do: stop 3", "at: 10s, do: config orders min.insync.replicas 3")
    assert found["deciding"]["text"] == "orders: min.insync.replicas became 3"
    assert found["deciding"]["rules"] == ["HW-3", "PROD-2"]
    assert 10 * SECOND <= found["deciding"]["t"] < 11 * SECOND


def test_a_stop_by_the_isr_goes_back_to_the_isr_where_the_setting_was_there_before() -> None:
    found = orders("all", 20, "at: 1s, do: config orders min.insync.replicas 3", "at: 10s, do: stop 3")
    assert "the ISR became brokers 1 and 2" in found["deciding"]["text"]


def test_of_several_stops_the_longest_is_the_one_that_is_named() -> None:
    outage = Outage(Closing())
    for start, end, cause in ((10, 40, 3), (50, 55, 7)):
        outage.set(True, start * SECOND, cause)
        outage.set(False, end * SECOND, 0)
    assert outage.deciding(60 * SECOND) == 3
    outage.set(True, 60 * SECOND, 9)
    assert outage.deciding(80 * SECOND) == 3
    assert outage.deciding(91 * SECOND) == 9


def test_only_the_share_of_the_partition_that_was_out_counts_as_held_back() -> None:
    """orders-0 gives no response for a while, orders-1 does: half of 40 records/s."""
    found = orders("1", 30, "at: 10s, do: kill 1")
    down_s = found["write_down_client_us"] / SECOND
    assert down_s > 2
    assert 0.9 * down_s * 20 <= found["held_back"] <= 1.05 * down_s * 20


def test_who_sends_nothing_while_writes_are_down_holds_nothing_back() -> None:
    """The rate of before is no measure of it."""
    stop = ("at: 9s, do: rate orders-producer 0", "at: 10s, do: kill 1", "at: 10s, do: kill 2", "at: 10s, do: kill 3")
    quiet = orders("all", 40, *stop)
    assert quiet["write_down_all_us"] == 30 * SECOND
    assert quiet["held_back"] == 0
    assert quiet["in_user_units"] == ""
    late = orders("all", 40, *stop, "at: 35s, do: rate orders-producer 10")
    assert late["held_back"] == late["open"] > 40
    assert f"{late['held_back']} records held back" in late["in_user_units"]


def test_a_stop_of_acks_all_alone_is_not_what_a_topic_with_acks_1_goes_back_to() -> None:
    actions = ("at: 10s, do: config orders min.insync.replicas 3", "at: 11s, do: cut 3|1", "at: 15s, do: heal 3|1")
    found = orders("1", 25, *actions)
    assert found["write_down_all_us"] > found["write_down_1_us"] == 0
    assert found["hidden"] == 0
    assert found["deciding"] is None


def test_what_hides_records_is_what_the_high_watermark_waits_for_and_not_a_later_stop() -> None:
    """HW-3: three are wanted and one is dead; that the leader dies afterwards hides nothing more."""
    actions = ("at: 5s, do: config orders min.insync.replicas 3", "at: 6s, do: kill 3", "at: 30s, do: kill 1")
    found = orders("1", 45, *actions)
    assert found["hidden"] > 0
    assert found["write_down_1_us"] > 0
    assert found["deciding"]["text"] == "broker 3 died"


def test_what_was_handed_over_with_acks_0_is_said_as_such_and_praised_by_nobody() -> None:
    """PROD-4: nobody acknowledges them, so no sentence may say that nothing acknowledged was lost."""
    found = orders("0", 40, "at: 10s, do: pause 1")
    assert found["vanished"] > 0
    assert found["acked"] == 0
    said = f"{found['handed_over']:,} records were handed over with acks=0: {found['vanished']} vanished."
    assert found["sentence"].startswith(said)
    quiet = orders("0", 10)
    assert quiet["vanished"] == 0, "those on their way have not vanished"
    assert quiet["undetermined_handed_over"] > 0 or quiet["arrived"] == quiet["handed_over"]
    assert quiet["sentence"] == f"{quiet['handed_over']:,} records were handed over with acks=0: none vanished."


def test_what_was_handed_over_and_stands_above_a_high_watermark_that_stands_still_cannot_be_read() -> None:
    """HW-2, PROD-4: it arrived, and no consumer is served it; what came within theta may be read in a moment."""
    found = orders("0", 30, "at: 10s, do: kill 3", "at: 20s, do: config orders min.insync.replicas 3")
    assert 330 <= found["unread"] <= 360, "40 records/s for 10 s, less theta and less the way of the setting"
    assert found["arrived"] > found["unread"]
    assert orders("0", 30)["unread"] == 0
    assert orders("1", 30, "at: 20s, do: kill 3")["unread"] == 0, "the acknowledged are hidden"


def test_brokers_that_died_at_one_instant_are_both_named() -> None:
    found = orders("1", 30, "at: 10s, do: kill 1", "at: 10s, do: kill 3")
    assert found["deciding"]["text"] == "brokers 1 and 3 died"


def test_a_broker_killed_in_its_own_controlled_shutdown_died_and_one_that_ends_it_left() -> None:
    """SHUT-1, SHUT-3, STATE-7: SIGKILL ends the shutdown; no log was closed, no checkpoint written."""
    timeline = "timeline: [{at: 10s, do: stop 1}, ACTION]"
    for action, left in (("{at: 10.001s, do: kill 1}", False), ("{at: 10.001s, do: kill-rack a}", False), ("", True)):
        brokers = DOCUMENT.replace("{id: 1}", "{id: 1, rack: a}").replace("ACKS", "all")
        world = build(load((brokers + timeline.replace("ACTION", action)).encode()))
        world.run(14 * SECOND)
        brokers_then: Any = world.snapshot()["brokers"]
        last = stated(world, ProcessChanged)[-1]
        assert (brokers_then["1"]["process"], brokers_then["1"]["left"]) == ("down", left)
        assert (last.node, last.state, bool(last.left)) == (1, PROCESS_DOWN, left)


def test_what_a_fenced_leader_took_was_not_held_back() -> None:
    """FLT-5: it answers acks=1 for as long as clients reach it, and there is no other leader."""
    actions = ("at: 2s, do: stop 2", "at: 4s, do: stop 3", "at: 20s, do: 'cut 1|100,101,102'")
    found = orders("1", 40, *actions)
    assert found["write_down_1_us"] > 5 * SECOND
    assert found["acked"] >= orders("1", 40, *actions[:2])["acked"] - 10
    assert found["held_back"] < 10


CUT = "at: 5s, do: 'cut 1|2,3,100,101,102'", "at: 30s, do: heal"


@pytest.mark.parametrize("replicas", ["[1]", "[1, 2, 3]"])
def test_a_response_of_a_broker_that_lost_its_leadership_ends_the_wait_and_may_be_in_vain(replicas: str) -> None:
    """LIVE-5, ELR-1: a topic with one replica keeps every record; with three, the next leader lacks them."""
    timeline = "timeline:\n" + "".join(f"  - {{{action}}}\n" for action in CUT)
    text = DOCUMENT.replace("ACKS", "1").replace("[1, 2, 3], [2, 3, 1]", replicas).replace("replicas: 2", "replicas: 1")
    world = build(load((text + timeline).encode()))
    world.run(60 * SECOND)
    topics: Any = world.verdict()["topics"]
    found = next(topic for topic in topics if topic["topic"] == "orders")
    if replicas == "[1]":
        assert found["lost"] == 0
        assert found["no_response"]["1"] <= found["longest_wait_us"] < 4 * SECOND, "what its calls waited for"
        assert found["write_down_1_us"] > 20 * SECOND, "nobody leads it for the controller"
    else:
        assert found["lost"] > 0
        assert found["no_response"]["1"] <= found["longest_wait_us"] < 4 * SECOND, "each call has its response"
        assert found["vain_us"] > 10 * SECOND
        assert "every record that a partition acknowledged to a producer was already lost." in found["sentence"]
