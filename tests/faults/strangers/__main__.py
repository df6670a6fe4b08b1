"""`python -m tests.faults.strangers`: one attack after another on a real instance, and the table of what was seen.

--only names one attack (again for more), --heavy those of `make faults`. --table: the file to write; of a part of the
attacks no file is written by default, and in one that is named the other lines stay.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from playground.environment import ROOT
from tests.faults.matrix.instance import Instance
from tests.faults.matrix.visitors import NO_ANSWER
from tests.faults.strangers import table
from tests.faults.strangers.attacks import ATTACKS, HEAVY, Row
from tests.faults.strangers.measure import Seen, measured
from tests.faults.strangers.visitor import Visitor

TABLE: Final = ROOT / "docs" / "strangers.md"
TOTAL_S_MAX: Final = 600.0  # what has not begun by then is not run
WARM_S_MAX: Final = 60.0  # of an experiment that starts Spark


def main(argv: Sequence[str]) -> int:
    """Status 1 if something was not within the measure."""
    asked = _asked(argv)
    names = HEAVY if asked.heavy else asked.only
    rows = [row for row in ATTACKS if not names or row.name in names]
    with tempfile.TemporaryDirectory(prefix="highwater-strangers-", ignore_cleanup_errors=True) as scratch:
        found = list(_seen(rows, Path(scratch)))
    if file := asked.table or (None if names else TABLE):
        is_part = names and file.exists()
        file.write_text(table.merged(file.read_text(), found) if is_part else table.page(found, asked.note))
    return int(len(found) < len(rows) or any(seen.faults for seen in found))


def _asked(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make strangers", description=__doc__)
    parser.add_argument("--only", choices=[row.name for row in ATTACKS], action="append", metavar="NAME")
    parser.add_argument("--heavy", action="store_true")
    parser.add_argument("--table", type=Path)
    parser.add_argument("--note", default="", help="a sentence that belongs below the table")
    return parser.parse_args(argv)


def _seen(rows: Sequence[Row], scratch: Path) -> Iterator[Seen]:
    """Each attack in turn, as long as there is time."""
    deadline = time.monotonic() + TOTAL_S_MAX
    instances = Instances(scratch)
    try:
        for number, row in enumerate(rows):
            if time.monotonic() > deadline:
                _say(f"{row.name}: not run, {TOTAL_S_MAX:.0f} s are over")
                continue
            instances.must_be_warm = any(one.has_experiment for one in rows[number:])
            if seen := _tried(row, instances) or _tried(row, instances):
                _say("\n    ".join([f"{row.name}: {table.figures(seen)}", *seen.faults]))
                yield seen
    finally:
        instances.end()


def _tried(row: Row, instances: "Instances") -> Seen | None:
    """The measure of an attack; None if the visitor could not even begin."""
    try:
        seen = measured(row, instances.take(), instances.temporary)
    except (AssertionError, *NO_ANSWER) as broken:
        _say(f"{row.name}: not measured: {type(broken).__name__}: {str(broken)[:300]}")
        instances.end()
        return None
    if seen.before_s is None:
        instances.end()
    return seen


class Instances:
    """One instance after another: one that does not recover is ended, and a new one takes the next attack."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._running: Instance | None = None
        self.must_be_warm = False  # Spark has run an experiment
        self.temporary = scratch / "tmp"
        self.temporary.mkdir()
        os.environ["TMPDIR"] = str(self.temporary)  # of the instances

    def take(self) -> Instance:
        """The one that runs, or a new one."""
        if self._running is None or not self._running.is_there():
            self._running = Instance(Path(tempfile.mkdtemp(dir=self._scratch)) / "data")
            self._running.start()
            if self.must_be_warm:
                Visitor(self._running).experiment(WARM_S_MAX)
        return self._running

    def end(self) -> None:
        """End the one that runs."""
        if self._running is not None:
            self._running.stop()
        self._running = None


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
