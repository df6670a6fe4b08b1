"""Works of the engine service on documents: on those that somebody sends, and on those that are stored.

A function raises DocumentError where today's rules refuse the document.
"""

from dataclasses import asdict
from typing import Any

from playground.engine.limits import QUICK
from playground.engine.works import work
from playground.scenarios import documents
from playground.scenarios.branches import Branch, Left, grown, stepped_back
from playground.scenarios.limits import ACTIONS_TOLD_MAX
from playground.scenarios.neutral import neutral
from playground.scenarios.size import size_of
from simengine.scenario import Document, to_json, to_yaml
from simengine.scenario.parts import parts_of
from simengine.scenario.sites import as_named

Plain = dict[str, Any]
Stored = documents.StoredScenario


@work(QUICK)
def checked(body: bytes) -> Plain:
    """The fields of `documents.CheckedDocument` for a document that somebody sends."""
    return documents.check(body)


@work(QUICK)
def told(body: str) -> Plain:
    """The row of a stored document in lists."""
    return documents.told_of(documents.read_stored(body))


@work(QUICK, is_kept=True)
def size(text: str) -> Plain:
    """The size of the run of a stored document (``size.Size``)."""
    return asdict(size_of(documents.read_stored(text)))


@work(QUICK, is_kept=True)
def about(stored: Stored) -> Plain:
    """The facts about a document for the page about its run; of its actions the first ``ACTIONS_TOLD_MAX``."""
    document = documents.of_stored(stored)
    return {
        "about": document.about.strip(),
        "clusters": [_counted(name, part) for name, part in parts_of(document).items()],
        "seed": document.seed,
        "actions": documents.told_actions(document, document.timeline[:ACTIONS_TOLD_MAX]),
        "actions_more": max(0, len(document.timeline) - ACTIONS_TOLD_MAX),
    }


def _counted(name: str, part: Document) -> Plain:
    """The counts of a cluster's parts; ``name`` is "" where a document has one cluster."""
    return {
        "name": name,
        "brokers": len(part.brokers),
        "controllers": len(part.controllers),
        "topics": len(part.topics),
        "profile": part.profile,
    }


@work(QUICK, is_kept=True)
def written(stored: Stored, form: str, shown_us: int, name: str) -> bytes:
    """The whole document in a form, ``json`` or ``yaml``; it lasts at least until a moment.

    With a name for its only cluster it is written as one of several clusters (``sites.as_named``).
    """
    document = documents.lasting(documents.of_stored(stored), shown_us)
    document = as_named(document, name) if name else document
    text = f"{to_json(document, indent=2)}\n" if form == "json" else to_yaml(document)
    return text.encode()


@work(QUICK)
def copied(stored: Stored, is_neutral: bool) -> Plain:
    """The whole document as it is stored for a copy, under neutral names if that is asked for."""
    document = documents.of_stored(stored)
    return documents.check(neutral(document) if is_neutral else document)


@work(QUICK)
def branched(stored: Stored, at_us: int, do: str) -> Plain:
    """The branch of a run at a moment, where an action happens; "" for none."""
    return asdict(Branch.of(documents.of_stored(stored), at_us, do, at_us))


@work(QUICK)
def branch_grown(branch: Branch, left: Left | None) -> Plain:
    """A branch as it is stored, without some of its later actions, or without all."""
    return asdict(grown(branch, left))


@work(QUICK)
def undone(stored: Stored, until_us: int, cut_us: int | None, parent: Stored | None) -> Plain:
    """The undo of the newest action up to a moment: ``branch``, ``actions``, ``leads_back``; nothing without one.

    ``cut_us``: where the run was cut off its parent. ``parent``: it, if an undo may lead there.
    """
    step = stepped_back(
        documents.of_stored(stored), until_us, cut_us, documents.of_stored(parent) if parent is not None else None
    )
    if step is None:
        return {}
    branch, actions, leads_back = step
    return {"branch": asdict(branch), "actions": actions, "leads_back": leads_back}
