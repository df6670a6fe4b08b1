"""Small clusters for engine tests: a document in a few lines, and the facts of its run in the form of dicts."""

from typing import Any

from simengine.kernel.facts import KINDS
from simengine.scenario import load
from simengine.world import World, build

SECOND = 1_000_000
NAMES = {kind.number: kind for kind in KINDS}


def world(**document: Any) -> World:
    """A world of brokers 0, 1, 2 and topic t with one partition [0, 1, 2], M=2, ELR off, unless said otherwise."""
    base: dict[str, Any] = {
        "format": 1,
        "title": "test",
        "seed": 5,
        "elr": False,
        "until": "600s",
        "cluster": {"brokers": [0, 1, 2], "controllers": [100, 101, 102]},
        "topics": [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}}],
    }
    base.update(document)
    made = build(load(base))
    made.trace.keep_traffic = True
    return made


def facts(run: World, *names: str) -> list[dict[str, Any]]:
    """The facts of these kinds since the last call, as dicts with their time in seconds under ``at``."""
    found: list[dict[str, Any]] = []
    for row in run.trace.take().rows():
        kind = NAMES[row[2]]  # type: ignore[index]
        if kind.name in names:
            fields = kind.ints + kind.lists + ((kind.text,) if kind.text else ())
            entry: dict[str, Any] = dict(zip(fields, row[4:], strict=False))
            entry["kind"] = kind.name
            entry["at"] = row[1] / SECOND  # type: ignore[operator]
            found.append(entry)
    return found


def delivered(run: World) -> list[tuple[int, int]]:
    """(offset, epoch) of every record delivered since the last look, in order."""
    return [(fact["offset"] + k, fact["epoch"]) for fact in facts(run, "Delivered") for k in range(fact["count"])]
