"""`python -m tests.bench.short`: every part of the bench once, with so little work that `make test` runs them.

The figures mean nothing. What it shows: each part runs to its end and prints all its figures.
"""

import sys
from typing import Any, Final

from simengine import engine_form
from tests.bench import __main__ as bench
from tests.bench import clicks, compare, engine, estimates, hostile, old_engine, pastes, rows, sites, spark, viewers

LITTLE: Final[tuple[tuple[Any, dict[str, Any]], ...]] = (
    (engine, {"MINUTES": 1, "ROUNDS": 1, "LARGE_SECONDS": 1, "RUN_EVENTS_MAX": {engine_form(): 20_000}}),
    (sites, {"MINUTES": 1, "ROUNDS": 1}),
    (rows, {"SEEDS": 1, "PASTED_SEEDS": 1, "TOPICS": 5}),
    (old_engine, {"COMMIT": "0000000"}),  # it would be compiled
    (spark, {"WORK_SECONDS": 0.5, "HORIZON_US": 3_000_000}),
    (estimates, {"cases": lambda few=estimates.cases: [few()[0]._replace(seeds=4)]}),
    (clicks, {"CLICKS": 3, "CLICKS_FAST": 2, "LONG_US": 2_000_000, "FEW": 2}),
    (compare, {"CLICKS": 2, "FEW": 2, "SECONDS": 0.5}),
    (viewers, {"MANY": 3, "FEW": 2, "SECONDS": 0.5, "ACTIONS": 3}),
    (hostile, {"KINDS": ("Topic: ",), "LENGTH": 39_000, "CAPTIONS": 2, "TOPICS": 20}),
    (pastes, {"KINDS": {"a listing": pastes.KINDS["a listing"]}, "LINES": 200}),
)


def main(parts: list[str]) -> int:
    """Run the named parts of the bench with little work, all if none is named; its status."""
    for module, values in LITTLE:
        for name, value in values.items():
            assert hasattr(module, name), f"{module.__name__} has no {name}"
            setattr(module, name, value)
    return bench.main(parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
