"""The sentence on how runs differ: in the first event that not all have, else in figures, else in partitions."""

from collections.abc import Sequence
from typing import Any, Final

from simengine.compare.differences import LETTERS, MATCH_US, Difference, EventKind
from simengine.compare.figures import figure_text
from simengine.compare.partitions import STATE_WORDS
from simengine.words.phrases import listed, plural

FIGURES_TOLD: Final = 4
NAMES_TOLD: Final = 3
TOLD_LAST: Final = ("acknowledged",)  # a few calls more or less are the smallest difference

Json = dict[str, Any]


def parting(found: Json) -> str:
    """The sentence on a comparison; where no decisive event differs it tells what does, with the values of each run."""
    if found["first_difference"]:
        return str(found["first_difference"]["sentence"])
    until = _seconds(found["until_us"])
    for title, sides in _groups(found):
        told = _figures_apart(found["figures"], sides)
        if told:
            of = f" of {title}" if title else ""
            some = _some(told, FIGURES_TOLD, "; ")
            return f"No event differs up to {until}, but figures{of} do at that moment: {some}."
    apart = [one["partition"] for one in found["partitions"]]
    if apart:
        do = plural(len(apart), "partition does", "partitions do")
        return f"No event and no figure differs up to {until}; {do}: {_some(apart, NAMES_TOLD, ', ')}."
    return (
        f"No event and no figure differs up to {until}, "
        f"and every partition has the same {listed([*STATE_WORDS.values()])}."
    )


def first_difference(differences: Sequence[Difference], number: int) -> Json | None:
    """The first decisive difference, else the first stop: its time (us), and a sentence on each of ``number`` runs.

    A run that lacks the event is told by its own first event of that time that the others lack, if it has one. A stop
    that began before a decisive difference stands at the end of the sentence.
    """
    if not differences:
        return None
    first = next((one for one in differences if one.kind is EventKind.DECISIVE), differences[0])
    told = [f"{_names(first.sides)}: {first.text}"]
    for side in (side for side in range(number) if side not in first.sides):
        own = next((one for one in differences if side in one.sides and one.kind is first.kind), None)
        if own is not None and own.t_us - first.t_us <= MATCH_US:
            told.append(f"{LETTERS[side]}: {own.text}")
        elif side in first.later:
            told.append(f"{LETTERS[side]}: the same only at {_seconds(first.later[side])}.")
        else:
            told.append(f"Not in {LETTERS[side]}.")
    stop = differences[0]
    if stop.t_us < first.t_us - MATCH_US:
        told.append(f"Before that, at {_seconds(stop.t_us)}, {_names(stop.sides)}: {stop.text}")
    lead = f"They part at {_seconds(first.t_us)}."
    return {"t_us": first.t_us, "lead": lead, "sentence": f"{lead} {' '.join(told)}"}


def _groups(found: Json) -> list[tuple[str, list[Json]]]:
    """The figures of the whole runs, then of each topic that all runs have."""
    sides = found["sides"]
    by_name = [{one["topic"]: one for one in side["topics"]} for side in sides]
    shared = [name for name in by_name[0] if all(name in names for names in by_name)]
    return [("", sides), *((name, [names[name] for names in by_name]) for name in shared)]


def _figures_apart(figures: list[Json], sides: list[Json]) -> list[str]:
    """The figures whose shown values differ: ``longest send() A 0.2 s, B 3.1 s``, the least telling last."""
    told = []
    for one in sorted(figures, key=lambda one: one["key"] in TOLD_LAST):
        if any(one["key"] not in side for side in sides):
            continue
        values = [figure_text(side[one["key"]], one["unit"]) for side in sides]
        if len(set(values)) > 1:
            label = one["label"][:1].lower() + one["label"][1:]
            told.append(f"{label} {', '.join(f'{LETTERS[i]} {value}' for i, value in enumerate(values))}")
    return told


def _some(told: list[str], most: int, joint: str) -> str:
    more = len(told) - most
    return joint.join([*told[:most], *([f"and {more} more"] if more > 0 else [])])


def _names(sides: tuple[int, ...]) -> str:
    return listed([LETTERS[side] for side in sides])


def _seconds(us: int) -> str:
    return f"{us / 1e6:.3f} s"
