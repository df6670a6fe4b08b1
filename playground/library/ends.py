"""The ends of the runs of gallery and questions: figures, sentences and small pictures, kept beside this module.

`tools/gallery_ends.py` writes the file from the runs themselves.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from django.template.loader import render_to_string

FILE: Final = Path(__file__).parent / "ends.json"
PITCH: Final = 10
LEFT: Final = 20  # the sign of a replica stands there
ROW_HEIGHT: Final = 16
SLOTS: Final = 8

Json = dict[str, Any]
Replicas = list[Json]


@dataclass(frozen=True, slots=True)
class SmallReplica:
    """One line of a small picture: `y`, its sign, `hw_x` (the high watermark), and its records as (x, hue, fate)."""

    y: int
    sign: str
    hw_x: int
    marks: tuple[tuple[int, int, str], ...]


@lru_cache(maxsize=1)
def ends() -> Json:
    """``scenarios`` by name and ``questions`` by key."""
    read: Json = json.loads(FILE.read_text(encoding="utf-8"))
    return read


def replicas_of(scenario: str) -> Replicas:
    """The replicas that are drawn of a scenario; none for one that the file does not have yet."""
    found: Replicas = ends()["scenarios"].get(scenario, {}).get("picture", [])
    return found


def picture(replicas: Replicas, words: str) -> str:
    """The gravest partition of a run at its gravest moment, as an SVG: a line for each replica. `words` tell it."""
    drawn = [
        SmallReplica(
            i * ROW_HEIGHT,
            replica["sign"],
            LEFT + replica["hw"] * PITCH,
            tuple((LEFT + slot * PITCH, hue, fate) for slot, hue, fate in replica["marks"]),
        )
        for i, replica in enumerate(replicas)
    ]
    size = {"width": LEFT + SLOTS * PITCH + 4, "height": max(1, len(drawn)) * ROW_HEIGHT}
    return render_to_string("library/end_picture.html", {"replicas": drawn, "words": words, **size})


def figure_words(figures: dict[str, float]) -> SimpleNamespace:
    """Figures as an answer names and says them: ``lost`` is "5", ``writes_stopped_s`` becomes ``writes_stopped``."""
    return SimpleNamespace(**{name.removesuffix("_s"): _words(name, value) for name, value in figures.items()})


def _words(name: str, value: float) -> str:
    if not name.endswith("_s"):
        return f"{value:,}"
    return f"{value * 1e3:.0f} ms" if "latency" in name and value < 1 else f"{value:,.1f} s"
