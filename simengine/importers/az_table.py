"""The table AZ x {acks=all, acks=1}: what is lost, hidden and stopped, and for how long, when that AZ goes dark.

Each cell is a run of its own: the document with that acks for all producers and one action, ``kill-rack`` (or the
kill of the one broker whose loss weighs most). Nothing comes back within the run: an outage that lasts to its end is
called "until it is back". Its figures and the sentence on it are those of the verdict at the end of the run, without
what was out or hidden before the loss. Causes are read from the state that the loss meets; a zero of losses is *by
rule* where no acknowledged record can be lost whatever the moment, and *by luck* where another moment of the same
failure could have lost some.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from simengine.importers import az_words
from simengine.importers.az_causes import (
    CONTROLLERS,
    FAILOVER,
    FOLLOWERS,
    INTERNAL,
    ISR_SHRINKS,
    NOTHING,
    Fate,
    controllers_left,
    fates,
    fates_in,
    has_quorum,
    records_at_risk,
    running_racks,
)
from simengine.importers.az_cell import ACKS, ANY_BROKER, Cell, Loss
from simengine.importers.az_figures import Outage, Places, hidden, outcome_of, places_of, total
from simengine.scenario import Action, Document
from simengine.scenario.model import TimelineEntry
from simengine.world import World, build

KILL_US: Final = 3_000_000
HORIZON_US: Final = 21_000_000  # detection and election take up to 14 s: what comes back by itself has done so
BEGUN: Final = ("kill", "pause", "cut")  # what was so before, as a run that carries on another has it


def losses(doc: Document) -> list[Loss]:
    """The rows: each AZ of the brokers, by name, then any single broker. Runs the document to the loss."""
    world = build(cell_base(doc, ACKS[0]))
    world.run(KILL_US - 1)
    rows = [rack_loss(doc, rack, brokers) for rack, brokers in running_racks(doc).items()]
    rows = [replace(row, over=_over(world, row)) for row in rows]
    running = [broker.id for broker in doc.brokers if broker.state != "down"]
    if running:
        weights = {broker: _weight(fates_in(world, (broker,))) for broker in running}
        worst = max(running, key=lambda broker: weights[broker])
        at_start = max(running, key=lambda broker: _weight(fates(doc, (broker,))))
        over = _over(world, broker_loss(doc, at_start))
        rows.append(replace(broker_loss(doc, worst), why=az_words.why_worst(*weights[worst]), over=over))
    return rows


def loss_of(doc: Document, key: str, broker: int | None) -> Loss | None:
    """The row that a cell is of, without a run; ``broker``: the one that the row of any broker names. None: no row."""
    if key == ANY_BROKER:
        runs = any(one.id == broker and one.state != "down" for one in doc.brokers)
        return broker_loss(doc, broker) if broker is not None and runs else None
    racks = running_racks(doc)
    return rack_loss(doc, key, racks[key]) if key in racks else None


def rack_loss(doc: Document, rack: str, brokers: tuple[int, ...]) -> Loss:
    """The row of an AZ."""
    return Loss(rack, rack, Action("kill-rack", (rack,)), brokers, _controllers_in(doc, rack), _no_quorum(doc, rack))


def _controllers_in(doc: Document, rack: str) -> int:
    """How many controllers run in an AZ."""
    return controllers_left(doc) - controllers_left(doc, rack)


def broker_loss(doc: Document, broker: int) -> Loss:
    """The row of a single broker."""
    action = Action("kill", (str(broker),))
    return Loss(ANY_BROKER, f"broker {broker}", action, (broker,), quorum=_no_quorum(doc))


def _no_quorum(doc: Document, rack: str | None = None) -> str:
    """Why no majority of the controllers is left without an AZ, as a clause; "" where one is left."""
    if has_quorum(doc, rack):
        return ""
    left = controllers_left(doc, rack)
    return az_words.no_quorum(rack, len(doc.controllers), left, controllers_left(doc) - left)


def _dark(doc: Document) -> dict[str, list[int]]:
    """The AZs in which no broker runs, with their brokers, and whose controllers a majority goes on without."""
    racks: dict[str, list[int]] = {}
    for broker in doc.brokers:
        if broker.rack is not None:
            racks.setdefault(broker.rack, []).append(broker.id)
    return {rack: brokers for rack, brokers in racks.items() if rack not in running_racks(doc)}


def _weight(found: Iterable[Fate]) -> tuple[int, int, int]:
    """How much the loss of a broker weighs: first partitions taken off, then those below min ISR, then leaders."""
    told = list(found)
    return (
        sum(fate.is_offline for fate in told),
        sum(fate.is_below_min for fate in told),
        sum(fate.was_led_there for fate in told),
    )


def _over(world: World, loss: Loss) -> tuple[str, ...]:
    """What the loss would do to partitions as the document starts, in words, and does no longer when it comes."""
    still = {fate.place: fate for fate in fates_in(world, loss.brokers)}
    gone = [fate for fate in fates(world.doc, loss.brokers) if fate.is_worse_than(still[fate.place])]
    return tuple(az_words.told(_counts(gone), replace(loss, quorum="")))


def begun(doc: Document) -> list[TimelineEntry]:
    """What is dead, still or cut at 0: it belongs to the state that a document begins in."""
    return [entry for entry in doc.timeline if entry.at_us == 0 and entry.action.verb in BEGUN]


def cell_base(doc: Document, acks: str) -> Document:
    """The document of a cell without its loss: that acks for every producer, and nothing else happens to its end."""
    producers = [
        producer.model_copy(
            update={
                "acks": acks,
                "config": {key: value for key, value in producer.config.items() if key != "enable.idempotence"},
            }
        )
        for producer in doc.producers
    ]
    changes = {"producers": producers, "timeline": begun(doc), "faults": None, "expect": [], "captions": []}
    return doc.model_copy(update={**changes, "until_us": HORIZON_US, "closing_us": None})


def cell_document(doc: Document, loss: Loss, acks: str) -> Document:
    """The document of one cell: that acks for every producer, no other action than the loss, to the cell's end."""
    kill = TimelineEntry.model_construct(at_us=KILL_US, action=loss.action)
    title = f"{doc.title}: {loss.event}, acks={acks}"[:200]
    base = cell_base(doc, acks)
    return base.model_copy(update={"title": title, "timeline": [*base.timeline, kill]})


def run_cell(doc: Document, loss: Loss, acks: str) -> Cell:
    """Run one cell of the table. Takes seconds for thousands of partitions."""
    world = build(cell_document(doc, loss, acks))
    world.run(KILL_US - 1)
    found = list(fates_in(world, loss.brokers))
    names = world.cluster.partition_names
    before = places_of(world.verdict(), names)
    world.run(HORIZON_US)
    verdict = world.verdict()
    after = places_of(verdict, names)
    counted = [fate for fate in found if fate.place in after]
    others = [fate for fate in found if fate.place not in after]
    return _Result(loss, acks, counted, others, before, after).cell(doc, outcome_of(verdict))


def table(doc: Document) -> dict[str, Any]:
    """All rows and cells, and the sentence about the worst AZ; JSON-able."""
    rows = losses(doc)
    cells = [run_cell(doc, row, acks) for row in rows for acks in ACKS]
    return {**outline(doc, rows), "cells": [asdict(cell) for cell in cells], "sentence": sentence(rows, cells)}


def outline(doc: Document, rows: list[Loss]) -> dict[str, Any]:
    """The rows without results, with what is assumed about the controllers.

    An AZ that is dark already has a row with its dead brokers under ``dead`` and no cells.
    """
    outlined: list[dict[str, Any]] = [
        {
            "key": row.key,
            "label": row.label,
            "brokers": len(row.brokers),
            "controllers": row.controllers,
            "dead": [],
            "broker": row.brokers[0] if row.key == ANY_BROKER else None,
            "why": row.why,
            "over": list(row.over),
        }
        for row in rows
    ]
    empty: dict[str, Any] = {"brokers": 0, "broker": None, "why": "", "over": []}
    outlined += [
        {"key": rack, "label": rack, "dead": dead, "controllers": _controllers_in(doc, rack), **empty}
        for rack, dead in _dark(doc).items()
    ]
    outlined.sort(key=lambda row: (row["key"] == ANY_BROKER, row["key"]))
    return {
        "rows": outlined,
        "acks": list(ACKS),
        "kill_us": KILL_US,
        "horizon_us": HORIZON_US,
        "assumed": az_words.assumed_controllers(doc),
    }


def sentence(rows: list[Loss], cells: list[Cell]) -> str:
    """What the loss of the worst AZ does, in one sentence; "" where no broker has an AZ.

    The worst is the one that loses most for good, then that stops most topics and partitions, then that hides most.
    """
    zones = {row.key: row for row in rows if row.key != ANY_BROKER}
    pairs = [
        (one, other)
        for one in cells
        for other in cells
        if one.row == other.row and one.row in zones and (one.acks, other.acks) == ACKS
    ]
    if not pairs:
        return ""
    safe, fast = max(pairs, key=lambda pair: _toll(*pair))
    return az_words.headline(zones[safe.row], safe, fast)


def _toll(safe: Cell, fast: Cell) -> tuple[int, ...]:
    harm = (safe.lost + safe.duplicated, safe.stopped_topics, fast.write_until_back, safe.hidden + fast.hidden)
    return (*harm, fast.lost, fast.at_risk_a_minute, safe.write_us)


@dataclass(frozen=True, slots=True)
class _Result:
    """What a run of a cell left: the fates of its partitions by rule, and their figures before the loss and after."""

    loss: Loss
    acks: str
    fates: list[Fate]
    others: list[Fate]  # of internal topics, whose partitions no figure counts
    before: Places
    after: Places

    def cell(self, doc: Document, outcome: str) -> Cell:
        """The cell of the table."""
        write = self._outage(f"write_down_{self.acks}_us")
        read = self._outage("read_down_us")
        lost, duplicated = total(self.after, "lost"), total(self.after, "duplicated")
        unread, unread_before = hidden(self.before, self.after)
        by = "" if lost else self._zero_by()
        is_bad = lost or duplicated or unread or write.until_back or read.until_back
        risk = records_at_risk(doc, self.fates)
        causes = self._causes()
        return Cell(
            row=self.loss.key,
            acks=self.acks,
            lost=lost,
            by=by,
            duplicated=duplicated,
            hidden=unread,
            hidden_before=unread_before,
            write_us=write.us,
            write_partitions=write.partitions,
            write_until_back=write.until_back,
            write_before=write.before,
            read_us=read.us,
            read_partitions=read.partitions,
            read_until_back=read.until_back,
            read_before=read.before,
            cause=self._main_cause(causes),
            causes=(*az_words.told(causes, self.loss), *self._internal()),
            tint="bad" if is_bad else "risk" if by == "luck" or write.us or read.us else "ok",
            stopped_topics=len(dict.fromkeys(topic for topic, _ in write.places)),
            at_risk_a_minute=round(sum(risk.values()) * 60),
            at_risk_of=next(iter(risk)) if len(risk) == 1 else f"{len(risk)} topics",
            outcome=outcome,
        )

    def _outage(self, key: str) -> Outage:
        return Outage.between(self.before, self.after, key, KILL_US, HORIZON_US)

    def _zero_by(self) -> str:
        """Whether a loss of zero holds for every moment of the kill (rule) or for this one (luck)."""
        if any(fate.may_be_unclean for fate in self.fates):
            return "luck"
        return "luck" if self.acks == "1" and any(fate.takes_over for fate in self.fates) else "rule"

    def _causes(self) -> dict[str, int]:
        """How many partitions bear each cause. Below min ISR acks=1 is still answered: it counts where it hides."""
        causing = [fate for fate in self.fates if fate.is_offline or self.acks == "all" or self._hides(fate)]
        counts = _counts(causing)
        waiting = sum(fate.needs_controllers(self.acks, self._hides(fate)) for fate in self.fates)
        if self.loss.quorum and waiting:
            counts[CONTROLLERS] = waiting
        return dict(sorted(counts.items(), key=lambda entry: -entry[1]))

    def _internal(self) -> list[str]:
        """The causes in internal topics, told apart: the figures leave these out."""
        told = az_words.told(_counts(self.others), replace(self.loss, quorum=""))
        return [f"{line} (internal topics, which no figure here counts)" for line in told]

    def _hides(self, fate: Fate) -> bool:
        """Whether records of the partition are hidden at the end."""
        figures = self.after.get(fate.place)
        return figures is not None and int(figures["hidden"]) > 0

    def _main_cause(self, causes: dict[str, int]) -> str:
        if self.loss.quorum:
            return CONTROLLERS
        gravest = _counts(fate for fate in self.fates if fate.is_offline) if self.acks == "1" else {}
        if gravest or causes:  # with acks=1 only what is offline stops; the rest hides
            return max(gravest or causes, key=(gravest or causes).__getitem__)
        if any(fate.takes_over for fate in self.fates):
            return FAILOVER
        if self.acks == "all" and any(fate.is_touched for fate in self.fates):
            return ISR_SHRINKS
        if any(fate.was_led_there for fate in self.others):
            return INTERNAL
        return FOLLOWERS if any(fate.has_replica_there for fate in (*self.fates, *self.others)) else NOTHING


def _counts(found: Iterable[Fate]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for fate in found:
        if fate.cause:
            counts[fate.cause] = counts.get(fate.cause, 0) + 1
    return counts
