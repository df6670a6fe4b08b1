"""The two runs of a question on a cluster of one's own: what is done is done to one of its partitions.

Its replicas are all in sync, and a producer writes to it. Of several, the one that risks most is taken, and a caption
says so. Other topics are left out, but for those of Kafka itself: their stops would stand before the answer.
"""

from typing import Any, Final

from playground.library.question_list import OF_THE_SCENARIO, Json, OwnSide, Question, change
from simengine.kernel.titles import partition_title
from simengine.questions.az.partition_states import min_isr
from simengine.scenario import Document, load, to_plain
from simengine.scenario.durations import SECOND, format_duration
from simengine.scenario.model import TopicEntry
from simengine.words.phrases import listed

AFTERMATH_US: Final = 60 * SECOND  # a run goes on so long after its last action
INTERNAL: Final = "__"  # the beginning of the names of Kafka's own topics
EACH: Final = "{each}"  # an action for each follower
CONTROLLERS: Final = "{controller}"
TAKEN: Final = 2  # controllers that a question kills
NO_CONTROLLERS: Final = "It needs a controller quorum that loses its majority with two controllers."
OF_ITS_RUN: Final = ("alerts", "faults", "closing", "phases")
NO_PARTITION: Final = "It needs a partition with two replicas that are all in sync, and a producer that writes to it."
NAMES_MAX: Final = 3  # topics that are named in the caption, of a kind
SEVERAL: Final = "It is asked of one cluster, and these are several."


class NotAskable(ValueError):
    """The question cannot be asked of this cluster; the message says why."""


def own_documents(question: Question, document: Document) -> tuple[Document, ...]:
    """The runs of a question on a cluster. Raises NotAskable, or DocumentError."""
    if question.why_not_mine:
        raise NotAskable(question.why_not_mine)
    if document.clusters:
        raise NotAskable(SEVERAL)
    askable = _askable(document)
    names = _names(document, *askable[0])
    captions = [{"at": "0s", "text": _chosen(document, names["partition"], askable)}]
    return tuple(
        load(_run(own, f"{side.title} {side.label}", names, document) | {"captions": captions})
        for own, (_, side) in zip(question.mine, question.sides, strict=True)
    )


def _run(own: OwnSide, title: str, names: dict[str, str], document: Document) -> Json:
    plain = _of_topic(to_plain(document), names["topic"])
    for path, value in own.changes.items():
        change(plain, path.format(**names).split("/"), value)
    plain["title"] = title
    plain["timeline"] = [{"at": at, "do": do} for line in own.actions for at, do in _actions(line, names)]
    last_us = max(entry.at_us for entry in load(plain | {"until": "1h"}).timeline)
    return plain | {"until": format_duration(last_us + AFTERMATH_US)}


def _of_topic(document: Json, topic: str) -> Json:
    """The cluster with one topic and its clients."""
    kept = {key: one for key, one in document.items() if key not in (*OF_THE_SCENARIO, *OF_ITS_RUN)}
    kept["topics"] = [one for one in kept["topics"] if one["name"] == topic or one["name"].startswith(INTERNAL)]
    kept["producers"] = [one for one in kept["producers"] if one["topic"] == topic]
    readers = [one for one in kept.get("consumers", []) if topic in one.get("topics", [])]
    committed = [[entry for entry in one.get("committed", []) if entry[0] == topic] for one in readers]
    kept["consumers"] = [
        one | {"topics": [topic], "partitions": [], "committed": entries}
        for one, entries in zip(readers, committed, strict=True)
    ]
    clients = {one["id"] for key in ("producers", "consumers") for one in document.get(key, [])}
    left_out = clients - {one["id"] for key in ("producers", "consumers") for one in kept[key]}
    if links := kept.get("network", {}).get("links"):
        kept["network"] |= {"links": [one for one in links if left_out.isdisjoint(map(str, one["between"]))]}
    return kept


def _actions(line: str, names: dict[str, str]) -> list[tuple[str, str]]:
    """The actions of a line: one, or one for each follower."""
    at, _, do = line.partition(" ")
    if CONTROLLERS in do and "controller" not in names:
        raise NotAskable(NO_CONTROLLERS)
    each = names["followers"].split(",") if EACH in do else [""]
    return [(at, do.format(each=one, **names)) for one in each]


def _names(document: Document, topic: TopicEntry, place: int) -> dict[str, str]:
    """The names that actions and paths may use; those of controllers only where there are enough."""
    replicas = topic.assignment[place]
    number = topic.numbers[place]
    leader = topic.initial[number].leader if number in topic.initial else replicas[0]
    followers = [broker for broker in replicas if broker != leader]
    partition = partition_title(topic.name, number)
    controllers = [one.id for one in document.controllers if one.state == "running"]
    names: dict[str, Any] = {
        "topic": topic.name,
        "partition": partition,
        "leader": leader,
        "follower": followers[-1],
        "followers": ",".join(map(str, followers)),
        "follower_first": ",".join(map(str, [*followers[::-1], leader])),
    }
    half, left = len(document.controllers) // 2, len(controllers) - TAKEN
    if 0 <= left <= half < len(controllers):
        names |= {"controller": controllers[0], "second_controller": controllers[1]}
    return {name: str(value) for name, value in names.items()}


def _chosen(document: Document, partition: str, askable: list[tuple[TopicEntry, int]]) -> str:
    """The partition that was chosen, why, and the topics that were left out."""
    topic, place = askable[0]
    acks, least = _acks(document, topic), min_isr(document, topic)
    had = f"acks={acks}, min.insync.replicas={least}, {len(topic.assignment[place])} replicas"
    fit: dict[str, tuple[str, int, int]] = {}
    for one, at in askable:
        fit.setdefault(one.name, _risk(document, one, at))
    unfit = [one.name for one in document.topics if one.name not in fit and not one.name.startswith(INTERNAL)]
    others = [name for name in fit if name != topic.name]
    is_first = any(fit[name] == fit[topic.name] for name in others)
    told = [f"The question is asked of {partition}."]
    if others:
        most = "is the first that risks most" if is_first else "risks most"
        told.append(f"Of the topics, {topic.name} {most}: {had}.")
        told.append(f"Left out: {_few(others)}.")
    if unfit:
        told.append(
            f"It cannot be asked of {_few(unfit)}: no partition there has a producer and two replicas, all in sync."
        )
    return " ".join(told)


def _few(names: list[str]) -> str:
    more = len(names) - NAMES_MAX
    return listed([*names[:NAMES_MAX], *([f"{more} more"] if more > 0 else [])])


def _askable(document: Document) -> list[tuple[TopicEntry, int]]:
    """The partitions to which things may be done: topic and place, the greatest risk first. Raises NotAskable."""
    running = {one.id for one in document.brokers if one.state == "running"}
    written = {one.topic for one in document.producers if one.rate_milli}
    found = [
        (topic, place)
        for topic in document.topics
        if topic.name in written
        for place, replicas in enumerate(topic.assignment)
        if len(replicas) > 1 and running.issuperset(replicas) and _is_whole(topic, place)
    ]
    if not found:
        raise NotAskable(NO_PARTITION)
    return sorted(found, key=lambda one: _risk(document, *one))


def _risk(document: Document, topic: TopicEntry, place: int) -> tuple[str, int, int]:
    """The smaller, the more is at risk: acks, the minimum in sync, and of equals the one with most replicas."""
    return _acks(document, topic), min_isr(document, topic), -len(topic.assignment[place])


def _acks(document: Document, topic: TopicEntry) -> str:
    """The weakest acks of its producers: ``0`` and ``1`` sort before ``all``."""
    return min(one.acks for one in document.producers if one.topic == topic.name and one.rate_milli)


def _is_whole(topic: TopicEntry, place: int) -> bool:
    state = topic.initial.get(topic.numbers[place])
    return state is None or (state.leader >= 0 and set(state.isr) == set(topic.assignment[place]))
