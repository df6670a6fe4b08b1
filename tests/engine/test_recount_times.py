"""The verdict's times, latencies and hidden records equal a recount from the facts alone (FATE-8, STOP-1..4).

On every scenario and on some random documents, to the microsecond; latencies stand in a histogram (1.6 %).
"""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from simengine.scenario import load
from simengine.scenario.model import Document
from simengine.verdict.outage import THETA_US
from simengine.world.world import World, build
from tests.engine.cluster import taken
from tests.long_form import runs
from tests.recount.fates import KINDS, Recount
from tests.recount.served import reader_us
from tests.recount.times import Stretch, Times
from tests.swarm.draw import Plan, document_of, draw
from tests.swarm.size import seeds

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))
RANDOM_DOCUMENTS = runs("random runs whose times are measured again")
FOUND = (  # on which the two accounts once differed
    7435,  # acknowledged between an election and the moment at which the same broker knows of it
    50064,  # a reader that never had a position is none of whom a follower may serve
    50094,  # records that come back are exposed and hidden anew
    60009,  # a jump of a position ends no time without records
    60045,  # acks=all, and a copy died before the answer came
)
PARTITIONS_MAX = 8  # of a random document: a recount is slow
SLICE_US = 500_000


def random_seeds() -> list[int]:
    few = (seed for seed in seeds(10 * RANDOM_DOCUMENTS) if partitions(draw(seed)) <= PARTITIONS_MAX)
    return list(islice(few, RANDOM_DOCUMENTS))


def partitions(plan: Plan) -> int:
    return sum(len(topic["assignment"]) for topic in plan["topics"])


def latency_differences(world: World, topic: dict[str, Any], times: Times) -> list[str]:
    index = next(i for i, one in enumerate(world.cluster.topics) if one.title == topic["topic"])
    found = []
    for name, per_thousand in (("latency_p50_us", 500), ("latency_p99_us", 990)):
        mine = times.calls.latency(index, per_thousand)
        if abs(topic[name] - mine) > mine * 16 // 1000 + 1:
            found.append(f"{topic['topic']}: {name} {topic[name]}, not {mine}")
    return found


def longer(us: int) -> int:
    """The time, or 0 if it is not longer than theta: that is latency."""
    return us if us > THETA_US else 0


def exposure_differences(part: dict[str, Any], times: Times, now: int) -> list[str]:
    """A copy whose process comes up may count or not."""
    early, late = (times.exposed_for(part["partition"], is_early, now) for is_early in (True, False))
    if length(early) <= part["exposed_us"] <= length(late):
        return []
    return [f"{part['partition']}: exposed {part['exposed_us']}, not {length(early)} to {length(late)}"]


def length(stretches: list[Stretch]) -> int:
    return sum(end - start for start, end in stretches)


def differences(world: World, times: Times) -> list[str]:
    verdict: Any = world.verdict()
    now = world.now_us
    found = []
    for topic in verdict["topics"]:
        found += latency_differences(world, topic, times)
        parts = [part["partition"] for part in topic["partitions"]]
        exact = {
            "longest_wait_us": max(times.calls.longest_wait(p, now) for p in parts),
            "longest_read_us": longer(max(times.longest_read(p) for p in parts)),
            "vain_us": max(times.calls.vain_us(p) for p in parts),
        }
        found += [
            f"{topic['topic']}: {name} {topic[name]}, not {us}" for name, us in exact.items() if topic[name] != us
        ]
        for part in topic["partitions"]:
            p = part["partition"]
            if world.cluster.topics[world.cluster.partition_names[p][0]].is_deleted:
                continue  # nobody reads a deleted topic, and its copies are removed: this recount does not follow that
            least, most = reader_us(times, p, now)
            if not least <= part["read_down_client_us"] <= most:
                found.append(f"{p}: read_down_client_us {part['read_down_client_us']}, not {least} to {most}")
            exact = {
                "read_down_us": times.read_out[p].us(now) if p in times.read_out else 0,
                "write_down_client_us": times.calls.no_response(p, now),
                "lost_before": times.lost_before(p),
            }
            found += [f"{p}: {name} {part[name]}, not {us}" for name, us in exact.items() if part[name] != us]
            hidden, oldest_us = times.hidden(p, now)
            if part["hidden"] != (hidden if oldest_us >= THETA_US else 0):
                found.append(f"{p}: hidden {part['hidden']}, not {hidden}, the oldest for {oldest_us} us")
            found += exposure_differences(part, times, now)
    return found


def recounted(document: Document) -> list[str]:
    world = build(document)
    world.trace.keep_kinds(list(KINDS))
    times = Times(world, Recount(world))
    while world.now_us < document.until_us:
        world.run(min(world.now_us + SLICE_US, document.until_us))
        times.feed(taken(world))
    times.close(world.now_us)
    return differences(world, times)


@pytest.mark.parametrize(
    "path", SCENARIOS[:: runs("the times of one scenario are measured again in")], ids=lambda path: path.stem
)
def test_the_times_of_a_scenario_equal_a_recount_from_its_facts(path: Path) -> None:
    assert recounted(load(path.read_bytes())) == []


@pytest.mark.parametrize("seed", [*random_seeds(), *FOUND])
def test_the_times_of_a_random_run_equal_a_recount_from_its_facts(seed: int) -> None:
    assert recounted(load(document_of(draw(seed)))) == []
