"""A partition row whose member lists hold an id that is none of its replicas: a value that was cut, or a slip.

No broker is made of such an id. The counts and the document are both taken from the row as it stands afterwards. Only
the Elr may name a broker that is no replica: one that a reassignment took out (ELR-2).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from simengine.importers.model import NO_LEADER, PastedBroker, PastedCluster, PastedPartition, PasteResult
from simengine.words.phrases import listed, plural

TITLES: Final = {"isr": "Isr", "last_known": "LastKnownElr", "offline": "Offline", "observers": "Observers"}
ELR_TITLE: Final = "Elr"
NAMED_MAX: Final = 3  # partitions that a note names


def settled(row: PastedPartition, warn: Callable[[str], None]) -> PastedPartition:
    """The row with replicas alone in its member lists; ``warn`` is told of each id that was cut or left out."""
    if _is_settled(row):
        return row
    row = _whole_replicas(row, warn)
    found: dict[str, Any] = {}
    doubtful = row.doubtful
    for name, title in TITLES.items():
        ids = getattr(row, name)
        if ids and any(broker not in row.replicas or ids.count(broker) > 1 for broker in ids):
            found[name], more = _members(row, title, ids, warn)
            doubtful = (*doubtful, *more) if name == "isr" else doubtful
    _warn_about_leader(row, found.get("isr", row.isr), warn)
    return replace(row, **found, doubtful=doubtful) if found else row


def _is_settled(row: PastedPartition) -> bool:
    """True if its lists hold replicas only, each once, and its leader is in its ISR: most rows are such."""
    placed = frozenset(row.replicas)
    for ids in (row.isr, row.last_known, row.offline, row.observers):
        if ids and not (placed.issuperset(ids) and len(frozenset(ids)) == len(ids)):
            return False
    return row.leader == NO_LEADER or row.leader in row.isr and row.leader in placed


def _whole_replicas(row: PastedPartition, warn: Callable[[str], None]) -> PastedPartition:
    """The row with its last replica whole, where the ISR names the broker that a cut id begins."""
    last = row.replicas[-1]
    strangers = dict.fromkeys(broker for broker in row.isr if broker not in row.replicas)
    whole = [broker for broker in strangers if str(broker).startswith(str(last))]
    if len(whole) != 1 or last in row.isr or last == row.leader:
        return row
    warn(f"{_place(row)} has {last} in its Replicas, which is cut off: read as {whole[0]}, which its Isr names.")
    return replace(row, replicas=(*row.replicas[:-1], whole[0]))


def _members(
    row: PastedPartition, title: str, ids: tuple[int, ...], warn: Callable[[str], None], others: tuple[int, ...] = ()
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ids that are replicas or in ``others``, the last made whole; and the replicas that a cut one may mean."""
    members: list[int] = []
    doubtful: tuple[int, ...] = ()
    for at, broker in enumerate(ids):
        if broker in (*row.replicas, *others) and broker not in members:
            members.append(broker)
            continue
        whole = _begun(row, broker, ids)
        if at < len(ids) - 1 or not whole:
            warn(f"{_place(row)} has broker {broker} in its {title} but not among its replicas. It is left out.")
            continue
        members.append(whole[0])
        which = f"{' or '.join(map(str, whole))} is meant; " if len(whole) > 1 else ""
        meant = f"{which}read as {whole[0]}" + ("" if which else ", the replica it begins")
        warn(f"{_place(row)} has {broker} in its {title}, which is cut off: {meant}.")
        doubtful = tuple(one for one in row.replicas if one not in ids and (which or one != whole[0]))
    return tuple(members), doubtful


def _begun(row: PastedPartition, broker: int, ids: tuple[int, ...]) -> list[int]:
    """The replicas that an id may begin, if it is cut off; without those that its list or the ISR names."""
    return [one for one in row.replicas if one not in (*ids, *row.isr) and str(one).startswith(str(broker))]


def settle_elrs(cluster: PastedCluster, reading: PasteResult) -> None:
    """Take every id of an Elr for a broker, a replica or not (ELR-2); only a last one may be cut off.

    A cut id begins a replica, and nothing else in the paste names it as a broker.
    """
    removed: dict[int, list[str]] = {}
    known = frozenset(cluster.brokers)
    for row in cluster.rows():
        if not row.elr or len(frozenset(row.elr).intersection(row.replicas)) == len(row.elr):
            continue
        last = row.elr[-1]
        is_cut = last not in (*row.replicas, *known) and bool(_begun(row, last, row.elr))
        able, _ = _members(row, ELR_TITLE, row.elr, reading.warn, row.elr[:-1] if is_cut else row.elr)
        cluster.topics[row.topic].rows[row.number] = replace(row, elr=able)
        for broker in able:
            if broker not in row.replicas:
                cluster.brokers.setdefault(broker, PastedBroker(broker))
                removed.setdefault(broker, []).append(f"{row.topic}-{row.number}")
    for broker, places in removed.items():
        more = [plural(len(places) - NAMED_MAX, "more partition", "more partitions")] if places[NAMED_MAX:] else []
        reading.note(
            f"Broker {broker} is in the Elr of {listed([*places[:NAMED_MAX], *more])} without a replica there: a "
            "reassignment was cancelled, or (since 4.3) ended with the ISR below min.insync.replicas. Broker "
            f"{broker} cannot lead, and while an Elr names it the last-known leader cannot either (ELR-2)."
        )


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
