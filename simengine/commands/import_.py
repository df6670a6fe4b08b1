"""Read what Kafka's tools printed about a cluster, or its files; one JSON object, its scenario is the document."""

import argparse
import json
import sys
from pathlib import Path

from simengine.importers import limits
from simengine.importers.assumed import AssumedError
from simengine.importers.report import import_text

UNREADABLE_STATUS = 2


def main(argv: list[str]) -> int:
    """The command. Exit status 0 when an object was printed (also for a rejected paste), 2 for an unreadable file."""
    parser = argparse.ArgumentParser(prog="python -m simengine import", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="the pasted text; - reads standard input")
    parser.add_argument("--assume", action="append", default=[], metavar="KEY=VALUE", help="an assumed value instead")
    parser.add_argument("--rack", action="append", default=[], metavar="ID=RACK", help="the AZ of a broker")
    arguments = parser.parse_args(argv)
    try:
        data = _read(arguments.file)
    except OSError as error:
        print(f"{arguments.file} cannot be read: {error.strerror}", file=sys.stderr)
        return UNREADABLE_STATUS
    try:
        racks = {int(broker): rack for broker, rack in map(_pair, arguments.rack)}
        result = import_text(data, dict(map(_pair, arguments.assume)), racks)
    except (AssumedError, ValueError) as error:
        print(error, file=sys.stderr)
        return UNREADABLE_STATUS
    print(json.dumps(result, indent=2))
    return 0


def _read(name: str) -> bytes:
    """At most one byte more than is allowed: enough to tell that it is too much."""
    if name == "-":
        return sys.stdin.buffer.read(limits.BYTES_MAX + 1)
    with Path(name).open("rb") as file:
        return file.read(limits.BYTES_MAX + 1)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key or not value:
        raise ValueError(f"{text!r} is no KEY=VALUE pair.")
    return key, value
