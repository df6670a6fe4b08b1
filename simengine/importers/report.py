"""The result of an import as one JSON-able map: what the command prints and the import page shows."""

from dataclasses import asdict
from typing import Any

from simengine.importers import limits, quorum
from simengine.importers.assumed import AssumedValues, defaults
from simengine.importers.document import build
from simengine.importers.foreign import INSTEAD
from simengine.importers.model import PasteResult, UnreadLine
from simengine.importers.recognise import STATE_KINDS, read


def import_text(
    data: str | bytes,
    changes: dict[str, Any] | None = None,
    racks: dict[int, str] | None = None,
    controllers: dict[int, str] | None = None,
) -> dict[str, Any]:
    """Read a paste and build its scenario. ``changes``: edited assumptions; ``racks`` and ``controllers``: AZs by id.

    Raises AssumedError for a wrong edit.
    """
    reading = read(data)
    result = report(reading)
    if not reading.can_build or reading.cluster is None:
        return result
    built = build(reading.cluster, assume(reading, changes), racks, controllers)
    if built is not None:
        result["scenario"] = built.document
        result["assumptions"] = built.plain_assumptions()
    return result


def assume(reading: PasteResult, changes: dict[str, Any] | None = None) -> AssumedValues:
    """The assumed values of a listing, with the edits. Raises AssumedError."""
    assert reading.cluster is not None
    return defaults(reading.cluster).edited(changes or {})


def status(reading: PasteResult) -> str:
    """accept, accept-warn or reject: no cluster can be built."""
    if not reading.can_build:
        return "reject"
    return "accept-warn" if reading.warnings or _lost_rows(reading) else "accept"


def _lost_rows(reading: PasteResult) -> bool:
    """True if a line that could not be read names a partition: the counts are then too low."""
    lines = {unread.line: unread.text for unread in reading.unread if not unread.noise}  # one may hold many rows
    return any(_names_partition(text.lower()) for text in lines.values())


def _names_partition(lower: str) -> bool:
    return "topic:" in lower and "partition:" in lower


def report(reading: PasteResult) -> dict[str, Any]:
    """Status, counts, doubts and unread lines of a paste, without a scenario."""
    return {
        "status": status(reading),
        "kind": reading.kind,
        "label": reading.label,
        "reason": _reason(reading),
        "summary": asdict(reading.facts),
        "warnings": _first(reading.warnings),
        "notes": reading.notes,
        "unread": [_plain(unread) for unread in reading.unread[: limits.UNREAD_MAX]],
        "unread_more": max(0, len(reading.unread) - limits.UNREAD_MAX),
        "assumptions": [],
        "scenario": None,
    }


def _reason(reading: PasteResult) -> str | None:
    """The reason why there is no scenario; None where there is one."""
    if reading.rejected:
        return reading.rejected
    if reading.can_build:
        return None
    if _lost_rows(reading):
        return "No row of it can be used; what is wrong with each stands beside it."
    if reading.kind in STATE_KINDS:
        return "No broker is named: paste the lines with Leader, Replicas and Isr as well."
    what = reading.label if reading.label.startswith("a ") else f"the output of {reading.label}"
    return f"This is {what}{_names_of(reading)}. It names no broker, so no cluster is built of it alone. {INSTEAD}"


def _names_of(reading: PasteResult) -> str:
    """The contents of an output that is only named, such as ``, which names 3 brokers``."""
    facts = reading.facts
    node = "quorum member" if reading.kind == quorum.KIND else "broker"
    counts = [(facts.brokers, node), (facts.topics, "topic"), (facts.partitions, "partition")]
    words = [f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in counts if number]
    return f", which names {' and '.join(words)}" if words else ""


def _first(warnings: list[str]) -> list[str]:
    """The first warnings, and how many more there are: a page cannot show fifty thousand."""
    more = len(warnings) - limits.WARNINGS_MAX
    return [*warnings[: limits.WARNINGS_MAX], f"{more:,} further warnings are not shown."] if more > 0 else warnings


def _plain(unread: UnreadLine) -> dict[str, Any]:
    text = unread.text.strip()
    if len(text) > limits.LINE_SHOWN_MAX:
        text = text[: limits.LINE_SHOWN_MAX] + "\u2026"
    return {**asdict(unread), "text": text}
