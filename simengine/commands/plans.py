"""The cost of losing a cluster: by each way back that teams use, or in each setup (--setups); a table or JSON lines."""

import argparse
import json
import sys
from dataclasses import replace
from typing import Any

from simengine.command_document import source
from simengine.plans.documents import WAYS, Times, documents_of
from simengine.plans.setups import SETUPS
from simengine.plans.table import row_of
from simengine.scenario import Document, load, to_plain
from simengine.scenario.durations import parse_duration
from simengine.scenario.problems import FieldError

WRONG_STATUS = 2
DURATIONS = ("lost", "detect", "decide", "switch", "repair", "copy-back", "drain", "settle")
HEAD = f"{'plan':<42}{'ack':>10}{'not read':>10}{'doubled':>9}{'out of order':>14}{'writes down':>13}{'reads down':>12}"


def main(argv: list[str]) -> int:
    """The command. Exit status 0, or 2 for a wrong document, cluster or duration."""
    arguments = _parser().parse_args(argv)
    try:
        doc = load(source(arguments.file))
        known = SETUPS if arguments.setups or arguments.document in SETUPS else WAYS
        plans = documents_of(known, doc, arguments.lose, arguments.to, _times(arguments))
    except OSError as error:
        print(f"{arguments.file}: cannot be read: {error.strerror}", file=sys.stderr)
        return WRONG_STATUS
    except ValueError as error:  # DocumentError, FieldError, or of a duration
        print(error, file=sys.stderr)
        return WRONG_STATUS
    if arguments.document:
        return _print_document(plans, arguments.document)
    if not arguments.json:
        print(HEAD)
    for key, plan in plans.items():
        row = row_of(key, known[key], plan)
        print(json.dumps(row) if arguments.json else line_of(row), flush=True)
    return 0


def _print_document(plans: dict[str, Document], key: str) -> int:
    if key not in plans:
        print(f"{key} needs a flow between the two clusters; allowed: {', '.join(plans)}", file=sys.stderr)
        return WRONG_STATUS
    print(json.dumps(to_plain(plans[key])))
    return 0


def line_of(row: dict[str, Any]) -> str:
    """One plan as a line of the table."""
    writes, reads = row["writes_down_us"] / 1e6, row["reads_down_us"] / 1e6
    ack = f"{row['ack_us'] / 1000:.0f} ms"
    figures = (
        f"{ack:>10}{row['unread']:>10,}{row['doubled']:>9,}{row['out_of_order']:>14,}{writes:>11.1f} s{reads:>10.1f} s"
    )
    return f"{row['title']:<42}{figures}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m simengine plans", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="a document of several clusters; - reads standard input")
    parser.add_argument("--lose", metavar="CLUSTER", required=True, help="the cluster that is lost, and comes back")
    parser.add_argument("--to", metavar="CLUSTER", required=True, help="the cluster that takes over meanwhile")
    for name in DURATIONS:
        parser.add_argument(f"--{name}", metavar="DURATION", help="such as 90s")
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
