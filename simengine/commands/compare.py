"""Compares runs of two to four documents: their figures side by side, where they part, and what differs in the end."""

import argparse
import json
import sys
from typing import Any, Final

from simengine.commands.shared.command_document import read_all
from simengine.compare.comparison import SIDES_MAX, SIDES_MIN, compare
from simengine.compare.differences import LETTERS
from simengine.compare.figures import figure_text
from simengine.compare.partitions import STATE_WORDS
from simengine.compare.settings import value_words
from simengine.scenario.durations import format_duration
from simengine.words.phrases import listed, plural

WRONG_STATUS: Final = 2
DIFFERENCES_SHOWN: Final = 10
PARTITIONS_SHOWN: Final = 20
LABEL_WIDTH: Final = 26
WIDTH: Final = 12

Json = dict[str, Any]


def main(argv: list[str]) -> int:
    """Runs all documents to one moment. Returns 0, 1 when one cannot be used, or 2 for a wrong number of them."""
    options = _parser().parse_args(argv)
    if options.files.count("-") > 1:
        print("standard input can be one of the documents, not two: give the other one as a file", file=sys.stderr)
        return WRONG_STATUS
    given = read_all(options.files, options.until)
    if given is None:
        return 1
    documents, until_us = given
    if not SIDES_MIN <= len(documents) <= SIDES_MAX:
        print(f"{len(documents)} documents: compare takes {SIDES_MIN} to {SIDES_MAX}", file=sys.stderr)
        return WRONG_STATUS
    found = compare(documents, until_us)
    print(json.dumps(found, ensure_ascii=False) if options.json else "\n".join(lines_of(found)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m simengine compare", description=__doc__)
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="scenario documents, or one file of several; one may be -"
    )
    parser.add_argument("--until", help="the moment to compare at, such as 30s; default: the end of the longest run")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    return parser


def lines_of(found: Json) -> list[str]:
    """A comparison (``comparison.compare``) as lines of text."""
    sides = found["sides"]
    lines = [f"{LETTERS[i]}: {side['title'] or 'untitled'}: {side['sentence']}" for i, side in enumerate(sides)]
    lines += [f"  {row['path']}: {_values(row['values'])}" for row in found["settings"]]
    lines += [difference_line(one) for one in found["inputs"][:DIFFERENCES_SHOWN]]
    at = f"At {format_duration(found['until_us'])}:"
    lines += ["", found["parting"], "", at, *figure_lines(found), "", *partition_lines(found["partitions"])]
    told = found["differences"][:DIFFERENCES_SHOWN]
    lines += ["", *(difference_line(one) for one in told)]
    more = len(found["differences"]) + found["more_differences"] - len(told)
    lines += [f"and {plural(more, 'more difference', 'more differences')}: --json lists them"] if more else []
    return [*lines, *(f"digest {LETTERS[i]} {side['digest']}" for i, side in enumerate(sides))]


def difference_line(one: Json) -> str:
    """An event that not all runs have: its time, the runs that have it, its sentence."""
    letters = listed([LETTERS[side] for side in one["sides"]])
    return f"{one['t_us'] / 1e6:10.3f} s  {letters}: {one['text']}"


def figure_lines(found: Json) -> list[str]:
    """The figures as a table; * marks a row in which the runs differ."""
    sides = found["sides"]
    head = "".join(f"{LETTERS[i]:>{WIDTH}}" for i in range(len(sides)))
    rows = [f"{'':{LABEL_WIDTH}}{head}"]
    for figure in found["figures"]:
        values = [figure_text(side[figure["key"]], figure["unit"]) for side in sides]
        cells = "".join(f"{value:>{WIDTH}}" for value in values)
        rows.append(f"{figure['label']:{LABEL_WIDTH}}{cells}{'' if len(set(values)) == 1 else '  *'}")
    return rows


def partition_lines(partitions: list[Json]) -> list[str]:
    """The partitions that differ in the end, a line each."""
    if not partitions:
        return [f"In the end every partition has the same {listed([*STATE_WORDS.values()])} in all runs."]
    lines = [f"{one['partition']}: {_state(one)}" for one in partitions[:PARTITIONS_SHOWN]]
    more = len(partitions) - len(lines)
    return [*lines, f"and {plural(more, 'more partition', 'more partitions')}"] if more else lines


def _state(one: Json) -> str:
    lacking = [LETTERS[i] for i, side in enumerate(one["sides"]) if side is None]
    if lacking:
        return f"not in {listed(lacking)}"
    return ", ".join(f"{STATE_WORDS[key]} {_values([side[key] for side in one['sides']])}" for key in one["differs"])


def _values(values: list[Any]) -> str:
    return " | ".join(f"{LETTERS[i]} {value_words(value)}" for i, value in enumerate(values))
