"""The verdict's fates and intervals, row by row (FATE-2..8, STOP-1..4)."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from simengine.facts.decisive import VerdictChanged
from simengine.facts.figures import figures_in
from simengine.facts.kinds import RECORDS_LOST
from simengine.scenario import load
from simengine.verdict.traffic import CallRate
from simengine.world.world import World, build
from tests.engine.cluster import stated

SCENARIOS = Path(__file__).parent.parent / "scenarios"
SECOND = 1_000_000


@cache
def ran(name: str) -> World:
    document = load((SCENARIOS / f"{name}.yaml").read_bytes())
    world = build(document)
    world.run(document.until_us)
    return world


def topic(name: str) -> dict[str, Any]:
    topics: Any = ran(name).verdict()["topics"]
    found: dict[str, Any] = next(one for one in topics if not one["coordinators"])
    return found


ROWS = {
    "s03b-failed-is-no-proof-of-absence": {"unknown": 1, "unknown_written": 1},
    "s05-acks-0-to-a-former-leader": {"handed_over": 3, "arrived": 2, "vanished": 1, "lost": 0},
    "s06b-lost-answer-without-idempotence": {"acked": 4, "duplicated": 1, "reread": 0},
    "s10-unreplicated-data": {"lost": 5, "lost_1": 5, "lost_all": 0, "doomed": 0, "moved": 0},
    "s13-unclean-off": {"undetermined": 8, "stranded": 4, "lost": 0, "kept": 0},
    "s14-no-reset-policy": {"phantoms": 2, "overwritten": 1, "skipped": 1},
    "s14-unclean-on": {"lost": 4, "phantoms": 2, "overwritten": 1, "skipped": 0, "lagging": 0},
    "s25-elr-off": {"lost": 0, "moved": 0},
    "s26-zombie": {"lost": 10, "doomed": 5},
    "s30-two-replicas-both-wanted": {"hidden": 5, "frozen_hidden": 5},
    "s41-redelivery": {"reread": 5, "phantoms": 0},
}


@pytest.mark.parametrize("name", sorted(ROWS))
def test_each_fate_is_counted_in_its_own_column(name: str) -> None:
    found = topic(name)
    assert {key: found[key] for key in ROWS[name]} == ROWS[name]


@pytest.mark.parametrize("name", sorted(path.stem for path in SCENARIOS.glob("s*.yaml")))
def test_the_balance_holds_for_the_topic_its_partitions_and_its_clients(name: str) -> None:
    verdict = ran(name).verdict()
    assert verdict["balance_ok"]
    topics: Any = verdict["topics"]
    for one in topics:
        for key in ("acked", "lost", "duplicated", "refused", "unknown", "unknown_written", "phantoms", "delivered"):
            assert sum(part[key] for part in one["partitions"]) == one[key]
            assert sum(client.get(key, 0) for client in one["clients"]) == one[key]


def test_the_fates_stand_by_client_and_by_group() -> None:
    clients = {client["client"]: client for client in topic("s14-unclean-on")["clients"]}
    assert (clients["P"]["acked"], clients["P"]["lost"]) == (5, 0)
    assert (clients["Q"]["acked"], clients["Q"]["lost"]) == (4, 4)
    assert (clients["g"]["seen"], clients["g"]["phantoms"]) == (5, 2)


def test_every_record_has_its_fate() -> None:
    fates = [
        (row["client"], row["call"], row["count"], row["fate"], row["offset"])
        for row in ran("s14-unclean-on").record_fates()
    ]
    assert fates == [
        ("P", 0, 4, "acked, kept", 0),
        ("P", 4, 1, "acked, kept", 4),
        ("Q", 0, 4, "acked, lost", 4),
    ]
    assert "unknown, late success" in [row["fate"] for row in ran("s03b-failed-is-no-proof-of-absence").record_fates()]
    assert "acked, undetermined" in [row["fate"] for row in ran("s13-unclean-off").record_fates()]
    assert "handed over, vanished" in [row["fate"] for row in ran("s05-acks-0-to-a-former-leader").record_fates()]
    assert "acked, duplicated" in [row["fate"] for row in ran("s06b-lost-answer-without-idempotence").record_fates()]


def test_a_leaderless_partition_names_who_has_its_newest_record() -> None:
    assert topic("s13-unclean-off")["partitions"][0]["on_disk_of"] == [0]


def test_exposure_is_told_though_nothing_was_lost() -> None:
    found = topic("s12c-kill-of-all")
    assert found["lost"] == 0
    assert found["exposed_us"] > 60 * SECOND
    assert topic("s01-steady-state")["exposed_us"] == 0


def exposed_us(*steps: tuple[str, str]) -> int:
    """t-0 with M=2 and a producer of acks=1: the exposure after 40 s of these actions."""
    run = build(
        load(
            {
                "format": 1,
                "title": "exposure",
                "until": "40s",
                "cluster": {"brokers": [0, 1, 2], "controllers": [100]},
                "topics": [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}}],
                "producers": [{"id": "P", "topic": "t", "rate": 20, "acks": 1}],
                "timeline": [{"at": at, "do": action} for at, action in steps],
            }
        )
    )
    run.run(40 * SECOND)
    found: Any = run.verdict()
    return int(found["topics"][0]["partitions"][0]["exposed_us"])


def test_the_pipeline_is_no_exposure_but_records_that_wait_are() -> None:
    """A record is exposed from its acknowledgement until its second copy, told to the millisecond."""
    assert exposed_us() == 0
    assert exposed_us(("10s", "cut 0|1,2"), ("10200ms", "heal")) == 0
    assert exposed_us(("10s", "pause 1"), ("10s", "kill 2"), ("13700ms", "resume 1")) == pytest.approx(
        3_700_000, abs=60_000
    )


def test_producers_see_longer_outages_than_the_servers_have() -> None:
    found = topic("s26-zombie")
    assert found["write_down_all_us"] < 10 * SECOND < 30 * SECOND < found["write_down_client_us"]
    assert topic("s01-steady-state")["write_down_client_us"] == 0


def test_a_reader_of_a_zombie_sees_nothing_new_though_the_partition_can_be_read() -> None:
    found = topic("s26-zombie")
    assert found["read_down_us"] == 0
    assert 25 * SECOND < found["read_down_client_us"] < 32 * SECOND, "records above a high watermark wait for it too"


CUT_FROM_CLIENTS = """
    format: 1
    until: 40s
    cluster: {brokers: [0, 1, 2], controllers: [100]}
    topics: [{name: t, assignment: [[0, 1, 2]]}]
    producers: [{id: P, topic: t, rate: 10}]
    consumers: [{id: C, topics: [t]}]
    timeline:
      - {at: 10s, do: "cut %s|0"}
      - {at: 20s, do: heal}
"""


@pytest.mark.parametrize("cut", ["P", "C"])
def test_a_leader_that_only_writers_or_only_readers_cannot_reach_is_not_out_but_they_wait(cut: str) -> None:
    document = load(CUT_FROM_CLIENTS % cut)
    world = build(document)
    world.run(document.until_us)
    topics: Any = world.verdict()["topics"]
    assert (topics[0]["write_down_1_us"], topics[0]["read_down_us"]) == (0, 0)
    assert (topics[0]["write_down_client_us"] > 9 * SECOND) == (cut == "P")
    assert (topics[0]["read_down_client_us"] > 9 * SECOND) == (cut == "C")


def test_a_closed_consumer_is_not_kept_from_reading() -> None:
    document = load((CUT_FROM_CLIENTS % "P").replace("cut P|0", "close C"))
    world = build(document)
    world.run(document.until_us)
    topics: Any = world.verdict()["topics"]
    assert topics[0]["read_down_client_us"] == 0
    assert topics[0]["lagging"] > 0


def test_both_modes_of_acks_have_their_time_out() -> None:
    found = topic("s30-two-replicas-both-wanted")  # below min.insync.replicas: acks=1 goes on
    assert found["write_down_all_us"] > 30 * SECOND
    assert found["write_down_1_us"] == 0


def test_a_duplicate_answered_by_a_later_leader_is_not_lost_with_its_epoch() -> None:
    """PROD-11: the record keeps the epoch that wrote it; another failover must not miss it (S25 and one more)."""
    document = load((SCENARIOS / "s25-elr-off.yaml").read_bytes())
    more = load(
        (SCENARIOS / "s25-elr-off.yaml")
        .read_bytes()
        .replace(b"- {at: 105s, do: start 0}", b"- {at: 105s, do: start 0}\n  - {at: 136s, do: stop 0}")
    )
    world = build(more)
    world.run(document.until_us + 10 * SECOND)
    topics: Any = world.verdict()["topics"]
    assert [fact for fact in world.trace.decisive if fact.kind == RECORDS_LOST] == []
    assert (topics[0]["lost"], topics[0]["moved"]) == (0, 0)
    assert topics[0]["partitions"][0]["leaderless_us"] > 0


def test_users_units_are_the_topics_own_traffic() -> None:
    rate = CallRate()
    for second in range(11):
        rate.called(10, second * SECOND)
    assert rate.us_of(22) == 2 * SECOND
    burst = CallRate()
    burst.called(100, SECOND)
    assert burst.us_of(5) == 0


def test_the_stated_verdict_carries_the_users_units() -> None:
    world = ran("s28-paused-leader")
    figures = figures_in(stated(world, VerdictChanged)[-1])
    found = topic("s28-paused-leader")
    assert figures["lost"] == found["lost"] > 0
    assert found["lost_traffic_us"] == figures["lost_traffic_us"]
    assert found["lost_traffic_us"] > 0
    about = found["lost_traffic_us"] / SECOND
    assert found["in_user_units"] == f"{found['lost']} records, about {about:.1f} s of this topic's traffic"
