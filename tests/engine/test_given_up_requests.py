"""Requests that their client has given up, and that the broker reads later (PROD-13)."""

from typing import Any

import pytest

from simengine.facts.reading import read
from simengine.facts.traffic import Appended
from simengine.scenario import load
from simengine.world.world import World, build

SECOND = 1_000_000
ONE_BROKER = """
format: 1
cluster: {brokers: [0], controllers: [100]}
topics: [{name: t, assignment: [[0]], config: {min.insync.replicas: 1}}]
producers:
  - id: P
    topic: t
    acks: 1
    config: {linger.ms: 0, enable.idempotence: IDEMPOTENT, request.timeout.ms: 3000, delivery.timeout.ms: DELIVERY}
timeline:
"""


def world_of(*actions: str, delivery_ms: int = 3000, idempotent: bool = False, acks: str = "1", seed: int = 1) -> World:
    text = ONE_BROKER.replace("DELIVERY", str(delivery_ms)).replace("IDEMPOTENT", str(idempotent).lower())
    text = text.replace("acks: 1", f"acks: {'all' if idempotent else acks}").replace(
        "format: 1", f"format: 1\nseed: {seed}"
    )
    return build(load((text + "".join(f"  - {{{action}}}\n" for action in actions)).encode()))


def topic(*actions: str, until_s: int = 60, **options: Any) -> dict[str, Any]:
    world = world_of(*actions, **options)
    world.run(until_s * SECOND)
    verdict: Any = world.verdict()
    found: dict[str, Any] = verdict["topics"][0]
    return found


CUT = ("at: 1s, do: send P t-0 2", "at: 10s, do: cut P|0", "at: 11s, do: send P t-0 1", "at: 20s, do: heal")


def test_a_record_that_failed_behind_a_cut_is_written_after_the_heal() -> None:
    found = topic(*CUT)
    assert (found["acked"], found["unknown_written"]) == (2, 1)


def test_a_record_that_failed_at_a_paused_leader_is_written_when_it_goes_on() -> None:
    found = topic("at: 10s, do: pause 0", "at: 11s, do: send P t-0 1", "at: 16s, do: resume 0")
    assert (found["acked"], found["unknown_written"]) == (0, 1)


def test_a_record_that_was_sent_again_meanwhile_is_doubled_without_idempotence() -> None:
    plain, idempotent = (topic(*CUT, delivery_ms=60_000, idempotent=on) for on in (False, True))
    assert (plain["acked"], plain["duplicated"]) == (3, 1)
    assert (idempotent["acked"], idempotent["duplicated"]) == (3, 0)


def test_a_killed_broker_writes_nothing_of_it() -> None:
    """Its new process leads long before the client's kernel comes through."""
    found = topic(*CUT[:3], "at: 15s, do: kill 0", "at: 18s, do: start 0", "at: 45s, do: heal", until_s=200)
    assert (found["unknown"], found["unknown_written"]) == (1, 0)


@pytest.mark.parametrize(("healed_s", "written"), [(30, 1), (80, 0)])
def test_the_kernel_gives_up_after_a_while(healed_s: int, written: int) -> None:
    """TCP repeats 52 s and 104 s after the first try; Linux gives a closed socket up between the two."""
    found = topic("at: 1s, do: cut P|0", "at: 2s, do: send P t-0 1", f"at: {healed_s}s, do: heal", until_s=300)
    assert (found["unknown"], found["unknown_written"]) == (1, written)


def test_of_several_requests_the_first_is_written_and_each_further_one_by_chance() -> None:
    """They are a second apart, so each is a request; the records keep their order."""
    sends = [f"at: {at}s, do: send P t-0 1" for at in (11, 12, 13)]
    counts = {
        topic("at: 10s, do: cut P|0", *sends, "at: 20s, do: heal", seed=seed)["unknown_written"] for seed in range(12)
    }
    assert counts == {1, 2, 3}


def test_they_are_written_in_the_order_in_which_they_were_sent() -> None:
    """The first is under way as its connection is closed, and is lost after the second, which never left."""
    sends = [f"at: {at}s, do: send P t-0 1" for at in (11, 13)]
    world = world_of(
        "at: 1s, do: send P t-0 1",
        "at: 10s, do: slow-link P|0 5s",
        sends[0],
        "at: 12s, do: cut P|0",
        sends[1],
        "at: 40s, do: heal",
        seed=2,
    )
    world.trace.keep_kinds([Appended.KIND])
    world.run(90 * SECOND)
    appended = [fact.n for fact in map(read, world.trace.take().rows()) if isinstance(fact, Appended)]
    assert appended == [0, 1, 2]
