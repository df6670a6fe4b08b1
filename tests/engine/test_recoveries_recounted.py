"""The RTO of each incident is the time that calls took, by a recount of calls and logs while a random run goes on."""

from pathlib import Path
from typing import Any

import pytest

from simengine import engine_form
from simengine.explain.examine import examine, why
from simengine.explain.incidents import once_each
from simengine.explain.sentences import Words
from simengine.scenario import load
from simengine.scenario.model import Document
from simengine.verdict.outage import THETA_US
from simengine.world.world import build
from tests.engine.test_recount import mixed
from tests.long_form import runs
from tests.recount.recoveries import RecoveryRecount
from tests.swarm.draw import document_of, draw
from tests.swarm.size import seeds

RUNS = runs("random runs whose recoveries are counted again") if engine_form() == "compiled" else 4
FOUND = (910008, 910016)  # a probe told a time though every record was lost; a success before the servers' stop ended
SCENARIOS = Path(__file__).parents[1] / "scenarios"

Json = dict[str, Any]


def denied(part: Json, at: int, calls: list[tuple[int, list[int]]]) -> str:
    """The fault of a partition's time; "" where calls had it: an earlier success counts if none follows soon."""
    us, first_us = part["us"], min((made for made, _ in calls), default=at + part["us"] + 1) - at
    if part["by_probe"]:
        return "" if any(made - at > us for made, _ in calls) or not calls else "somebody had called"
    if not any(at + us in successes for _, successes in calls):
        return "no success then"
    if part["client_us"] > us - first_us:
        return "the client had made no call yet"
    earlier = [[one for one in successes if one < at + us] for _, successes in calls if at + us in successes]
    is_first = any(not one or at + us - one[-1] > THETA_US for one in earlier)
    return "" if is_first else "an earlier success"


def denied_in(document: Document) -> list[str]:
    """The times of a run that its calls deny."""
    world = build(document)
    world.run(document.until_us)
    incidents = why(world, document.until_us, {}, True)["incidents"]
    recount = RecoveryRecount(build(document), [one["at_us"] for one in incidents])
    names: Json = world.names()
    words = Words(names)
    known = {words.partition(p): p for p in range(len(names["partitions"]))}
    found = []
    for incident, after in zip(incidents, recount.after, strict=True):
        for mode, rto in incident["rto"].items():
            where = f"{incident['at_us'] / 1e6:.3f} s {incident['text']} acks={mode}"
            for part in rto["partitions"]:
                calls = [one for (p, _, its), one in after.items() if (p, its) == (known[part["partition"]], mode)]
                fault = "" if part["is_new"] else denied(part, incident["at_us"], calls)
                found += [f"{where} {part['partition']} {part['us']}: {fault}"] if fault else []
            out = {known[one["partition"]] for one in rto["never"]}
            back = [us[-1] for (p, _, its), (_, us) in after.items() if its == mode and p in out and us]
            found += [f"{where}: never, but {us}" for us in back if document.until_us - us <= THETA_US]
    return found


@pytest.mark.parametrize("seed", [*seeds(RUNS), *FOUND])
def test_every_time_of_an_incident_is_one_that_calls_had(seed: int) -> None:
    plan = mixed(draw(seed)) if seed % 2 else draw(seed)
    assert denied_in(load(document_of(plan))) == []


def test_a_probe_tells_no_time_where_every_record_of_the_application_is_lost() -> None:
    """S26: Q's calls of 11 s and 30 s both went to the leader that was cut off."""
    doc = load((SCENARIOS / "s26-zombie.yaml").read_bytes())
    [incident] = examine(doc, doc.until_us)["incidents"]
    assert incident["words"][2] == (
        "RTO acks=1: none so far for t-0 (the servers would have taken a call 9.0 s after the fault)"
    )


def test_a_probe_does_not_outweigh_calls_that_had_no_success() -> None:
    """One producer called and waits, another has not called yet."""
    part = {"partition": "t-0", "by_probe": True, "first_call_us": 20, "us": 9}
    wait = {"partition": "t-0"}
    assert once_each([part], [wait]) == ([], [wait])
    assert once_each([part | {"by_probe": False}], [wait]) == ([part | {"by_probe": False}], [])
