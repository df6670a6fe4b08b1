"""An application that sends records again: fates by call and by record, case by case (FATE-1, FATE-4, FATE-5)."""

from typing import Any

from simengine.facts.kinds import CALLS_RESENT
from simengine.facts.traffic import CallsResent
from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import facts

SECOND = 1_000_000
THREE_BROKERS = """
format: 1
elr: false
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 2, unclean.leader.election.enable: UNCLEAN}}]
producers:
  - {id: P, topic: t, acks: ACKS, resend: TIMES, config: {CONFIG}}
timeline:
"""
SHORT = "linger.ms: 0, request.timeout.ms: 3000, delivery.timeout.ms: 3000"


def ran(times: int, *actions: str, acks: str = "all", config: str = SHORT, unclean: str = "false") -> World:
    text = THREE_BROKERS.replace("ACKS", acks).replace("TIMES", str(times)).replace("CONFIG", config)
    text = text.replace("UNCLEAN", unclean) + "".join(f"  - {{{action}}}\n" for action in actions)
    world = build(load(text.encode()))
    world.trace.keep_kinds([CALLS_RESENT])
    world.run(60 * SECOND)
    return world


def topic(world: World) -> dict[str, Any]:
    verdict: Any = world.verdict()
    assert verdict["balance_ok"]
    found: dict[str, Any] = verdict["topics"][0]
    return found


def resent(world: World) -> list[tuple[int, ...]]:
    """Producer, partition, first call, calls, and the calls whose records they are."""
    return [(fact.client, fact.p, fact.n, fact.count, fact.of) for fact in facts(world, CallsResent)]


def test_a_record_sent_again_after_a_delivery_timeout_is_doubled_by_the_application() -> None:
    """IDEM-7: idempotence knows nothing of it, each call has one copy; call 1 unknown, call 2 acknowledged."""
    world = ran(1, "at: 5s, do: intercept i P t-0 0 delay-response 10s", "at: 6s, do: send P t-0 1")
    found = topic(world)
    assert resent(world) == [(0, 0, 1, 1, 0)]
    assert (found["calls"], found["unknown_written"], found["kept"], found["duplicated"]) == (2, 1, 1, 0)
    records = found["records"]
    assert (records["calls"], records["resent"], records["acked"], records["kept"]) == (1, 1, 1, 0)
    assert (records["duplicated"], records["duplicated_acked"], records["by_application"]) == (1, 1, 1)
    doubled, waited, failed = found["sentence"].split(". ")
    assert doubled == "1 record exists more than once: the application sent it again"
    assert (waited[:27], failed) == ("Writes stood still for 3.1 ", "1 send() call failed.")
    figures = world.book.figures()["0"]
    assert (figures["by_application"], figures["sentence"]) == (1, found["sentence"])


def test_without_the_option_nobody_sends_again() -> None:
    world = ran(0, "at: 5s, do: intercept i P t-0 0 delay-response 10s", "at: 6s, do: send P t-0 1")
    assert resent(world) == []
    assert topic(world)["records"]["calls"] == topic(world)["calls"] == 1


def test_a_record_that_was_refused_and_sent_again_is_kept_once() -> None:
    """PROD-2: NOT_ENOUGH_REPLICAS until broker 1 is back in the ISR."""
    config = "linger.ms: 0, retries: 0, enable.idempotence: false"
    actions = ("at: 1s, do: stop 1", "at: 1s, do: stop 2", "at: 6s, do: send P t-0 3")
    stays = topic(ran(2, *actions, config=config))
    assert (stays["calls"], stays["refused"]) == (9, 9)
    assert (stays["records"]["calls"], stays["records"]["refused"], stays["records"]["resent"]) == (3, 3, 6)
    config = f"{SHORT}, retries: 3, enable.idempotence: false"
    back = topic(ran(100, *actions, "at: 20s, do: start 1", config=config))
    assert back["refused"] > 0
    assert (back["acked"], back["records"]["kept"], back["records"]["refused"]) == (3, 3, 0)
    assert back["records"]["by_application"] == 0


def test_a_lost_record_that_the_application_sends_again_is_recovered() -> None:
    """FATE-1: call 1 lost, call 2 kept; the record is kept, recovered by the application."""
    actions = ("at: 5s, do: 'cut 0|1,2'", "at: 6s, do: send P t-0 3", "at: 8s, do: kill 0")
    lost = topic(ran(0, *actions, acks="1"))
    assert (lost["lost"], lost["records"]["lost"]) == (3, 3)
    found = topic(ran(0, *actions, "at: 40s, do: resend P t-0 1 2", acks="1"))
    assert (found["lost"], found["kept"]) == (3, 2)
    assert (found["records"]["lost"], found["records"]["kept"], found["records"]["recovered"]) == (1, 2, 2)
    assert found["sentence"] == "1 acknowledged record is gone. 2 more came back: the application sent them again."
    assert (found["recovered"], found["lost_again"]) == (2, 0)
    assert found["sent_again"] == "2 calls of the application sent 2 records again: 2 there again after their loss"


def test_lost_records_that_all_came_back_are_not_said_to_be_gone() -> None:
    actions = ("at: 5s, do: 'cut 0|1,2'", "at: 6s, do: send P t-0 3", "at: 8s, do: kill 0")
    world = ran(0, *actions, "at: 40s, do: resend P t-0 0 3", acks="1")
    found = topic(world)
    assert (found["lost"], found["records"]["lost"]) == (3, 0)
    assert found["sentence"] == "3 acknowledged records were lost and came back: the application sent them again."
    figures = world.book.figures()["0"]
    assert (figures["recovered"], figures["sentence"]) == (3, found["sentence"])


def test_a_record_that_was_lost_twice_is_one_record() -> None:
    """Both of its calls were acknowledged by a leader that was alone, and lost with it."""
    cuts = ("at: 5s, do: 'cut 0|1,2'", "at: 6s, do: send P t-0 1", "at: 7s, do: resend P t-0 0", "at: 8s, do: kill 0")
    gone = ran(0, *cuts, acks="1")
    assert (topic(gone)["lost"], topic(gone)["lost_again"]) == (2, 1)
    assert topic(gone)["sentence"].startswith("1 acknowledged record is gone.")
    assert gone.book.figures()["0"]["sentence"] == topic(gone)["sentence"]
    back = topic(ran(0, *cuts, "at: 40s, do: resend P t-0 0", acks="1"))
    assert back["sentence"] == "1 acknowledged record was lost and came back: the application sent it again."


def test_calls_that_were_never_made_cannot_be_sent_again() -> None:
    assert resent(ran(0, "at: 5s, do: send P t-0 2", "at: 6s, do: resend P t-0 1 5", "at: 7s, do: resend P t-0 9")) == [
        (0, 0, 2, 1, 1)
    ]


def test_a_record_sent_again_and_again_goes_by_its_first_call() -> None:
    world = ran(0, "at: 5s, do: send P t-0 2", "at: 6s, do: resend P t-0 1", "at: 7s, do: resend P t-0 2")
    assert resent(world) == [(0, 0, 2, 1, 1), (0, 0, 3, 1, 1)]
    records = topic(world)["records"]
    assert (records["calls"], records["resent"], records["duplicated"], records["by_application"]) == (2, 2, 1, 1)


def test_what_is_told_of_records_sent_again_is_of_these_alone() -> None:
    """Q, which never does, has lost its records too: of another partition, and of the same one."""
    world = build(
        load(
            {
                "format": 1,
                "elr": False,
                "cluster": {"brokers": [0, 1, 2], "controllers": [100]},
                "topics": [{"name": "t", "assignment": [[0, 1, 2], [0, 1, 2]]}],
                "producers": [
                    {"id": name, "topic": "t", "acks": 1, "config": {"linger.ms": 0, "enable.idempotence": False}}
                    for name in ("P", "Q")
                ],
                "timeline": [
                    {"at": "5s", "do": "cut 0|1,2"},
                    {"at": "6s", "do": "send P t-0 3"},
                    {"at": "6s", "do": "send P t-1 1"},
                    {"at": "7s", "do": "send Q t-0 5"},
                    {"at": "7s", "do": "send Q t-1 7"},
                    {"at": "8s", "do": "kill 0"},
                    {"at": "40s", "do": "resend P t-0 0 2"},
                ],
            }
        )
    )
    world.run(60 * SECOND)
    found = topic(world)
    assert (found["lost"], found["records"]["calls"]) == (16, 16)
    assert found["sent_again"] == "2 calls of the application sent 2 records again: 2 there again after their loss"
