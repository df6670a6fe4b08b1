"""Failures that the fault model draws are tried as what decided a loss, like the actions of the timeline."""

import pytest

from simengine.explain.decide import Harm, Reruns, decisions, lost_in, written_out
from simengine.explain.examine import examine
from simengine.scenario import Document, load
from simengine.world.world import build

UNTIL_US = 60_000_000


def drawn(seed: int, kind: str = "power-loss") -> Document:
    """Three brokers that fail at random under acks=1, and an administrator's kill among it."""
    return load(
        {
            "format": 1,
            "seed": seed,
            "until": "60s",
            "cluster": {"brokers": [1, 2, 3], "controllers": [100]},
            "topics": [{"name": "t", "assignment": [[1, 2, 3]], "config": {"unclean.leader.election.enable": True}}],
            "producers": [{"id": "P", "topic": "t", "rate": 50, "acks": 1}],
            "faults": {"broker-mttf": "15s", "broker-mttr": "4s", "kind": kind},
            "timeline": [{"at": "20s", "do": "kill 2"}, {"at": "30s", "do": "start 2"}],
        }
    )


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("kind", ["kill", "stop", "pause", "power-loss"])
def test_drawn_failures_written_out_make_the_same_run(seed: int, kind: str) -> None:
    doc = drawn(seed, kind)
    whole = written_out(doc, UNTIL_US)
    assert whole.faults is None
    assert len(whole.timeline) > len(doc.timeline)
    worlds = [build(doc), build(whole)]
    for world in worlds:
        world.run(UNTIL_US)
    assert worlds[0].digest() == worlds[1].digest()


def test_what_a_drawn_failure_decided_is_named_and_holds() -> None:
    told: list[bool] = []
    for seed in (3, 5, 6):
        doc = drawn(seed)
        found = examine(doc, UNTIL_US)
        for one in found["decided"].values():
            if one is not None and one["index"] < 0:
                whole = written_out(doc, UNTIL_US)
                left = [e for e in whole.timeline if (e.at_us, str(e.action)) != (one["at_us"], one["text"])]
                assert len(left) == len(whole.timeline) - 1
                assert lost_in(whole.model_copy(update={"timeline": left}), UNTIL_US) == {}
                told.append(any(link["decides"] for chain in found["chains"] for link in chain["links"]))
    assert any(told)


def test_each_action_is_left_out_once_for_all_questions_and_no_more_than_may_be() -> None:
    doc, made = drawn(1), list[int]()

    def run(left: Document, _: int) -> dict[str, Harm]:
        made.append(len(left.timeline))
        return {"t": Harm(1)}

    reruns = Reruns(doc, UNTIL_US, run, most=5)
    assert 5 < len(reruns.candidates) < 40
    assert [decisions(reruns, [(UNTIL_US, {("t", 0, "P"): [(0, 1)]})], ["t"])["t"] for _ in range(2)] == [None, None]
    assert len(made) == 5
