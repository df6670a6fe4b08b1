"""A partition row whose member lists hold an id that is none of its replicas: a value that was cut, or a slip.

No broker is made of such an id. The counts and the document are both taken from the row as it stands afterwards.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from simengine.importers.model import NO_LEADER, Row

TITLES: Final = {
    "isr": "Isr",
    "elr": "Elr",
    "last_known": "LastKnownElr",
    "offline": "Offline",
    "observers": "Observers",
}


def settled(row: Row, warn: Callable[[str], None]) -> Row:
    """The row with replicas alone in its member lists; ``warn`` is told of each id that was cut or left out."""
    found: dict[str, tuple[int, ...]] = {}
    for name, title in TITLES.items():
        ids = getattr(row, name)
        if ids and any(broker not in row.replicas for broker in ids):
            found[name] = _members(row, title, ids, warn)
    _warn_about_leader(row, found.get("isr", row.isr), warn)
    if not found:
        return row
    return replace(
        row,
        isr=found.get("isr", row.isr),
        elr=found.get("elr", row.elr),
        last_known=found.get("last_known", row.last_known),
        offline=found.get("offline", row.offline),
        observers=found.get("observers", row.observers),
    )


def _members(row: Row, title: str, ids: tuple[int, ...], warn: Callable[[str], None]) -> tuple[int, ...]:
    place = f"{_line(row)}{row.topic}-{row.number}"
    members = [broker for broker in ids if broker in row.replicas]
    for broker in ids:
        if broker in row.replicas:
            continue
        whole = [one for one in row.replicas if one not in members and str(one).startswith(str(broker))]
        if broker == ids[-1] and len(whole) == 1:
            members.append(whole[0])
            warn(f"{place} has {broker} in its {title}, which is cut off: read as {whole[0]}, the replica it begins.")
        else:
            warn(f"{place} has broker {broker} in its {title} but not among its replicas. It is left out.")
    return tuple(members)


def _warn_about_leader(row: Row, isr: tuple[int, ...], warn: Callable[[str], None]) -> None:
    if row.leader == NO_LEADER:
        return
    place = f"{_line(row)}{row.topic}-{row.number}"
    if row.leader not in row.replicas:
        warn(f"{place} is led by broker {row.leader}, which is not among its replicas.")
    elif row.leader not in isr:
        warn(f"{place} is led by broker {row.leader}, which is not in its ISR.")


def _line(row: Row) -> str:
    return f"Line {row.line}: " if row.line else ""
