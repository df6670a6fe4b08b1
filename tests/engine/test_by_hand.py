"""A person's hand on single messages: held, delivered, lost; the same in every replay (TCP-1, PC-7)."""

import random
from collections.abc import Callable

import pytest

from simengine.facts import kinds as wire
from simengine.facts.decisive import ActionDone, MessageHandled
from simengine.facts.traffic import Flight, FlightEnded
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked
from tests.engine.cluster import SECOND, facts, stated, world

PRODUCER = {"id": "P", "topic": "t", "rate": 40, "acks": "all"}
SLOW = {"latency": "20ms"}


def flights(run: World) -> list[Flight]:
    """The flights since the last look."""
    return facts(run, Flight)


def next_of(run: World, msg: int) -> Flight:
    """The next message of a kind; the run stands just after it was sent."""
    while True:
        run.run(run.now_us + 1_000)
        found = [one for one in flights(run) if one.msg == msg and one.arrive > run.now_us]
        if found:
            return found[0]


def test_a_held_heartbeat_is_given_up_and_repeated_on_a_new_connection_before_the_session_ends() -> None:
    """LIVE-3, PC-7: one message alone does not fence a broker."""
    run = world()
    run.run(5 * SECOND)
    beat = next_of(run, wire.MSG_HEARTBEAT)
    at_us = run.act(run.now_us, f"hold {beat.seq}")
    run.run(at_us + SECOND // 2)
    assert [one.how for one in facts(run, FlightEnded) if one.flight == beat.seq] == [wire.FLIGHT_HELD]
    run.run(at_us + 11 * SECOND)
    assert [one.how for one in facts(run, FlightEnded) if one.flight == beat.seq] == [wire.FLIGHT_DROPPED]
    assert run.snapshot()["brokers"][str(beat.src)]["registration"] == "active"  # type: ignore[index]


def test_a_fact_says_which_message_a_person_took_in_hand_and_none_where_it_had_arrived() -> None:
    run = world()
    run.run(5 * SECOND)
    beat = next_of(run, wire.MSG_HEARTBEAT)
    for action in ("hold", "hold", "deliver", "drop"):
        run.run(run.act(run.now_us, f"{action} {beat.seq}") + 50_000)
    told = stated(run, MessageHandled)
    assert [(fact.flight, fact.how) for fact in told] == [(beat.seq, wire.HAND_HOLDS), (beat.seq, wire.HAND_DELIVERS)]
    message = (wire.MSG_HEARTBEAT, beat.src, beat.dst, -1)
    assert {(fact.msg, fact.src, fact.dst, fact.p) for fact in told} == {message}
    actions = {fact.seq: fact.text for fact in stated(run, ActionDone)}
    assert [actions[fact.cause] for fact in told] == [f"hold {beat.seq}", f"deliver {beat.seq}"]


def test_a_delivered_message_arrives_now_and_after_those_ahead_of_it() -> None:
    run = world(producers=[PRODUCER | {"acks": "1", "config": {"linger.ms": 0}}], network={"latency": "200ms"})
    run.run(3 * SECOND)
    sent = [one for one in flights(run) if one.msg == wire.MSG_PRODUCE and one.arrive > run.now_us]
    assert len(sent) >= 3
    at_us = run.act(run.now_us, f"deliver {sent[1].seq}")
    run.run(at_us)
    ended = facts(run, FlightEnded)
    assert [(one.flight, one.arrive) for one in ended if one.arrive == at_us] == [
        (sent[0].seq, at_us),
        (sent[1].seq, at_us),
    ]
    run.run(run.now_us + 5 * SECOND)
    assert run.verdict()["balance_ok"]


def test_what_is_sent_behind_a_held_message_waits_and_keeps_its_order() -> None:
    """TCP-1: a gap holds up what follows it."""
    run = world(producers=[PRODUCER | {"config": {"linger.ms": 0}}], network=SLOW)
    run.run(3 * SECOND)
    request = next_of(run, wire.MSG_PRODUCE)
    run.act(run.now_us, f"hold {request.seq}")
    run.run(run.now_us + 2 * SECOND)
    before = run.verdict()["topics"][0]["acked"]  # type: ignore[index]
    run.run(run.now_us + 2 * SECOND)
    assert run.verdict()["topics"][0]["acked"] == before  # type: ignore[index]
    run.act(run.now_us, f"deliver {request.seq}")
    run.run(run.now_us + 5 * SECOND)
    numbers = [n + k for _, count, _, _, n in run.logs()[0][0] for k in range(count)]
    assert numbers == sorted(set(numbers))
    assert run.verdict()["topics"][0]["acked"] > before  # type: ignore[index]


def test_a_lost_produce_request_breaks_its_connection_and_is_repeated_once() -> None:
    """PC-7, IDEM-1."""
    run = world(producers=[PRODUCER], network=SLOW)
    run.run(3 * SECOND)
    request = next_of(run, wire.MSG_PRODUCE)
    run.act(run.now_us, f"drop {request.seq}")
    run.run(run.now_us + 100_000)
    ended = {one.flight: one.how for one in facts(run, FlightEnded)}
    assert ended[request.seq] == wire.FLIGHT_DROPPED
    run.act(run.now_us, "rate P 0")
    run.run(run.now_us + 10 * SECOND)
    topic = run.verdict()["topics"][0]  # type: ignore[index]
    assert (topic["acked"], topic["duplicated"], topic["open"]) == (topic["calls"], 0, 0)


def test_healing_everything_lets_held_messages_go() -> None:
    run = world(producers=[PRODUCER], network=SLOW)
    run.run(3 * SECOND)
    run.act(run.now_us, f"hold {next_of(run, wire.MSG_PRODUCE).seq}")
    run.run(run.now_us + SECOND)
    run.act(run.now_us, "rate P 0")
    run.act(run.now_us + 1, "heal")
    run.run(run.now_us + 10 * SECOND)
    topic = run.verdict()["topics"][0]  # type: ignore[index]
    assert topic["acked"] == topic["calls"]


@pytest.mark.parametrize("verb", ["hold", "deliver", "drop"])
def test_a_message_that_is_not_under_way_is_left_alone(verb: str) -> None:
    run = world(producers=[PRODUCER])
    run.run(2 * SECOND)
    run.trace.take()
    at_us = run.act(run.now_us, f"{verb} 1")
    run.run(at_us)
    assert not facts(run, FlightEnded)


def hands(luck: random.Random, run: World) -> list[tuple[int, str]]:
    """Twelve seconds of meddling with whatever is under way; the actions and their moments."""
    done: list[tuple[int, str]] = []
    while run.now_us < 15 * SECOND:
        run.run(run.now_us + luck.randrange(20_000, 900_000))
        there = [one.seq for one in flights(run) if one.arrive > run.now_us]
        held = [int(text.split()[1]) for _, text in done if text.startswith("hold")]
        choices = [f"{verb} {luck.choice(there)}" for verb in ("hold", "deliver", "drop") if there]
        choices += [f"deliver {luck.choice(held)}", f"drop {luck.choice(held)}"] if held else []
        choices += ["cut 0|1", "heal", "kill 0", "start 0", "pause 1", "resume 1"]
        text = luck.choice(choices)
        done.append((run.act(run.now_us + 1, text), text))
    return done


@pytest.mark.parametrize("seed", range(8))
def test_a_run_that_was_meddled_with_replays_to_the_same_digest(seed: int) -> None:
    """Design 6: live, replayed and sliced runs have one digest."""
    producers = [PRODUCER | {"config": {"linger.ms": 0}}, PRODUCER | {"id": "Q", "acks": "1", "rate": 25}]
    consumers = [{"id": "C", "group": "g", "topics": ["t"], "config": {"auto.offset.reset": "earliest"}}]
    document: Callable[..., World] = lambda **more: world(  # noqa: E731
        producers=producers, consumers=consumers, network={"latency": "30ms", "jitter": "9ms"}, seed=seed, **more
    )
    live = document()
    done = hands(random.Random(seed), live)
    live.act(live.now_us, "heal")
    end_us = live.now_us + 40 * SECOND
    done.append((live.now_us + 1, "heal"))
    live.run(end_us)
    timeline = [{"at": f"{at}us", "do": text} for at, text in done]
    replayed = document(timeline=timeline)
    replayed.run(end_us)
    sliced = document(timeline=timeline)
    while sliced.now_us < end_us:
        sliced.run(min(end_us, sliced.now_us + 700_000), 50)
    assert live.digest() == replayed.digest() == sliced.digest()
    assert replayed.verdict()["balance_ok"]


def test_invariants_hold_while_messages_are_held_and_lost() -> None:
    base = {
        "format": 1,
        "seed": 3,
        "until": "60s",
        "cluster": {"brokers": [0, 1, 2], "controllers": [100, 101, 102]},
        "topics": [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}}],
        "producers": [PRODUCER],
        "network": SLOW,
    }
    run = checked(load(base))
    run.trace.keep_traffic = True
    hands(random.Random(99), run)
    run.act(run.now_us, "heal")
    run.run(run.now_us + 20 * SECOND)
