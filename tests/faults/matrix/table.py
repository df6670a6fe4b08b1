"""docs/faults.md: the cells of the matrix as a table, with what is wrong under it.

Nothing of the machine or of the moment stands in it.
"""

from collections.abc import Iterable
from typing import Final

from tests.faults.matrix.failures import FULL, HANG, LOCKED, REPLACED
from tests.faults.matrix.instance import PARTS
from tests.faults.matrix.rounds import EXPERIMENTS, SITUATIONS, Cell

ON_DISK: Final = {
    FULL: {
        "web": SITUATIONS,
        "worker": EXPERIMENTS,
        "JVM": EXPERIMENTS,
        "Python worker": EXPERIMENTS,
        "supervisor": SITUATIONS,
    },
    LOCKED: {"web": SITUATIONS, "worker": EXPERIMENTS},
}
"""The parts that write to the disk or to the database, by situation. In any other cell nothing can fail."""

HEAD: Final = """# What a failure costs: the matrix

`make faults` writes this table. A started instance (`manage.py play`, SQLite, its own Valkey, Spark on the cores of the
machine) is used by visitors while a part of it fails. Each visitor notes every answer. A cell is **kept** if

- everything that was acknowledged is there afterwards, once, as it was acknowledged: documents, actions, the moment at
  which a run stands, what a viewer has drawn, an experiment's rows (held against those of an undisturbed one);
- what was refused was refused in words, and is not there;
- the same instance goes on by itself: everybody gets something done within 60 s, and an experiment ends as done. A
  killed supervisor takes its parts with it and is started again by hand; the next start goes on.

Situations: *idle*: a run stands still and is read. *playing with actions*: a run plays, up to two actions a second.
*import*, *share*, *fork*: up to two a second. *everything else*: upload, undo, a gallery question, a new visitor,
an experiment run and cancelled. *experiment at 10 %*, *at 90 %*: the failure comes when so many of its runs are done.
Failures: *kill -9*, all processes of the part at once. *frozen for 20 s*: SIGSTOP, then SIGCONT. *hangs*: SIGSTOP for
good; the failure is over when the supervisor has ended the part. *disk full*: not one byte is left on the disk of the
data folder, for 12 s. *database locked*: another process holds SQLite's write lock for 23 s, longer than a writer
waits.

A stranger who opens heavy runs, takes places, or begins long experiments is a failure too: `make faults` runs these
attacks as well (`--only strangers`), and writes their lines in [strangers.md](strangers.md).
"""

NOTES: Final = """
A full disk and a lock hit all parts at once: one run a situation, told for each part that writes there.

- –¹: the part writes nothing to the disk. Valkey keeps all in memory, engine processes answer through pipes, and the
  worker, the JVM and Python workers write only for experiments.
- –²: the part does not use the database. Only the web process and the worker do.
- –³: the supervisor asks the web process, the worker and Valkey. The web process ends an engine process that leaves a
  request unanswered for 30 s, or 90 s if it holds large runs (`docs/heavy-runs.md`). Nobody asks the JVM, a Python
  worker or the supervisor.
"""


def page(cells: Iterable[Cell], means: str) -> str:
    """The whole file."""
    found = {(cell.failure, cell.part, cell.situation): cell for cell in cells}
    lines = [HEAD, f"The full disk is real: {means or 'not here, no small file system could be made'}.", ""]
    lines.append("| Failure | Part | " + " | ".join(SITUATIONS) + " |")
    lines.append("|---" * (len(SITUATIONS) + 2) + "|")
    wrong: list[str] = []
    for failure in dict.fromkeys(cell.failure for cell in found.values()):
        for part in PARTS:
            words = [_words(found, failure, part, situation, wrong) for situation in SITUATIONS]
            lines.append(f"| {failure} | {part} | " + " | ".join(words) + " |")
    if wrong:
        lines += ["", "What was not as it should be:", "", *wrong]
    return "\n".join([*lines, NOTES])


def _words(found: dict[tuple[str, str, str], Cell], failure: str, part: str, situation: str, wrong: list[str]) -> str:
    if failure in ON_DISK:
        if situation not in ON_DISK[failure].get(part, ()):
            return "–¹" if failure == FULL else "–²"
        part = PARTS[0]  # it was measured once, for all
    if failure == HANG and part not in REPLACED:
        return "–³"
    cell = found.get((failure, part, situation))
    if cell is None:
        return "not run"
    if not cell.wrong:
        return "kept"
    line = f"- {failure}, {part}, {situation}: {' / '.join(dict.fromkeys(cell.wrong))}".replace("\n", " ")[:600]
    if line not in wrong:
        wrong.append(line)
    return "**not kept**"
