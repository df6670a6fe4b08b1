"""Run the script of a recording, one line of JSON a seed, in the format of recordings.

What was assumed of the recording (profile, settings passed over) stands on standard error.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Final

from simengine.commands.shared.command_numbers import at_least, seed_range
from simengine.recordings.assumed import assumed
from simengine.recordings.errors import RecordingError
from simengine.recordings.mirror_reader import tells_of_mirror
from simengine.recordings.mirror_rerun import MirrorReruns, mirror_reruns_of
from simengine.recordings.rerun import RecordingReruns, reruns_of
from simengine.recordings.writer import to_line

JOBS: Final = 2
CHUNK: Final = 5  # runs that a process takes at a time


def main(argv: list[str]) -> int:
    """Run the command; its exit status: 0, or 2 when the recording cannot be read or run."""
    parser = argparse.ArgumentParser(prog="python -m simengine rerun", description=__doc__)
    parser.add_argument("recording", help="a recording, such as tests/conformance/recordings/s08.json")
    parser.add_argument("--seeds", type=seed_range, default=range(1, 2), help="A..B (both included) or A; 1")
    parser.add_argument(
        "--jobs", type=at_least(1), default=JOBS, help=f"processes ({JOBS}); the lines come in order all the same"
    )
    options = parser.parse_args(argv)
    try:
        reruns = _reruns(options.recording)
    except RecordingError as error:
        print(error, file=sys.stderr)
        return 2
    if isinstance(reruns, RecordingReruns):
        print(f"{Path(options.recording).stem}: {assumed(reruns.recording)}", file=sys.stderr)
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
def _reruns(recording: str) -> RecordingReruns | MirrorReruns:
    return mirror_reruns_of(recording) if tells_of_mirror(Path(recording)) else reruns_of(recording)
