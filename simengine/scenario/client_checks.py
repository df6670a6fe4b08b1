"""The checks of producers and consumers: ids, topics, partitions, and what the Kafka client would refuse."""

from collections.abc import Iterator, Sequence

from simengine.scenario.limits import CLIENTS_MAX
from simengine.scenario.model import ConsumerEntry, Document, ProducerEntry
from simengine.scenario.near import nearest
from simengine.scenario.problems import Problem
from simengine.scenario.settings import producer_problems
from simengine.scenario.topic_checks import no_broker, spelled


def check(doc: Document) -> Iterator[Problem]:
    """Everything that is wrong with the clients of `doc`."""
    if len(doc.producers) + len(doc.consumers) > CLIENTS_MAX:
        yield Problem("producers", "", f"at most {CLIENTS_MAX} producers and consumers together")
    yield from _ids(doc)
    numbers = {topic.name: topic.numbers for topic in doc.topics}
    for i, producer in enumerate(doc.producers):
        yield from _producer(f"producers[{i}]", producer, numbers, doc)
    for i, consumer in enumerate(doc.consumers):
        yield from _consumer(f"consumers[{i}]", consumer, numbers)
        yield from _via(f"consumers[{i}].via", consumer.via, doc)


def _ids(doc: Document) -> Iterator[Problem]:
    """Clients have names of their own, which are no racks either."""
    racks = {broker.rack for broker in doc.brokers}
    places = [(f"producers[{i}]", producer.id) for i, producer in enumerate(doc.producers)]
    places += [(f"consumers[{i}]", consumer.id) for i, consumer in enumerate(doc.consumers)]
    seen: dict[str, str] = {}
    for path, name in places:
        if name in seen:
            yield Problem(f"{path}.id", name, f"this id is taken by {seen[name]}")
        elif name in racks:
            message = "a client may not be called like a rack, since actions name both"
            yield Problem(f"{path}.id", name, message)
        seen.setdefault(name, path)


def _producer(path: str, producer: ProducerEntry, numbers: dict[str, Sequence[int]], doc: Document) -> list[Problem]:
    problems = [
        *_topic_of(f"{path}.topic", producer.topic, numbers),
        *_numbers(f"{path}.partitions", producer.partitions, numbers.get(producer.topic)),
        *_via(f"{path}.via", producer.via, doc),
    ]
    if "acks" in producer.config:
        value = str(producer.config["acks"])
        problems.append(Problem(f"{path}.config.acks", value, "say acks beside the topic, not in config"))
    refused = producer_problems(producer.acks, producer.config, doc.version)
    return problems + [problem._replace(path=f"{path}.{problem.path}") for problem in refused]


def _consumer(path: str, consumer: ConsumerEntry, numbers: dict[str, Sequence[int]]) -> Iterator[Problem]:
    if bool(consumer.topics) == bool(consumer.partitions):
        yield Problem(path, consumer.id, "a consumer reads whole topics or single partitions", "topics or partitions")
    for j, topic in enumerate(consumer.topics):
        yield from _topic_of(f"{path}.topics[{j}]", topic, numbers)
    for j, (topic, number) in enumerate(consumer.partitions):
        yield from _topic_of(f"{path}.partitions[{j}]", topic, numbers)
        yield from _numbers(f"{path}.partitions[{j}]", [number], numbers.get(topic))
    for j, (topic, number, _) in enumerate(consumer.committed):
        yield from _topic_of(f"{path}.committed[{j}]", topic, numbers)
        yield from _numbers(f"{path}.committed[{j}]", [number], numbers.get(topic))
    if consumer.committed and not consumer.group:
        yield Problem(f"{path}.committed", consumer.id, "a consumer without a group commits nothing", "group")


def _via(path: str, via: list[int], doc: Document) -> list[Problem]:
    brokers = [broker.id for broker in doc.brokers]
    return [no_broker(f"{path}[{j}]", number, brokers) for j, number in enumerate(via) if number not in brokers]


def _topic_of(path: str, topic: str, numbers: dict[str, Sequence[int]]) -> list[Problem]:
    if topic in numbers:
        return []
    known = ", ".join(list(numbers)[:20]) or "none exist"
    return [Problem(path, topic, f"there is no topic {topic!r}", known, nearest(topic, numbers))]


def _numbers(path: str, numbers: list[int] | None, known: Sequence[int] | None) -> list[Problem]:
    if numbers is None or known is None:
        return []
    if not numbers:
        return [Problem(path, "[]", "names no partition", "leave it out for all partitions")]
    wrong = [number for number in numbers if number not in known]
    problems = [Problem(path, str(number), "there is no such partition", spelled(known)) for number in wrong]
    if len(dict.fromkeys(numbers)) < len(numbers):
        problems.append(Problem(path, str(numbers), "a partition is named twice"))
    return problems
