"""A share of the swarm's runs goes beside a second cluster, and each must go as it goes alone."""

import pytest

from simengine.scenario import Document
from simengine.world.cluster_facts import Story
from tests.invariants.violation import Violation
from tests.swarm import beside, run


def test_two_random_clusters_in_one_world_state_what_each_states_alone() -> None:
    beside.clusters_apart(30)


def test_clusters_apart_rejects_a_cluster_that_goes_otherwise_beside_another(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(documents: dict[str, Document], seed: int) -> list[Story]:
        return [[[5, "ActionDone", 0, len(documents) if name == "west" else 1]] for name in documents]

    monkeypatch.setattr(beside, "told", told)
    with pytest.raises(Violation, match=r"clusters_apart at cluster west: .* 1\] alone, .* 2\] beside the other"):
        beside.clusters_apart(30)


def test_a_cluster_that_is_not_apart_ends_the_swarms_run_with_its_seed() -> None:
    def broken(seed: int) -> None:
        raise Violation(beside.NAME, "cluster east", f"seed {seed}")

    outcome = run.Outcome(beside.BESIDE_ONE_IN)
    run.run_two(outcome, broken)
    assert (outcome.name, outcome.where, outcome.story, outcome.plan) == (
        "clusters_apart",
        "cluster east",
        [f"seed {beside.BESIDE_ONE_IN}"],
        {},
    )
