"""Pastes that are expensive to read: long listings, wrapped, cut and wrong ones, and the outputs of other tools.

A kind is a function from a number of lines to a text; no text is longer than an import may be.
"""

import json
import random
from collections.abc import Callable, Iterator
from itertools import chain, islice, repeat
from typing import Final

from simengine.importers import limits

LINES: Final = limits.LINES_MAX - 2
Kind = Callable[[int], str]

SMALL: Final = (
    "Topic: zz\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: min.insync.replicas=2",
    "\tTopic: zz\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3",
    "\tTopic: zz\tPartition: 1\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3",
    "",
)  # a cluster in front: what is behind it is read together with it
PARTITIONS: Final = 9_900  # as many as a cluster may have, and then the same again


def listing(number: int) -> str:
    """A line of a listing with a header above each hundred rows."""
    topic, row = divmod(number % (PARTITIONS + PARTITIONS // 100), 101)
    if row == 0:
        return f"Topic: orders.{topic}\tPartitionCount: 100\tReplicationFactor: 3\tConfigs: a=1,b=2"
    ids = ",".join(map(str, random.Random(number).sample(range(1, 31), 3)))
    leader = ids.partition(",")[0]
    return f"\tTopic: orders.{topic}\tPartition: {row - 1}\tLeader: {leader}\tReplicas: {ids}\tIsr: {ids}"


def _without_isr(number: int) -> str:
    return listing(number).partition("\tIsr")[0]


def _wrapped(width: int) -> Kind:
    """A listing as a terminal of that width shows it."""

    def text(lines: int) -> str:
        shown = (listing(number).replace("\t", "    ") for number in range(lines))
        return _fit((line[at : at + width] for line in shown for at in range(0, len(line), width)), lines)

    return text


def _each(line: Callable[[int], str], head: tuple[str, ...] = ()) -> Kind:
    """A text with this line for each number."""
    return lambda lines: _fit(chain(head, map(line, range(lines))), lines)


def _again(*lines_of_one: str, head: tuple[str, ...] = ()) -> Kind:
    """A text with these lines again and again; ``{}`` stands for how often they have stood there."""
    return lambda lines: _fit(
        chain(head, (line.replace("{}", str(number)) for number in range(lines) for line in lines_of_one)), lines
    )


def _in_one_line(lines: int) -> str:
    return " ".join(map(listing, range(lines)))[: limits.BYTES_MAX]


def _as_strings(lines: int) -> str:
    return json.dumps(list(map(listing, range(lines))))[: limits.BYTES_MAX]


def _piece(piece: str) -> Kind:
    """One piece again and again, 80 characters for each line of the other kinds."""
    return lambda lines: "".join(islice(repeat(piece), min(80 * lines, limits.BYTES_MAX) // len(piece)))


def _behind_configs(lines: int) -> str:
    """Headers of 16,000 characters, and 199 lines behind each that could be part of it."""
    one = ["Topic: t PartitionCount: 1 Configs: a=b," + "retention.ms=1000," * 880, *["retention.ms=1000," * 5] * 199]
    return _fit((line for _ in range(lines) for line in one), lines)


def _fit(found: Iterator[str], lines: int) -> str:
    """The first lines that an import takes."""
    kept, size = [], 0
    for line in islice(found, lines):
        size += len(line) + 1
        if size > limits.BYTES_MAX:
            break
        kept.append(line)
    return "\n".join(kept)


ROW: Final = "\tTopic: t\tPartition: {}\tLeader: 1\tReplicas: 1,2,3\tIsr: "
CREATE: Final = "kafka-topics.sh --bootstrap-server h:9092 --create --topic t{} --partitions 3 --replication-factor 3"
ALTER: Final = (
    "kafka-configs.sh --bootstrap-server h:9092 --alter --entity-type topics --entity-name t{} --add-config a=1,b=2"
)
GROUPS: Final = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
CRUISE: Final = "PARTITION LEADER FOLLOWERS CPU DISK NW_IN NW_OUT MSG_IN"
KCAT: Final = (
    "Metadata for all topics (from broker 1: h:9092/1):",
    " 1 brokers:",
    "  broker 1 at h:9092",
    " 1 topics:",
)

KINDS: Final[dict[str, Kind]] = {
    "a listing": _each(listing),
    "a listing wrapped at 80": _wrapped(80),
    "a listing wrapped at 40": _wrapped(40),
    "a listing with blanks": _each(lambda number: listing(number).replace("\t", " ")),
    "a listing with bars": _each(lambda number: "| " + listing(number).replace("\t", " | ")),
    "a listing behind log heads": _each(lambda number: f"2024-01-01 10:00:00 INFO {listing(number)}"),
    "a listing in lower case": _each(lambda number: listing(number).lower()),
    "a listing in one line": _in_one_line,
    "a listing as strings of JSON": _as_strings,
    "rows that break off": _each(_without_isr),
    "rows with an empty ISR": _each(lambda number: f"{_without_isr(number)}\tIsr: "),
    "rows without a readable ISR": _each(lambda number: f"{_without_isr(number)}\tIsr: x"),
    "rows without a topic": _each(lambda number: "\tPartition:" + listing(number).rpartition("\tPartition:")[2]),
    "rows with strangers in the ISR": _each(lambda number: f"{ROW.replace('{}', str(number % PARTITIONS))}1,{number}"),
    "rows over three lines": _again("\tTopic: t\tPartition: {}\tLeader: 1", "\tReplicas: 1,2,3", "\tIsr: 1,2,3"),
    "rows over five lines": _again("Topic: t", "Partition: {}", "Leader: 1", "Replicas: 1,2,3", "Isr: 1,2,3"),
    "rows with prose between": _again(f"{ROW}1,2,3", "And a word of it: nothing follows here, nor there."),
    "rows with a number between": _again(f"{ROW}1,2", "3"),
    "headers only": _again("Topic: t{}\tPartitionCount: 9\tReplicationFactor: 3\tConfigs: min.insync.replicas=2,x=1"),
    "configs over 200 lines": _behind_configs,
    "a partition and many blanks": lambda lines: "\n".join(SMALL) + _piece("Partition:" + " " * 390)(lines),
    "kcat -L": _again('  topic "t{}" with 1 partitions:', "    partition 0, leader 1, replicas: 1, isrs: 1", head=KCAT),
    "kcat -L with wrong isrs": _again(
        '  topic "t{}" with 1 partitions:', "    partition 0, leader 1, replicas: 1, isrs: x"
    ),
    "create commands": _again(CREATE),
    "create commands and a cluster": _again(CREATE, head=SMALL),
    "alter commands and a cluster": _again(ALTER, head=SMALL),
    "a command over many lines": _again("\\", head=("kafka-topics.sh --describe \\",)),
    "groups and a cluster": _again(GROUPS, "g{} zz 1 1000 1100 100 consumer-1 /10.0.0.1 client", head=SMALL),
    "cruise control": _each(
        lambda number: f" orders{number // 100}-{number % 100} 1 [2,3] 0.1 0.1 0.1 0.1 0.1", (CRUISE,)
    ),
    "server.properties": _again("some.property.{}=value {} of it", head=("process.roles=broker", "node.id=1")),
    "server.properties and a cluster": _again("some.property.{}=value {} of it", head=(*SMALL, "node.id=1")),
    "a log and a cluster": _again(
        "[2024-01-01 10:00:00,000] INFO Shrinking ISR of orders-{} from 1,2 to 1", head=SMALL
    ),
    "errors and a cluster": _again("org.apache.kafka.common.errors.NotEnoughReplicasException: {}", head=SMALL),
    "prose and a cluster": _again("The quick brown fox jumps over the lazy dog, {} times on this day.", head=SMALL),
}
