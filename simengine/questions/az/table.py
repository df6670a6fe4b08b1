"""The AZ answer of a document: outline, cells, causes, headline and facts, and which assumed values decide it.

Each cell is a run of its own: the document with that acks for all producers and one loss. A cluster with followers
outside the ISR has two tables, one for each moment of the loss (`moments`); the worse one is the headline. Lines come
as they are known, the rows of the AZs first, since the headline is about them.
"""

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from simengine.questions.az import about, one_az
from simengine.questions.az.answer import answer
from simengine.questions.az.basis import fields
from simengine.questions.az.causes import has_quorum
from simengine.questions.az.cell import ACKS, AZ, AzCell, AzLoss
from simengine.questions.az.copying import log_mb
from simengine.questions.az.edits import COME_BACK, DARK, Edits, edited
from simengine.questions.az.figures import cell_json
from simengine.questions.az.losses import dark_racks, rows_of, tie
from simengine.questions.az.moments import WORDS, at_moment, is_sick, moments_of, outside
from simengine.questions.az.partition_outages import OFFSETS, PartitionOutage
from simengine.questions.az.row import AzRow
from simengine.questions.az.run import KILL_US, at_the_loss, coordinators, horizon_us, run_cell
from simengine.questions.az.tries import between_moments, decides
from simengine.questions.az.whys import causes_of
from simengine.scenario import Document
from simengine.scenario.not_simulated import not_simulated

Json = dict[str, Any]
USUAL = Edits()


def lines(doc: Document, edits: Edits = USUAL) -> Iterator[Json]:
    """The answer a line at a time: each a map with one key, and ``moment`` where it is of one moment's table.

    ``parts`` lines hold what the lists are made of. ``worst``: the moment whose answer is the headline.
    """
    made = edited(doc, edits)
    moments = moments_of(made, edits)
    tables = [_Table(made, replace(edits, outside=moment), len(moments)) for moment in moments]
    for one in tables:
        yield from one.zones()
    worst = max(tables, key=lambda one: one.weight)  # of equals the first: now
    yield {"worst": worst.moment}
    for one in sorted(tables, key=lambda one: one is not worst):
        yield from one.others()
    for told in decides(doc, worst.edits, worst.zone_rows, worst.answer):
        yield {"decides": told}
    if len(tables) > 1:
        yield {"decides": between_moments(*(one.answer for one in tables))}
    yield {"done": True}


class _Table:
    """The rows of one moment, in the order in which they are asked: the AZs, then any broker and any two AZs."""

    def __init__(self, made: Document, edits: Edits, moments: int) -> None:
        self.moment, self.edits, self.moments = edits.outside, edits, moments
        self.made, self.doc = made, at_moment(made, edits.outside)
        self.losses: list[AzLoss] = []
        self.zone_rows: list[AzRow] = []
        self.answer = answer(self.doc, [])

    @property
    def weight(self) -> tuple[int, ...]:
        """The harm of its worst AZ, as a rank."""
        return max((row.fine_rank for row in self.zone_rows), default=())

    def zones(self) -> Iterator[Json]:
        """The outline, the rows of the AZs, and the answer from them."""
        world = at_the_loss(self.doc, ACKS[0], self.edits.dies == DARK)
        self.losses = rows_of(self.doc, self.edits.dies, world)
        groups = coordinators(world)
        yield self._line("outline", outline(self.made, self.losses, self.edits, groups, self.moments))
        for loss in self.losses:
            if loss.kind == AZ:
                yield from self._row(loss, self.zone_rows)
        self.answer = answer(self.doc, self.zone_rows)
        yield self._line("answer", self.answer.plain())

    def others(self) -> Iterator[Json]:
        """The rows of any broker and any two AZs."""
        for loss in self.losses:
            if loss.kind != AZ:
                yield from self._row(loss, [])

    def _row(self, loss: AzLoss, rows: list[AzRow]) -> Iterator[Json]:
        """The lines of one row, which is added to ``rows``."""
        cells: list[AzCell] = []
        for acks in ACKS:
            cells.append(run_cell(self.doc, loss, acks, self.edits.disks))
            yield self._line("cell", cell_json(cells[-1], log_mb(self.doc)))
            yield self._line("parts", {**asdict(cells[-1]), "pick": loss.pick})
        rows.append(AzRow(loss, *cells))
        causes = causes_of(loss, *cells)
        yield self._line("causes", {"row": loss.key, "causes": [cause.plain() for cause in causes]})

    def _line(self, key: str, value: Json) -> Json:
        return {"moment": self.moment, key: value}


def cell_of(plain: Json) -> AzCell:
    """The cell of a ``parts`` line."""
    found = {key: value for key, value in plain.items() if key not in ("parts", "pick", "beside")}
    beside = tuple((topic, number) for topic, number in plain["beside"])
    return AzCell(**found, beside=beside, parts=tuple(_part(part) for part in plain["parts"]))


def _part(plain: Json) -> PartitionOutage:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in plain.items()}
    return PartitionOutage(**values)


def table(doc: Document, edits: Edits = USUAL) -> Json:
    """The whole answer as one map: the table of the worst moment, and ``other``, that of the other moment."""
    tables: dict[str, Json] = {}
    decided: list[Json] = []
    worst = ""
    for line in lines(doc, edits):
        worst = line.get("worst", worst)
        decided += [line["decides"]] if "decides" in line else []
        if "moment" in line:
            found = tables.setdefault(line["moment"], {"moment": WORDS[line["moment"]], "cells": [], "causes": []})
            for key in ("outline", "answer"):
                found |= {key: line[key]} if key in line else {}
            for key, of in (("cells", "cell"), ("causes", "causes")):
                found[key] += [line[of]] if of in line else []
    chosen, others = tables.pop(worst), list(tables.values())
    return {**chosen, "decides": decided, **({"other": others[0]} if others else {})}


def outline(doc: Document, losses: list[AzLoss], edits: Edits, groups: int = 0, moments: int = 1) -> Json:
    """The rows without results, where brokers and controllers stand, and what the answer rests on.

    ``groups``: how many partitions stand for groups; ``moments``: how many tables the answer has.
    """
    made = [topic for topic in doc.topics if not topic.name.startswith("__")]
    back = outside(doc) if edits.outside == COME_BACK else {}
    return {
        "label": WORDS[edits.outside] if is_sick(doc) else "",
        "moments": moments,
        "standing": f"{one_az.sentence(doc, back)} {about.groups_sentence(doc.about)}".strip(),
        "dies": edits.dies,
        "disks": edits.disks,
        "not_simulated": not_simulated(doc),
        "kill_us": KILL_US,
        "horizon_us": horizon_us(doc, edits.dies == DARK),
        "acks": list(ACKS),
        "counts": {
            "brokers": len(doc.brokers),
            "topics": len(made),
            "partitions": sum(len(topic.assignment) for topic in made),
            "coordinators": groups,
            "made_coordinators": not any(topic.name == OFFSETS for topic in doc.topics),
        },
        "azs": _azs(doc),
        "combined": {str(one.id): one.broker for one in doc.controllers if one.broker is not None},
        "tie": tie(doc),
        "quorum_before": has_quorum(doc),
        "rows": [_row_json(loss) for loss in losses],
        "basis": fields(doc, edits),
    }


def _row_json(loss: AzLoss) -> Json:
    return {
        "key": loss.key,
        "kind": loss.kind,
        "label": loss.label,
        "note": loss.note,
        "event": loss.event,
        "azs": list(loss.azs),
        "brokers": list(loss.brokers),
        "controllers": list(loss.controllers),
        "has_majority": loss.has_majority,
        "pick": loss.pick,
    }


def _azs(doc: Document) -> list[Json]:
    """Every AZ with what stands in it; "" is none: what has no AZ."""
    dark = dark_racks(doc)
    racks = [*(one.rack or "" for one in doc.brokers), *(one.rack or "" for one in doc.controllers)]
    found = []
    for name in sorted(dict.fromkeys(racks)):
        controllers = [one.id for one in doc.controllers if (one.rack or "") == name]
        brokers = [one for one in doc.brokers if (one.rack or "") == name]
        found.append(
            {
                "name": name,
                "brokers": [one.id for one in brokers if one.state != "down"],
                "controllers": controllers,
                "down": [one.id for one in brokers if one.state == "down"],
                "has_majority": name != "" and 2 * len(controllers) > len(doc.controllers),
                "is_dark": name in dark,
            }
        )
    return found
