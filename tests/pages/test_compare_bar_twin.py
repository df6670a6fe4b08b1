"""The figures under a run of a comparison are those of the table of all figures, at any moment of any run."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from simengine.compare.figures import FIGURES, figure_text, figures_of
from simengine.scenario import load
from simengine.world.world import build
from tools.node import NODE

ROOT = Path(__file__).resolve().parent.parent.parent
SCENARIOS = ROOT / "tests" / "scenarios"
MOMENTS_US = (500_000, 12_250_000, 17_400_000, 26_050_000, 60_000_000)


@pytest.mark.parametrize(
    "name",
    [
        "s10-unreplicated-data",
        "s14-unclean-on",
        "s04a-hidden-then-visible",
        "s19b-slow-follower",
        "s62-the-slowest-in-sync-replica",
    ],
)
def test_the_bar_and_the_table_show_the_same(name: str, tmp_path: Path) -> None:
    world = build(load((SCENARIOS / f"{name}.yaml").read_text()))
    lists: list[list[Any]] = []
    for moment in MOMENTS_US:
        world.run(moment)
        lists.append(json.loads(json.dumps(world.verdict()["topics"])))
    file = tmp_path / "topics.json"
    file.write_text(json.dumps(lists))
    told = subprocess.run(
        [NODE, ROOT / "tests/js/compare_bar_twin.js", file], capture_output=True, text=True, check=True
    )
    by_label = {figure.label: figure for figure in FIGURES}
    for topics, shown in zip(lists, json.loads(told.stdout), strict=True):
        figures = figures_of([topic for topic in topics if not topic["coordinators"]])
        for one in shown:
            figure = by_label[one["label"]]
            assert one["text"] == figure_text(figures[figure.key], figure.unit), one["label"]
