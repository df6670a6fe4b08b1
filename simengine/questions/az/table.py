"""The AZ answer of a document: outline, cells, causes, headline and facts, and which assumed values decide it.

Each cell is a run of its own: the document with that acks for all producers and one loss. Lines come as they are
known, the rows of the AZs first, since the headline is about them.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from simengine.questions.az.answer import Row, answer, log_mb
from simengine.questions.az.basis import fields
from simengine.questions.az.causes import has_quorum
from simengine.questions.az.cell import ACKS, AZ, Cell, Loss
from simengine.questions.az.edits import DARK, Edits, edited
from simengine.questions.az.figures import cell_json
from simengine.questions.az.losses import dark_racks, rows_of, tie
from simengine.questions.az.parts import OFFSETS, Part
from simengine.questions.az.run import KILL_US, at_the_loss, coordinators, horizon_us, run_cell
from simengine.questions.az.tries import decides
from simengine.questions.az.whys import causes_of
from simengine.scenario import Document

Json = dict[str, Any]
USUAL = Edits()


def lines(doc: Document, edits: Edits = USUAL) -> Iterator[Json]:
    """The answer a line at a time: each a map with one key. ``parts`` lines hold what the lists are made of."""
    made = edited(doc, edits)
    world = at_the_loss(made, ACKS[0], edits.dies == DARK)
    losses = rows_of(made, edits.dies, world)
    yield {"outline": outline(made, losses, edits, coordinators(world))}
    rows: list[Row] = []
    for loss in (one for one in losses if one.kind == AZ):
        yield from _row(made, loss, edits, rows)
    first = answer(made, rows)
    yield {"answer": first.plain()}
    zones = list(rows)
    for loss in (one for one in losses if one.kind != AZ):
        yield from _row(made, loss, edits, rows)
    for told in decides(doc, edits, zones, first):
        yield {"decides": told}
    yield {"done": True}


def _row(doc: Document, loss: Loss, edits: Edits, rows: list[Row]) -> Iterator[Json]:
    """The lines of one row, which is added to those that are known."""
    cells: list[Cell] = []
    for acks in ACKS:
        cells.append(run_cell(doc, loss, acks, edits.disks))
        yield {"cell": cell_json(cells[-1], log_mb(doc))}
        yield {"parts": {**asdict(cells[-1]), "pick": loss.pick}}
    rows.append(Row(loss, *cells))
    causes = causes_of(loss, *cells)
    yield {"causes": {"row": loss.key, "causes": [cause.plain() for cause in causes]}}


def cell_of(plain: Json) -> Cell:
    """The cell of a ``parts`` line."""
    found = {key: value for key, value in plain.items() if key not in ("parts", "pick")}
    return Cell(**found, parts=tuple(_part(part) for part in plain["parts"]))


def _part(plain: Json) -> Part:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in plain.items()}
    return Part(**values)


def table(doc: Document, edits: Edits = USUAL) -> Json:
    """The whole answer as one map."""
    found: Json = {"cells": [], "causes": [], "decides": []}
    for line in lines(doc, edits):
        for key, value in line.items():
            if key in ("cell", "causes", "decides"):
                found[{"cell": "cells"}.get(key, key)].append(value)
            elif key in ("outline", "answer"):
                found[key] = value
    return found


def outline(doc: Document, losses: list[Loss], edits: Edits, groups: int = 0) -> Json:
    """The rows without results, where brokers and controllers stand, and what the answer rests on.

    ``groups``: how many partitions stand for groups.
    """
    made = [topic for topic in doc.topics if not topic.name.startswith("__")]
    return {
        "dies": edits.dies,
        "disks": edits.disks,
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


def _row_json(loss: Loss) -> Json:
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
        "over": list(loss.over),
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
