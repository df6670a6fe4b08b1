"""Prints the contents of a scenario document, or every error in it and in the references of its readable parts.

It runs a document whose captions wait for facts: each of these facts must come.
"""

import argparse
import sys

from simengine.commands.shared.caption_moments import waiting_in_vain
from simengine.commands.shared.command_document import source
from simengine.scenario import DocumentError, load_all
from simengine.scenario.contents import contents_of
from simengine.words.phrases import plural

READ_MAX = 64 * 1024 * 1024  # bytes read from a file; `load` refuses far less with the limit in words


def main(argv: list[str]) -> int:
    """Checks one file, of one or several documents ("-": standard input). Returns 0 when it is valid, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m simengine check", description=__doc__)
    parser.add_argument("file", help="a scenario document, YAML or JSON; - reads standard input")
    path = str(parser.parse_args(argv).file)
    try:
        text = source(path, READ_MAX)
    except OSError as error:
        print(f"{path}: cannot be read: {error.strerror}", file=sys.stderr)
        return 1
    try:
        documents = load_all(text)
        if problems := [problem for doc in documents for problem in waiting_in_vain(doc)]:
            raise DocumentError(problems)
    except DocumentError as error:
        lines = [f"{path}: {line}" for line in str(error).splitlines()]
        number = len(error.problems) + error.left_out
        print("\n".join([*lines, f"not valid: {plural(number, 'problem', 'problems')}"]))
        return 1
    for doc in documents:
        print("\n".join([f"valid: {doc.title or 'untitled'}", *contents_of(doc)]))
    return 0
