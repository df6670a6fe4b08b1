"""The action without which the same document loses nothing.

Checked by running the document without it.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from simengine.decide import deciding_action
from simengine.scenario import DocumentError, load
from simengine.scenario.durations import parse_duration
from simengine.scenario.limits import UPLOAD_BYTES_MAX
from simengine.scenario.problems import FieldError


def main(argv: list[str]) -> int:
    """Prints one JSON object: the action, or null where nothing is lost or no single action decides. Returns 0 or 1."""
    parser = argparse.ArgumentParser(prog="python -m simengine decide", description=__doc__)
    parser.add_argument("file", help="a scenario document, YAML or JSON; - reads standard input")
    parser.add_argument("--until", help="the moment to judge, such as 30s; default: the document's own until")
    options = parser.parse_args(argv)
    try:
        source = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
        document = load(source[: UPLOAD_BYTES_MAX + 1])
        until_us = parse_duration(options.until) if options.until else document.until_us
    except OSError as error:
        print(f"{options.file}: cannot be read: {error.strerror}", file=sys.stderr)
        return 1
    except (DocumentError, FieldError) as error:
        print(f"{options.file}: {error}", file=sys.stderr)
        return 1
    decision = deciding_action(document, until_us)
    print(json.dumps(None if decision is None else asdict(decision)))
    return 0
