"""The effect of the loss of each AZ on a document, with acks=all and acks=1; one JSON object.

Of a document of several clusters: the effect of the loss of each cluster.
"""

import argparse
import json
import sys
from dataclasses import asdict

from simengine.commands.shared.command_document import source
from simengine.questions.az import edits as az_edits
from simengine.questions.az import partition_list
from simengine.questions.az import table as az_table
from simengine.questions.az.cell import ACKS, ANY_BROKER, ANY_TWO, AzCell, AzLoss
from simengine.questions.az.copying import log_mb
from simengine.questions.az.edits import DARK, Edits
from simengine.questions.az.figures import cell_json
from simengine.questions.az.losses import loss_of, rows_of
from simengine.questions.az.moments import at_moment
from simengine.questions.az.run import at_the_loss, run_cell
from simengine.questions.az.site_rows import site_rows
from simengine.questions.az.whys import causes_of
from simengine.scenario import Document, DocumentError, load
from simengine.scenario.sites import only_cluster

WRONG_STATUS = 2


def main(argv: list[str]) -> int:
    """The command. Exit status 0, or 2 for a wrong document, wrong edits or an unknown row."""
    arguments = _parser().parse_args(argv)
    try:
        doc = load(source(arguments.file))
        if doc.clusters and arguments.row is None and arguments.edits == "{}":
            print(json.dumps({"sites": list(site_rows(doc))}))
            return 0
        doc = only_cluster(doc)
        edits = az_edits.read(json.loads(arguments.edits))
        if arguments.lines:
            for line in az_table.lines(doc, edits):
                print(json.dumps(line), flush=True)
            return 0
        result = az_table.table(doc, edits) if arguments.row is None else _one_row(doc, edits, arguments)
    except BrokenPipeError:  # an OSError, but of the reader of what is printed
        raise
    except OSError as error:
        print(f"{arguments.file}: cannot be read: {error.strerror}", file=sys.stderr)
        return WRONG_STATUS
    except (DocumentError, ValueError) as error:
        print(error, file=sys.stderr)
        return WRONG_STATUS
    print(result if isinstance(result, str) else json.dumps(result))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m simengine az", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="a scenario document (YAML or JSON); - reads standard input")
    parser.add_argument(
        "--edits",
        metavar="JSON",
        default="{}",
        help='what is changed before: {"racks": {"1": "az-a"}, "controllers": {"100": "az-a"}, '
        '"assumed": {"latency_ms": 1}, "dies": "dark" or "killed", "disks": "back" or "gone", '
        '"outside": "out" or "back" (followers outside the ISR)}',
    )
    parser.add_argument("--row", metavar="AZ", help=f"one row only: an AZ, {ANY_BROKER} or {ANY_TWO}")
    parser.add_argument(
        "--pick",
        metavar="ID",
        default="",
        help=f"with --row {ANY_BROKER}: this broker, with --row {ANY_TWO}: these (az-a,az-b), not those chosen by rule",
    )
    parser.add_argument(
        "--list", choices=partition_list.OF, help="with --row: the partitions behind a figure or a cause, as CSV"
    )
    parser.add_argument("--cause", metavar="KEY", default="", help="with --list cause: which")
    parser.add_argument("--acks", choices=ACKS, default=ACKS[0], help="with --list: of which cell")
    parser.add_argument("--parts", action="store_true", help="with --row: every partition of both cells, as JSON")
    parser.add_argument("--lines", action="store_true", help="one JSON object a line, each as soon as it is known")
    return parser


def _one_row(doc: Document, edits: Edits, arguments: argparse.Namespace) -> object:
    made = at_moment(az_edits.edited(doc, edits), edits.outside)
    loss = _loss(made, edits, arguments.row, arguments.pick)
    safe, fast = (run_cell(made, loss, acks, edits.disks) for acks in ACKS)
    if arguments.parts:
        return {"parts": [{**asdict(cell), "pick": loss.pick} for cell in (safe, fast)]}
    if arguments.list:
        asked = partition_list.PartitionQuery(arguments.list, arguments.acks, arguments.cause)
        return partition_list.as_csv(partition_list.rows(made, loss, safe, fast, asked)).rstrip("\n")
    return _told(made, loss, safe, fast)


def _told(doc: Document, loss: AzLoss, safe: AzCell, fast: AzCell) -> object:
    causes = [cause.plain() for cause in causes_of(loss, safe, fast)]
    return {
        "cells": [cell_json(cell, log_mb(doc)) for cell in (safe, fast)],
        "causes": {"row": loss.key, "causes": causes},
    }


def _loss(doc: Document, edits: Edits, key: str, pick: str) -> AzLoss:
    """The row that is asked for. Raises ValueError with what there is."""
    found = loss_of(doc, key, pick, edits.dies)
    if found is not None:
        return found
    rows = rows_of(doc, edits.dies, at_the_loss(doc, ACKS[0], edits.dies == DARK))
    if not pick:
        found = next((one for one in rows if one.key == key), None)
        if found is not None:
            return found
    if key == ANY_BROKER:
        running = ", ".join(str(one.id) for one in doc.brokers if one.state != "down")
        raise ValueError(f"broker {pick} does not run, or is none; allowed: {running or 'none: no broker runs'}")
    if key == ANY_TWO:
        azs = ", ".join(one.key for one in rows if one.kind == "az")
        raise ValueError(f"{pick!r} are no two AZs; allowed are two of {azs or 'none: no broker has a rack'}")
    keys = ", ".join(one.key for one in rows)
    raise ValueError(f"there is no row {key!r}; allowed: {keys or 'none: no broker has a rack'}")
