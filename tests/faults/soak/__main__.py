"""`make soak`: rooms, viewers and experiments for half an hour; does the memory of any process grow?

The memory of a part is the median over one experiment's share of the time, so that the two moments that are compared
saw the same work: what ends at a third of the time, and what ends with it.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Final

from playground.environment import ROOT
from tests.faults.matrix.instance import PARTS, Instance
from tests.faults.soak.load import Load
from tests.faults.soak.memory import EVERY_S, Memory

GROWTH_MAX: Final = 0.05
TABLE: Final = ROOT / "docs" / "soak.md"
HEAD: Final = """# Soak: does a process grow?

`make soak` starts an instance and keeps it busy: rooms that play, viewers at real websockets, an action of each room's
owner every half minute, experiments one after another. The table compares the memory of each part {first:g} and
{last:g} minutes after the start; each figure is the median over the {window:g} minutes before, while the part had the
most processes. Pages of program files and libraries, which the kernel can drop and processes share, are not counted.
Growth of more than {growth:.0%} is a failure.
"""


def soak(load: Load, memory: Memory) -> None:
    """Run the load, and look at the memory beside it."""
    began, is_over = time.monotonic(), threading.Event()

    def watch() -> None:
        while not is_over.wait(EVERY_S):
            memory.look(began)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        asyncio.run(load.run())
    finally:
        is_over.set()
        watcher.join()


def told(load: Load, memory: Memory, command: str, note: str) -> tuple[str, list[str]]:
    """The page of the table, and what was wrong."""
    first, last, window = load.minutes / 3, load.minutes, load.minutes / load.experiments
    end_s = max((one.at_s for part in PARTS for one in memory.samples[part]), default=0.0)
    begin_s = end_s - 60 * load.minutes  # the rooms and viewers were there from then on
    wrong, lines = [], []
    for part in PARTS:
        at = [(begin_s + 60 * (moment - window), begin_s + 60 * moment) for moment in (first, last)]
        (processes_early, early), (processes, late) = (memory.median(part, *between) for between in at)
        growth = late / early - 1 if early else 0.0
        number = f"{processes}" if processes == processes_early else f"{processes_early}, then {processes}"
        lines.append(f"| {part} | {number} | {early:.1f} | {late:.1f} | {growth:+.1%} |")
        if growth > GROWTH_MAX:
            wrong.append(f"{part} grew by {growth:.1%}")
    states = Counter(state for (state,) in load.instance.ask("select state from whatif_experiment"))
    wrong += [f"an experiment is {state}" for state in states if state not in ("done", "running")]
    wrong += [f"a socket closed: {reason}" for reason in load.closed]
    alive = sorted(load.alive_ms)
    facts = (
        f"{load.rooms} rooms, {load.viewers} viewers, {load.frames:,} frames received, {len(load.closed)} sockets "
        f"closed by the server; {load.actions:,} actions, {len(load.refused)} refused; {len(load.asked)} experiments "
        f"({', '.join(f'{number} {state}' for state, number in sorted(states.items()))}); `/alive` asked "
        f"{len(alive):,} times, median {statistics.median(alive):.0f} ms, longest {alive[-1]:,.0f} ms."
    )
    head = HEAD.format(first=first, last=last, window=window, growth=GROWTH_MAX)
    table = [
        f"| Part | Processes | MiB at {first:g} min | MiB at {last:g} min | Change |",
        "|---|---|---|---|---|",
        *lines,
    ]
    parts = [head, f"Command: `{command}`\n", "\n".join(table) + "\n", facts + "\n"]
    parts += [note + "\n"] if note else []
    parts += ["Not within the bound: " + "; ".join(wrong) + ".\n"] if wrong else []
    return "\n".join(parts), wrong


def main(argv: list[str]) -> int:
    """Soak, write the table; status 1 where something grew, closed or failed."""
    reader = argparse.ArgumentParser(description="Half an hour of rooms, viewers and experiments.")
    reader.add_argument("--minutes", type=float, default=30)
    reader.add_argument("--rooms", type=int, default=20)
    reader.add_argument("--viewers", type=int, default=200)
    reader.add_argument("--experiments", type=int, default=10)
    reader.add_argument("--note", default="", help="a sentence that belongs below the table")
    reader.add_argument("--table", type=Path, default=TABLE)
    asked = reader.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="highwater-soak-") as folder:
        instance = Instance(Path(folder) / "data")
        instance.start()
        try:
            load = Load(instance, asked.rooms, asked.viewers, asked.experiments, asked.minutes)
            memory = Memory(instance)
            soak(load, memory)
            page, wrong = told(load, memory, f"make soak MINUTES={asked.minutes:g}", asked.note)
        finally:
            instance.stop()
    asked.table.write_text(page)
    print(page)
    print("\n".join(dict.fromkeys(load.refused)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
