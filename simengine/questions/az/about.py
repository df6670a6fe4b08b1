"""Reads and edits the lines of a cluster's description that state the assumptions of an import."""

import re
from typing import Any, Final

from simengine.importers.assumed import ASSUMED, LABELS

LINES_MAX: Final = 40
RATE_OF: Final = "records/s of "
_ONE_RATE: Final = (LABELS["busy_share"], LABELS["busy_records_per_s"])  # false where all topics have one
_BY_HAND: Final = "(set by hand)"
_LAG: Final = re.compile(r"lag of group (.+): ([\d,]+) \(records ")


def value_of(about: str, key: str) -> str:
    """The value of an assumption, as it is written; "" for none."""
    for line in _lines(about):
        label, _, told = line.partition(": ")
        if label == LABELS[key]:
            return told.partition(" (")[0]
    return ""


def count_of(about: str, key: str) -> int | None:
    """An assumed number of records; None if the description does not state it."""
    digits = value_of(about, key).replace(",", "")
    return int(digits) if digits.isdecimal() else None


def groups_sentence(about: str) -> str:
    """A sentence on the pasted group with the largest lag, and what a loss means to it; "" if no group lags."""
    lags = [found.groups() for line in _lines(about) if (found := _LAG.match(line)) is not None]
    if not lags:
        return ""
    name, records = max(lags, key=lambda lag: int(lag[1].replace(",", "")))
    others = f", {len(lags) - 1} others less" if len(lags) > 1 else ""
    return f"The group {name} is {records} records behind{others}: if some of these are lost, it has not read them."


def edited(about: str, values: dict[str, Any]) -> str:
    """The description with values set by hand; unchanged if it states no assumption."""
    lines = _lines(about)
    if not lines:
        return about
    for key, value in values.items():
        if key == "records_per_s":
            lines = [line for line in lines if not line.startswith((RATE_OF, *(f"{label}: " for label in _ONE_RATE)))]
        if key == "log_end" and (count_of(about, "backlog") or 0) > value:
            lines = _with(lines, LABELS["backlog"], value, "(no more than a log holds at the start)")
        if key == "rates":
            for topic, rate in value.items():
                lines = _with(lines, f"{RATE_OF}{topic}", rate, is_new=True)
        else:
            lines = _with(lines, LABELS["profile" if key == "version" else key], value)
    return about.partition(ASSUMED)[0] + ASSUMED + "\n".join(lines)


def _lines(about: str) -> list[str]:
    _, found, lines = about.partition(ASSUMED)
    return lines.splitlines() if found else []


def _with(lines: list[str], label: str, value: Any, why: str = _BY_HAND, *, is_new: bool = False) -> list[str]:
    told = f"{label}: {_said(value)} {why}"
    if any(line.startswith(f"{label}: ") for line in lines):
        return [told if line.startswith(f"{label}: ") else line for line in lines]
    return [*lines, told] if is_new and len(lines) < LINES_MAX else lines


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return f"{value:,}" if isinstance(value, (int, float)) else str(value)
