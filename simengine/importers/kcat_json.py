"""Reads the metadata listing of ``kcat -L -J``: one JSON object with ``brokers`` and ``topics``.

Bindings of librdkafka print the same with other keys: ``name`` for a topic, ``id`` for a partition.
"""

import re
from typing import Any

from simengine.importers.fields import topic_name
from simengine.importers.jsontext import (
    as_id,
    as_int,
    json_lines,
    json_values,
    loosened,
    straightened,
    unbroken,
)
from simengine.importers.kcat import KIND
from simengine.importers.model import (
    NO_LEADER,
    PastedBroker,
    PastedCluster,
    PastedPartition,
    PastedTopic,
    PasteResult,
    UnreadLine,
    count,
)
from simengine.importers.row_checks import settled
from simengine.importers.text import Paste
from simengine.scenario.limits import PARTITION_NUMBER_MAX

LABEL = "kcat -L -J"
OF_BINDINGS = "the metadata of librdkafka as JSON"  # as clients of other languages have it: name, id, isrs


def read(paste: Paste) -> PasteResult | None:
    """The listing as a cluster; None if no such object stands in the paste. The last of several counts."""
    text = straightened(paste.joined())
    if not any(key in text for key in ('"brokers"', '"topics"', '"isrs"')):
        return None
    whole, found = _found(text, paste)
    if not found:
        return _cut_off(text)
    is_of_bindings = not _names_its_source(text) and '"orig_broker_id"' in text
    reading = PasteResult(KIND, OF_BINDINGS if is_of_bindings else LABEL)
    reading.cluster = PastedCluster()
    if not whole and _names_its_source(text) and not any("originating_broker" in value for value in found):
        reading.warn("The JSON is not whole: what is complete of it is used.")
    if len(found) > 1:
        reading.warn(f"{len(found)} listings in one paste: the last one is used.")
    line = _line_of(paste, text)
    _take_brokers(found[-1], reading.cluster, line)
    if "topics" not in found[-1]:
        reading.warn("The list of topics was taken out of it (as jq 'del(.topics)' does).")
    for topic in found[-1].get("topics", []):
        _take_topic(topic, reading, line)
    reading.cluster.name_brokers()
    reading.cluster.evidence.lines_read = json_lines(paste, _is_of_listing)
    reading.facts = count(reading.cluster)
    return reading


def _line_of(paste: Paste, text: str) -> int:
    """The line at which the last listing stands: all of its rows are of that moment."""
    place = max(text.rfind(key) for key in ('"topics"', '"brokers"', '"isrs"'))
    number = text.count("\n", 0, max(place, 0))
    return paste.lines[min(number, len(paste.lines) - 1)].no


def _found(text: str, paste: Paste) -> tuple[bool, list[Any]]:
    """A flag, True if a listing with brokers and topics is whole, and the listings.

    If none is whole, they are looked for without the breaks of the lines and without comments.
    """
    best: list[Any] = []
    for change in (str, unbroken, loosened):
        changed = change(text)
        if changed == text and change is not str:
            continue
        values = json_values(changed, paste if change in (str, loosened) else Paste())
        found = [value for value in _listings(values) if is_listing(value)]
        if any(is_listing(value) and {"brokers", "topics"} <= value.keys() for value in values):
            return True, found
        best = best or found
    return False, best


def _names_its_source(text: str) -> bool:
    """True if the head of a listing is in the text, so that jq did not take out what is missing."""
    return '"originating_broker"' in text and '"query"' in text


def _listings(values: list[Any]) -> list[Any]:
    """The JSON values; topics that jq took out of their listing, or that are whole in a cut one, make another one."""
    flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
    topics = [item for item in flat if isinstance(item, dict) and ("topic" in item or "name" in item)]
    topics = [item for item in topics if _has_isrs(item)]
    if not topics:
        return values
    brokers = [value for value in values if isinstance(value, list) and _are_brokers(value)]
    return [*values, {"topics": topics, **({"brokers": brokers[-1]} if brokers else {})}]


def _is_of_listing(value: Any) -> bool:
    """True if a JSON value is a listing, or a part that jq took out of one."""
    return is_listing(value) or len(_listings([value])) > 1 or isinstance(value, list) and _are_brokers(value)


def _are_brokers(items: list[Any]) -> bool:
    return bool(items) and all(isinstance(item, dict) and item.keys() == {"id", "name"} for item in items)


def _has_isrs(topic: dict[str, Any]) -> bool:
    rows = topic.get("partitions")
    return isinstance(rows, list) and any(isinstance(row, dict) and "isrs" in row for row in rows)


def _tells_members(topic: dict[str, Any]) -> bool:
    """True if a partition tells who is in sync under another key, as Kafka's own response does."""
    rows = topic.get("partitions")
    rows = rows if isinstance(rows, list) else []
    return any(isinstance(row, dict) and any(key.lower().startswith(("isr", "insync")) for key in row) for row in rows)


def _cut_off(text: str) -> PasteResult | None:
    """The refusal of a listing whose JSON has no end; None if the text is no such listing."""
    if not re.search(r'"originating_broker"|"isrs"\s*:', text):
        return None
    reading = PasteResult(KIND, LABEL)
    why = "its JSON is not whole" if text.count("{") != text.count("}") else "no parser reads its JSON as it stands"
    reading.rejected = f"This looks like {LABEL}, but {why}. Copy it again from the first {{ to the last }}."
    return reading


def is_listing(value: Any) -> bool:
    """True if a JSON value is the listing of librdkafka, or its brokers or its topics alone."""
    if not isinstance(value, dict) or not isinstance(value.get("topics", []), list):
        return False
    if "topics" not in value:
        return isinstance(value.get("brokers"), list) and ("originating_broker" in value or "controllerid" in value)
    topics = [topic for topic in value["topics"] if isinstance(topic, dict)]
    if any(_has_isrs(topic) for topic in topics):
        return True
    is_of_others = any(_tells_members(topic) for topic in topics)
    return not is_of_others and any(key in value for key in ("brokers", "originating_broker", "controllerid", "query"))


def _take_brokers(listing: dict[str, Any], cluster: PastedCluster, line: int) -> None:
    brokers = listing.get("brokers", [])
    for item in brokers if isinstance(brokers, list) else []:
        number = as_id(item.get("id")) if isinstance(item, dict) else None
        if number is not None:
            cluster.brokers[number] = PastedBroker(number, alive=True, line=line)


def _take_topic(item: Any, reading: PasteResult, line: int) -> None:
    name = item.get("topic", item.get("name")) if isinstance(item, dict) else None
    if not isinstance(name, str) or topic_name(name) is None:
        reading.leave_out(
            f"Topic {name!r} has no legal name. It is left out." if name else "A topic without a name is left out."
        )
        return
    if item.get("error"):
        reading.warn(f"{name}: the listing gives an error for it: {item['error']}.")
    assert reading.cluster is not None
    listed = item.get("partitions", [])
    partitions = listed if isinstance(listed, list) else []
    topic = reading.cluster.topics[name] = PastedTopic(name, declared=len(partitions), line=line)
    for partition in partitions:
        row = _row(name, partition, line)
        if row is None:
            reading.left_out += 1
            reading.unread.append(
                UnreadLine(0, str(partition), f"a partition of {name} without number, replicas or isrs")
            )
            reading.warn(f"{name}: a partition without number, replicas or isrs is left out.")
        else:
            topic.rows[row.number] = settled(row, reading.warn)


def _row(topic: str, item: Any, line: int) -> PastedPartition | None:
    if not isinstance(item, dict):
        return None
    number, leader = as_int(item.get("partition", item.get("id"))), as_id(item.get("leader"))
    replicas, isr = _members(item.get("replicas")), _members(item.get("isrs"))
    if number is None or not 0 <= number <= PARTITION_NUMBER_MAX or not replicas or isr is None:
        return None
    return PastedPartition(topic, number, NO_LEADER if leader is None else leader, replicas, isr, line=line)


def _members(value: Any) -> tuple[int, ...] | None:
    """``[{"id": 1}, ...]`` as ids, or a plain list of ids."""
    if not isinstance(value, list):
        return None
    ids = [as_id(item.get("id") if isinstance(item, dict) else item) for item in value]
    if None in ids:
        return None
    return tuple(dict.fromkeys(number for number in ids if number is not None))
