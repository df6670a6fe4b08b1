"""Two drawn clusters in one world: the invariants hold in each, and each states what it states alone.

Held for a share of the swarm's runs. What is aimed while a run goes on, and the heal phase, are left out: both look at
one cluster.
"""

from itertools import zip_longest
from typing import Final

from simengine.scenario import Document, load
from simengine.scenario.sites import together
from simengine.world.cluster_facts import Story, stories
from simengine.world.world import World
from tests.checked import checked, checks_of
from tests.invariants import full_checks
from tests.invariants.link_checks import message_conservation
from tests.invariants.violation import demand
from tests.swarm.draw import document_of, draw

BESIDE_ONE_IN: Final = 25
OTHER: Final = 1_000_003  # between the seed of a run and that of the cluster beside it
UNTIL_US: Final = 30_000_000
NAMES: Final = ("east", "west")
NAME: Final = "clusters_apart"


def clusters_apart(seed: int) -> None:
    """Run the clusters of two seeds beside each other and each alone. Raises Violation."""
    documents = {name: load(document_of(draw(one))) for name, one in zip(NAMES, (seed, seed + OTHER), strict=True)}
    beside = told(documents, seed)
    for name, story in zip(NAMES, beside, strict=True):
        [alone] = told({name: documents[name]}, seed)
        for ours, theirs in zip_longest(alone, story):
            demand(ours == theirs, NAME, f"cluster {name}", f"{ours} alone, {theirs} beside the other")


def told(documents: dict[str, Document], seed: int) -> list[Story]:
    """The statements of each of these clusters in one world, under all invariants."""
    world = checked(together(documents, seed))
    world.trace.keep_traffic = True
    world.run(UNTIL_US)
    check_whole(world)
    return stories(world)


def check_whole(world: World) -> None:
    """The slow checks, of every cluster."""
    for run in world.cluster_runs:
        full_checks.check_all(run.cluster, checks_of(run).parts)
    message_conservation(world.net)
