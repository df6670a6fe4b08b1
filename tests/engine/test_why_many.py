"""Many losses, many faults, records handed over and faults that nobody calls after: all told, none cut silently."""

from functools import cache
from typing import Any

from simengine.explain.examine import CHAINS_MAX, INCIDENTS_MAX, examine
from simengine.explain.lines import lines_of
from simengine.explain.link import ChainLink, LinkKind
from simengine.facts.decisive import ActionDone
from simengine.scenario import load
from tests.engine.made_facts import made

PARTITIONS = 12


@cache
def examined(acks: str, is_all: bool = False, faults: int = 0) -> dict[str, Any]:
    """Broker 1 leads a dozen partitions, is cut off from its followers and dies: each loses what they had not."""
    flapping = [{"at": f"{30 + n}s", "do": "pause 3" if n % 2 == 0 else "resume 3"} for n in range(2 * faults)]
    doc = load(
        {
            "format": 1,
            "elr": False,
            "until": f"{60 + 2 * faults}s",
            "cluster": {"brokers": [1, 2, 3], "controllers": [100]},
            "topics": [{"name": "t", "assignment": [[1, 2, 3]] * PARTITIONS}],
            "producers": [{"id": "P", "topic": "t", "rate": 120, "acks": acks}],
            "timeline": [
                {"at": "5s", "do": "cut 1|2,3"},
                {"at": "6500ms", "do": "close P"},
                {"at": "7s", "do": "kill 1"},
                *flapping,
            ],
        }
    )
    return examine(doc, doc.until_us, is_all)


def test_losses_of_one_story_are_one_chain_that_names_every_partition() -> None:
    found = examined("1")
    told = [one for chain in found["chains"] for one in (chain, *chain["alike"])]
    assert len(found["chains"]) < 4
    assert {one["partition"] for one in told} == {f"t-{n}" for n in range(PARTITIONS)}
    assert sum(one["count"] for one in told) == found["verdict"]["topics"][0]["lost"]
    assert (found["untold"], found["untold_records"]) == (0, 0)
    text = "\n".join(lines_of(found, str))
    assert all(f"t-{n}" in text for n in range(PARTITIONS))


def test_a_story_is_another_by_its_brokers_and_settings_alone() -> None:
    def acked(broker: int, partition: int, records: list[tuple[int, int]], acks: int) -> tuple[object, ...]:
        fields = {"broker": broker, "partition": partition, "records": records, "clients": [0], "acks": acks}
        return ChainLink(LinkKind.ACKED_ON_WRITE, made(ActionDone, 1, 5, text=""), "acked", ("PROD-4",), fields).story

    story = acked(1, 0, [(5, 10), (12, 13)], 1)
    assert story == acked(1, 7, [(104, 111)], 1)
    assert story != acked(2, 0, [(5, 10), (12, 13)], 1)
    assert story != acked(1, 0, [(5, 10), (12, 13)], -1)


def test_faults_beyond_the_first_are_counted_and_told_on_request() -> None:
    found = examined("1", False, INCIDENTS_MAX)
    assert len(found["incidents"]) == INCIDENTS_MAX
    assert found["untold_incidents"] == 2
    assert "2 later faults: --all tells what they cost" in lines_of(found, str)[-1]
    every = examined("1", True, INCIDENTS_MAX)
    assert len(every["incidents"]) == INCIDENTS_MAX + 2
    assert every["untold_incidents"] == 0
    assert len(every["chains"]) < CHAINS_MAX


def test_a_probe_each_second_tells_of_partitions_that_nobody_calls_any_more() -> None:
    kill = examined("1")["incidents"][-1]
    parts = kill["rto"]["1"]["partitions"]
    assert len(parts) == PARTITIONS
    probed = [part for part in parts if part["by_probe"]]
    assert probed
    assert all(8_000_000 <= part["us"] <= 12_000_000 and part["us"] % 1_000_000 == 0 for part in probed)
