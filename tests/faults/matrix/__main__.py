"""`python -m tests.faults.matrix`: run the matrix, or a part of it, and write the table.

--failure, --part and --only (light or experiment) choose rounds; --json prints the cells instead of writing a table.
"""

import argparse
import dataclasses
import json
import sys
import tempfile
import time
from pathlib import Path

from playground.environment import ROOT
from tests.faults.matrix import failures, table
from tests.faults.matrix.instance import PARTS, Instance
from tests.faults.matrix.rounds import Cell, Rounds
from tests.faults.matrix.small_disk import SmallDisk, enter_namespace

TABLE = ROOT / "docs" / "faults.md"


def main() -> int:
    """Status 1 if a cell was not kept."""
    asked = _asked()
    enter_namespace()
    with tempfile.TemporaryDirectory(prefix="highwater-faults-") as scratch:
        data = Path(scratch) / "data"
        data.mkdir()
        disk = SmallDisk(data)
        instance = Instance(disk.folder)
        try:
            instance.start()
            cells = _run(asked, instance, disk)
        finally:
            instance.stop()
            disk.remove()
    if asked.json:
        print(json.dumps({"means": disk.means, "cells": [dataclasses.asdict(cell) for cell in cells]}))
    else:
        Path(asked.table).write_text(table.page(cells, disk.means))
    return int(any(cell.wrong for cell in cells))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make faults", description=__doc__)
    every = (*failures.OF_A_PROCESS, *failures.OF_THE_DISK)
    parser.add_argument("--failure", choices=every, action="append")
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--only", choices=("light", "experiment"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--table", default=str(TABLE))
    asked = parser.parse_args()
    asked.failure = asked.failure or every
    asked.part = asked.part or PARTS
    return asked


def _run(asked: argparse.Namespace, instance: Instance, disk: SmallDisk) -> list[Cell]:
    rounds = Rounds(instance, disk)
    if asked.only != "light":
        rounds.researcher.learn()
    cells: list[Cell] = []
    for failure in asked.failure:
        if failure == failures.FULL and not disk.means:
            continue
        for part in asked.part if failure in failures.OF_A_PROCESS else PARTS[:1]:
            if asked.only != "light":  # first: Spark runs from then on
                cells += _told(rounds.experiment(failure, part))
            if asked.only != "experiment":
                cells += _told(rounds.light(failure, part))
    return cells


def _told(cells: list[Cell]) -> list[Cell]:
    for cell in cells:
        came = " / ".join(dict.fromkeys(cell.wrong)) or "kept"
        no = sum(cell.refused.values())
        print(
            f"{time.strftime('%H:%M:%S')} {cell.failure:<16} {cell.part:<14} {cell.situation:<20} {came} "
            f"({no} refused, {cell.unanswered} without an answer)",
            file=sys.stderr,
            flush=True,
        )
        for words, number in cell.refused.items():
            print(f"    {number} x {words}", file=sys.stderr, flush=True)
    return cells


if __name__ == "__main__":
    sys.exit(main())
