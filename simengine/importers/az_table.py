"""The table AZ x {acks=all, acks=1}: what is lost, what stops and for how long when that AZ goes dark.

Each cell is a run of its own: the document with that acks for all producers and one action, ``kill-rack`` (or the
kill of the one broker whose loss weighs most). Nothing comes back within the run: an outage that lasts to its end is
called "until it is back". A zero of losses is *by rule* where no acknowledged record can be lost whatever the moment,
and *by luck* where another moment of the same failure could have lost some.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final

from simengine.importers.az_causes import (
    CONTROLLERS,
    FAILOVER,
    ISR_THERE,
    MIN_ISR,
    NOTHING,
    RF_1,
    TWO_IN_ONE,
    Fate,
    controllers_left,
    fates,
    has_quorum,
    records_at_risk,
    running_racks,
)
from simengine.scenario import Action, Document
from simengine.scenario.model import TimelineEntry
from simengine.world import build

KILL_US: Final = 3_000_000
HORIZON_US: Final = 21_000_000  # detection and election take up to 14 s: what comes back by itself has done so
SLACK_US: Final = 1_500_000  # an outage that lasts to within this of the end is still going on
ACKS: Final = ("all", "1")
ANY_BROKER: Final = "any-broker"


@dataclass(frozen=True, slots=True)
class Loss:
    """One row of the table: an AZ, or the single broker whose loss weighs most."""

    key: str
    label: str
    action: Action
    brokers: tuple[int, ...]
    controllers: int = 0  # that die with it
    quorum: str = ""  # why no majority of the controllers is left then (QUO-1); "": one is


@dataclass(frozen=True, slots=True)
class Cell:
    """The result of one run; times in microseconds, of the partition that fares worst among those that recover."""

    row: str
    acks: str
    lost: int
    by: str  # rule | luck | "" for a number
    write_us: int
    write_partitions: int
    write_until_back: int  # partitions that stay unwritable
    read_us: int
    read_partitions: int
    read_until_back: int
    cause: str
    causes: tuple[str, ...]
    tint: str  # ok | risk | bad
    stopped_topics: int
    at_risk_a_minute: int
    at_risk_of: str


def losses(doc: Document) -> list[Loss]:
    """The rows: each AZ of the brokers, by name, then any single broker."""
    rows = [_loss(doc, rack, brokers) for rack, brokers in running_racks(doc).items()]
    worst = _weightiest(doc)
    if worst is not None:
        label = f"any single broker (worst: {worst})"
        rows.append(Loss(ANY_BROKER, label, Action("kill", (str(worst),)), (worst,), quorum=_no_quorum(doc)))
    return rows


def _loss(doc: Document, rack: str, brokers: tuple[int, ...]) -> Loss:
    there = controllers_left(doc) - controllers_left(doc, rack)
    return Loss(rack, rack, Action("kill-rack", (rack,)), brokers, there, _no_quorum(doc, rack))


def _no_quorum(doc: Document, rack: str | None = None) -> str:
    """Why no majority of the controllers is left without an AZ, as a clause; "" where one is left."""
    if has_quorum(doc, rack):
        return ""
    total, left = len(doc.controllers), controllers_left(doc, rack)
    there = controllers_left(doc) - left
    if there == total:
        return f"{'the only one dies' if total == 1 else f'all {total} die'} with {rack}"
    if not there:
        return f"only {left} of {_many(total, 'controller')} run{'s' if left == 1 else ''}"
    with_it = f"{there} of {_many(total, 'controller')} die{'s' if there == 1 else ''} with {rack}"
    return (
        with_it if there + left == total else f"{with_it}, and {total - there - left} {_be(total - there - left)} down"
    )


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _dark(doc: Document) -> dict[str, list[int]]:
    """The AZs in which neither a broker nor a controller runs, with their brokers: there is nothing left to lose."""
    racks: dict[str, list[int]] = {}
    for broker in doc.brokers:
        if broker.rack is not None:
            racks.setdefault(broker.rack, []).append(broker.id)
    return {rack: brokers for rack, brokers in racks.items() if rack not in running_racks(doc)}


def _weightiest(doc: Document) -> int | None:
    """The running broker whose loss alone takes most partitions off, then most below min ISR, then most leaders."""
    running = [broker.id for broker in doc.brokers if broker.state == "running"]
    weights = {broker: _weight(list(fates(doc, (broker,)))) for broker in running}
    return max(running, key=lambda broker: weights[broker], default=None)


def _weight(found: list[Fate]) -> tuple[int, int, int]:
    return (
        sum(fate.is_offline for fate in found),
        sum(fate.is_below_min for fate in found),
        sum(fate.was_led_there for fate in found),
    )


def cell_document(doc: Document, loss: Loss, acks: str) -> Document:
    """The document of one cell: that acks for every producer, no other action than the loss."""
    producers = [
        producer.model_copy(
            update={
                "acks": acks,
                "config": {key: value for key, value in producer.config.items() if key != "enable.idempotence"},
            }
        )
        for producer in doc.producers
    ]
    kill = TimelineEntry.model_construct(at_us=KILL_US, action=loss.action)
    until_us = max(doc.until_us, HORIZON_US)
    title = f"{doc.title}: {loss.label.partition(' (')[0]} goes dark, acks={acks}"[:200]
    changes = {"title": title, "producers": producers, "timeline": [kill], "faults": None, "until_us": until_us}
    return doc.model_copy(update=changes)


def run_cell(doc: Document, loss: Loss, acks: str) -> Cell:
    """Run one cell of the table. Takes seconds for thousands of partitions."""
    world = build(cell_document(doc, loss, acks))
    world.run(KILL_US - 1)
    before = _outages(world.verdict())
    world.run(HORIZON_US)
    verdict = world.verdict()
    after = _outages(verdict)
    found = list(fates(doc, loss.brokers))
    write = _Outage.between(before, after, f"write_down_{acks}_us")
    read = _Outage.between(before, after, "read_down_us")
    lost = sum(int(partition["lost"]) for partition in after.values())
    by = "" if lost else _zero_by(found, acks)
    risk = records_at_risk(doc, found)
    causes = _causes(loss, found, acks)
    return Cell(
        row=loss.key,
        acks=acks,
        lost=lost,
        by=by,
        write_us=write.us,
        write_partitions=write.partitions,
        write_until_back=write.until_back,
        read_us=read.us,
        read_partitions=read.partitions,
        read_until_back=read.until_back,
        cause=_main_cause(causes, loss, write, found, acks),
        causes=tuple(_told(causes, loss)),
        tint=_tint(lost, by, write, read),
        stopped_topics=len(dict.fromkeys(topic for topic, _ in write.places)),
        at_risk_a_minute=round(sum(risk.values()) * 60),
        at_risk_of=next(iter(risk)) if len(risk) == 1 else f"{len(risk)} topics",
    )


def table(doc: Document) -> dict[str, Any]:
    """All rows and cells, and the sentence about the worst AZ; JSON-able."""
    rows = losses(doc)
    cells = [run_cell(doc, row, acks) for row in rows for acks in ACKS]
    return {**outline(doc), "cells": [asdict(cell) for cell in cells], "sentence": sentence(rows, cells)}


def outline(doc: Document) -> dict[str, Any]:
    """The rows without results, with what is assumed about the controllers.

    An AZ that is dark already has a row with its dead brokers under ``dead`` and no cells.
    """
    rows = [_outlined(row.key, row.label, len(row.brokers), row.controllers, []) for row in losses(doc)]
    rows += [_outlined(rack, rack, 0, 0, dead) for rack, dead in _dark(doc).items()]
    rows.sort(key=lambda row: (row["key"] == ANY_BROKER, row["key"]))
    return {
        "rows": rows,
        "acks": list(ACKS),
        "kill_us": KILL_US,
        "horizon_us": HORIZON_US,
        "assumed": _controllers(doc),
    }


def _outlined(key: str, label: str, brokers: int, controllers: int, dead: list[int]) -> dict[str, Any]:
    return {"key": key, "label": label, "brokers": brokers, "controllers": controllers, "dead": dead}


def sentence(rows: list[Loss], cells: list[Cell]) -> str:
    """What the loss of the worst AZ does, in one sentence; "" where no broker has an AZ."""
    zones = {row.key: row.label for row in rows if row.key != ANY_BROKER}
    pairs = [
        (one, other)
        for one in cells
        for other in cells
        if one.row == other.row and one.row in zones and (one.acks, other.acks) == ACKS
    ]
    if not pairs:
        return ""
    safe, fast = max(
        pairs, key=lambda pair: (pair[0].stopped_topics, pair[1].write_until_back, pair[1].at_risk_a_minute)
    )
    name = zones[safe.row]
    stops = (
        f"{_many(safe.stopped_topics, 'topic')} stop{'s' if safe.stopped_topics == 1 else ''} taking acks=all writes"
    )
    offline = _many(fast.write_until_back, "partition")
    goes = f"{offline} go{'es' if fast.write_until_back == 1 else ''} offline"
    quorum = next(row.quorum for row in rows if row.key == safe.row)
    lost = "no leader can be elected, for a majority of the controllers is gone; " if quorum else ""
    goes = f"{lost}{stops} and {goes}" if safe.stopped_topics else f"{lost}writes go on"
    first = f"If {name} goes dark, {goes}"
    if fast.lost:
        return f"{first}; with acks=1 {_many(fast.lost, 'acknowledged record')} were lost in this run."
    if not fast.at_risk_a_minute:
        return f"{first}; no acknowledged record is at risk."
    return f"{first}; with acks=1 about {fast.at_risk_a_minute:,} records a minute of {fast.at_risk_of} are at risk."


@dataclass(frozen=True, slots=True)
class _Outage:
    us: int
    partitions: int
    until_back: int
    places: tuple[tuple[str, int], ...]  # those that stay down

    @classmethod
    def between(cls, before: "_Figures", after: "_Figures", key: str) -> "_Outage":
        """What was down after the kill, without the partitions that were down all the time before it."""
        spans: dict[tuple[str, int], int] = {}
        for place, figures in after.items():
            earlier = int(before[place][key])
            span = int(figures[key]) - earlier
            if span > 0 and earlier < KILL_US - SLACK_US:
                spans[place] = span
        lasting = tuple(place for place, span in spans.items() if span >= HORIZON_US - KILL_US - SLACK_US)
        rest = [span for place, span in spans.items() if place not in dict.fromkeys(lasting)]
        return cls(max(rest, default=0), len(spans), len(lasting), lasting)


_Figures = dict[tuple[str, int], dict[str, Any]]


def _outages(verdict: dict[str, Any]) -> _Figures:
    return {
        (str(topic["topic"]), int(partition["partition"])): partition
        for topic in verdict["topics"]
        for partition in topic["partitions"]
    }


def _zero_by(found: list[Fate], acks: str) -> str:
    """Whether a loss of zero holds for every moment of the kill (rule) or for this one (luck)."""
    if any(fate.may_be_unclean for fate in found):
        return "luck"
    return "luck" if acks == "1" and any(fate.takes_over for fate in found) else "rule"


def _causes(loss: Loss, found: list[Fate], acks: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for fate in found:
        if fate.cause and (fate.is_offline or acks == "all"):
            counts[fate.cause] = counts.get(fate.cause, 0) + 1
    waiting = sum(fate.needs_controllers(acks) for fate in found)
    if loss.quorum and waiting:
        counts[CONTROLLERS] = waiting
    return dict(sorted(counts.items(), key=lambda entry: -entry[1]))


def _main_cause(causes: dict[str, int], loss: Loss, write: _Outage, found: list[Fate], acks: str) -> str:
    if loss.quorum:
        return CONTROLLERS
    if causes:
        return next(iter(causes))
    touched = any(fate.is_touched if acks == "all" else fate.was_led_there for fate in found)
    return FAILOVER if touched or write.partitions else NOTHING


def _told(causes: dict[str, int], loss: Loss) -> list[str]:
    """The causes with their counts, in words: ``41 partitions have two replicas in az-b``."""
    place = f"broker {loss.brokers[0]}" if loss.key == ANY_BROKER else loss.label
    words = {
        RF_1: ("has its only replica in", "have their only replica in", place),
        TWO_IN_ONE: ("has two replicas in", "have two replicas in", place),
        ISR_THERE: ("has its whole ISR in", "have their whole ISR in", place),
        MIN_ISR: ("falls below", "fall below", "min.insync.replicas"),
        CONTROLLERS: (
            "gets",
            "get",
            f"no leader and no smaller ISR without a majority of the controllers: {loss.quorum}",
        ),
    }
    told = []
    if loss.quorum and CONTROLLERS not in causes:
        told.append(f"No leader can be elected without a majority of the controllers: {loss.quorum}")
    for cause, number in causes.items():
        one, many, what = words[cause]
        told.append(f"{_many(number, 'partition')} {one if number == 1 else many} {what}")
    return told


def _tint(lost: int, by: str, write: _Outage, read: _Outage) -> str:
    if lost or write.until_back or read.until_back:
        return "bad"
    return "risk" if by == "luck" or write.us or read.us else "ok"


def _controllers(doc: Document) -> str:
    """Where the controllers are taken to be, for no listing tells."""
    places: dict[str, int] = {}
    for controller in doc.controllers:
        place = controller.rack or "no AZ of these"
        places[place] = places.get(place, 0) + 1
    count = _many(len(doc.controllers), "controller")
    if len(places) == len(doc.controllers) > 1 and "no AZ of these" not in places:
        return f"Assumed: {count}, one in each AZ"
    return f"Assumed: {count}, {', '.join(f'{number} in {place}' for place, number in places.items())}"


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
