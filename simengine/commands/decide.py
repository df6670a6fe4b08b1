"""Find the action without which the same document loses nothing, by running it without one action after the other."""

import json
from dataclasses import asdict
from typing import Any

from simengine.commands.shared.command_document import parser_for, read
from simengine.explain.decide import Decision, Reruns, decisions, harm_in_all, without_it
from simengine.explain.decided_parts import parts_of
from simengine.explain.lost_calls import lost_moments
from simengine.scenario.action_words import NodeName, clauses, node_names
from simengine.words.phrases import plural
from simengine.world.world import build


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
    if not lost:
        print("null" if options.json else verdict["sentence"])
        return 0
    reruns = Reruns(document, until_us, harm_in_all)
    losses = lost_moments(world)
    found = decisions(reruns, losses, [""])[""]
    if options.json:
        print(json.dumps(asdict(found) if found else None))
        return 0
    name = node_names(document)
    decided = decided_words(found, name) if found else parts_of(reruns, "", losses).words(name)
    print(f"{plural(lost, 'acknowledged record is', 'acknowledged records are')} gone. {decided}")
    return 0


def decided_words(decision: Decision, name: NodeName) -> str:
    """A decision in words; ``name``: what the nodes are called."""
    chance = " (drawn by the fault model)" if decision.index < 0 else ""
    what = f"{decision.at_us / 1e6:.3f} s decided it: {clauses(decision.text, name)}{chance}."
    return f"{what} {without_it(decision.text)} the same run loses nothing (checked)."
