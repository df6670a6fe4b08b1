"""The contents of a document in a few lines: the size of each cluster, what has no effect, what MirrorMaker copies."""

from typing import Final

from simengine.scenario.durations import duration_words, format_duration
from simengine.scenario.mirror_plan import PlannedFlow, flows_of
from simengine.scenario.model import Document
from simengine.scenario.not_simulated import not_simulated
from simengine.scenario.parts import parts_of, written_parts
from simengine.scenario.settings import ignored_keys
from simengine.words.phrases import plural

COPIES_SHOWN: Final = 10


def contents_of(doc: Document) -> list[str]:
    """The contents of a valid document, a line each."""
    lines: list[str] = []
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
    return (", ".join(shown) + (f" and {plural(more, 'more topic', 'more topics')}" if more else "")) or "no topic"


def cluster_facts(doc: Document, actions: int) -> list[str]:
    """The contents of one cluster, a line each; ``actions``: of the whole document."""
    partitions = sum(len(topic.assignment) for topic in doc.topics)
    racks = list(dict.fromkeys(broker.rack for broker in doc.brokers if broker.rack is not None))
    places = f" in {plural(len(racks), 'rack', 'racks')}" if racks else ""
    elr = "on" if doc.elr else "off"
    ignored = ignored_keys(doc)
    without_effect = "keys without effect here: " + ", ".join(f"{path}.{key}" for path, key in ignored)
    return [
        f"Kafka {doc.version.label}, ELR {elr}, seed {doc.seed}, until {duration_words(doc.until_us)}",
        f"{plural(len(doc.brokers), 'broker', 'brokers')}{places}, "
        f"{plural(len(doc.controllers), 'controller', 'controllers')}",
        f"{plural(len(doc.topics), 'topic', 'topics')}, {plural(partitions, 'partition', 'partitions')}",
        f"{plural(len(doc.producers), 'producer', 'producers')}, "
        f"{plural(len(doc.consumers), 'consumer', 'consumers')}, {plural(actions, 'action', 'actions')}",
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
