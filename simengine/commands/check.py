"""Prints the contents of a scenario document, or every error in it and in the references of its readable parts."""

import argparse
import sys
from pathlib import Path

from simengine.scenario import Document, DocumentError, load
from simengine.scenario.durations import format_duration
from simengine.scenario.mirror_plan import PlannedFlow, flows_of
from simengine.scenario.not_simulated import not_simulated
from simengine.scenario.parts import parts_of, written_parts
from simengine.scenario.settings import ignored_keys

COPIES_SHOWN = 10
READ_MAX = 64 * 1024 * 1024  # bytes read from a file; `load` refuses far less with the limit in words


def main(argv: list[str]) -> int:
    """Checks one file ("-": standard input). Returns 0 when it is valid, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m simengine check", description=__doc__)
    parser.add_argument("file", help="a scenario document, YAML or JSON; - reads standard input")
    path = str(parser.parse_args(argv).file)
    try:
        source = sys.stdin.buffer.read(READ_MAX) if path == "-" else Path(path).read_bytes()[:READ_MAX]
    except OSError as error:
        print(f"{path}: cannot be read: {error.strerror}", file=sys.stderr)
        return 1
    try:
        doc = load(source)
    except DocumentError as error:
        lines = [f"{path}: {line}" for line in str(error).splitlines()]
        print("\n".join([*lines, f"not valid: {_many(len(error.problems) + error.left_out, 'problem')}"]))
        return 1
    print("\n".join(facts(doc)))
    return 0


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def facts(doc: Document) -> list[str]:
    """The contents of a valid document, a line each."""
    lines = [f"valid: {doc.title or 'untitled'}"]
    for name, part in parts_of(doc).items():
        before = f"{name}: " if name else ""
        lines += [before + line for line in cluster_facts(part, len(doc.timeline))]
    return [*lines, *not_simulated(doc), *mirror_facts(doc), *late_actions(doc)]


def mirror_facts(doc: Document) -> list[str]:
    """The copied topics of each flow, a line each."""
    flows = flows_of(doc.mirrors, written_parts(doc))
    return [f"{flow.name} by {flow.mirror.process}: {_copied(flow)}" for flow in flows]


def _copied(flow: PlannedFlow) -> str:
    shown = [f"{source} to {remote}" for source, remote in list(flow.copies.items())[:COPIES_SHOWN]]
    more = len(flow.copies) - len(shown)
    return (", ".join(shown) + (f" and {_many(more, 'more topic')}" if more else "")) or "no topic"


def cluster_facts(doc: Document, actions: int) -> list[str]:
    """The contents of one cluster, a line each; ``actions``: of the whole document."""
    partitions = sum(len(topic.assignment) for topic in doc.topics)
    racks = list(dict.fromkeys(broker.rack for broker in doc.brokers if broker.rack is not None))
    elr = "on" if doc.elr else "off"
    ignored = ignored_keys(doc)
    without_effect = "keys without effect here: " + ", ".join(f"{path}.{key}" for path, key in ignored)
    return [
        f"Kafka {doc.version.label}, ELR {elr}, seed {doc.seed}, until {format_duration(doc.until_us)}",
        f"{_many(len(doc.brokers), 'broker')} in {_many(len(racks), 'rack')}, "
        f"{_many(len(doc.controllers), 'controller')}",
        f"{_many(len(doc.topics), 'topic')}, {_many(partitions, 'partition')}",
        f"{_many(len(doc.producers), 'producer')}, {_many(len(doc.consumers), 'consumer')}, {_many(actions, 'action')}",
        *([without_effect] if ignored else []),
    ]


def late_actions(doc: Document) -> list[str]:
    """A warning where actions lie after `until`: only who plays on past the end sees them happen."""
    late = [(i, entry) for i, entry in enumerate(doc.timeline) if entry.at_us > doc.until_us]
    if not late:
        return []
    number, first = late[0]
    subject = "1 action lies" if len(late) == 1 else f"{len(late):,} actions lie"
    end = f"after the end (until {format_duration(doc.until_us)}), which only a run that is played on passes"
    which = f"timeline[{number}] at {format_duration(first.at_us)}: {first.action}"
    return [f"warning: {subject} {end}: {'' if len(late) == 1 else 'first '}{which}"]
