"""A partition row whose member lists hold an id that is none of its replicas: a value that was cut, or a slip.

No broker is made of such an id. The counts and the document are both taken from the row as it stands afterwards. Only
the Elr may name a broker that is no replica: one that a reassignment took out (ELR-2).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from simengine.importers.model import NO_LEADER, PastedCluster, PastedPartition

TITLES: Final = {
    "isr": "Isr",
    "elr": "Elr",
    "last_known": "LastKnownElr",
    "offline": "Offline",
    "observers": "Observers",
}


def settled(row: PastedPartition, warn: Callable[[str], None]) -> PastedPartition:
    """The row with replicas alone in its member lists; ``warn`` is told of each id that was cut or left out."""
    if _is_settled(row):
        return row
    row = _whole_replicas(row, warn)
    found: dict[str, tuple[int, ...]] = {}
    doubtful = row.doubtful
    for name, title in TITLES.items():
        ids = getattr(row, name)
        if ids and any(broker not in row.replicas or ids.count(broker) > 1 for broker in ids):
            found[name], more = _members(row, title, ids, warn)
            doubtful = (*doubtful, *more) if name == "isr" else doubtful
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
        doubtful=doubtful,
    )


def _is_settled(row: PastedPartition) -> bool:
    """True if its lists hold replicas only, each once, and its leader is in its ISR: most rows are such."""
    placed = frozenset(row.replicas)
    for ids in (row.isr, row.elr, row.last_known, row.offline, row.observers):
        if ids and not (placed.issuperset(ids) and len(frozenset(ids)) == len(ids)):
            return False
    return row.leader == NO_LEADER or row.leader in row.isr and row.leader in placed


def _whole_replicas(row: PastedPartition, warn: Callable[[str], None]) -> PastedPartition:
    """The row with its last replica whole, where the ISR or the Elr names the broker that a cut id begins."""
    last = row.replicas[-1]
    strangers = dict.fromkeys(broker for broker in (*row.isr, *(row.elr or ())) if broker not in row.replicas)
    whole = [broker for broker in strangers if str(broker).startswith(str(last))]
    if len(whole) != 1 or last in row.isr or last == row.leader:
        return row
    warn(f"{_place(row)} has {last} in its Replicas, which is cut off: read as {whole[0]}, which its Isr or Elr names.")
    return replace(row, replicas=(*row.replicas[:-1], whole[0]))


def _members(
    row: PastedPartition, title: str, ids: tuple[int, ...], warn: Callable[[str], None]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ids that are replicas, the last of them made whole; and the replicas that a cut one may mean."""
    members: list[int] = []
    doubtful: tuple[int, ...] = ()
    for at, broker in enumerate(ids):
        if broker in row.replicas and broker not in members:
            members.append(broker)
            continue
        whole = [one for one in row.replicas if one not in ids and str(one).startswith(str(broker))]
        if at < len(ids) - 1 or not whole:
            if title == TITLES["elr"] and broker not in (*row.replicas, *members):
                members.append(broker)  # `without_strangers` looks at it once all brokers are known
            else:
                warn(_left_out(row, broker, title))
            continue
        members.append(whole[0])
        which = f"{' or '.join(map(str, whole))} is meant; " if len(whole) > 1 else ""
        meant = f"{which}read as {whole[0]}" + ("" if which else ", the replica it begins")
        warn(f"{_place(row)} has {broker} in its {title}, which is cut off: {meant}.")
        doubtful = tuple(one for one in row.replicas if one not in ids and (which or one != whole[0]))
    return tuple(members), doubtful


def without_strangers(cluster: PastedCluster, warn: Callable[[str], None]) -> None:
    """Take ids out of each Elr that nothing else in the paste names as a broker."""
    for row in cluster.rows():
        strangers = [one for one in row.elr or () if one not in row.replicas and one not in cluster.brokers]
        if strangers:
            for broker in strangers:
                warn(_left_out(row, broker, TITLES["elr"]))
            kept = tuple(one for one in row.elr or () if one not in strangers)
            cluster.topics[row.topic].rows[row.number] = replace(row, elr=kept)


def _left_out(row: PastedPartition, broker: int, title: str) -> str:
    return f"{_place(row)} has broker {broker} in its {title} but not among its replicas. It is left out."


def _warn_about_leader(row: PastedPartition, isr: tuple[int, ...], warn: Callable[[str], None]) -> None:
    if row.leader == NO_LEADER:
        return
    if row.leader not in row.replicas:
        warn(f"{_place(row)} is led by broker {row.leader}, which is not among its replicas.")
    elif row.leader not in isr:
        warn(f"{_place(row)} is led by broker {row.leader}, which is not in its ISR.")


def _place(row: PastedPartition) -> str:
    line = f"Line {row.line}: " if row.line else ""
    return f"{line}{row.topic}-{row.number}"
