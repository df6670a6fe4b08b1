"""The list behind a figure or a cause: topic, partition, replicas by AZ, for how long, and why."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from simengine.questions.az.cell import ACKS, AzCell, AzLoss
from simengine.questions.az.disks import OnDisks, on_disks
from simengine.questions.az.figures import (
    FOR_GOOD,
    HIDDEN,
    LASTING,
    LOST,
    PAUSING,
    READ,
    SECONDS,
    WRITE,
    listed,
    only_beside,
    out_us,
)
from simengine.questions.az.partition_outages import QUORUM, UNCLEAN, UNTIL_BACK, PartitionOutage
from simengine.questions.az.partition_states import PartitionState, at_start
from simengine.questions.az.whys import AzCause, PartitionPair, both, causes_of, counted
from simengine.questions.az.words import milliseconds, two_times
from simengine.scenario import Document
from simengine.words.phrases import plural, seconds

CAUSE: Final = "cause"
DISKS: Final = "disks"  # the copies on the disks of the loss
OF: Final = (LOST, WRITE, READ, CAUSE, LASTING, PAUSING, HIDDEN, DISKS)
FORMULA_BEGINS: Final = ("=", "+", "-", "@", "\t", "\r")
ROWS_MAX: Final = 20_000  # that one answer holds
SORTS: Final = ("severity", "topic", "partition", "us", "step", "why")
COLUMNS: Final = ("topic", "partition", "replicas_by_az", "leader", "lost_replicas", "state", "why")
Json = dict[str, Any]


class ListError(ValueError):
    """There is no such list; the message may be shown."""


@dataclass(frozen=True, slots=True)
class PartitionQuery:
    """A query for a list, its order, and a part of it. ``sort``: a key of SORTS, with - for the other way round."""

    of: str
    acks: str = "all"
    cause: str = ""
    sort: str = "severity"
    offset: int = 0
    limit: int = ROWS_MAX


def read(sent: Json) -> PartitionQuery:
    """The question as JSON gives it. Raises ListError."""
    of, acks, cause = sent.get("of", WRITE), sent.get("acks", "all"), sent.get("cause", "")
    sort, offset, limit = sent.get("sort", "severity"), sent.get("offset", 0), sent.get("limit", ROWS_MAX)
    if of not in OF:
        raise ListError(f"of is {of!r}: allowed are {', '.join(OF)}.")
    if acks not in ACKS:
        raise ListError(f"acks is {acks!r}: allowed are {' and '.join(ACKS)}.")
    if not isinstance(sort, str) or sort.removeprefix("-") not in SORTS:
        raise ListError(f"sort is {sort!r}: allowed are {', '.join(SORTS)}, with - for the other way round.")
    for key, value in (("offset", offset), ("limit", limit)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ListError(f"{key} is {value!r}: allowed is a whole number from 0 on.")
    return PartitionQuery(of, acks, str(cause), sort, offset, min(limit, ROWS_MAX))


def rows(doc: Document, loss: AzLoss, safe: AzCell, fast: AzCell, asked: PartitionQuery) -> list[Json]:
    """All rows of a list, in the order that was asked for. Raises ListError where a row has no such cause."""
    if asked.of == DISKS:
        copies = [one for one in on_disks(doc, loss) if not (one.is_gone and safe.disks_gone)]
        return _sorted([_copies_row(doc, one, loss.place) for one in copies], asked.sort)
    causes = {cause.key: cause for cause in causes_of(loss, safe, fast)}
    why = {one.safe.place: cause for cause in causes.values() for one in cause.parts}
    found = {one.safe.place: one for one in both(safe, fast)}
    if asked.of == CAUSE:
        if asked.cause not in causes:
            raise ListError(f"There is no cause {asked.cause!r}; causes: {', '.join(causes) or 'none'}.")
        chosen = list(causes[asked.cause].parts)
    else:
        cell = safe if asked.acks == "all" else fast
        chosen = [found[part.place] for part in listed(cell, asked.of)]
    told = [_row(doc, one, asked, why[one.safe.place]) for one in chosen]
    if asked.of == LOST:
        told += _beside_rows(doc, loss, safe if asked.acks == "all" else fast)
    return _sorted(told, asked.sort)


def _row(doc: Document, one: PartitionPair, asked: PartitionQuery, cause: AzCause) -> Json:
    part = one.fast if asked.acks == "1" and asked.of != CAUSE else one.safe
    us = _us(one, part, asked.of)
    step = FOR_GOOD if part.log or part.lost else cause.step if us == UNTIL_BACK else SECONDS
    figures = {"us": None if us == UNTIL_BACK else us, "lost": part.lost, "risk": part.risk}
    return {**_told(doc, part, part.dead, step, _why(one, asked, cause)), **figures}


def _told(doc: Document, at: PartitionOutage | PartitionState, gone: tuple[int, ...], step: int, why: str) -> Json:
    """A row on a partition of which no figure is counted; ``gone``: the brokers whose copies are lost."""
    return {
        "topic": at.topic,
        "partition": at.number,
        "internal": at.topic.startswith("__"),
        "azs": _azs(doc, at.replicas, at.leader, gone),
        "step": step,
        "us": 0,
        "lost": 0,
        "risk": 0,
        "why": why,
    }


def _beside_rows(doc: Document, loss: AzLoss, cell: AzCell) -> list[Json]:
    """The partitions that lose records only if a broker beside the loss is fenced."""
    places = dict.fromkeys(only_beside(cell), True)
    dead = (*loss.brokers, *(broker.id for broker in doc.brokers if broker.state == "down"))
    when = "" if loss.has_quorum else ", when its controllers come back"
    why = f"by luck: another broker than those of {loss.place} may be fenced for a while{when}"
    return [_told(doc, at, dead, SECONDS, why) for at in at_start(doc) if (at.topic, at.number) in places]


def _copies_row(doc: Document, one: OnDisks, place: str) -> Json:
    """A partition with copies on the disks of the loss."""
    at, count = one.at, len(one.there)
    again = f"{count} of {plural(len(at.replicas), 'copy', 'copies')} fetched again from the others"
    if one.loses_newest:
        again = f"{again}, which lack the newest records: these are lost for good"
    step = FOR_GOOD if one.is_gone or one.loses_newest else SECONDS
    return _told(doc, at, one.there, step, f"no copy outside {place}: lost for good" if one.is_gone else again)


def _azs(doc: Document, replicas: tuple[int, ...], leader: int, lost: tuple[int, ...]) -> list[Json]:
    """Replicas by AZ."""
    homes = {broker.id: broker.rack or "" for broker in doc.brokers}
    azs: dict[str, list[Json]] = {rack: [] for rack in sorted(dict.fromkeys(homes.values()))}
    for broker in replicas:
        azs[homes[broker]].append({"id": broker, "leads": broker == leader, "lost": broker in lost})
    return [{"az": rack, "brokers": brokers} for rack, brokers in azs.items()]


def _us(one: PartitionPair, part: PartitionOutage, of: str) -> int:
    """For how long the partition is in the list."""
    if of in (LASTING, PAUSING):
        return out_us(part)
    return {LOST: 0, WRITE: part.stops_us, READ: part.unread_us, HIDDEN: UNTIL_BACK}.get(of, one.us)


def _why(one: PartitionPair, asked: PartitionQuery, cause: AzCause) -> str:
    """The reason why the partition is in the list: the words of the figure, of the fact, or of the cause."""
    part = one.fast if asked.acks == "1" else one.safe
    if asked.of != LOST or part.log:
        return _stop_why(one, part, asked.of, cause)
    if part.lost:
        return plural(part.lost, "acknowledged record is", "acknowledged records are") + " gone in this run"
    if part.lost_before and part.why == UNCLEAN:
        return plural(part.lost_before, "record from before the run is", "records from before the run are") + " gone"
    if part.duplicated:
        return plural(part.duplicated, "record stands", "records stand") + " more than once in the log"
    if part.risk:
        return f"0 to {plural(part.risk, 'record', 'records')} of the last {milliseconds(part.risk_us)} before the loss"
    return "an outdated replica may lead"


def _stop_why(one: PartitionPair, part: PartitionOutage, of: str, cause: AzCause) -> str:
    """The reason why a partition accepts no writes or cannot be read, and for how long."""
    if of in (READ, HIDDEN) and part.hidden:
        return f"{cause.title}: {plural(part.hidden, 'acknowledged record', 'acknowledged records')} unreadable"
    us = {LOST: one.us, HIDDEN: 0}.get(of, _us(one, part, of))
    write, read = part.write_servers_us, part.read_servers_us
    servers = {WRITE: write, READ: read, LASTING: write, PAUSING: read if part.is_coordinator else write}
    times = two_times(us, servers.get(of, one.servers_us), _is_open(one, part, of))
    if of == CAUSE and us <= 0:
        return cause.note if part.why == QUORUM else counted(part)
    if of == CAUSE:
        return times
    return f"{cause.title}; {times}" if us > 0 else f"{cause.title}: {cause.note}"


def _is_open(one: PartitionPair, part: PartitionOutage, of: str) -> bool:
    """True if that time had not ended with the run."""
    if of in (WRITE, LASTING, PAUSING):
        return part.write_open and not part.is_coordinator
    return part.read_open if of == READ else one.is_open


_KEYS: Final[dict[str, Callable[[Json], Any]]] = {
    "topic": lambda row: (row["topic"], row["partition"]),
    "partition": lambda row: (row["partition"], row["topic"]),
    "us": lambda row: (row["us"] is None, row["us"] or 0),
    "step": lambda row: row["step"],
    "why": lambda row: row["why"],
}


def _sorted(found: list[Json], sort: str) -> list[Json]:
    if sort == "severity":
        return sorted(found, key=lambda row: (-row["step"], row["us"] is not None, -(row["us"] or 0)))
    return sorted(found, key=_KEYS.get(sort.removeprefix("-"), _KEYS["step"]), reverse=sort.startswith("-"))


def as_csv(found: list[Json]) -> str:
    """The rows as CSV, with a head."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in found:
        brokers = [broker for az in row["azs"] for broker in az["brokers"]]
        places = [
            f"{az['az']}: {' '.join(str(one['id']) for one in az['brokers'])}" for az in row["azs"] if az["brokers"]
        ]
        leader = next((one["id"] for one in brokers if one["leads"]), "")
        lost = " ".join(str(one["id"]) for one in brokers if one["lost"])
        state = "until it is back" if row["us"] is None else seconds(row["us"]) if row["us"] else ""
        writer.writerow(
            [_cell(row["topic"]), row["partition"], _cell("; ".join(places)), leader, lost, state, _cell(row["why"])]
        )
    return text.getvalue()


def _cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_BEGINS) else text
