"""The document of each cluster of a document: what a run builds its clusters from, topics of mirrors included."""

from typing import Any

from simengine.scenario.mirror_plan import flows_of, made_topics
from simengine.scenario.model import Document


def parts_of(doc: Document) -> dict[str, Document]:
    """The document of each cluster by its name; of a cluster that has no name the document itself, by "".

    Topics that MirrorMaker creates are added, and ``mirrors`` holds the flows from and to this cluster.
    """
    if not doc.clusters:
        return {"": doc}
    parts = written_parts(doc)
    made = made_topics(flows_of(doc.mirrors, parts), parts)
    return {name: _with_topics(part, made[name]) for name, part in parts.items()}


def written_parts(doc: Document) -> dict[str, Document]:
    """The documents of several clusters as they are written."""
    alone: dict[str, Any] = {"clusters": {}, "timeline": [], "expect": [], "captions": [], "alerts_set": None}
    return {
        name: doc.model_copy(
            update={**alone, **dict(part), "mirrors": [one for one in doc.mirrors if name in (one.source, one.target)]}
        )
        for name, part in doc.clusters.items()
    }


def _with_topics(part: Document, made: list[Any]) -> Document:
    return part.model_copy(update={"topics": [*part.topics, *made]}) if made else part
