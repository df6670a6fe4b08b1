"""The pictures that an embedded run begins with: drawn for the width of its frame, so that their words keep their size.

The page cannot know its width, so it names a picture for each range of widths, and the browser takes the fitting one.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

THEMES: Final = ("light", "dark")
PLACES: Final = (348, 400, 480, 560, 640, 720, 798)  # widths of a stage; between two the picture is of the first
BESIDE_PX: Final = 24  # of a stage: its own margin and the picture's
SPLIT_FROM: Final = {2: 720, 3: 1101, 4: 1101}  # embed.css: in a narrower frame one run stands at a time

Wishes = dict[str, str | int]


def first_pictures(runs: int, themes: Sequence[str]) -> Iterator[tuple[str, Wishes]]:
    """The media query of each picture, and what its address asks for. The last ones fit every frame."""
    for theme in reversed(themes):
        scheme = f"(prefers-color-scheme: {theme}) and " if len(themes) > 1 else ""
        split = SPLIT_FROM.get(runs, 0)
        for first, last in pairwise(PLACES):
            wishes: Wishes = {"theme": theme, "width": first - BESIDE_PX}
            if split:
                yield f"{scheme}(min-width: {split}px) and (max-width: {last * runs - 1}px)", wishes
                yield f"{scheme}(max-width: {min(last, split) - 1}px)", wishes
            else:
                yield f"{scheme}(max-width: {last - 1}px)", wishes
        yield f"{scheme}(min-width: 1px)", {"theme": theme}
