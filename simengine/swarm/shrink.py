"""Make a failing document small: fewest actions, clients and topics that still break the same property."""

import time
from typing import Final

from simengine.swarm.draw import Plan
from simengine.swarm.run import run_plan

SECONDS_MAX: Final = 60.0


def shrink(plan: Plan, name: str, seconds: float = SECONDS_MAX) -> Plan:
    """The smallest document found within the time that still breaks the property called ``name``."""
    end = time.monotonic() + seconds
    plan = shrink_list(plan, "timeline", 0, name, end)
    plan = shrink_list(plan, "consumers", 0, name, end)
    return shrink_list(plan, "producers", 1, name, end)


def breaks(plan: Plan, name: str) -> bool:
    """Whether a document breaks the property."""
    try:
        return run_plan(plan).name == name
    except ValueError:
        return False  # no longer a document


def shrink_list(plan: Plan, key: str, fewest: int, name: str, end: float) -> Plan:
    """Leave out ever smaller parts of one list (delta debugging)."""
    items = list(plan[key])
    size = max(1, len(items) // 2)
    while size >= 1 and time.monotonic() < end:
        at = 0
        while at < len(items) and time.monotonic() < end:
            tried = items[:at] + items[at + size :]
            if len(tried) >= fewest and breaks({**plan, key: tried}, name):
                items = tried
            else:
                at += size
        size //= 2
    return {**plan, key: items}
