"""The page's fold, the engine's fold and the engine's snapshots are one: after each frame, and from a view midway."""

import copy
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simengine.scenario import load
from simengine.world.fold import fold
from simengine.world.world import World, build
from tests.engine.pairs import busy_pair
from tests.mirror.documents import EVENTFUL, GROWING, SYNCED, mirrored
from tools.node import NODE

ROOT = Path(__file__).resolve().parent.parent.parent
SCENARIOS = sorted((ROOT / "tests" / "scenarios").glob("*.yaml"))
FRAMES = 16
Twin = subprocess.Popen[str]


@pytest.fixture(scope="module")
def twin() -> Iterator[Twin]:
    """The page's fold, in one process for all runs: see tests/js/fold_twin.js."""
    command = [NODE, ROOT / "tests/js/fold_twin.js"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process


def frames_of(world: World, until_us: int) -> list[Any]:
    """The first snapshot of a run, then rows and snapshot of each of FRAMES frames."""
    world.trace.keep_traffic = True
    lines: list[Any] = [copy.deepcopy(world.snapshot())]
    world.trace.take()
    for frame in range(1, FRAMES + 1):
        world.run(until_us * frame // FRAMES)
        rows = world.trace.take().rows()
        lines.append({"rows": rows, "view": copy.deepcopy(world.snapshot())})
    return lines


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_pages_fold_equals_the_engines_and_its_snapshots(path: Path, twin: Twin) -> None:
    document = load(path.read_bytes())
    all_are_one(frames_of(build(document), document.until_us), twin)


def test_the_folds_keep_two_clusters_apart(twin: Twin) -> None:
    all_are_one(frames_of(busy_pair(), 40_000_000), twin)


def test_the_folds_tell_deleted_topics_of_one_name_apart(twin: Twin) -> None:
    document = """{format: 1, until: 30s, cluster: {brokers: [0, 1, 2], controllers: [100]},
    topics: [{name: t, assignment: [[0, 1]]}, {name: u, assignment: [[1, 2]]}],
    timeline: [{at: 2s, do: delete t}, {at: 5s, do: create t 2 2}, {at: 9s, do: delete u}, {at: 12s, do: delete t},
    {at: 15s, do: create t 2 1}, {at: 20s, do: delete t}]}"""
    lines = frames_of(build(load(document)), 30_000_000)
    names = [topic["name"] for topic in lines[-1]["view"]["topics"] if "t (" in topic["name"]]
    assert names == ["t (deleted)", "t (deleted, no. 2)", "t (deleted, no. 3)"]
    all_are_one(lines, twin)


def test_the_folds_know_flows_of_mirrormaker(twin: Twin) -> None:
    all_are_one(frames_of(build(load(mirrored(SYNCED, rate=20, timeline=EVENTFUL))), 60_000_000), twin)
    looking = {"refresh.topics.interval.seconds": 5, "replication.factor": 2, "sync.topic.configs.interval.seconds": 5}
    all_are_one(frames_of(build(load(mirrored(looking, rate=20, timeline=GROWING))), 40_000_000), twin)


def all_are_one(lines: list[Any], twin: Twin) -> None:
    view = json.loads(json.dumps(lines[0]))
    for line in lines[1:]:
        for row in line["rows"]:
            fold(view, row)
        view["t"] = line["view"]["t"]
        assert view == json.loads(json.dumps(line["view"]))
    assert twin.stdin and twin.stdout
    twin.stdin.write(json.dumps(lines) + "\n")
    twin.stdin.flush()
    told = twin.stdout.readline()
    assert told == "one\n", told
