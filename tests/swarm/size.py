"""The size of a plan. One run of seven sends most of all records, and these take most of the time of many runs."""

from itertools import count, islice
from typing import Final

from tests.long_form import is_long
from tests.swarm.draw import Plan, draw
from tests.swarm.shrink import us

RECORDS_MAX: Final = 20_000


def records(plan: Plan) -> float:
    """The records that the producers send until the end of a run, at the rates with which they begin."""
    return sum(float(producer["rate"]) for producer in plan["producers"]) * us(plan["until"]) / 1e6


def seeds(number: int) -> list[int]:
    """The first seeds: in `make test` of the plans with at most RECORDS_MAX records, in its long form of all plans."""
    found = (seed for seed in count(1) if is_long() or records(draw(seed)) <= RECORDS_MAX)
    return list(islice(found, number))
