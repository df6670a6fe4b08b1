"""Compares what JMX would say at a moment with what a document expects of it."""

from typing import Final

from simengine.scenario.expect.language import END, Expectation, bounds
from simengine.scenario.expect.observed import Observation
from simengine.scenario.expect.states import inside

CONTROLLERS: Final = "kafka.controller:"


def judge_metric(observed: Observation, expectation: Expectation) -> str:
    """The difference between a name's readings, summed over the processes meant, and the expected value; "" if none.

    ``of`` names one process, ``on`` one partition; without them all that answer are meant. What every controller
    publishes of the same metadata is not summed: the greatest reading counts, as dashboards have it (MET-7..10).
    """
    moment = expectation.when.start_us
    rows = observed.metrics[observed.until_us if moment == END else min(moment, observed.until_us)]
    wanted = expectation.wanted
    found = [row for row in rows if keys_of(str(row["name"])).get("name") == expectation.subject]
    if "of" in wanted:
        found = [row for row in found if row["node"] == wanted["of"]]
    if "on" in wanted:
        found = [row for row in found if partition_of(str(row["name"])) == wanted["on"]]
    if not found:
        return "no process that is meant has such a metric"
    values = [int(str(row["value"])) for row in found]
    is_shared = str(found[0]["name"]).startswith(CONTROLLERS) and expectation.subject != "ActiveControllerCount"
    total = max(values) if is_shared else sum(values)
    return "" if inside(total, bounds(wanted["is"])) else f"it was {total}, not {wanted['is']}"


def keys_of(mbean: str) -> dict[str, str]:
    """The key properties of an MBean's name."""
    return dict(part.split("=", 1) for part in mbean.partition(":")[2].split(","))


def partition_of(mbean: str) -> str:
    """The partition that an MBean's name names, such as t-0; "" if none."""
    keys = keys_of(mbean)
    return f"{keys['topic']}-{keys['partition']}" if "partition" in keys else ""
