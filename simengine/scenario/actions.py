"""The timeline's grammar: what a person does to a cluster, as one line of text and as an `Action`.

`parse` reads a line and checks its form; whether the broker or topic it names exists is the business of
`references`. `str(action)` is the canonical line, and ``parse(str(a)) == a`` for every action.

The arguments, all texts, by verb:

======================================  ====================================================================
kill, stop, start, pause, resume        (node,), or the name of a process of MirrorMaker; start also
                                        (broker, "empty"): its disk was replaced by a new one,
                                        (broker, "wiped"): its data is gone, the directory id is kept; after
                                        each of these "after", duration: it registers this long after the start;
                                        resume also (broker, "fast" | "slow"): how soon it comes to its requests
kill-rack, start-rack                   (rack,)
kill-site, start-site                   (cluster,): one of several
power-loss                              (nodes and racks in a comma list, or "all" brokers), or also the records lost
cut                                     (left, "|" or ">", right); ends are comma lists of nodes, clients, racks
heal                                    () everything, or (left, "|" or ">", right)
slow-link                               (left, "|" or ">", right, latency to add such as "80ms"; "0s" ends it)
slow                                    (broker, records/s of replication intake, or "off"), or
                                        (broker, "serving", records/s of responses to fetches, or "off")
acks                                    (topic, "0" | "1" | "all")
rate                                    (producer, records/s) or (producer, records/s, "topic-0")
send                                    (producer, "topic-0", count)
resend                                  (producer, "topic-0", number of a call from 0, count of calls)
config                                  (topic | "broker.<id>" | "cluster", key, value)
elect                                   ("preferred" | "unclean", "topic-0" | "all")
reassign                                ("topic-0", "3,1,2" | "cancel")
create                                  (topic, replication factor, partitions) or (topic, "2,1/1,3")
delete                                  (topic,)
partitions                              (topic, how many it is to have)
open, close, crash                      (client,)
move                                    (client or group, cluster) or (client or group, cluster, topics there):
                                        it stops here and starts in the other cluster (`moves`)
commit                                  (consumer,) or (consumer, "topic-0", offset)
late-heartbeat                          (broker,): one that its dead process had sent still arrives (FLT-8)
intercept                               (name, producer, "topic-0", number of a call from 0, what, duration or "0s")
release                                 (name of an interception that holds a request,)
hold, deliver, drop                     (number of the Flight fact of a message under way,)
======================================  ====================================================================

In a document of several clusters each name says its cluster: ``kill east/1``, ``acks east/orders all`` (`sites`).
"""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from simengine.scenario.action_usage import UNSUPPORTED, USAGE, VERBS
from simengine.scenario.durations import format_duration, parse_duration
from simengine.scenario.invisible import NOT_IN_NAMES, invisible_in
from simengine.scenario.limits import (
    ACTION_TEXT_MAX,
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
SUBJECT_BROKER: Final = "broker."
SUBJECT_CLUSTER: Final = "cluster"
NODE_VERBS: Final = ("kill", "stop", "start", "pause", "resume")
DISKS: Final = ("empty", "wiped")  # what may have become of a disk before a start
RACK_VERBS: Final = ("kill-rack", "start-rack")
SITE_VERBS: Final = ("kill-site", "start-site")
CLIENT_VERBS: Final = ("open", "close", "crash")
MESSAGE_VERBS: Final = ("hold", "deliver", "drop")
INTERCEPTIONS: Final = ("hold-request", "drop-response", "delay-response")


# which words after a verb are names of a cluster, where they are not all it has
PLACES_OF_NAMES: Final[dict[str, tuple[int, ...]]] = {
    "rate": (0, 2),
    "send": (0, 1),
    "resend": (0, 1),
    "elect": (1,),
    "commit": (0, 1),
    "intercept": (1, 2),
    **dict.fromkeys(("cut", "heal", "slow-link", *SITE_VERBS, *MESSAGE_VERBS), ()),
}
_CLUSTER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*/")


class Action(NamedTuple):
    """One action: a verb of `VERBS` and its arguments in the order of the module's table."""

    verb: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.verb in ("cut", "heal", "slow-link") and self.args:
            return " ".join((self.verb, "".join(self.args[:3]), *self.args[3:]))
        return " ".join((self.verb, *self.args))


def parse(text: str) -> Action:
    """The action that `text` says. Raises FieldError (a ValueError) with the form of the verb, or the near verb."""
    if not isinstance(text, str):
        raise FieldError("an action is a text", text, "such as kill 2")
    if len(text) > ACTION_TEXT_MAX:
        raise FieldError(f"an action has at most {ACTION_TEXT_MAX} characters", text)
    words = text.split()
    if unseen := invisible_in("".join(words)):
        raise FieldError(f"{unseen} cannot be seen: no action may hold it", text)
    if not words:
        raise FieldError("an action is missing", text, ", ".join(VERBS))
    verb, rest = words[0], words[1:]
    reader = _READERS.get(verb)
    if reader is None:
        if verb in UNSUPPORTED:
            raise FieldError(UNSUPPORTED[verb], text, ", ".join(VERBS))
        raise FieldError(f"unknown verb {verb!r}", text, ", ".join(VERBS), nearest(verb, VERBS))
    try:
        return Action(verb, _read_named(reader, verb, rest))
    except FieldError as wrong:
        allowed = wrong.allowed or USAGE[verb]
        raise FieldError(f"{verb}: {wrong.message}", text, allowed, wrong.near) from None


def named_places(verb: str, words: Sequence[str]) -> list[int]:
    """Which of the words after a verb name something of a cluster."""
    return [place for place in PLACES_OF_NAMES.get(verb, (0,)) if place < len(words)]


def _read_named(reader: Callable[[str, list[str]], tuple[str, ...]], verb: str, words: list[str]) -> tuple[str, ...]:
    """What a reader makes of the words without the clusters before their names, and these before them again."""
    clusters = {place: found[0] for place in named_places(verb, words) if (found := _CLUSTER.match(words[place]))}
    bare = [word.removeprefix(clusters.get(place, "")) for place, word in enumerate(words)]
    return tuple(clusters.get(place, "") + arg for place, arg in enumerate(reader(verb, bare)))


def split_partition(text: str) -> tuple[str, int]:
    """("orders", 3) of "orders-3". Raises FieldError."""
    topic, dash, number = text.rpartition("-")
    if not dash or not TOPIC.fullmatch(topic) or not re.fullmatch(r"0|[1-9][0-9]{0,6}", number):
        raise FieldError(
            f"{text!r} is not a partition",
            text,
            "<topic>-<partition>, such as orders-0",
        )
    return topic, int(number)


def split_ends(text: str) -> tuple[str, ...]:
    """The ends named by one side of a link, in their order, without repetitions."""
    return tuple(dict.fromkeys(text.split(",")))


def created_partitions(args: tuple[str, ...]) -> int:
    """How many partitions a `create` with these arguments makes."""
    return len(args[1].split("/")) if len(args) == 2 else int(args[2])


def rate_milli(text: str) -> int:
    """Records per 1000 s of a written rate in records/s (at most three decimals). Raises FieldError."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,3})?", text):
        raise FieldError(
            f"{text!r} is not a rate",
            text,
            "records/s with at most three decimals, such as 10 or 0.5",
        )
    milli = int(Decimal(text) * 1000)
    if milli > RATE_MAX * 1000:
        raise FieldError(f"at most {RATE_MAX} records/s", text)
    return milli


def format_rate(milli: int) -> str:
    """The shortest text that `rate_milli` reads back."""
    whole, rest = divmod(milli, 1000)
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)


def _count_of(words: list[str], fewest: int, most: int) -> None:
    if len(words) < fewest:
        raise FieldError("something is missing")
    if len(words) > most:
        raise FieldError(f"{words[most]!r} is too much")


def _number(text: str, low: int, high: int, what: str) -> str:
    if not re.fullmatch(r"[0-9]{1,18}", text) or not low <= int(text) <= high:
        raise FieldError(f"{text!r} is not a {what}", text, f"a whole number from {low} to {high}")
    return str(int(text))


def _one_of(text: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        raise FieldError(
            f"{text!r} is not known here",
            text,
            ", ".join(choices),
            nearest(text, choices),
        )
    return text


def _word(text: str, what: str) -> str:
    if not WORD.fullmatch(text):
        raise FieldError(f"{text!r} is not a {what}", text)
    return text


def _partition(text: str) -> str:
    topic, number = split_partition(text)
    return f"{topic}-{number}"


def _link(text: str) -> tuple[str, str, str]:
    """Both sides of `A|B` or `A>B` and the sign between them."""
    sign = "|" if "|" in text else ">"
    sides = text.split(sign)
    if len(sides) != 2:
        raise FieldError(f"{text!r} does not name two sides", text)
    for side in sides:
        for end in side.split(","):
            _word(end, "node, client or rack")
    left, right = (",".join(split_ends(side)) for side in sides)
    return left, sign, right


def _read_node(verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 1, {"start": 4, "resume": 2}.get(verb, 1))
    node = _node_or_process(words[0])
    if verb == "start":
        return node, *_read_start(words[1:])
    return (node, _one_of(words[1], ("fast", "slow"))) if len(words) == 2 else (node,)


def _node_or_process(text: str) -> str:
    """The id of a broker or controller, or the name of a process of MirrorMaker: it is no number."""
    return _number(text, 0, NODE_ID_MAX, "node id") if text[0].isdecimal() else _word(text, "node")


def _read_start(words: list[str]) -> tuple[str, ...]:
    """What follows the node: nothing, what became of the disk, how long the start takes, or both."""
    if words and words[0] in DISKS:
        return words[0], *_read_start_after(words[1:])
    if words and words[0] != "after":
        return (_one_of(words[0], (*DISKS, "after")),)
    return _read_start_after(words)


def _read_start_after(words: list[str]) -> tuple[str, ...]:
    if not words:
        return ()
    _count_of(words, 2, 2)
    return _one_of(words[0], ("after",)), format_duration(parse_duration(words[1]))


def _read_word(verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 1, 1)
    what = "rack" if verb in RACK_VERBS else "cluster" if verb in SITE_VERBS else "client"
    return (_word(words[0], what),)


def _read_cut(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 1, 1)
    return _link(words[0])


def _read_heal(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 0, 1)
    return _link(words[0]) if words else ()


def _read_slow_link(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 2, 2)
    us = 0 if words[1] == "off" else parse_duration(words[1])
    if us > LATENCY_US_MAX:
        raise FieldError(f"at most {format_duration(LATENCY_US_MAX)} of latency", words[1])
    return (*_link(words[0]), format_duration(us))


def _read_slow(_verb: str, words: list[str]) -> tuple[str, ...]:
    is_serving = words[1:2] == ["serving"]
    _count_of(words, 3 if is_serving else 2, 3 if is_serving else 2)
    limit = "off" if words[-1] == "off" else _number(words[-1], 1, RATE_MAX, "limit in records/s")
    return _number(words[0], 0, NODE_ID_MAX, "broker id"), *words[1:-1], limit


def _read_acks(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 2, 2)
    acks = "all" if words[1] == "-1" else words[1]
    return _topic(words[0]), _one_of(acks, ("0", "1", "all"))


def _topic(text: str) -> str:
    if not TOPIC.fullmatch(text) or text in (".", ".."):
        raise FieldError(f"{text!r} is not a topic name", text, "letters, digits, '.', '_' and '-'")
    return text


def _read_rate(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 2, 3)
    rate = format_rate(rate_milli(words[1]))
    return (
        _word(words[0], "producer"),
        rate,
        *(_partition(word) for word in words[2:]),
    )


def _read_send(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 3, 3)
    return (
        _word(words[0], "producer"),
        _partition(words[1]),
        _number(words[2], 1, SEND_MAX, "count"),
    )


def _read_resend(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 3, 4)
    return (
        _word(words[0], "producer"),
        _partition(words[1]),
        _number(words[2], 0, OFFSET_MAX, "number of a call"),
        _number(words[3] if len(words) > 3 else "1", 1, SEND_MAX, "count"),
    )


def _read_config(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 3, 3)
    return _topic(words[0]), words[1], words[2]


def _read_elect(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 2, 2)
    which = words[1] if words[1] == "all" else _partition(words[1])
    return _one_of(words[0], ("preferred", "unclean")), which


def _read_reassign(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 2, 2)
    if words[1] == "cancel":
        return _partition(words[0]), "cancel"
    return _partition(words[0]), _replicas(words[1].strip("[]"))


def _replicas(text: str) -> str:
    brokers = [_number(word, 0, NODE_ID_MAX, "broker id") for word in text.split(",")]
    if len(dict.fromkeys(brokers)) < len(brokers):
        raise FieldError("a broker is named twice", text)
    if len(brokers) > REPLICAS_MAX:
        raise FieldError(f"at most {REPLICAS_MAX} replicas", text)
    return ",".join(brokers)


def _read_create(_verb: str, words: list[str]) -> tuple[str, ...]:
    if len(words) == 2:
        return _topic(words[0]), "/".join(_replicas(word) for word in words[1].split("/"))
    _count_of(words, 3, 3)
    factor = _number(words[1], 1, REPLICAS_MAX, "replication factor")
    return (
        _topic(words[0]),
        factor,
        _number(words[2], 1, PARTITIONS_MAX, "number of partitions"),
    )


def _read_delete(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 1, 1)
    return (_topic(words[0]),)


def _read_partitions(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 2, 2)
    return _topic(words[0]), _number(words[1], 2, PARTITIONS_MAX, "number of partitions")


def _read_move(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 2, 3)
    topics = [",".join(dict.fromkeys(_topic(name) for name in word.split(","))) for word in words[2:]]
    return _word(words[0], "client or group"), _word(words[1], "cluster"), *topics


def _read_commit(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 1, 3)
    consumer = _word(words[0], "consumer")
    if len(words) == 1:
        return (consumer,)
    _count_of(words, 3, 3)
    return consumer, _partition(words[1]), _number(words[2], 0, OFFSET_MAX, "offset")


def _read_late_heartbeat(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 1, 1)
    return (_number(words[0], 0, NODE_ID_MAX, "broker id"),)


def _read_intercept(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 5, 6)
    duration = format_duration(parse_duration(words[5] if len(words) > 5 else 0))
    what = _one_of(words[4], INTERCEPTIONS)
    call = _number(words[3], 0, OFFSET_MAX, "number of a call")
    return _word(words[0], "name"), _word(words[1], "producer"), _partition(words[2]), call, what, duration


def _read_power_loss(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 1, 2)
    hosts = ",".join(_word(end, "node or rack") for end in split_ends(words[0]))
    return hosts, *(_number(word, 0, OFFSET_MAX, "number of records") for word in words[1:])


def _read_release(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 1, 1)
    return (_word(words[0], "name"),)


def _read_message(_verb: str, words: list[str]) -> tuple[str, ...]:
    _count_of(words, 1, 1)
    return (_number(words[0], 1, OFFSET_MAX, "number of a message"),)


_READERS: Final[dict[str, Callable[[str, list[str]], tuple[str, ...]]]] = {
    **dict.fromkeys(NODE_VERBS, _read_node),
    **dict.fromkeys((*RACK_VERBS, *SITE_VERBS, *CLIENT_VERBS), _read_word),
    "power-loss": _read_power_loss,
    "cut": _read_cut,
    "heal": _read_heal,
    "slow-link": _read_slow_link,
    "slow": _read_slow,
    "acks": _read_acks,
    "rate": _read_rate,
    "send": _read_send,
    "resend": _read_resend,
    "config": _read_config,
    "elect": _read_elect,
    "reassign": _read_reassign,
    "create": _read_create,
    "delete": _read_delete,
    "partitions": _read_partitions,
    "commit": _read_commit,
    "move": _read_move,
    "late-heartbeat": _read_late_heartbeat,
    "intercept": _read_intercept,
    "release": _read_release,
    **dict.fromkeys(MESSAGE_VERBS, _read_message),
}
