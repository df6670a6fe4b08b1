"""`python -m tests.faults.full_disk`: visitors use a web process while its disk is full; prints the cells as JSON.

A program of its own, since it enters a namespace in which it may mount a small disk (`matrix.small_disk`).
"""

import dataclasses
import json
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.faults.matrix.failures import FULL
from tests.faults.matrix.instance import WebAlone
from tests.faults.matrix.rounds import Rounds
from tests.faults.matrix.small_disk import Disk, FullDatabase, SmallDisk, enter_namespace

LIMITED: Final = "tests.rooms.full_site"


def main() -> int:
    """Returns 0; failures stand in the cells."""
    enter_namespace()
    with tempfile.TemporaryDirectory(prefix="highwater-full-") as scratch:
        data = Path(scratch) / "data"
        data.mkdir()
        small = SmallDisk(data)
        web = WebAlone(small.folder, "playground.serve" if small.means else LIMITED)
        disk: Disk = small if small.means else FullDatabase(web)
        web.start()
        try:
            cells = Rounds(web, disk).light(FULL, "web", is_short=True)
        finally:
            web.stop()
            small.remove()
    print(json.dumps({"means": disk.means, "cells": [dataclasses.asdict(cell) for cell in cells]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
