"""A proxy that meddles with single requests: lost answers and reordering (S06, S07), against real brokers."""

from typing import Any

from simengine.facts.errors import ERR_DELIVERY_TIMEOUT
from simengine.facts.traffic import CallsSettled
from simengine.world.world import World
from tests.engine.cluster import SECOND, facts, world

UNSAFE = {"enable.idempotence": False}


def run_of(steps: list[tuple[float, str]], until: int, **config: Any) -> World:
    settings = {"linger.ms": 0, "batch.size": 1, "max.in.flight.requests.per.connection": 2}
    settings.update(config)
    made = world(
        producers=[{"id": "P", "topic": "t", "rate": 0, "acks": "all", "config": settings}],
        timeline=[{"at": f"{int(at * 1000)}ms", "do": verb} for at, verb in steps],
    )
    made.run(until * SECOND)
    return made


def log_of(run: World) -> list[int]:
    """Numbers of the calls in the log of broker 0, in order."""
    return [n + k for _, count, _, _, n in run.logs()[0][0] for k in range(count)]


LOST: list[tuple[float, str]] = [
    (1, "send P t-0 1"),
    (2, "intercept lost P t-0 1 drop-response"),
    (3, "send P t-0 1"),
    (8, "send P t-0 1"),
]


def test_a_lost_answer_makes_a_duplicate_without_idempotence() -> None:
    """S06 b, PC-10."""
    run = run_of(LOST, 12, **UNSAFE)
    assert log_of(run) == [0, 1, 1, 2]
    assert [f.offset for f in facts(run, CallsSettled)] == [0, 2, 3]


def test_a_lost_answer_is_made_good_by_idempotence() -> None:
    """S06 a, PROD-11: the retry is answered with the offset of the first copy."""
    run = run_of(LOST, 12)
    assert log_of(run) == [0, 1, 2]
    assert [f.offset for f in facts(run, CallsSettled)] == [0, 1, 2]


REORDER: list[tuple[float, str]] = [
    (0, "send P t-0 1"),
    (1, "stop 1"),
    (5, "stop 2"),
    (10, "intercept slow P t-0 1 delay-response 1s"),
    (10, "intercept held P t-0 2 hold-request"),
    (11, "send P t-0 1"),
    (11.3, "send P t-0 1"),
    (13, "start 1 after 1s"),
    (35, "release held"),
    (40, "send P t-0 1"),
]


def test_a_refused_batch_is_overtaken_by_the_next_without_idempotence() -> None:
    """S07 a, PC-10."""
    assert log_of(run_of(REORDER, 45, **UNSAFE)) == [0, 2, 1, 3]


def test_a_refused_batch_is_not_overtaken_with_idempotence() -> None:
    """S07 b, IDEM-4, IDEM-5."""
    assert log_of(run_of(REORDER, 45)) == [0, 1, 2, 3]


def test_without_state_in_the_partition_the_later_batch_wins_and_the_earlier_one_is_never_written() -> None:
    """S07 c as measured: OUT_OF_ORDER_SEQUENCE until the delivery timeout; new batches go on meanwhile."""
    steps = [(at, verb.replace("t-0 1 d", "t-0 0 d").replace("t-0 2 h", "t-0 1 h")) for at, verb in REORDER[1:]]
    run = run_of(steps, 60, **{"delivery.timeout.ms": 40000})
    assert log_of(run) == [1, 2]
    assert [(f.n, f.error) for f in facts(run, CallsSettled)] == [(1, 0), (2, 0), (0, ERR_DELIVERY_TIMEOUT)]


def test_a_request_that_a_proxy_holds_survives_a_cut_and_its_heal() -> None:
    """The proxy's list is not the one of TCP's retransmissions (TCP-1)."""
    steps = [
        (1.0, "send P t-0 1"),
        (2.0, "intercept i P t-0 1 hold-request"),
        (3.0, "send P t-0 1"),
        (4.0, "cut P|0"),
        (5.0, "heal"),
        (6.0, "release i"),
    ]
    assert log_of(run_of(steps, 20)) == [0, 1]
