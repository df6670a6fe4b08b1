"""The kinds of argument that an action takes: how each is written, read, and refused.

A reader returns the canonical text of its argument, or raises FieldError.
"""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Final, NamedTuple

from simengine.scenario.durations import format_duration, parse_duration
from simengine.scenario.invisible import NOT_IN_NAMES
from simengine.scenario.limits import (
    LATENCY_US_MAX,
    NODE_ID_MAX,
    OFFSET_MAX,
    PARTITIONS_MAX,
    RATE_MAX,
    REPLICAS_MAX,
    SEND_MAX,
)
from simengine.scenario.near import nearest
from simengine.scenario.problems import FieldError

TOPIC: Final = re.compile(r"[A-Za-z0-9._-]{1,249}")
WORD: Final = re.compile(rf"[^\s,|>{NOT_IN_NAMES}]{{1,249}}")

Reader = Callable[[str], str]


class Kind(NamedTuple):
    """A kind of argument. ``label``: in a usage. ``has_cluster``: of several clusters it says which one it is of."""

    label: str
    read: Reader
    has_cluster: bool = False


def one_of(text: str, choices: Iterable[str]) -> str:
    """One of these words. Raises FieldError."""
    known = tuple(choices)
    if text not in known:
        raise FieldError(f"{text!r} is not known here", text, ", ".join(known), nearest(text, known))
    return text


def split_partition(text: str) -> tuple[str, int]:
    """("orders", 3) of "orders-3". Raises FieldError."""
    topic, dash, number = text.rpartition("-")
    if not dash or not TOPIC.fullmatch(topic) or not re.fullmatch(r"0|[1-9][0-9]{0,6}", number):
        raise FieldError(f"{text!r} is not a partition", text, "<topic>-<partition>, such as orders-0")
    return topic, int(number)


def split_ends(text: str) -> tuple[str, ...]:
    """The ends named by one side of a link, in their order, without repetitions."""
    return tuple(dict.fromkeys(text.split(",")))


def split_link(text: str) -> tuple[str, str, str]:
    """Both sides of ``1|2,3`` or ``1>2``, with the sign between them."""
    left, sign, right = text.partition("|" if "|" in text else ">")
    return left, sign, right


def rate_milli(text: str) -> int:
    """Records per 1000 s of a written rate in records/s (at most three decimals). Raises FieldError."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,3})?", text):
        raise FieldError(f"{text!r} is not a rate", text, "records/s with at most three decimals, such as 10 or 0.5")
    milli = int(Decimal(text) * 1000)
    if milli > RATE_MAX * 1000:
        raise FieldError(f"at most {RATE_MAX} records/s", text)
    return milli


def format_rate(milli: int) -> str:
    """The shortest text that `rate_milli` reads back."""
    whole, rest = divmod(milli, 1000)
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)


def _number(low: int, high: int, what: str) -> Reader:
    def read(text: str) -> str:
        if not re.fullmatch(r"[0-9]{1,18}", text) or not low <= int(text) <= high:
            raise FieldError(f"{text!r} is not a {what}", text, f"a whole number from {low} to {high}")
        return str(int(text))

    return read


def _word(what: str) -> Reader:
    def read(text: str) -> str:
        if not WORD.fullmatch(text):
            raise FieldError(f"{text!r} is not a {what}", text)
        return text

    return read


_node_id: Final = _number(0, NODE_ID_MAX, "node id")
_broker_id: Final = _number(0, NODE_ID_MAX, "broker id")
_process: Final = _word("node")
_end: Final = _word("node, client or rack")
_host: Final = _word("node or rack")


def _node(text: str) -> str:
    """The id of a broker or controller, or the name of a process of MirrorMaker: it is no number."""
    return _node_id(text) if text[0].isdecimal() else _process(text)


def _hosts(text: str) -> str:
    return ",".join(_host(end) for end in split_ends(text))


def _link(text: str) -> str:
    left, sign, right = split_link(text)
    if not sign or sign in right:
        raise FieldError(f"{text!r} does not name two sides", text)
    for side in (left, right):
        for end in side.split(","):
            _end(end)
    return sign.join(",".join(split_ends(side)) for side in (left, right))


def _duration(text: str) -> str:
    return format_duration(parse_duration(text))


def _latency(text: str) -> str:
    us = 0 if text == "off" else parse_duration(text)
    if us > LATENCY_US_MAX:
        raise FieldError(f"at most {format_duration(LATENCY_US_MAX)} of latency", text)
    return format_duration(us)


def _acks(text: str) -> str:
    return one_of("all" if text == "-1" else text, ("0", "1", "all"))


def _topic(text: str) -> str:
    if not TOPIC.fullmatch(text) or text in (".", ".."):
        raise FieldError(f"{text!r} is not a topic name", text, "letters, digits, '.', '_' and '-'")
    return text


def _topics(text: str) -> str:
    return ",".join(dict.fromkeys(_topic(name) for name in text.split(",")))


def _rate(text: str) -> str:
    return format_rate(rate_milli(text))


def _partition(text: str) -> str:
    topic, number = split_partition(text)
    return f"{topic}-{number}"


def _scope(text: str) -> str:
    return text if text == "all" else _partition(text)


def _replicas(text: str) -> str:
    brokers = [_broker_id(word) for word in text.strip("[]").split(",")]
    if len(dict.fromkeys(brokers)) < len(brokers):
        raise FieldError("a broker is named twice", text)
    if len(brokers) > REPLICAS_MAX:
        raise FieldError(f"at most {REPLICAS_MAX} replicas", text)
    return ",".join(brokers)


def _assignment(text: str) -> str:
    return "/".join(_replicas(word) for word in text.split("/"))


KINDS: Final[dict[str, Kind]] = {
    "node": Kind("<node>", _node, has_cluster=True),
    "host": Kind("<node>", _node, has_cluster=True),  # a node that has to be a broker
    "broker": Kind("<broker>", _broker_id, has_cluster=True),
    "hosts": Kind("<node>,<rack>,…", _hosts, has_cluster=True),
    "rack": Kind("<rack>", _word("rack"), has_cluster=True),
    "site": Kind("<cluster>", _word("cluster")),
    "target": Kind("<cluster>", _word("cluster")),  # where a client moves
    "link": Kind("<ends>|<ends>", _link),
    "latency": Kind("<duration>", _latency),
    "duration": Kind("<duration>", _duration),
    "topic": Kind("<topic>", _topic, has_cluster=True),
    "new_topic": Kind("<topic>", _topic, has_cluster=True),  # one that is to be there
    "whole_topic": Kind("<topic>", _topic, has_cluster=True),  # one that may be deleted or grow
    "topics": Kind("<topic>,<topic>…", _topics),
    "partition": Kind("<topic>-<partition>", _partition, has_cluster=True),
    "scope": Kind("<topic>-<partition>|all", _scope, has_cluster=True),
    "size": Kind("<how many it is to have>", _number(2, PARTITIONS_MAX, "number of partitions")),
    "partitions": Kind("<partitions>", _number(1, PARTITIONS_MAX, "number of partitions")),
    "factor": Kind("<replication factor>", _number(1, REPLICAS_MAX, "replication factor")),
    "replicas": Kind("<broker>,<broker>,…", _replicas),
    "assignment": Kind("2,1/1,3", _assignment),
    "subject": Kind("<topic>|broker.<id>|cluster", _topic, has_cluster=True),
    "key": Kind("<key>", str),
    "value": Kind("<value>", str),
    "client": Kind("<client>", _word("client"), has_cluster=True),
    "mover": Kind("<client or group>", _word("client or group"), has_cluster=True),
    "producer": Kind("<producer>", _word("producer"), has_cluster=True),
    "consumer": Kind("<consumer>", _word("consumer"), has_cluster=True),
    "acks": Kind("0|1|all", _acks),
    "rate": Kind("<records/s>", _rate),
    "limit": Kind("<records/s>", _number(1, RATE_MAX, "limit in records/s")),
    "records": Kind("<records>", _number(0, OFFSET_MAX, "number of records")),
    "count": Kind("<count>", _number(1, SEND_MAX, "count")),
    "call": Kind("<call>", _number(0, OFFSET_MAX, "number of a call")),
    "offset": Kind("<offset>", _number(0, OFFSET_MAX, "offset")),
    "new_name": Kind("<name>", _word("name")),  # that an interception gets
    "interception": Kind("<name>", _word("name"), has_cluster=True),
    "message": Kind("<message>", _number(1, OFFSET_MAX, "number of a message")),
}
