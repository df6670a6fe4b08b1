"""Writes a report of a run, or of two to four runs side by side, as one HTML file that prints well."""

import argparse
import sys
from pathlib import Path

from simengine.commands.shared.command_document import read_all
from simengine.compare.comparison import SIDES_MAX
from simengine.report.page import report


def main(argv: list[str]) -> int:
    """Writes the page to a file or to standard output. Returns 0, or 1 when a document cannot be used."""
    options = _parser().parse_args(argv)
    if options.files.count("-") > 1:
        print("standard input can be one of the documents, not two: give the other one as a file", file=sys.stderr)
        return 1
    given = read_all(options.files, options.until)
    if given is None:
        return 1
    documents, until_us = given
    if not 1 <= len(documents) <= SIDES_MAX:
        print(f"report takes 1 to {SIDES_MAX} documents, and {len(documents)} are given", file=sys.stderr)
        return 1
    page = report(documents, until_us)
    if options.output is None:
        print(page)
        return 0
    try:
        Path(options.output).write_text(page, encoding="utf-8")
    except OSError as error:
        print(f"{options.output}: cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m simengine report", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE", help="scenario documents; one may be - (standard input)")
    parser.add_argument("-o", "--output", metavar="OUT", help="the file to write; default: standard output")
    parser.add_argument("--until", help="the moment to judge, such as 30s; default: the end of the longest run")
    return parser
