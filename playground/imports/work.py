"""What the engine service does for an import: read, preview and build a paste."""

from typing import Any

from playground.imports import document_text, forms
from playground.imports.preview import imported, preview, without_refused
from playground.scenarios import documents
from simengine.importers.assumed import AssumedError
from simengine.importers.report import report

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
    """Of the body of a request. ``checked``: what is stored, and ``is_document``. Raises DocumentError.

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
