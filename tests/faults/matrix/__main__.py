"""`python -m tests.faults.matrix`: run the matrix, or a part of it, and write the table.

--failure, --part and --only (light, experiment, strangers) choose rounds; a whole run ends with the heavy attacks of
strangers, which stand in docs/strangers.md. What they came to is kept in a file of cells after
each round, in which other cells stay: the table shows the newest of each. With --cells another file is taken, and no
table is written.
"""

import argparse
import dataclasses
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playground.environment import ROOT
from tests.faults.matrix import failures, table
from tests.faults.matrix.instance import PARTS, Instance, Used
from tests.faults.matrix.rounds import Cell, Rounds
from tests.faults.matrix.small_disk import Disk, SmallDisk, enter_namespace
from tests.faults.strangers import __main__ as strangers

TABLE = ROOT / "docs" / "faults.md"
STRANGERS = "strangers"
CELLS = Path(tempfile.gettempdir()) / "highwater-faults.json"


def main() -> int:
    """Status 1 if a cell was not kept, or an attack not within the measure."""
    asked = _asked()
    enter_namespace()
    status = 0 if asked.only == STRANGERS else _matrix(asked)
    if asked.has_strangers:
        status |= strangers.main(["--heavy", *(["--table", str(strangers.TABLE)] if asked.cells == str(CELLS) else [])])
    return status


def _matrix(asked: argparse.Namespace) -> int:
    """Status 1 if a cell was not kept."""
    with tempfile.TemporaryDirectory(prefix="highwater-faults-") as scratch:
        data = Path(scratch) / "data"
        data.mkdir()
        disk = SmallDisk(data)
        instance = Instance(disk.folder)
        kept = Kept(Path(asked.cells))
        try:
            instance.start()
            _run(asked, instance, disk, kept)
        finally:
            instance.stop()
            disk.remove()
    if asked.cells == str(CELLS):
        TABLE.write_text(table.page(kept.cells.values(), disk.means))
    return int(any(cell.wrong for cell in kept.cells.values()))


class Kept:
    """The cells of this run and of earlier ones, in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        earlier = json.loads(file.read_text()) if file.exists() else []
        self.cells = {_key(cell): cell for cell in (Cell(**one) for one in earlier)}

    def note(self, cells: list[Cell]) -> None:
        """Print what a round came to, and keep it."""
        for cell in cells:
            self.cells[_key(cell)] = cell
            _tell(cell)
        self._file.write_text(json.dumps([dataclasses.asdict(cell) for cell in self.cells.values()]))


def _key(cell: Cell) -> tuple[str, str, str]:
    return cell.failure, cell.part, cell.situation


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make faults", description=__doc__)
    every = (*failures.OF_A_PROCESS, *failures.OF_THE_DISK)
    parser.add_argument("--failure", choices=every, action="append")
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--only", choices=("light", "experiment", STRANGERS))
    parser.add_argument("--cells", default=str(CELLS))
    asked = parser.parse_args()
    asked.has_strangers = asked.only == STRANGERS or not (asked.only or asked.failure or asked.part)
    asked.failure = asked.failure or every
    asked.part = asked.part or PARTS
    return asked


def _run(asked: argparse.Namespace, instance: Used, disk: Disk, kept: Kept) -> None:
    print(f"The disk: {disk.means or 'one without an end'}", file=sys.stderr, flush=True)
    rounds = Rounds(instance, disk)
    for failure in asked.failure:
        if failure == failures.FULL and not disk.means:
            continue
        for part in _hit(failure, asked.part):
            if asked.only != "light":  # first: Spark runs from then on
                kept.note(rounds.experiment(failure, part))
            if asked.only != "experiment":
                kept.note(rounds.light(failure, part))


def _hit(failure: str, parts: Sequence[str]) -> Sequence[str]:
    """The parts that a failure hits, one round each; what fails for all of them is one round."""
    if failure == failures.HANG:
        return [part for part in parts if part in failures.REPLACED]
    return parts if failure in failures.OF_A_PROCESS else PARTS[:1]


def _tell(cell: Cell) -> None:
    came = " / ".join(dict.fromkeys(cell.wrong)) or "kept"
    counts = f"({sum(cell.refused.values())} refused, {cell.unanswered} without an answer)"
    lines = [f"{cell.failure:<16} {cell.part:<14} {cell.situation:<20} {came} {counts}"]
    lines += [f"    {number} x {words}" for words, number in cell.refused.items()]
    print("\n".join(lines), file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
