"""Explains lost records: the chain of facts to each loss, and the action that decided it.

Each link has its time, its rules and the number of its fact. What decided is checked by running the document without.
"""

import json

from simengine.commands.shared.command_document import parser_for, read
from simengine.explain.examine import examine
from simengine.explain.lines import lines_of
from simengine.scenario.action_words import node_names


def main(argv: list[str]) -> int:
    """Prints the chains as text, or with --json the whole examination as one object. Returns 0 or 1."""
    parser = parser_for("why", __doc__, "the moment to judge")
    parser.add_argument("--all", action="store_true", help="every loss and every fault, however many there are")
    parser.add_argument("--json", action="store_true", help="verdict, decisions and chains as one JSON object")
    options = parser.parse_args(argv)
    given = read(options)
    if given is None:
        return 1
    document, until_us = given
    found = examine(document, until_us, options.all)
    print(json.dumps(found, ensure_ascii=False) if options.json else "\n".join(lines_of(found, node_names(document))))
    return 0
