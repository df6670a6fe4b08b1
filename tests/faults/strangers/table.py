"""docs/strangers.md: one line an attack, and in words what is not within the measure."""

from collections.abc import Sequence
from typing import Final

from tests.faults.strangers.attacks import ATTACKS
from tests.faults.strangers.measure import BEFORE_S_MAX, CLICK_S_MAX, EXPERIMENT_S_MAX, FRAME_S_MAX, Seen

HEAD: Final = f"""# What one stranger did, and what another visitor saw

`make strangers` writes this table. A started instance (`manage.py play`) has one visitor: her small room plays, she
acts on it each second, and beside that loads its page, looks back, describes, shares and comes again, one after
another. A stranger at another address attacks for some seconds. The measure: her picture stands no longer than
{FRAME_S_MAX:g} s, each click is answered within {CLICK_S_MAX:g} s and none is refused, 20 short runs of an experiment
are done within {EXPERIMENT_S_MAX:g} s.

*Picture*: the longest gap between two frames. *Click*: the longest wait for an answer, and to what. *Memory* and
*disk*: MiB more than before, at most, of all processes, and of the data folder and temporary files. *As before*:
seconds from the end of the attack until a new visitor loads a page and opens a new room within {CLICK_S_MAX:g} s
together and her own picture moves; *never*: not within {BEFORE_S_MAX:g} s. *The stranger got*: answers by status, and
other things, counted.

| The stranger | Picture, s | Click, s | Memory | Disk | As before, s | The stranger got | Within the measure |
|---|---|---|---|---|---|---|---|
"""
NOTES: Final = """
Left out: a part that hangs or is killed, a full disk and a locked database are in [faults.md](faults.md); hostile
values in every field, frame, header and path are in `make fuzz`; what a stranger may not do at all is in
[access.md](access.md).
"""


def page(found: Sequence[Seen], note: str = "") -> str:
    """The whole file; `note` is a sentence below the table."""
    said = ["", note] if note else []
    return _page({seen.row.name: _line(seen) for seen in found}, _wrong(found), said)


def merged(text: str, found: Sequence[Seen]) -> str:
    """The file with new lines for some attacks; what it tells of the others stays."""
    new = {seen.row.name: _line(seen) for seen in found}
    old = {row.name: line for row in ATTACKS if (line := _told(text, row.words))}
    wrong = {row.words: line for row in ATTACKS if row.name not in new if (line := _told(text, row.words, "- ", ": "))}
    return _page(old | new, wrong | _wrong(found), [])


def _page(lines: dict[str, str], wrong: dict[str, str], said: list[str]) -> str:
    rows = [lines.get(row.name, f"| {row.words} | not run | | | | | | |") for row in ATTACKS]
    told = ["", "Not within the measure:", "", *wrong.values()] if wrong else []
    return HEAD + "\n".join([*rows, *said, *told]) + "\n" + NOTES


def _wrong(found: Sequence[Seen]) -> dict[str, str]:
    """A sentence for each attack that was not within the measure, by its words."""
    faults = {seen.row.words: "; ".join(_short(fault) for fault in seen.faults) for seen in found if seen.faults}
    return {words: f"- {words}: {told}." for words, told in faults.items()}


def _told(text: str, words: str, begin: str = "| ", *ends: str) -> str:
    """The line of an attack in an earlier file, "" for none."""
    starts = tuple(f"{begin}{words}{end}" for end in ends or (" |", "; her 20 runs"))
    return next((line for line in text.splitlines() if line.startswith(starts)), "")


def figures(seen: Seen) -> str:
    """The cells of one attack, but for its words."""
    got = ", ".join(f"{what} × {number:,}" for what, number in sorted(seen.got.items())) or "–"
    before = "never" if seen.before_s is None else f"{seen.before_s:.1f}"
    cells = (f"{seen.frame_s:.2f}", f"{seen.click_s:.2f} ({seen.click})", f"{seen.memory:,.0f}", f"{seen.disk:,.0f}")
    return " | ".join((*cells, before, got, "**no**" if seen.faults else "yes"))


def _line(seen: Seen) -> str:
    words = seen.row.words + (f"; her 20 runs took {seen.experiment_s:.0f} s" if seen.row.has_experiment else "")
    return f"| {words} | {figures(seen)} |"


def _short(text: str) -> str:
    return " ".join(text.split())[:200]
