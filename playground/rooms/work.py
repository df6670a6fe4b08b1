"""Works of the engine processes for rooms: the runs of live rooms, and the questions beside them.

All of them are given a run as it is stored.
"""

from typing import Any

from playground.rooms.run import RoomRun
from playground.scenarios import documents
from simengine.explain.examine import examine
from simengine.scenario.sites import only_cluster


def run_of(stored: documents.StoredScenario) -> RoomRun:
    """The run of a stored document with its accepted actions. Raises DocumentError."""
    return RoomRun(documents.of_stored(stored))


def examined(argument: tuple[documents.StoredScenario, int]) -> dict[str, Any]:
    """Verdict, checked decisions and chains of a run at a moment. Raises DocumentError."""
    stored, until_us = argument
    return examine(only_cluster(documents.of_stored(stored)), until_us)
