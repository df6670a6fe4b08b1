"""The checks of topics: names, replica lists, and the state in which each partition starts."""

from collections.abc import Iterator, Sequence
from typing import Final

from simengine.scenario import initial_checks
from simengine.scenario.limits import PARTITIONS_MAX
from simengine.scenario.model import Document, TopicEntry
from simengine.scenario.problems import Problem

SHOWN_MAX: Final = 20  # brokers or partitions listed as allowed


def check(doc: Document) -> Iterator[Problem]:
    """Everything that is wrong with the topics of `doc`."""
    seen: dict[str, int] = {}
    total = sum(len(topic.assignment) for topic in doc.topics)
    if total > PARTITIONS_MAX:
        message = f"{total} partitions; the limit is {PARTITIONS_MAX}. Remove topics or import fewer"
        yield Problem("topics", str(total), message)
    for i, topic in enumerate(doc.topics):
        if topic.name in seen:
            yield Problem(f"topics[{i}].name", topic.name, f"topics[{seen[topic.name]}] has this name")
        seen.setdefault(topic.name, i)
        yield from _assignment(doc, f"topics[{i}]", topic)
        yield from _partitions(f"topics[{i}].partitions", topic)
        yield from _count(f"topics[{i}].count", topic)
        yield from _observers(doc, f"topics[{i}]", topic)
        yield from _initial(doc, f"topics[{i}]", topic)


def _assignment(doc: Document, path: str, topic: TopicEntry) -> Iterator[Problem]:
    brokers = [broker.id for broker in doc.brokers]
    factor = len(topic.assignment[0])
    for at, replicas in enumerate(topic.assignment):
        place = f"{path}.assignment[{at}]"
        if len(replicas) != factor and not topic.initial:  # a running topic may be in the middle of a reassignment
            message = f"all partitions of a topic have equally many replicas; the first has {factor}"
            yield Problem(place, str(replicas), message, f"a list of {factor}")
        for position, replica in enumerate(replicas):
            where = f"{place}[{position}]"
            if replica not in brokers:
                yield no_broker(where, replica, brokers)
            elif replica in replicas[:position]:
                yield Problem(where, str(replica), "this broker stands twice in one replica list", "each broker once")


def _partitions(path: str, topic: TopicEntry) -> Iterator[Problem]:
    """Numbers that a topic gives its partitions: as many as replica lists, ascending, each once."""
    if topic.partitions is None:
        return
    if len(topic.partitions) != len(topic.assignment):
        message = f"one number for each of the {len(topic.assignment)} replica lists of assignment"
        yield Problem(path, f"{len(topic.partitions)} numbers", message)
    for at in range(1, len(topic.partitions)):
        number, before = topic.partitions[at], topic.partitions[at - 1]
        if number <= before:
            message = "partition numbers ascend, each once"
            yield Problem(f"{path}[{at}]", str(number), message, f"{before + 1} or more")


def _count(path: str, topic: TopicEntry) -> list[Problem]:
    """The partitions in all: as many as are given, and more than the highest number."""
    least = max(len(topic.assignment), *(number + 1 for number in topic.partitions or ()), 1)
    if topic.count is None or topic.count >= least:
        return []
    return [Problem(path, str(topic.count), "fewer partitions than the document names", f"{least} or more")]


def _observers(doc: Document, path: str, topic: TopicEntry) -> list[Problem]:
    """OBS-1: an observer is never in the ISR, so it can neither be preferred nor have led."""
    brokers = [broker.id for broker in doc.brokers]
    problems = [
        no_broker(f"{path}.observers[{i}]", observer, brokers)
        for i, observer in enumerate(topic.observers)
        if observer not in brokers
    ]
    for at, replicas in enumerate(topic.assignment):
        if replicas[0] in topic.observers:
            message = "an observer is never elected, so it cannot be the preferred leader (OBS-1)"
            allowed = ", ".join(str(broker) for broker in dict.fromkeys(brokers) if broker not in topic.observers)
            problems.append(Problem(f"{path}.assignment[{at}][0]", str(replicas[0]), message, allowed))
    for number, state in topic.initial.items():
        for key in ("isr", "elr", "last_known"):
            for member in getattr(state, key):
                if member in topic.observers:
                    message = "an observer is never in the ISR (OBS-1)"
                    problems.append(Problem(f"{path}.initial.{number}.{key}", str(member), message))
    return problems


def spelled(numbers: Sequence[int], prefix: str = "") -> str:
    """Partition numbers as words, each behind ``prefix``: ``0 to 7``, or ``3, 7, 12`` where some are missing."""
    if isinstance(numbers, range) and len(numbers) > 1:
        return f"{prefix}0 to {prefix}{len(numbers) - 1}"
    shown = ", ".join(f"{prefix}{number}" for number in numbers[:SHOWN_MAX])
    return shown if len(numbers) <= SHOWN_MAX else f"{shown}, …"


def no_broker(path: str, number: int, brokers: list[int]) -> Problem:
    """The problem of a place that names broker `number`, which is none of `brokers`."""
    known = [str(broker) for broker in dict.fromkeys(brokers)]  # an id that is taken twice is a problem of its own
    allowed = ", ".join(known[:SHOWN_MAX]) + (", …" if len(known) > SHOWN_MAX else "")
    return Problem(path, str(number), f"there is no broker {number}", allowed)


def _initial(doc: Document, path: str, topic: TopicEntry) -> Iterator[Problem]:
    states: dict[int, str] = {broker.id: broker.state for broker in doc.brokers}
    known = dict.fromkeys(topic.numbers)
    for number in topic.initial:
        if number not in known:
            message = f"{topic.name} has {len(topic.assignment)} partitions"
            yield Problem(f"{path}.initial.{number}", str(number), message, spelled(topic.numbers))
    for number, replicas in zip(topic.numbers, topic.assignment, strict=False):
        place = f"{path}.initial.{number}"
        state = topic.initial.get(number)
        if state is not None:
            yield from initial_checks.check(place, state, replicas, states, doc.elr)
        elif all(states.get(replica) != "running" for replica in replicas):
            message = f"no replica of {topic.name}-{number} is running: say which leader and ISR it had"
            yield Problem(place, "", message, "leader, isr")
