"""Numbers on a command line: how many of something, and seeds."""

import argparse
import re
from collections.abc import Callable
from typing import Final

SEEDS_MAX: Final = 100_000  # of one call


def at_least(least: int) -> Callable[[str], int]:
    """Reads a whole number from ``least`` on. The function raises ArgumentTypeError."""

    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,16}", text) or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r}: allowed is a whole number, at least {least}")
        return int(text)

    return read


def seconds(text: str) -> float:
    """A time in seconds, 0 or more. Raises ArgumentTypeError."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", text):
        raise argparse.ArgumentTypeError(f"{text!r}: allowed are seconds such as 300 or 0.5, 0 for no limit")
    return float(text)


def seed_range(text: str) -> range:
    """The seeds of ``A..B`` or ``A``. Raises ArgumentTypeError."""
    match = re.fullmatch(r"([0-9]{1,16})(?:\.\.([0-9]{1,16}))?", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not A..B or one number: write a range of seeds as 1..200")
    first, last = int(match[1]), int(match[2] or match[1])
    if not first <= last < first + SEEDS_MAX:
        raise argparse.ArgumentTypeError(f"{text!r}: A..B with A <= B, at most {SEEDS_MAX:,} seeds")
    return range(first, last + 1)
