"""The drain of a row as it must come out, written without thought for its cost: a test and a bench hold ours to it."""

from contextlib import suppress
from typing import Any

from playground.whatif.pipeline import run_one
from simengine.world.world import Refused, World

AS_CLOSED = ("end_us", "events", "digest", "ending", "topics")
"""Columns that tell how a run was closed; the others are its figures, whenever its drain ended."""


def figures_of(row: dict[str, Any]) -> dict[str, Any]:
    """The figures of a row up to the horizon."""
    return {name: value for name, value in row.items() if name not in AS_CLOSED}


def close_by_whole_verdicts(world: World) -> list[str]:
    """The drain, done dumbly: by the whole picture and the whole verdict each simulated second."""
    ending: list[str] = []

    def act(action: str) -> None:
        with suppress(Refused):
            ending.append(f"{world.act(world.now_us + 1, action)} {action}")

    act("heal")
    names: Any = world.names()
    for client in names["clients"]:
        if client["kind"] == "producer":
            act(f"rate {client['id']} 0")
    started: list[str] = []
    deadline_us = world.now_us + run_one.DRAIN_US_MAX
    while world.now_us < deadline_us:
        view: Any = world.snapshot()
        nodes = [(id_, view[kind][id_]["process"]) for kind in ("controllers", "brokers") for id_ in view[kind]]
        for node, process in nodes:
            if process in ("down", "paused") and node not in started:
                started.append(node)
                act(f"start {node}" if process == "down" else f"resume {node}")
        world.run(world.now_us + run_one.DRAIN_STEP_US)
        verdict: Any = world.verdict()
        has_open = any(topic["open"] for topic in verdict["topics"])
        if all(process == "running" for _, process in nodes) and verdict["settled"] and not has_open:
            break
    return ending
