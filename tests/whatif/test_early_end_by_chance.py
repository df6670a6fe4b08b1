"""Random documents, drawn to mislead the rule of rest by timeouts, rates and delays: rows are those of whole runs."""

from random import Random
from typing import Any

import pytest

from playground.whatif.pipeline.early_end import EarlyEnd
from playground.whatif.pipeline.run_one import run_row
from playground.whatif.pipeline.schema import COUNTS, TIMES
from tests.long_form import runs

EXACT = (*COUNTS, *TIMES, "write_down_us", "deciding_us", "parts", "balance_ok", "settled", "lost_at_us", "alerted_us")
SEEDS = range(runs("random documents whose rows are computed whole and closed at rest"))
CLOSED: dict[int, bool] = {}


def drawn(seed: int) -> dict[str, Any]:
    """A document of three brokers with one fault or change, and settings near their limits."""
    rng = Random(f"rest {seed}")
    config = {
        "replica.lag.time.max.ms": rng.choice([*[30_000] * 8, 520, 2_000]),
        "broker.session.timeout.ms": rng.choice([*[9_000] * 8, 2_100]),
    }
    producer = {
        "request.timeout.ms": rng.choice([*[30_000] * 8, 340]),
        "linger.ms": rng.choice([*[0, 5] * 4, 1_500]),
        "retries": rng.choice([2_147_483_647, 2_147_483_647, 0]),
        "enable.idempotence": False,
    }
    producer["delivery.timeout.ms"] = rng.choice(
        [*[120_000] * 8, producer["request.timeout.ms"] + producer["linger.ms"] + 5]
    )
    rate, acks = rng.choice([0.02, 0.3, 2, 40]), rng.choice(["1", "all"])
    return {
        "format": 1,
        "title": "Drawn",
        "seed": seed,
        "until": "420s",
        "closing": "420s",
        "cluster": {
            "brokers": [{"id": n, "rack": f"az-{n}"} for n in (1, 2, 3)],
            "controllers": [100, 101, 102],
            "config": config,
        },
        "topics": [
            {
                "name": "orders",
                "assignment": [[1, 2, 3], [2, 3, 1]],
                "config": {"min.insync.replicas": rng.choice([1, 2])},
            }
        ],
        "producers": [
            {"id": "P", "topic": "orders", "rate": rate, "acks": acks, "config": producer},
            {"id": "Q", "topic": "orders", "rate": rng.choice([0.1, 20]), "acks": "all"},
        ],
        "consumers": [{"id": "C", "topics": ["orders"], "group": "g"}],
        "network": {"latency": f"{rng.choice([1, 10, 40])}ms", "jitter": f"{rng.choice([0, 5, 60])}ms"},
        "timeline": [{"at": f"{rng.randint(5, 60)}s", "do": action} for action in rng.choice(CHANGES)[:1]]
        + [{"at": f"{rng.randint(70, 90)}s", "do": action} for action in rng.choice(CHANGES)[1:]],
    }


CHANGES: tuple[tuple[str, ...], ...] = (
    ("kill 1", "start 1"),
    ("power-loss 1",),
    ("pause 2", "resume 2"),
    ("cut 1|2", "heal"),
    ("reassign orders-0 2,1,3", "elect preferred orders-0"),
    ("kill 100", "start 100"),
    ("stop 3",),
)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_row_closed_at_rest_equals_the_row_of_the_whole_run(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    document = drawn(seed)
    row = run_row(document)
    CLOSED[seed] = row["rest_us"] is not None
    if not CLOSED[seed]:
        return
    monkeypatch.setattr(EarlyEnd, "is_over", lambda early: False)
    whole = run_row(document)
    assert {name: row[name] for name in EXACT} == {name: whole[name] for name in EXACT}


def test_many_of_these_runs_were_closed_at_rest() -> None:
    assert sum(CLOSED.values()) >= len(CLOSED) // 6
