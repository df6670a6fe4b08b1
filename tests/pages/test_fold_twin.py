"""The page's fold, the engine's fold and the engine's snapshots are one: after each frame, and from a view midway."""

import copy
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from simengine.fold import fold
from simengine.scenario import load
from simengine.world import build
from tools.node import NODE

ROOT = Path(__file__).resolve().parent.parent.parent
SCENARIOS = sorted((ROOT / "tests" / "scenarios").glob("*.yaml"))
FRAMES = 16


def frames_of(path: Path) -> list[Any]:
    """The first snapshot of a scenario's run, then rows and snapshot of each of FRAMES frames."""
    document = load(path.read_bytes())
    world = build(document)
    world.trace.keep_traffic = True
    lines: list[Any] = [copy.deepcopy(world.snapshot())]
    world.trace.take()
    for frame in range(1, FRAMES + 1):
        world.run(document.until_us * frame // FRAMES)
        rows = world.trace.take().rows()
        lines.append({"rows": rows, "view": copy.deepcopy(world.snapshot())})
    return lines


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_pages_fold_equals_the_engines_and_its_snapshots(path: Path, tmp_path: Path) -> None:
    lines = frames_of(path)
    view = json.loads(json.dumps(lines[0]))
    for line in lines[1:]:
        for row in line["rows"]:
            fold(view, row)
        view["t"] = line["view"]["t"]
        assert view == json.loads(json.dumps(line["view"]))
    file = tmp_path / "frames.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    twin = subprocess.run([NODE, ROOT / "tests/js/fold_twin.js", file], capture_output=True, text=True, check=False)
    assert twin.returncode == 0, twin.stdout + twin.stderr
