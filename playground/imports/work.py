"""Works of the engine service for an import: read, preview and build a paste."""

from typing import Any, Final

from playground.engine.limits import PASTE
from playground.engine.works import work
from playground.imports import document_text, forms
from playground.imports.preview import imported, preview, without_refused
from playground.scenarios import documents
from simengine.compare.comparison import SIDES_MAX
from simengine.importers import sites
from simengine.importers.assumed import AssumedError
from simengine.importers.document import BuiltDocument
from simengine.importers.mirror_paste import read_mirrors, with_mirrors
from simengine.importers.report import report
from simengine.scenario import load_all

Answer = dict[str, Any]
MIRRORED_MIN: Final = 2


@work(PASTE, is_kept=True)
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


@work(PASTE)
def built_of(body: bytes) -> Answer:
    """Of the body of a request. ``checked``: the documents that are stored, ``is_document`` and ``sites``.

    Raises DocumentError. Or ``error``, with ``refused`` assumptions, and ``site``: which of several pastes is to blame.
    """
    try:
        asked = forms.read_sites(body)
    except forms.WrongRequest as wrong:
        return {"error": str(wrong)}
    if len(asked.pastes) == 1:
        [pasted] = asked.pastes.values()
        if document_text.is_document(pasted.text):
            return _read(pasted.text)
    document = _document(asked)
    if "error" in document:
        return document
    if asked.mirrors.strip():
        document, told = with_mirrors(document, read_mirrors(asked.mirrors.encode()))
        if not told["flows"]:
            return {"error": f"MirrorMaker: {_why_no_flow(told)}"}
    return {"is_document": False, "sites": len(asked.pastes), "checked": [documents.check(document)]}


def _read(text: str) -> Answer:
    whole = load_all(text.encode())
    if len(whole) > SIDES_MAX:
        return {"error": document_text.too_many(len(whole))}
    return {"is_document": True, "sites": 1, "checked": [documents.check(document) for document in whole]}


@work(PASTE, is_kept=True)
def mirrors_of(body: bytes) -> Answer:
    """Of the body of a request to build several pastes. ``told``: what becomes of MirrorMaker's configuration.

    Or ``error``, as `built_of` gives it.
    """
    try:
        asked = forms.read_sites(body)
    except forms.WrongRequest as wrong:
        return {"error": str(wrong)}
    if len(asked.pastes) < MIRRORED_MIN:
        return {"error": "MirrorMaker copies between clusters: paste a second one."}
    document = _document(asked)
    return document if "error" in document else {"told": _told_of(document, asked.mirrors)}


def _told_of(document: Answer, text: str) -> Answer:
    mirrors = read_mirrors(text.encode())
    return {**with_mirrors(document, mirrors)[1], "clusters": mirrors.clusters}


def _why_no_flow(told: Answer) -> str:
    reasons = [f"{one['flow']}: {reason}" for one in told["left"] for reason in one["reasons"]]
    return str(told["reason"] or " ".join(reasons))


def _document(asked: forms.PastedSites) -> Answer:
    """The document of the pastes, or ``error`` with ``site``, the name of the paste that is to blame."""
    parts: dict[str, Answer] = {}
    for name, pasted in asked.pastes.items():
        found = _built(pasted)
        if isinstance(found, dict):
            return {**found, "site": name}
        parts[name] = found.document
    return sites.joined(parts, asked.between_ms) if len(parts) > 1 else next(iter(parts.values()))


def _built(pasted: forms.PastedText) -> BuiltDocument | Answer:
    """The cluster of a paste, or the error."""
    if document_text.is_document(pasted.text):
        return {"error": f"This is {document_text.LABEL}. A site is built of what Kafka's tools print."}
    try:
        reading, built = imported(pasted)
    except AssumedError as wrong:
        return {"error": str(wrong), "refused": wrong.refused}
    return {"error": str(report(reading)["reason"])} if built is None else built
