"""Why records were lost: the chain of facts to each loss, and what decided it.

Each link has its time, its rules and the number of its fact. What decided is checked by running the document without.
"""

import argparse
import json
import sys
from pathlib import Path

from simengine.scenario import DocumentError, load
from simengine.scenario.durations import parse_duration
from simengine.scenario.limits import UPLOAD_BYTES_MAX
from simengine.scenario.problems import FieldError
from simengine.why.examine import examine
from simengine.why.telling import lines_of


def main(argv: list[str]) -> int:
    """Prints the chains as text, or with --json the whole examination as one object. Returns 0 or 1."""
    parser = argparse.ArgumentParser(prog="python -m simengine why", description=__doc__)
    parser.add_argument("file", help="a scenario document, YAML or JSON; - reads standard input")
    parser.add_argument("--until", help="the moment to judge, such as 30s; default: the document's own until")
    parser.add_argument("--json", action="store_true", help="verdict, decisions and chains as one JSON object")
    options = parser.parse_args(argv)
    try:
        source = sys.stdin.buffer.read(UPLOAD_BYTES_MAX + 1) if options.file == "-" else Path(options.file).read_bytes()
        document = load(source[: UPLOAD_BYTES_MAX + 1])
        until_us = parse_duration(options.until) if options.until else document.until_us
    except OSError as error:
        print(f"{options.file}: cannot be read: {error.strerror}", file=sys.stderr)
        return 1
    except (DocumentError, FieldError) as error:
        print(f"{options.file}: {error}", file=sys.stderr)
        return 1
    found = examine(document, until_us)
    print(json.dumps(found, ensure_ascii=False) if options.json else "\n".join(lines_of(found)))
    return 0
