"""Find the action without which the same document loses nothing, by running it without one action after the other."""

import json
from dataclasses import asdict
from typing import Any

from simengine.command_document import parser_for, read
from simengine.decide import Decision, deciding_action
from simengine.scenario.action_words import NodeName, clauses, node_names
from simengine.verdict.sentence import plural
from simengine.world import build


def main(argv: list[str]) -> int:
    """Prints a sentence, or with --json the action of the timeline as one object (null: none). Returns 0 or 1."""
    parser = parser_for("decide", __doc__, "the moment to judge")
    parser.add_argument("--json", action="store_true", help="one JSON object, or null where no single action decides")
    options = parser.parse_args(argv)
    given = read(options)
    if given is None:
        return 1
    document, until_us = given
    world = build(document)
    world.run(until_us)
    verdict: Any = world.verdict()
    lost = sum(topic["lost"] for topic in verdict["topics"])
    found = deciding_action(document, until_us) if lost else None
    text = told(lost, found, node_names(document)) if lost else str(verdict["sentence"])
    print(json.dumps(asdict(found) if found else None) if options.json else text)
    return 0


def told(lost: int, decision: Decision | None, name: NodeName) -> str:
    """The decision on a loss in words; ``name``: what the nodes are called."""
    gone = f"{plural(lost, 'acknowledged record is', 'acknowledged records are')} gone."
    if decision is None:
        return f"{gone} No single action decided it: left out alone, none of them prevents the loss (checked)."
    chance = " (drawn by the fault model)" if decision.index < 0 else ""
    what = f"{decision.at_us / 1e6:.3f} s decided it: {clauses(decision.text, name)}{chance}."
    return f"{gone} {what} Without it the same run loses nothing (checked)."
