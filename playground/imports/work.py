"""What the engine service does for an import: read, preview and build a paste; compute the AZ answer of a cluster."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from playground.engine.once import Known
from playground.engine.works import AZ_ROW
from playground.imports import document_text, forms
from playground.imports.preview import imported, preview, without_refused
from playground.scenarios import documents
from simengine.importers import az_edits, az_table
from simengine.importers.assumed import AssumedError
from simengine.importers.az_cell import ACKS
from simengine.importers.az_losses import loss_of
from simengine.importers.az_run import run_cell
from simengine.importers.report import report
from simengine.scenario import load

Answer = dict[str, Any]


def preview_of(body: bytes) -> Answer:
    """Of the body of a request. ``preview``: what is read of a paste.

    Or ``error``, with ``refused`` and ``told`` where assumptions are wrong.

    ``told`` is the preview by all the others.
    """
    try:
        pasted = forms.read(body)
    except forms.WrongRequest as wrong:
        return {"error": str(wrong)}
    if document_text.is_document(pasted.text):
        return {"preview": document_text.preview(pasted.text)}
    try:
        return {"preview": preview(pasted)}
    except AssumedError as wrong:
        return {"error": str(wrong), "refused": wrong.refused, "told": without_refused(pasted, wrong)}


def built_of(body: bytes) -> Answer:
    """Of the body of a request. ``checked``: what is stored (or its problems) and ``is_document``.

    Or ``error``, with ``refused`` assumptions.
    """
    try:
        pasted = forms.read(body)
        if document_text.is_document(pasted.text):
            return {"is_document": True, "checked": documents.check(pasted.text.encode())}
        reading, built = imported(pasted)
    except forms.WrongRequest as wrong:
        return {"error": str(wrong)}
    except AssumedError as wrong:
        return {"error": str(wrong), "refused": wrong.refused}
    if built is None:
        return {"error": str(report(reading)["reason"])}
    return {"is_document": False, "checked": documents.check(built.document)}


def az_lines(argument: tuple[bytes, str]) -> Iterator[Answer | Known]:
    """Of a document and edits: the lines of the answer; and each row's cells, for whoever asks for one (``az_row``)."""
    document, edits = argument
    cells: list[Answer] = []
    for line in az_table.lines(load(document), az_edits.read(json.loads(edits))):
        if "parts" not in line:
            yield line
            continue
        cells.append(line["parts"])
        if len(cells) == len(ACKS):
            yield Known(AZ_ROW, [document, edits, cells[0]["row"], cells[0]["pick"]], cells)
            cells = []


def az_row(argument: tuple[bytes, str, str, str]) -> list[Answer]:
    """Of a document, edits, a row and what is picked in it: both cells of that row. Raises ValueError without one."""
    document, edits_text, row, pick = argument
    edits = az_edits.read(json.loads(edits_text))
    made = az_edits.edited(load(document), edits)
    loss = loss_of(made, row, pick, edits.dies)
    if loss is None:
        raise ValueError(f"there is no row {row!r} with {pick!r}")
    return [{**asdict(run_cell(made, loss, acks, edits.disks)), "pick": loss.pick} for acks in ACKS]
