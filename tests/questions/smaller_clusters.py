"""The smallest cluster of which something still holds: what is not needed is left out, one thing at a time."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

from simengine.scenario import DocumentError
from tests.questions.sick_clusters import Plain, Sick


def shrink(sick: Sick, holds: Callable[[Sick], object]) -> Sick:
    """Leave out whatever can be left out."""
    smaller = next((one for one in _smaller(sick) if _is(one, holds)), None)
    return sick if smaller is None else shrink(smaller, holds)


def _is(sick: Sick, holds: Callable[[Sick], object]) -> bool:
    try:
        return bool(holds(sick))
    except DocumentError:
        return False


def _smaller(sick: Sick) -> Iterator[Sick]:
    for way in (_topics, _readers, _partitions, _replicas, _brokers, _controllers):
        for plain in way(sick.plain):
            yield replace(sick, plain=plain)


def _copy(plain: Plain) -> Plain:
    made: Plain = json.loads(json.dumps(plain))
    return made


def _topics(plain: Plain) -> Iterator[Plain]:
    for name in [topic["name"] for topic in plain["topics"]]:
        made = _copy(plain)
        made["topics"] = [topic for topic in made["topics"] if topic["name"] != name]
        made["producers"] = [one for one in made["producers"] if one["topic"] != name]
        made["consumers"] = [one for one in made["consumers"] if one["topics"] != [name]]
        if made["topics"]:
            yield made


def _readers(plain: Plain) -> Iterator[Plain]:
    if plain["consumers"]:
        yield {**plain, "consumers": []}


def _partitions(plain: Plain) -> Iterator[Plain]:
    for at, topic in enumerate(plain["topics"]):
        for number in range(len(topic["assignment"])):
            made = _copy(plain)
            kept = made["topics"][at]
            kept["assignment"].pop(number)
            states = [state for one, state in kept["initial"].items() if one != str(number)]
            kept["initial"] = {str(one): state for one, state in enumerate(states)}
            if states:
                yield made


def _replicas(plain: Plain) -> Iterator[Plain]:
    """Without one that is neither in the ISR nor in the ELR."""
    for at, topic in enumerate(plain["topics"]):
        for number, replicas in enumerate(topic["assignment"]):
            state = topic["initial"][str(number)]
            for broker in replicas:
                made = _copy(plain)
                made["topics"][at]["assignment"][number].remove(broker)
                made["topics"][at]["initial"][str(number)]["lag"].pop(str(broker), None)
                if broker not in state["isr"] and broker not in state.get("elr", []):
                    yield made


def _brokers(plain: Plain) -> Iterator[Plain]:
    """Without one that holds no replica."""
    used = [broker for topic in plain["topics"] for replicas in topic["assignment"] for broker in replicas]
    for at, broker in enumerate(plain["cluster"]["brokers"]):
        if broker["id"] not in used:
            made = _copy(plain)
            made["cluster"]["brokers"].pop(at)
            yield made


def _controllers(plain: Plain) -> Iterator[Plain]:
    for at in range(len(plain["cluster"]["controllers"])):
        made = _copy(plain)
        made["cluster"]["controllers"].pop(at)
        if made["cluster"]["controllers"]:
            yield made
