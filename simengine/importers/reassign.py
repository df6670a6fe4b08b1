"""Reads what ``kafka-reassign-partitions.sh`` reads and writes: plans, proposals, progress.

A plan lists replicas only. Where no listing tells leader and ISR, its partitions are taken for in sync, which is said.
Of a current and a proposed assignment the current one is taken: nothing says that the proposal was carried out.
"""

import re
from typing import Any, Final

from simengine.importers import json_partitions
from simengine.importers.describe_warnings import names
from simengine.importers.fields import topic_name
from simengine.importers.jsontext import as_ids, as_int, json_lines, json_values, loosened, placed_values
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import PastedCluster, PastedCounts, PasteResult
from simengine.importers.noise import LINE_CHARS_MAX, holds, is_ellipsis
from simengine.importers.text import Line, Paste
from simengine.importers.values import are_replicas
from simengine.scenario.limits import PARTITION_NUMBER_MAX

KIND: Final = "reassign"
LABEL: Final = "kafka-reassign-partitions.sh"
_PROGRESS = re.compile(
    r"(?:Status of partition reassignment|Current partition (?:replica assignment|reassignments)|"
    r"Proposed partition reassignment|No partition reassignments found|"
    r"Successfully started (?:partition )?reassignment|"
    r"Reassignment of (?:partition|replica) \S{1,260} )"
)
_VERIFY = re.compile(
    r"Reassignment of (?:partition (?:(?P<name>\S{1,249})-(?P<number>\d{1,9})|"
    r"\[(?P<old>[\w.-]{1,249}),(?P<at>\d{1,9})\])|"
    r"replica (?P<log>\S{1,249})-(?P<part>\d{1,9})-(?P<broker>\d{1,10})) (?:is|completed|has|failed|successfully)"
)
_NOT_ACTIVE = re.compile(
    r"There is no active reassignment of partition (\S{1,249})-(\d{1,9}), but replica set is ([\d,]{1,300}) "
    r"rather than ([\d,]{1,300})"
)
_LISTED = re.compile(
    r"^[^\w\n]{0,40}([\w.-]{1,249})-(\d{1,9}): replicas: ([\d,]{1,300})\."
    r"(?: adding: ([\d,]{1,300})\.)?(?: removing: ([\d,]{1,300})\.)?"
)
_PROGRESS_WORDS: Final = ("eassignment", ": replicas: ", "replica assignment")
_TOPICS_TO_MOVE = re.compile(r"\"topics\"\s*:\s*\[\s*\{\s*\"topic\"\s*:")
_TOPIC = re.compile(r"\"topic\"\s*:\s*\"([^\"\n]{1,249})\"")
_PROPOSED = re.compile(r"Proposed partition reassignment")
_STARTED = re.compile(r"Successfully started (?:partition )?reassignment")


def read(paste: Paste) -> PasteResult | None:
    """The partitions that a plan or a progress report names; None if it is neither."""
    text = paste.joined()
    seen = _Seen()
    proposal = next((match.start() for match in _PROPOSED.finditer(text)), len(text))
    for one in placed_values(text, paste):
        seen.line, seen.is_proposed = one.line, one.start > proposal
        seen.take(one.value, text)
    if not seen.partitions and '"replicas"' in text:
        seen.take_loosened(text, paste)
    for line in paste.lines:
        if holds(line.text, _PROGRESS_WORDS):
            seen.take_progress(line)
    reading = seen.reading
    reading.cluster = seen.cluster
    reading.cluster.evidence.lines_read += json_lines(paste, _is_plan)
    seen.cluster.name_brokers()
    reading.alone = _of_a_plan(seen, bool(_STARTED.search(text)))
    if seen.partitions:
        reading.facts = PastedCounts(
            len(seen.brokers), len({name for name, _ in seen.partitions}), len(seen.partitions)
        )
    elif _TOPICS_TO_MOVE.search(text) and '"partitions"' not in text:
        names = dict.fromkeys(_TOPIC.findall(text))
        reading.facts = PastedCounts(topics=len(names))
        reading.rejected = (
            "This is a list of topics to move: it names topics, but no replicas, so it describes no cluster."
        )
    elif _PROGRESS.search(text):
        reading.warn("No partition is named in it.")
    else:
        return None
    if any(is_ellipsis(line.text) for line in paste.lines):
        reading.alone.append("Lines were cut out of it (an ellipsis stands in it).")
    return reading


def _of_a_plan(seen: "_Seen", is_started: bool) -> list[str]:
    """The notes on the assignment that is built if there is no listing beside it."""
    if not any(topic.rows for topic in seen.cluster.topics.values()):
        return []
    if seen.proposed and seen.current:
        moved = [place for place, ids in seen.proposed.items() if seen.current.get(place) != ids]
        named = names([f"{topic}-{number}" for topic, number in moved])
        new = sorted(broker for broker in seen.brokers if broker not in seen.cluster.brokers)
        rest = f" Not built, for it alone names them: broker {', '.join(map(str, new))}." if new else ""
        moves = f"moves {named}" if moved else "moves nothing"
        return [f"The current assignment is built. The proposed one {moves}, and nothing tells that it was done.{rest}"]
    if seen.proposed:
        return ["Only a proposed assignment stands in it. It is built as if it had been done."]
    if is_started:
        return ["A reassignment was started. It is built as it was before: where its replicas go is not in the paste."]
    return []


def _is_plan(value: Any) -> bool:
    """True if a JSON value is a plan, or the list in one."""
    if isinstance(value, dict):
        return "partitions" in value or "replicas" in value
    return isinstance(value, list) and all(isinstance(item, dict) and "replicas" in item for item in value)


class _Seen:
    """Brokers and partitions that any of the plans names."""

    def __init__(self) -> None:
        self.reading = PasteResult(KIND, LABEL)
        self.brokers: dict[int, None] = {}
        self.partitions: dict[tuple[str, int], None] = {}
        self.cluster = PastedCluster()
        self.line = 0
        self.is_proposed = False
        self.current: dict[tuple[str, int], tuple[int, ...]] = {}
        self.proposed: dict[tuple[str, int], tuple[int, ...]] = {}

    def add(self, topic: str, number: int, *ids: str | None) -> None:
        """Note a partition of a report; ``ids``: its replicas, those that come, those that go."""
        self.partitions[topic, number] = None
        lists = [_ids(part) for part in ids]
        for members in lists:
            self.brokers.update(dict.fromkeys(members))
        if len(lists) > 1 and lists[0]:
            self.cluster.add_placed(topic, number, lists[0], lists[1], self.line, lists[2])

    def take_progress(self, line: Line) -> None:
        """Take a line of a report: a reassignment that goes on, one that is over, a partition that is as it was."""
        self.line = line.no
        text = line.text[:LINE_CHARS_MAX]
        for match in _LISTED.finditer(text):
            self.add(match[1], int(match[2]), match[3], match[4], match[5])
        for match in _NOT_ACTIVE.finditer(text):
            self.add(match[1], int(match[2]), match[3], None, None)
            self.brokers.update(dict.fromkeys(_ids(match[4])))
        for match in _VERIFY.finditer(text):
            topic = match["name"] or match["old"] or match["log"]
            self.add(topic, int(match["number"] or match["at"] or match["part"]), match["broker"])
        if any(pattern.search(text) for pattern in (_LISTED, _NOT_ACTIVE, _PROGRESS)):
            self.cluster.evidence.lines_read.append(line.no)

    def take_loosened(self, text: str, paste: Paste) -> None:
        """Take a plan that the tool itself would refuse: with comments in it, or broken off."""
        for value in json_values(loosened(text), paste):
            self.take(value, text)
            if isinstance(value, dict) and "replicas" in value and "topic" in value:
                self._take_plan([value])
        if self.partitions:
            self.reading.warn("This is no valid JSON (comments in it, or cut off); entries that are whole are counted.")

    def take(self, value: Any, text: str) -> None:
        if json_partitions.tells_state(value):
            return
        if isinstance(value, list) and value and all(isinstance(item, dict) and "replicas" in item for item in value):
            if text.count("{") != text.count("}"):
                self.reading.warn("The JSON is cut: its braces do not close. The list in it is whole.")
            else:
                self.reading.warn('The list stands bare: the tool wants {"version": 1, "partitions": [...]} around it.')
            self._take_plan(value)
        elif isinstance(value, dict) and isinstance(value.get("partitions"), list):
            self._take_plan(value["partitions"])

    def _take_plan(self, entries: list[Any]) -> None:
        for entry in entries:
            if not isinstance(entry, dict):
                continue
            topic, number, ids = entry.get("topic"), as_int(entry.get("partition")), as_ids(entry.get("replicas"))
            if not isinstance(topic, str) or number is None or ids is None:
                self.reading.warn("An entry of the plan without topic, partition or replicas is left out.")
                continue
            dirs = entry.get("log_dirs")
            if isinstance(dirs, list) and len(dirs) != len(ids):
                self.reading.warn(
                    f"{topic}-{number}: {len(dirs)} log_dirs for {len(ids)} replicas; the tool refuses that."
                )
            self.partitions[topic, number] = None
            self.brokers.update(dict.fromkeys(ids))
            self._place(topic, number, ids)

    def _place(self, topic: str, number: int, ids: tuple[int, ...]) -> None:
        if are_replicas(ids) and topic_name(topic) and 0 <= number <= PARTITION_NUMBER_MAX:
            (self.proposed if self.is_proposed else self.current)[topic, number] = ids
            self.cluster.add_placed(topic, number, ids, (), self.line)


def _ids(part: str | None) -> tuple[int, ...]:
    found = tuple(int(broker) for broker in (part or "").split(",") if broker)
    return found if max(found, default=0) <= BROKER_ID_MAX else ()
