"""The parts that commands on a document share: reading its file, the moment to run it to, and errors of either."""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from simengine.compare.comparison import SIDES_MAX, end_us
from simengine.scenario import Document, DocumentError, load, load_all
from simengine.scenario.durations import parse_duration
from simengine.scenario.limits import UPLOAD_BYTES_MAX
from simengine.scenario.problems import FieldError
from simengine.scenario.sites import only_cluster

T = TypeVar("T")


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

    def loaded() -> tuple[Document, int]:
        document = load(source(options.file))
        if not takes_several:
            only_cluster(document)
        return document, _moment(options.until) if options.until else document.until_us

    return _or_said(loaded, options.file)


def read_all(files: Sequence[str], until: str | None) -> tuple[list[Document], int] | None:
    """The documents of some files, one of which may hold several, and the moment at which their runs are compared.

    ``until``: the moment in words; None: ``comparison.end_us``. None after saying why one cannot be used.
    """
    found = [_or_said(partial(_loaded_all, file), file) for file in files]
    documents = [document for several in found for document in several or ()]
    if None in found:
        return None
    until_us = _or_said(lambda: _moment(until) if until else end_us(documents), "--until")
    return None if until_us is None else (documents, until_us)


def _loaded_all(file: str) -> list[Document]:
    return load_all(source(file, SIDES_MAX * (UPLOAD_BYTES_MAX + 1)))


def _moment(until: str) -> int:
    try:
        return parse_duration(until)
    except FieldError as error:
        raise FieldError(f"--until {until}: {error}") from None


def _or_said(read: Callable[[], T], file: str) -> T | None:
    """The result of a reader of a file; None after saying why it cannot be read."""
    try:
        return read()
    except OSError as error:
        print(f"{file}: cannot be read: {error.strerror}", file=sys.stderr)
    except FieldError as error:
        print(error, file=sys.stderr)
    except DocumentError as error:
        print(f"{file}: {error}", file=sys.stderr)
    return None


def source(path: str, most: int = UPLOAD_BYTES_MAX + 1) -> bytes:
    """The bytes of a file, at most so many: by default one more than may be loaded."""
    if path == "-":
        return sys.stdin.buffer.read(most)
    with Path(path).open("rb") as file:
        return file.read(most)
