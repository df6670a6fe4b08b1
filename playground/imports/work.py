"""What the engine service does for the import page: read, preview and build a paste. Takes the body of a request."""

from typing import Any

from playground.imports import document_text, forms
from playground.imports.preview import imported, preview, without_refused
from playground.scenarios import documents
from simengine.importers.assumed import AssumedError
from simengine.importers.report import report

Answer = dict[str, Any]


def preview_of(body: bytes) -> Answer:
    """``preview``: what is read of a paste; or ``error``, with ``refused`` and ``told`` where assumptions are wrong.

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
    """``checked``: what is stored (or its problems) and ``is_document``; or ``error``, with ``refused`` assumptions."""
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
