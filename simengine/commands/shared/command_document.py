"""The parts that commands on a document share: reading its file, the moment to run it to, and errors of either."""

import argparse
import sys
from pathlib import Path

from simengine.scenario import Document, DocumentError, load
from simengine.scenario.durations import parse_duration
from simengine.scenario.limits import UPLOAD_BYTES_MAX
from simengine.scenario.problems import FieldError
from simengine.scenario.sites import only_cluster


def parser_for(command: str, description: str | None, until: str) -> argparse.ArgumentParser:
    """A parser of ``FILE [--until TIME]``; ``until``: what the time is for."""
    parser = argparse.ArgumentParser(prog=f"python -m simengine {command}", description=description)
    parser.add_argument("file", help="a scenario document, YAML or JSON; - reads standard input")
    parser.add_argument("--until", help=f"{until}, such as 30s; default: the document's own until")
    return parser


def read(options: argparse.Namespace, *, takes_several: bool = False) -> tuple[Document, int] | None:
    """The document and the moment that the options name; None after saying why it cannot be used.

    ``takes_several``: whether the command can do what it does for a document of several clusters.
    """
    try:
        document = load(source(options.file))
        if not takes_several:
            only_cluster(document)
        return document, parse_duration(options.until) if options.until else document.until_us
    except OSError as error:
        print(f"{options.file}: cannot be read: {error.strerror}", file=sys.stderr)
    except FieldError as error:
        print(f"--until {options.until}: {error}", file=sys.stderr)
    except DocumentError as error:
        print(f"{options.file}: {error}", file=sys.stderr)
    return None


def source(path: str) -> bytes:
    """The bytes of a file, one more than may be loaded at most."""
    if path == "-":
        return sys.stdin.buffer.read(UPLOAD_BYTES_MAX + 1)
    with Path(path).open("rb") as file:
        return file.read(UPLOAD_BYTES_MAX + 1)
