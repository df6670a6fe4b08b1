"""The errors that a producer gets for failing writes: stated once, until a write to the partition succeeds (PC-3)."""

from simengine.facts.decisive import WriteFailed
from simengine.facts.errors import ERR_NETWORK_EXCEPTION, ERR_NOT_ENOUGH_REPLICAS
from simengine.scenario import load
from simengine.world.world import build
from tests.engine.cluster import SECOND, THREE_BROKERS, stated

DOCUMENT = (
    THREE_BROKERS
    + """
topics:
  - {name: orders, assignment: [[1, 2, 3]], config: {min.insync.replicas: 2}}
producers:
  - {id: writer, topic: orders, rate: RATE, acks: all, CONFIG}
timeline: [TIMELINE]
"""
)


def failures(timeline: str, until_s: int, config: str = "", rate: int = 40) -> list[tuple[int, int, bool]]:
    """(second, error, whether calls ended with it) of each fact."""
    text = DOCUMENT.replace("TIMELINE", timeline).replace(", CONFIG", config).replace("RATE", str(rate))
    world = build(load(text.encode()))
    world.run(until_s * SECOND)
    told = stated(world, WriteFailed)
    assert all((fact.client, fact.p) == (0, 0) for fact in told)
    return [(fact.t // SECOND, fact.error, bool(fact.ended)) for fact in told]


def test_refusals_below_min_isr_are_stated_once_until_a_write_succeeds() -> None:
    """PROD-2: the producer asks again every second at most (PC-4); that is one story, not sixty.

    It is silent while a replica stops: what it wrote just then would wait at the leader, and all after it (PROD-12).
    """
    stops = [
        f"{{at: {at - 2}s, do: rate writer 0}}, {{at: {at}s, do: stop {broker}}}, {{at: {at + 2}s, do: rate writer 40}}"
        for at, broker in ((10, 3), (60, 2))
    ]
    found = failures(", ".join(["{at: 5s, do: stop 2}", stops[0], "{at: 40s, do: start 2}", stops[1]]), 80)
    refused = [second for second, error, ended in found if error == ERR_NOT_ENOUGH_REPLICAS and not ended]
    assert [second // 20 for second in refused] == [0, 3]
    assert not any(ended for _, _, ended in found)


def test_calls_that_end_with_an_error_are_stated_beside_the_attempts_that_failed() -> None:
    """PC-3: after ``delivery.timeout.ms`` the callback fails."""
    short = ", config: {delivery.timeout.ms: 31000}"
    found = failures("{at: 5s, do: stop 2}, {at: 10s, do: stop 3}", 60, short)
    assert [ended for _, _, ended in found] == [False, True]
    assert found[1][0] in (41, 42)


def test_a_connection_that_breaks_under_a_write_is_stated() -> None:
    """PC-7: a dead process resets its connections."""
    found = failures("{at: 5s, do: kill 1}", 7, rate=1000)
    assert (5, ERR_NETWORK_EXCEPTION, False) in found


def test_where_every_write_succeeds_nothing_is_stated() -> None:
    assert failures("{at: 5s, do: stop 2}", 20) == []
