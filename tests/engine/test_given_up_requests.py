"""Requests that their client has given up, and that the broker reads later (PROD-13)."""

from typing import Any

from simengine.scenario import load
from simengine.world.world import build

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


def topic(*actions: str, delivery_ms: int = 3000, idempotent: bool = False) -> dict[str, Any]:
    text = ONE_BROKER.replace("DELIVERY", str(delivery_ms)).replace("IDEMPOTENT", str(idempotent).lower())
    if idempotent:
        text = text.replace("acks: 1", "acks: all")
    world = build(load((text + "".join(f"  - {{{action}}}\n" for action in actions)).encode()))
    world.run(60 * SECOND)
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
    found = topic(*CUT[:3], "at: 15s, do: kill 0", "at: 18s, do: start 0", CUT[3])
    assert found["unknown_written"] == 0


def test_the_kernel_gives_up_after_a_while() -> None:
    """Two minutes on a closed socket are too long."""
    actions = ("at: 1s, do: cut P|0", "at: 2s, do: send P t-0 1")
    text = ONE_BROKER.replace("DELIVERY", "3000").replace("IDEMPOTENT", "false")
    text += "".join(f"  - {{{action}}}\n" for action in (*actions, "at: 110s, do: heal"))
    world = build(load(text.encode()))
    world.run(300 * SECOND)
    verdict: Any = world.verdict()
    assert verdict["topics"][0]["unknown_written"] == 0
