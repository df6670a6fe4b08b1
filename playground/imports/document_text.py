"""A text that is a document of Highwater's own, pasted or dropped where outputs of Kafka's tools are expected."""

import re
from typing import Any, Final

from simengine.compare.comparison import SIDES_MAX, SIDES_MIN
from simengine.importers.model import NO_LEADER
from simengine.scenario import Document, DocumentError, load_all
from simengine.scenario.parts import parts_of

KIND: Final = "document"
LABEL: Final = "a Highwater document"
BESIDE: Final = "They are opened side by side, as they are. The counts are those of the first."
_FORMAT = re.compile(r"^[^\S\n]*+\{?[^\S\n]*+\"?format\"?\s*+:", re.MULTILINE)
_CLUSTER = re.compile(r"^(?:[^\S\n]|[{,])*+\"?clusters?\"?\s*+:", re.MULTILINE)
_FORMAT_WITHIN = re.compile(r"[{,]\s*+[\"']?format[\"']?\s*+:\s*+\d{1,9}\s*+[,}]")  # between other keys of a line
_CLUSTER_WITHIN = re.compile(r"[{,]\s*+[\"']?clusters?[\"']?\s*+:\s*+\{")


def is_document(text: str) -> bool:
    """True if a text names its format and a cluster, as no output of Kafka's tools does."""
    if _FORMAT.search(text) and _CLUSTER.search(text):
        return True
    is_object = text.lstrip("\ufeff \t\r\n").startswith("{")
    return is_object and bool(_FORMAT_WITHIN.search(text) and _CLUSTER_WITHIN.search(text))


def preview(text: str) -> dict[str, Any]:
    """The preview of a document for the page: counts, or everything that is wrong with it."""
    try:
        documents, problems = load_all(text.encode()), []
    except DocumentError as error:
        documents, problems = [], [str(problem) for problem in error.problems]
    if len(documents) > SIDES_MAX:
        documents, problems = [], [too_many(len(documents))]
    is_one = len(documents) < SIDES_MIN
    notes = "It is opened as it is: nothing has to be assumed." if is_one else BESIDE
    return {
        "status": "accept" if documents else "reject",
        "kind": KIND,
        "label": LABEL if is_one else f"{len(documents)} Highwater documents",
        "reason": None if documents else "This document cannot be used as it stands. What is wrong with it:",
        "summary": _counts(documents[0]) if documents else {},
        "warnings": problems,
        "notes": [notes] if documents else [],
        "unread": [],
        "unread_more": 0,
        "assumptions": [],
        "can_build": bool(documents),
    }


def too_many(number: int) -> str:
    """The words against more documents than can stand side by side."""
    return f"{number} documents are more than can stand side by side: {SIDES_MAX}."


def _counts(document: Document) -> dict[str, int]:
    parts = list(parts_of(document).values())
    topics = [topic for part in parts for topic in part.topics]
    rows = [
        (replicas, topic.initial.get(number))
        for topic in topics
        for number, replicas in zip(topic.numbers, topic.assignment, strict=True)
    ]
    told = [(replicas, state) for replicas, state in rows if state is not None]
    return {
        "brokers": sum(len(part.brokers) for part in parts),
        "topics": len(topics),
        "partitions": len(rows),
        "under_replicated": sum(len(state.isr) < len(replicas) for replicas, state in told),
        "leaderless": sum(state.leader == NO_LEADER for _, state in told),
        "leader_not_first": sum(state.leader not in (NO_LEADER, replicas[0]) for replicas, state in told),
    }
