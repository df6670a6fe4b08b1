"""A pasted configuration of MirrorMaker beside the clusters of a document: its flows become the document's mirrors."""

from typing import Any

from simengine.importers import connect_json, limits, mm2_properties, strimzi_mirrors
from simengine.importers.mirrored import with_history
from simengine.importers.mirrors import Mirrors, PastedFlow
from simengine.importers.stripping.strip import undecorated
from simengine.scenario import DocumentError, load

UNKNOWN = (
    "This is no configuration of MirrorMaker 2. Expected: the properties file of connect-mirror-maker.sh, Strimzi's "
    "KafkaMirrorMaker2, or its connectors as JSON of Connect's REST interface."
)

Plain = dict[str, Any]


def read_mirrors(data: bytes) -> Mirrors:
    """The flows of a pasted configuration; ``rejected`` says why there are none."""
    if len(data) > limits.BYTES_MAX:
        return Mirrors("", rejected=f"The text is too long: the limit is {limits.BYTES_MAX:,} bytes.")
    paste = undecorated(data.decode("utf-8-sig", "replace"))
    readers = (connect_json.read, mm2_properties.read, strimzi_mirrors.read)
    return next((found for read in readers if (found := read(paste))), Mirrors("", rejected=UNKNOWN))


def with_mirrors(document: Plain, mirrors: Mirrors) -> tuple[Plain, Plain]:
    """The document with the flows that it can have, and what became of the paste: ``flows``, ``left``, ``unread``.

    ``history``: sentences on the flows that have run before. A flow is left if one of its clusters is none of the
    document's, or if the document would be refused with it.
    """
    left: list[Plain] = []
    taken: list[PastedFlow] = []
    for flow in mirrors.flows:
        reasons = _why_not(document, [*taken, flow])
        if reasons:
            left.append({"flow": flow.name, "reasons": reasons})
        else:
            taken.append(flow)
    told = {
        "label": mirrors.label,
        "reason": mirrors.rejected,
        "flows": [flow.name for flow in taken],
        "left": left,
        "warnings": mirrors.warnings,
        "unread": [
            {"line": one.line, "text": one.text, "reason": one.reason} for one in mirrors.unread[: limits.UNREAD_MAX]
        ],
        "unread_more": max(0, len(mirrors.unread) - limits.UNREAD_MAX),
    }
    if not taken:
        return document, {**told, "history": []}
    document, history = with_history(_with(document, taken))
    about = "\n\n".join([document.get("about", ""), *history])
    return {**document, "about": about}, {**told, "history": history}


def _with(document: Plain, flows: list[PastedFlow]) -> Plain:
    return {**document, "mirrors": [flow.entry() for flow in flows]}


def _why_not(document: Plain, flows: list[PastedFlow]) -> list[str]:
    """The reasons why the document cannot have the last of these flows; it can have the others."""
    newest = flows[-1]
    missing = [name for name in (newest.source, newest.target) if name not in document["clusters"]]
    if missing:
        known = ", ".join(document["clusters"])
        return [f"{name} is no cluster of the document. Allowed: {known}." for name in missing]
    try:
        load(_with(document, flows))
    except DocumentError as error:
        return [str(problem) for problem in error.problems]
    return []
