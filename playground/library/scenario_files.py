"""The files of the gallery's scenarios, which are the tests' scenarios."""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests" / "scenarios"
MIRRORS: Final = "mirrors"  # the folder of those with MirrorMaker


def files() -> list[Path]:
    """The documents of all cards: those of one cluster, then those with MirrorMaker, each by number."""
    return sorted(FOLDER.glob("*.yaml")) + sorted((FOLDER / MIRRORS).glob("*.yaml"))
