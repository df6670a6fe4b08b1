"""The import page's preview of a paste: counts, brokers with their AZ and state, the matrix, doubts, assumptions."""

from typing import Any, Final

from playground.imports.forms import PastedText
from simengine.importers.assumed import AssumedError
from simengine.importers.controllers import place
from simengine.importers.document import BuiltDocument, build
from simengine.importers.model import NO_LEADER, PastedCluster, PasteResult
from simengine.importers.recognise import read
from simengine.importers.report import assume, report
from simengine.importers.sources import guessed_racks

ROWS_SHOWN_MAX: Final = 400  # partitions drawn in the preview; the counts tell the rest


def preview(pasted: PastedText) -> dict[str, Any]:
    """The JSON of the live preview. Raises AssumedError for a wrong edit."""
    reading, built = imported(pasted)
    result = report(reading)
    del result["scenario"]
    result["can_build"] = built is not None
    if built is not None:
        result["assumptions"] = built.plain_assumptions()
        result["brokers"] = _brokers(built, pasted.racks)
        result["controllers"] = _controllers(built, pasted)
        result["matrix"] = _matrix(built)
    return result


def without_refused(pasted: PastedText, wrong: AssumedError) -> dict[str, Any]:
    """The preview by the edits that can be taken; by none, where those alone do not go together."""
    try:
        return preview(pasted.without(wrong.refused))
    except AssumedError:
        return preview(pasted.without(pasted.assumed))


def imported(pasted: PastedText) -> tuple[PasteResult, BuiltDocument | None]:
    """The paste as read, and its document (None where none can be built). Raises AssumedError."""
    reading = read(pasted.text)
    if not reading.can_build or reading.cluster is None:
        return reading, None
    return reading, build(reading.cluster, assume(reading, pasted.assumed), pasted.racks, pasted.controllers)


def _brokers(built: BuiltDocument, racks: dict[int, str]) -> list[dict[str, Any]]:
    """Each broker with its state in the document, the AZ that was set or pasted, and the guess."""
    cluster = built.cluster
    guesses = guessed_racks(cluster)
    counts = _leads(cluster)
    return [
        {
            "id": entry["id"],
            "state": entry["state"],
            "rack": racks.get(entry["id"]) or cluster.brokers[entry["id"]].rack,
            "guess": guesses[entry["id"]],
            "leads": counts.get(entry["id"], 0),
        }
        for entry in built.document["cluster"]["brokers"]
    ]


def _controllers(built: BuiltDocument, pasted: PastedText) -> list[dict[str, Any]]:
    """Each controller with its AZ; ``broker``: the one whose process it shares, ``from``: who says its place.

    They are placed beside the brokers as the page shows those: with the guess where nothing else names an AZ.
    """
    cluster = built.cluster
    guesses = guessed_racks(cluster)
    racks: dict[int, str | None] = {
        one.id: pasted.racks.get(one.id) or one.rack or guesses[one.id] for one in cluster.brokers.values()
    }
    placed = place(cluster, racks, len(built.document["cluster"]["controllers"]), pasted.controllers)
    return [
        {
            "id": entry["id"],
            "rack": entry.get("rack"),
            "broker": placed.combined.get(entry["id"]),
            "from": placed.source,
        }
        for entry in placed.entries
    ]


def _leads(cluster: PastedCluster) -> dict[int, int]:
    counts: dict[int, int] = {}
    for row in cluster.rows():
        counts[row.leader] = counts.get(row.leader, 0) + 1
    return counts


def _matrix(built: BuiltDocument) -> dict[str, Any]:
    """The first partitions of the document's state, the troubled ones first: [name, leader, replicas, isr]."""
    rows = [
        [
            f"{topic['name']}-{number}",
            _leader(state),
            replicas,
            state["isr"],
        ]
        for topic in built.document["topics"]
        for (number, state), replicas in zip(topic["initial"].items(), topic["assignment"], strict=True)
    ]
    rows.sort(key=lambda row: (row[1] != NO_LEADER, len(row[3]) >= len(row[2])))
    return {"rows": rows[:ROWS_SHOWN_MAX], "more": max(0, len(rows) - ROWS_SHOWN_MAX)}


def _leader(initial: dict[str, Any]) -> int:
    return NO_LEADER if initial["leader"] == "none" else int(initial["leader"])
