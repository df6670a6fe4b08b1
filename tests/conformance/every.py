"""The recordings of one cluster that a test of all recordings reads: every fourth, and with LONG=1 each."""

from pathlib import Path
from typing import Final

from tests.long_form import runs

EVERY: Final = sorted((Path(__file__).parent / "recordings").glob("*.json"))[
    :: runs("a test of all recordings reads one in")
]
