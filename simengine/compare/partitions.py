"""The partitions in which runs differ at a moment: in leader, epoch, ISR, HW, LEO, or the fate of a record."""

from collections.abc import Sequence
from typing import Any, Final

from simengine.kernel.titles import partition_title
from simengine.world.world import World

Json = dict[str, Any]
OF_CONTROLLER: Final = ("leader", "epoch", "isr")
OF_COPIES: Final = ("hw", "leo")
STATE: Final = (*OF_CONTROLLER, *OF_COPIES, "lost")
STATE_WORDS: Final = dict(zip(STATE, ("leader", "epoch", "ISR", "HW", "LEO", "lost records"), strict=True))


def partitions_apart(worlds: Sequence[World]) -> list[Json]:
    """The partitions that differ: the name, the keys of ``STATE`` that differ, and the state in each run.

    A run that lacks the partition has None. ``hw`` and ``leo`` are those of the leader's copy, None without a leader.
    """
    sides = [partition_states(world) for world in worlds]
    names = {name: True for side in sides for name in side}
    apart = []
    for name in names:
        states = [side.get(name) for side in sides]
        keys = [key for key in STATE if len({repr(state and state[key]) for state in states}) > 1]
        if keys:
            apart.append({"partition": name, "differs": keys, "sides": states})
    return apart


def partition_states(world: World) -> dict[str, Json]:
    """By partition: its state in the words of ``STATE``; ``lost`` is the number of lost acknowledged records."""
    view: Any = world.snapshot()
    found: dict[str, Json] = {}
    for told in view["partitions"]:
        if told["topic"] < 0:
            continue
        copy = told["copies"].get(str(told["leader"])) or dict.fromkeys(OF_COPIES)
        name = partition_title(view["topics"][told["topic"]]["name"], told["number"])
        found[name] = {
            **{key: told[key] for key in OF_CONTROLLER},
            **{key: copy[key] for key in OF_COPIES},
            "lost": sum(run[1] for run in told["lost"]),
        }
    return found
