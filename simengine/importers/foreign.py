"""Names outputs of other tools, and says what to paste instead. What they seem to hold is counted, never used."""

import re
from collections.abc import Callable
from typing import Final

from simengine.importers.model import Facts, Reading

KIND: Final = "foreign"
INSTEAD: Final = "Paste the output of kafka-topics.sh --describe or of kcat -L."


def _rpk(text: str) -> Facts:
    rows = re.findall(r"^[^\w\n]{0,40}(\d+)\s+(-?\d+)\s+(?:\d+\s+)?\[([\d ,]*)\]", text, re.MULTILINE)
    ids = dict.fromkeys(part for row in rows for part in [row[1], *row[2].replace(",", " ").split()] if part != "-1")
    return Facts(brokers=len(ids), partitions=len(rows), leaderless=sum(row[1] == "-1" for row in rows))


def _client_print(text: str) -> Facts:
    rows = re.findall(
        r"leader:?\s*(-?\d+),?\s*replicas:?\s*\[([\d, ]*)\],?\s*isrs?:?\s*\[([\d, ]*)\]", text, re.IGNORECASE
    )
    ids = [list(re.findall(r"\d+", row[1])) for row in rows]
    return Facts(
        brokers=len(dict.fromkeys(part for replicas in ids for part in replicas)),
        topics=len(re.findall(r"topic:?\s", text, re.IGNORECASE)),
        partitions=len(rows),
        under_replicated=sum(len(re.findall(r"\d+", row[2])) < len(mine) for row, mine in zip(rows, ids, strict=True)),
        leaderless=sum(row[0] == "-1" for row in rows),
    )


def _kubectl(text: str) -> Facts:
    partitions = [int(number) for number in re.findall(r"^[ \t]{0,40}Partitions:\s*(\d{1,9})", text, re.MULTILINE)]
    return Facts(topics=len(partitions), partitions=sum(partitions))


def _nothing(_text: str) -> Facts:
    return Facts()


_FORMS: Final[tuple[tuple[str, str, Callable[[str], Facts]], ...]] = (
    (r"^[^\w\n]{0,40}PARTITION\s+LEADER\s+(?:EPOCH\s+)?REPLICAS", "rpk topic describe (Redpanda)", _rpk),
    (
        r"^API Version:\s+kafka\.strimzi\.io",
        "kubectl describe of a Strimzi resource; kubectl get -o yaml is the readable form",
        _kubectl,
    ),
    (r"leader:?\s*-?\d+,?\s*replicas:?\s*\[[\d, ]*\]", "a client program's own print-out", _client_print),
    (r"\(name=\S{1,249}, internal=\w{1,5}, partitions=", "the Java admin client's TopicDescription", _nothing),
    (r"\bGROUP\s+TOPIC\s+PARTITION\s+CURRENT-OFFSET", "kafka-consumer-groups.sh --describe", _nothing),
    (r"\bCONSUMER-ID\s+HOST\s+CLIENT-ID", "kafka-consumer-groups.sh --describe", _nothing),
    (r"^[^\w\n]{0,40}(?:Dynamic|All) configs for \S", "kafka-configs.sh --describe", _nothing),
    (r"^[ \t]{0,40}(?:broker\.id|node\.id|process\.roles|log\.dirs)\s*=", "a server.properties file", _nothing),
    (r"\"controller_epoch\"\s*:.{0,500}\"isr\"\s*:", "ZooKeeper's state node of one partition", _nothing),
    (r"\bFeature:\s+\S{1,99}\s+SupportedMinVersion:", "kafka-features.sh describe", _nothing),
    (r"^[^\w\n]{0,40}[A-Za-z0-9._-]{1,249}:\d{1,9}:\d{1,19}$", "kafka-get-offsets.sh", _nothing),
)


def read(text: str) -> Reading | None:
    """The foreign output by its name; None if it is none of the known ones."""
    for pattern, name, counted in _FORMS:
        if re.search(pattern, text, re.MULTILINE):
            reading = Reading(KIND, name, facts=counted(text))
            reading.rejected = f"This looks like {name}. It is not read. {INSTEAD}"
            return reading
    return None


def unknown() -> Reading:
    """The answer to a text that no reader knows."""
    reading = Reading("unknown", "nothing known")
    reading.rejected = f"Nothing in this text looks like the output of a Kafka tool. {INSTEAD}"
    return reading
