"""What the loss of each AZ does to a document, with acks=all and acks=1; one JSON object."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from simengine.importers import az_table
from simengine.importers.az_cell import ACKS, ANY_BROKER, Cell
from simengine.scenario import Document, DocumentError, load
from simengine.scenario.limits import UPLOAD_BYTES_MAX

WRONG_STATUS = 2


def main(argv: list[str]) -> int:
    """The command. Exit status 0, or 2 for a wrong document or an unknown row."""
    parser = argparse.ArgumentParser(prog="python -m simengine az", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="a scenario document (YAML or JSON); - reads standard input")
    parser.add_argument("--row", metavar="AZ", help=f"one row only: an AZ, or {ANY_BROKER}")
    parser.add_argument(
        "--broker",
        metavar="ID",
        type=int,
        help=f"with --row {ANY_BROKER}: this one, not the one that is chosen by rule",
    )
    parser.add_argument("--acks", choices=ACKS, help="with --row: one cell only")
    parser.add_argument("--lines", action="store_true", help="one JSON object a line, each as soon as it is known")
    arguments = parser.parse_args(argv)
    try:
        if arguments.lines:
            return _print_lines(load(_read(arguments.file)))
        result = _result(load(_read(arguments.file)), arguments.row, arguments.broker, arguments.acks)
    except OSError as error:
        print(f"{arguments.file}: cannot be read: {error.strerror}", file=sys.stderr)
        return WRONG_STATUS
    except (DocumentError, ValueError) as error:
        print(error, file=sys.stderr)
        return WRONG_STATUS
    print(json.dumps(result))
    return 0


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(UPLOAD_BYTES_MAX + 1)
    with Path(name).open("rb") as file:
        return file.read(UPLOAD_BYTES_MAX + 1)


def _print_lines(doc: Document) -> int:
    """The outline, then a cell a line, then the sentence: for a page that shows the table as it grows."""
    rows = az_table.losses(doc)
    cells: list[Cell] = []
    _print({"outline": az_table.outline(doc, rows)})
    for row in rows:
        for acks in ACKS:
            cells.append(az_table.run_cell(doc, row, acks))
            _print({"cell": asdict(cells[-1])})
    _print({"sentence": az_table.sentence(rows, cells)})
    return 0


def _print(item: dict[str, object]) -> None:
    print(json.dumps(item), flush=True)


def _result(doc: Document, key: str | None, broker: int | None, acks: str | None) -> object:
    if key is None:
        return az_table.table(doc)
    row = az_table.loss_of(doc, key, broker)
    if row is None:
        rows = az_table.losses(doc)
        row = next((one for one in rows if one.key == key and broker is None), None)
    if row is None:
        raise ValueError(_no_row(doc, [one.key for one in rows], key, broker))
    cells = [az_table.run_cell(doc, row, one) for one in ACKS if acks in (None, one)]
    return {"cells": [asdict(cell) for cell in cells]}


def _no_row(doc: Document, rows: list[str], key: str, broker: int | None) -> str:
    """What is said where there is no such row: which there are, or which brokers may be the one of the row of any."""
    if key == ANY_BROKER and broker is not None:
        running = ", ".join(str(one.id) for one in doc.brokers if one.state != "down")
        return f"broker {broker} does not run, or is none; allowed: {running or 'none: no broker runs'}"
    return f"there is no row {key!r}; allowed: {', '.join(rows) or 'none: no broker has a rack'}"
