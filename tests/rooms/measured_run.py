"""Opens a run as an engine process does, and prints the seconds of one core and the bytes that it took.

`python -m tests.rooms.measured_run < document`. A process of its own: the memory that one run took stays.
"""

import gc
import sys
import time

import psutil

from playground.rooms.run import RoomRun
from playground.scenarios import documents


def main() -> None:
    """Open the run of the document on standard input."""
    text = sys.stdin.read()
    gc.collect()
    before, began = _bytes(), time.process_time()
    run = RoomRun(documents.of_stored(documents.StoredScenario(text, [])))
    run.document()
    run.view()
    gc.collect()
    print(time.process_time() - began, _bytes() - before)


def _bytes() -> int:
    return int(psutil.Process().memory_info().rss)


if __name__ == "__main__":
    main()
