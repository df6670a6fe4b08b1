"""The checks of ``mirrors:`` besides each entry: clusters, processes, topics of two flows."""

from collections.abc import Iterator

from simengine.scenario.mirror_plan import DEFAULT_FACTOR, PlannedFlow, flows_of
from simengine.scenario.mirrors import mirror_problems
from simengine.scenario.model import Document, TopicEntry
from simengine.scenario.near import nearest
from simengine.scenario.parts import written_parts
from simengine.scenario.problems import Problem
from simengine.scenario.topic_checks import spelled


def check(doc: Document) -> list[Problem]:
    """The problems of the mirrors of a document."""
    if not doc.mirrors:
        return []
    if not doc.clusters:
        return [Problem("mirrors", "", "a mirror copies from one cluster to another", "a document with clusters:")]
    return [*_entries(doc), *_pairs(doc), *_processes(doc), *_topics(doc)]


def _entries(doc: Document) -> Iterator[Problem]:
    """The problems of single entries."""
    for i, mirror in enumerate(doc.mirrors):
        for key, name in (("source", mirror.source), ("target", mirror.target)):
            if name not in doc.clusters:
                names = list(doc.clusters)
                wrong = f"there is no cluster {name!r}"
                yield Problem(f"mirrors[{i}].{key}", name, wrong, ", ".join(names), nearest(name, names))
        topics = len(doc.clusters[mirror.source].topics) if mirror.source in doc.clusters else 0
        yield from [one._replace(path=f"mirrors[{i}].{one.path}") for one in mirror_problems(mirror, topics)]


def _pairs(doc: Document) -> Iterator[Problem]:
    """Flows from the same source to the same target: MirrorMaker has one of each."""
    first: dict[tuple[str, str], int] = {}
    for i, mirror in enumerate(doc.mirrors):
        pair = (mirror.source, mirror.target)
        if pair in first:
            flow = f"{mirror.source}->{mirror.target}"
            wrong = f"mirrors[{first[pair]}] is a flow from {mirror.source} to {mirror.target}, too"
            yield Problem(f"mirrors[{i}]", flow, wrong, "one flow for each source and target")
        first.setdefault(pair, i)


def _processes(doc: Document) -> Iterator[Problem]:
    """Actions name a process as it is, without a cluster; its flows start together."""
    states: dict[str, str] = {}
    for i, mirror in enumerate(doc.mirrors):
        name = mirror.process
        if name in doc.clusters:
            yield Problem(f"mirrors[{i}].process", name, "this is a name of a cluster", "another name")
        elif "/" in name:
            yield Problem(f"mirrors[{i}].process", name, "a name of a process has no slash", "another name")
        if states.setdefault(name, mirror.state) != mirror.state:
            wrong = f"another flow of {name} is {states[name]} at t=0"
            yield Problem(f"mirrors[{i}].state", mirror.state, wrong, states[name])


def _topics(doc: Document) -> Iterator[Problem]:
    """Topics that MirrorMaker could not make, or would copy round and round."""
    parts = written_parts(doc)
    flows = flows_of(doc.mirrors, parts)
    for flow in flows:
        path = f"mirrors[{flow.index}]"
        if flow.endless:
            yield Problem(
                f"{path}.config.topics",
                flow.endless,
                "its copies are copied back and forth for ever: their names do not tell where they came from",
                "a separator that no cluster has in its name, or a narrower list of topics",
            )
        yield from _factors(flow, parts, path)
        yield from _partitions(flow, parts)
    yield from _loops(flows)


def _factors(flow: PlannedFlow, parts: dict[str, Document], path: str) -> Iterator[Problem]:
    """Replication factors above the number of brokers; MirrorMaker fails with InvalidReplicationFactorException."""
    made = flow.own_topics()
    written = {name: {topic.name for topic in part.topics} for name, part in parts.items()}
    if any(remote not in written[flow.mirror.target] for remote in flow.copies.values()):
        made.append((flow.mirror.target, "its remote topics", flow.settings.remote_factor, "replication.factor"))
    for cluster, name, factor, key in made:
        brokers = len(parts[cluster].brokers)
        if name not in written[cluster] and factor != DEFAULT_FACTOR and factor > brokers:
            wrong = f"{cluster} has {brokers} broker{'' if brokers == 1 else 's'}, and MirrorMaker cannot make {name}"
            yield Problem(f"{path}.config.{key}", str(factor), wrong, f"1 to {brokers}")


def _partitions(flow: PlannedFlow, parts: dict[str, Document]) -> Iterator[Problem]:
    """Remote topics that are written, and lack partitions of their source topic."""
    source = {topic.name: topic for topic in parts[flow.mirror.source].topics}
    target = {topic.name: (i, topic) for i, topic in enumerate(parts[flow.mirror.target].topics)}
    for name, remote in flow.copies.items():
        if name in source and remote in target:
            place, topic = target[remote]
            path = f"clusters.{flow.mirror.target}.topics[{place}].assignment"
            yield from _lacking(path, topic, source[name], f"{flow.mirror.source}/{name}")


def _lacking(path: str, remote: TopicEntry, source: TopicEntry, called: str) -> list[Problem]:
    lacks = [number for number in source.numbers if number not in remote.numbers]
    if not lacks:
        return []
    wrong = f"a remote topic has the partitions of its source {called}"
    return [Problem(path, remote.name, wrong, f"also {spelled(lacks, f'{remote.name}-')}")]


def _loops(flows: list[PlannedFlow]) -> Iterator[Problem]:
    """Topics that two flows copy back and forth under one name: the identity policy finds no loop (MM-2).

    Allowed if one of them does not run at t=0: a flow back starts after the other flow has ended.
    """
    for i, flow in enumerate(flows):
        for back in flows[:i]:
            if (back.mirror.source, back.mirror.target) != (flow.mirror.target, flow.mirror.source):
                continue
            if "down" in (flow.mirror.state, back.mirror.state):
                continue
            shared = [name for name, remote in flow.copies.items() if remote == name and back.copies.get(name) == name]
            if shared:
                wrong = f"mirrors[{back.index}] copies it the other way under the same name: each copy is copied back"
                allowed = "topics or topics.exclude that leave each topic to one direction, the default policy, or "
                allowed += "state: down for the one that starts later"
                yield Problem(f"mirrors[{flow.index}].config.topics", shared[0], wrong, allowed)
