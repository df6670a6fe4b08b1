"""The still that the server draws shows the offsets that the page's script shows."""

import json
import subprocess
from pathlib import Path
from typing import Any

from playground.rooms.still import window_of
from playground.rooms.still_layout import SLOTS
from simengine.scenario import load
from simengine.world.world import build
from tools.node import NODE

ROOT = Path(__file__).resolve().parent.parent.parent
SCENARIOS = sorted((ROOT / "tests" / "scenarios").glob("*.yaml"))


def partitions_of(path: Path) -> list[Any]:
    """Every partition of a scenario at a quarter, half, three quarters and the whole of its time."""
    document = load(path.read_bytes())
    world = build(document)
    found: list[Any] = []
    for quarter in range(1, 5):
        world.run(document.until_us * quarter // 4)
        view: Any = world.snapshot()
        found += view["partitions"]
    return found


def test_python_and_javascript_show_the_same_offsets(tmp_path: Path) -> None:
    partitions = [partition for path in SCENARIOS for partition in partitions_of(path)]
    assert any(partition["lost"] for partition in partitions)
    file = tmp_path / "partitions.json"
    file.write_text(json.dumps({"slots": SLOTS, "partitions": partitions}))
    words = [NODE, ROOT / "tests/js/window_twin.js", file]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == [
        [token if isinstance(token, int) else list(token) for token in window_of(partition)] for partition in partitions
    ]
