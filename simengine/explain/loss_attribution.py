"""Assigns each lost record to exactly one incident (STOP-5)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from simengine.explain.decide import Decision
from simengine.explain.fact_index import FactIndex
from simengine.explain.losses import Loss

Json = dict[str, Any]

NOWHERE = -1  # no fault has a part in it


@dataclass(frozen=True, slots=True)
class AttributedLoss:
    """A loss; ``at_us``: the incident that it is counted at; ``parts``: the incidents that it goes back to."""

    loss: Loss
    at_us: int
    parts: list[int]


@dataclass(frozen=True, slots=True)
class LossAttribution:
    """The losses of a run by incident, named by its moment."""

    entries: list[AttributedLoss]

    def on(self, at_us: int) -> list[Loss]:
        """The losses counted at an incident."""
        return [entry.loss for entry in self.entries if entry.at_us == at_us]

    def elsewhere(self, at_us: int) -> Json:
        """The records that an incident has a part in but that are counted at an earlier one, and the moments of those.

        Up to a later one's moment nothing was lost yet.
        """
        found = [entry for entry in self.entries if at_us in entry.parts and NOWHERE < entry.at_us < at_us]
        count = sum(entry.loss.count for entry in found)
        return {"count": count, "at_us": sorted({entry.at_us for entry in found})}


def entry_of(loss: Loss, done_us: Iterable[int], decision: Decision | None, incidents: list[int]) -> AttributedLoss:
    """At the incident that decided it, else at the newest that its chain names: nothing was lost before that.

    ``done_us``: when was done what its chain names; ``incidents``: their moments, in order.
    """
    done = set(done_us)
    parts = [at for at in incidents if at in done and at <= loss.facts[0].t]
    if decision is not None and decision.at_us in incidents:
        return AttributedLoss(loss, decision.at_us, parts)
    return AttributedLoss(loss, parts[-1] if parts else NOWHERE, parts)


def ended(loss: Loss, past: FactIndex) -> list[int]:
    """The moments of the actions that ended the leaderships up to the one that lost records, or took them from it.

    They stand for a chain that is not told.
    """
    to = past.fact(loss.cause)
    changes = past.leader_changes(loss.p, loss.epoch, to) if to is not None else []
    ends = [*changes, past.fact(loss.taken_by)]
    return [int(done.t) for done in map(past.action, ends) if done is not None]
