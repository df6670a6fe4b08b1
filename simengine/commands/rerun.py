"""Run the script of a recording, one line of JSON a seed, in the format of recordings."""

import argparse
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import repeat
from typing import Final

from simengine.recordings.errors import RecordingError
from simengine.recordings.rerun import Reruns, reruns_of
from simengine.recordings.writer import to_line

JOBS: Final = 2
CHUNK: Final = 5  # runs that a process takes at a time
SEEDS_MAX: Final = 100_000  # of one call


def main(argv: list[str]) -> int:
    """Run the command; its exit status: 0, or 2 when the recording cannot be read or run."""
    parser = argparse.ArgumentParser(prog="python -m simengine rerun", description=__doc__)
    parser.add_argument("recording", help="a recording, such as tests/conformance/recordings/s08.json")
    parser.add_argument("--seeds", type=seed_range, default=range(1, 2), help="A..B (both included) or A; 1")
    parser.add_argument(
        "--jobs", type=int, default=JOBS, help=f"processes ({JOBS}); the lines come in order all the same"
    )
    options = parser.parse_args(argv)
    if options.jobs < 1:
        parser.error("--jobs is at least 1")
    try:
        reruns = reruns_of(options.recording)
    except (RecordingError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if options.jobs == 1 or len(options.seeds) <= CHUNK:
        for seed in options.seeds:
            print(to_line(reruns.run(seed)), flush=True)
        return 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for line in pool.map(rerun_line, repeat(options.recording), options.seeds, chunksize=CHUNK):
            print(line, flush=True)
    return 0


def rerun_line(recording: str, seed: int) -> str:
    """One run as a line; in a process of its own."""
    return to_line(_reruns(recording).run(seed))


@lru_cache(maxsize=1)
def _reruns(recording: str) -> Reruns:
    return reruns_of(recording)


def seed_range(text: str) -> range:
    """The seeds of ``A..B`` or ``A``. Raises ArgumentTypeError."""
    match = re.fullmatch(r"(\d{1,16})(?:\.\.(\d{1,16}))?", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a range of seeds: write A..B, such as 1..200")
    first, last = int(match[1]), int(match[2] or match[1])
    if not first <= last < first + SEEDS_MAX:
        raise argparse.ArgumentTypeError(f"{text!r}: A..B with A <= B, at most {SEEDS_MAX} seeds")
    return range(first, last + 1)
