"""The cost of losing a cluster: by each way back that teams use, or in each setup (--setups); a table or JSON lines."""

import argparse
import json
import sys
from dataclasses import replace
from typing import Any, Final

from simengine.commands.shared.command_document import source
from simengine.plans.documents import WAYS, PlanDocuments, Times, documents_of
from simengine.plans.setups import SETUPS
from simengine.plans.table import heads_of, row_of
from simengine.scenario import load, to_plain
from simengine.scenario.durations import parse_duration
from simengine.scenario.problems import FieldError

WRONG_STATUS = 2
DURATIONS = ("lost", "detect", "decide", "switch", "repair", "copy-back", "drain", "settle")
COLUMNS: Final = (
    ("ack_us", "ack", 10),
    ("left", "left behind", 13),
    ("unread", "not read", 10),
    ("doubled", "doubled", 9),
    ("standing", "stand twice", 13),
    ("out_of_order", "out of order", 14),
    ("writes_down_us", "writes down", 13),
    ("reads_down_us", "reads down", 12),
)
OF_GROUPS: Final = (("unread", "not read"), ("reads_down_us", "reads down"))  # figures that are told by group too
GROUPS_MAX: Final = 3
HEAD: Final = f"{'plan':<42}" + "".join(f"{head:>{width}}" for _, head, width in COLUMNS)


def main(argv: list[str]) -> int:
    """The command. Exit status 0, or 2 for a wrong document, cluster or duration."""
    arguments = _parser().parse_args(argv)
    try:
        doc = load(source(arguments.file))
        known = SETUPS if arguments.setups or arguments.document in SETUPS else WAYS
        documents = documents_of(known, doc, arguments.lose, arguments.to, _times(arguments), arguments.leave_running)
    except OSError as error:
        print(f"{arguments.file}: cannot be read: {error.strerror}", file=sys.stderr)
        return WRONG_STATUS
    except ValueError as error:  # DocumentError, FieldError, or of a duration
        print(error, file=sys.stderr)
        return WRONG_STATUS
    if arguments.document:
        return _print_document(documents, arguments.document)
    if not arguments.json:
        print(*filter(None, [documents.sample, HEAD]), sep="\n")
    for head in heads_of(known, documents):
        row = head if head["refused"] else row_of(head["plan"], known[head["plan"]], documents.made[head["plan"]])
        print(json.dumps(row) if arguments.json else line_of(row), flush=True)
    return 0


def _print_document(documents: PlanDocuments, key: str) -> int:
    if key in documents.refused:
        print(f"{key}: {documents.refused[key]}", file=sys.stderr)
        return WRONG_STATUS
    print(json.dumps(to_plain(documents.made[key])))
    return 0


def line_of(row: dict[str, Any]) -> str:
    """One plan as a line of the table; below it figures by group where groups differ, and what is not over."""
    figures = "".join(f"{figure_of(key, row[key]):>{width}}" for key, _, width in COLUMNS) if "written" in row else ""
    line = f"{row['title']:<42}{figures or '  ' + row['refused']}"
    by_group = [f"{head}: {words}" for key, head in OF_GROUPS if (words := _by_group(row, key))]
    return "\n  ".join(filter(None, [line, *by_group, row.get("not_over", "")]))


def _by_group(row: dict[str, Any], key: str) -> str:
    """A figure of each group that has one, the worst first; "" where all that move have the same."""
    groups = sorted(row.get("groups", []), key=lambda one: -int(one[key]))
    if len({one[key] for one in groups}) < 2 and not any(one["stays_on"] for one in groups):
        return ""
    stays = [f", which stays on {one['stays_on']}" if one["stays_on"] else "" for one in groups]
    words = [
        f"{figure_of(key, one[key])} of {one['group']}{stay}"
        for one, stay in zip(groups, stays, strict=True)
        if one[key]
    ]
    more = [f"{len(words) - GROUPS_MAX} more groups"] if len(words) > GROUPS_MAX else []
    return "; ".join([*words[:GROUPS_MAX], *more])


def figure_of(key: str, value: int | None) -> str:
    """A figure as it stands in its column; – for what nobody does."""
    if value is None:
        return "–"
    if key == "ack_us":
        return f"{value / 1000:.0f} ms"
    return f"{value / 1e6:.1f} s" if key.endswith("_us") else f"{value:,}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m simengine plans", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="a document of several clusters; - reads standard input")
    parser.add_argument("--lose", metavar="CLUSTER", required=True, help="the cluster that is lost, and comes back")
    parser.add_argument("--to", metavar="CLUSTER", required=True, help="the cluster that takes over meanwhile")
    for name in DURATIONS:
        parser.add_argument(f"--{name}", metavar="DURATION", help="such as 90s")
    parser.add_argument(
        "--leave-running", action="store_true", help="nobody ends the processes beside the lost cluster"
    )
    parser.add_argument("--setups", action="store_true", help="compare setups, not ways back")
    parser.add_argument("--json", action="store_true", help="one JSON object a plan")
    parser.add_argument("--document", choices=(*WAYS, *SETUPS), help="the document of one plan, which is not run")
    return parser


def _times(arguments: argparse.Namespace) -> Times:
    given = {name.replace("-", "_"): getattr(arguments, name.replace("-", "_")) for name in DURATIONS}
    return replace(Times(), **{name: _duration(name, text) for name, text in given.items() if text is not None})


def _duration(name: str, text: str) -> int:
    """The duration (us) of an option. Raises ValueError that names the option."""
    try:
        return parse_duration(text)
    except FieldError as error:
        raise ValueError(f"--{name.replace('_', '-')} {text}: {error}") from None
