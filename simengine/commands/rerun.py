"""rerun RECORDING --seeds A..B: run a recording's script, one line of JSON a seed, in the recording format."""

import argparse
import re
import sys
from typing import Final

from simengine.recordings.errors import RecordingError
from simengine.recordings.rerun import reruns_of
from simengine.recordings.writer import to_line

SEEDS_MAX: Final = 100_000  # of one call


def main(argv: list[str]) -> int:
    """Run the command; its exit status: 0, or 2 when the recording cannot be read or run."""
    parser = argparse.ArgumentParser(prog="python -m simengine rerun", description=__doc__)
    parser.add_argument("recording", help="a recording, such as tests/conformance/recordings/s08.json")
    parser.add_argument("--seeds", type=seed_range, default=range(1, 2), help="A..B (both included) or A; 1")
    options = parser.parse_args(argv)
    try:
        reruns = reruns_of(options.recording)
        for seed in options.seeds:
            print(to_line(reruns.run(seed)), flush=True)
    except (RecordingError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def seed_range(text: str) -> range:
    """The seeds of ``A..B`` or ``A``. Raises ArgumentTypeError."""
    match = re.fullmatch(r"(\d{1,16})(?:\.\.(\d{1,16}))?", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a range of seeds: write A..B, such as 1..200")
    first, last = int(match[1]), int(match[2] or match[1])
    if not first <= last < first + SEEDS_MAX:
        raise argparse.ArgumentTypeError(f"{text!r}: A..B with A <= B, at most {SEEDS_MAX} seeds")
    return range(first, last + 1)
