"""What the engine service does for an import: read, preview and build a paste."""

from typing import Any

from playground.imports import document_text, forms
from playground.imports.preview import imported, preview, without_refused
from playground.scenarios import documents
from simengine.importers import sites
from simengine.importers.assumed import AssumedError
from simengine.importers.document import Built
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
    """Of the body of a request. ``checked``: what is stored, ``is_document`` and ``sites``. Raises DocumentError.

    Or ``error``, with ``refused`` assumptions, and ``site``: which of several pastes is to blame.
    """
    try:
        asked = forms.read_sites(body)
    except forms.WrongRequest as wrong:
        return {"error": str(wrong)}
    if len(asked.pastes) == 1:
        [pasted] = asked.pastes.values()
        if document_text.is_document(pasted.text):
            return {"is_document": True, "sites": 1, "checked": documents.check(pasted.text.encode())}
    built: dict[str, Built] = {}
    for name, pasted in asked.pastes.items():
        found = _built(pasted)
        if isinstance(found, dict):
            return {**found, "site": name}
        built[name] = found
    parts = {name: one.document for name, one in built.items()}
    document = sites.joined(parts, asked.between_ms) if len(parts) > 1 else next(iter(parts.values()))
    return {"is_document": False, "sites": len(parts), "checked": documents.check(document)}


def _built(pasted: forms.Pasted) -> Built | Answer:
    """The cluster of a paste, or the error."""
    if document_text.is_document(pasted.text):
        return {"error": f"This is {document_text.LABEL}. A site is built of what Kafka's tools print."}
    try:
        reading, built = imported(pasted)
    except AssumedError as wrong:
        return {"error": str(wrong), "refused": wrong.refused}
    return {"error": str(report(reading)["reason"])} if built is None else built
