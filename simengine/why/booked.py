"""At which incident each loss is counted: every lost record once, whoever else had a part in it (section 5)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from simengine.decide import Decision
from simengine.why.losses import Loss
from simengine.why.past import Past

Json = dict[str, Any]

NOWHERE = -1  # no fault has a part in it


@dataclass(frozen=True, slots=True)
class Entry:
    """A loss; ``at_us``: the incident that it is counted at; ``parts``: the incidents that it goes back to."""

    loss: Loss
    at_us: int
    parts: list[int]


@dataclass(frozen=True, slots=True)
class Booked:
    """The losses of a run by incident, named by its moment."""

    entries: list[Entry]

    def on(self, at_us: int) -> list[Loss]:
        """What is counted at an incident."""
        return [entry.loss for entry in self.entries if entry.at_us == at_us]

    def elsewhere(self, at_us: int) -> Json:
        """What an incident has a part in and is counted at an earlier one: records, and where.

        Up to a later one's moment nothing was lost yet, by rule or by luck.
        """
        found = [entry for entry in self.entries if at_us in entry.parts and NOWHERE < entry.at_us < at_us]
        count = sum(entry.loss.count for entry in found)
        return {"count": count, "at_us": sorted({entry.at_us for entry in found})}


def entry_of(loss: Loss, done_us: Iterable[int], decision: Decision | None, incidents: list[int]) -> Entry:
    """At the incident that decided it, else at the newest that its chain names: nothing was lost before that.

    ``done_us``: when was done what its chain names; ``incidents``: their moments, in order.
    """
    done = set(done_us)
    parts = [at for at in incidents if at in done and at <= loss.facts[0].t]
    if decision is not None and decision.at_us in incidents:
        return Entry(loss, decision.at_us, parts)
    return Entry(loss, parts[-1] if parts else NOWHERE, parts)


def ended(loss: Loss, past: Past) -> list[int]:
    """When was done what ended the leaderships up to the one that lost records: of a loss whose chain is not told."""
    to = past.fact(loss.cause)
    changes = past.leader_changes(loss.p, loss.epoch, to) if to is not None else []
    return [int(done.t) for done in map(past.action, changes) if done is not None]
