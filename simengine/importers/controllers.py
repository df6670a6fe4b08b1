"""The places of a pasted cluster's controllers: named in the paste, set by a person, else beside the brokers.

No site is invented: what nothing names is spread over the AZs that have brokers, one after the other in the order of
their names. A controller that shares the process of a broker (combined mode) stands where that broker does, under an
id of its own, and lives and ends with it.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from simengine.importers.model import PastedCluster
from simengine.scenario.model import default_controllers

SPREAD: Final = "no listing names them; spread over the AZs that have brokers"
NOWHERE: Final = "no listing names them"
BY_HAND: Final = "placed by hand"


@dataclass(slots=True)
class PlacedControllers:
    """The controllers as a document lists them. ``combined``: controller -> the broker whose process it shares."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    combined: dict[int, int] = field(default_factory=dict)
    source: str = "assumed"
    why: str = SPREAD


def place(
    cluster: PastedCluster, racks: dict[int, str | None], count: int, chosen: dict[int, str] | None
) -> PlacedControllers:
    """The controllers. ``racks``: AZ by broker; ``count``: how many; ``chosen``: id -> AZ as a person placed them."""
    named = _named(cluster, racks) if len(cluster.controllers) == count else None
    if chosen:
        return _by_hand(chosen, racks, named)
    if named is not None:
        return named
    first = default_controllers(sorted(racks))[0]
    homes = sorted(dict.fromkeys(rack for rack in racks.values() if rack))
    entries = [_entry(first + index, homes[index % len(homes)] if homes else None) for index in range(count)]
    return PlacedControllers(entries, why=SPREAD if homes else NOWHERE)


def _entry(controller: int, rack: str | None) -> dict[str, Any]:
    return {"id": controller, **({"rack": rack} if rack else {})}


def _named(cluster: PastedCluster, racks: dict[int, str | None]) -> PlacedControllers | None:
    """The voters that the paste names; None where it names none."""
    if not cluster.controllers:
        return None
    taken = dict.fromkeys([*racks, *cluster.controllers], True)
    free = default_controllers(sorted(taken))[0]
    found = PlacedControllers(source="read")
    for voter in sorted(cluster.controllers.values(), key=lambda one: one.id):
        if voter.id in racks:
            found.combined[free] = voter.id
            found.entries.append({**_entry(free, racks[voter.id]), "broker": voter.id})
            free += 1
        else:
            found.entries.append({**_entry(voter.id, voter.rack or None), **({"state": "down"} if voter.down else {})})
    found.why = _why_named(cluster, found.combined)
    bare = [entry for entry in found.entries if "rack" not in entry]
    if bare:
        _spread(bare, found.entries, racks)
        found.source = "assumed"
        found.why += "; the AZ is assumed where none is told"
    return found


def _spread(bare: list[dict[str, Any]], entries: list[dict[str, Any]], racks: dict[int, str | None]) -> None:
    """Give each controller without an AZ the one of the brokers' AZs that has fewest controllers."""
    counts = dict.fromkeys(sorted(dict.fromkeys(rack for rack in racks.values() if rack)), 0)
    for entry in entries:
        if entry.get("rack") in counts:
            counts[entry["rack"]] += 1
    for entry in bare if counts else []:
        entry["rack"] = min(counts, key=lambda home: counts[home])
        counts[entry["rack"]] += 1


def _why_named(cluster: PastedCluster, combined: dict[int, int]) -> str:
    sources = list(dict.fromkeys(voter.source for voter in cluster.controllers.values() if voter.source))
    why = f"named by {' and '.join(sources) or 'the paste'}"
    if combined:
        pairs = ", ".join(f"{controller} stands for node {broker}" for controller, broker in combined.items())
        why += f"; in one process with brokers: {pairs}"
    down = [f"controller {voter.id} is down: {voter.down}" for voter in cluster.controllers.values() if voter.down]
    return "; ".join([why, *down])


def _by_hand(
    chosen: dict[int, str], racks: dict[int, str | None], named: PlacedControllers | None
) -> PlacedControllers:
    combined = named.combined if named is not None else {}
    kept = {controller: broker for controller, broker in combined.items() if controller in chosen}
    down = {entry["id"] for entry in named.entries if "state" in entry} if named is not None else set()
    homes = {controller: racks[kept[controller]] if controller in kept else chosen[controller] for controller in chosen}
    entries = [
        {
            **_entry(controller, homes[controller]),
            **({"broker": kept[controller]} if controller in kept else {}),
            **({"state": "down"} if controller in down else {}),
        }
        for controller in sorted(chosen)
    ]
    return PlacedControllers(entries, kept, "yours", BY_HAND)
