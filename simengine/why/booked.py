"""At which incident each loss is counted: every lost record once, whoever else had a part in it (section 5)."""

from dataclasses import dataclass
from typing import Any

from simengine.decide import Decision
from simengine.why.losses import Loss
from simengine.why.past import Past
from simengine.why.sentences import Words

Json = dict[str, Any]

NOWHERE = -1  # no fault has a part in it


@dataclass(frozen=True, slots=True)
class Entry:
    """A loss; ``at_us``: the incident that it is counted at; ``parts``: the incidents that it goes back to."""

    loss: Loss
    at_us: int
    parts: frozenset[int]
    is_decided: bool  # it loses nothing without that incident, as a run has shown


@dataclass(frozen=True, slots=True)
class Booked:
    """The losses of a run by incident, named by its moment."""

    entries: list[Entry]

    def on(self, at_us: int) -> list[Loss]:
        """What is counted at an incident."""
        return [entry.loss for entry in self.entries if entry.at_us == at_us]

    def elsewhere(self, at_us: int) -> Json:
        """What an incident has a part in and is counted at an earlier one: records, where, whether that decided it all.

        Up to a later one's moment nothing was lost yet, by rule or by luck.
        """
        found = [entry for entry in self.entries if at_us in entry.parts and NOWHERE < entry.at_us < at_us]
        return {
            "count": sum(entry.loss.count for entry in found),
            "at_us": sorted({entry.at_us for entry in found}),
            "is_decided": all(entry.is_decided for entry in found),
        }


@dataclass(frozen=True, slots=True)
class Booking:
    """Books the losses of a run; ``incidents``: their moments, in order."""

    past: Past
    words: Words
    incidents: list[int]
    decided: dict[str, Decision | None]  # by topic: the action without which it loses nothing

    def book(self, losses: list[Loss], actions: list[set[int]]) -> Booked:
        """``actions``: when was done what the chains of the losses name; those of the last, smallest may be missing."""
        chains = [*actions, *(self._ended(loss) for loss in losses[len(actions) :])]
        return Booked([self._entry(loss, done) for loss, done in zip(losses, chains, strict=True)])

    def _entry(self, loss: Loss, done: set[int]) -> Entry:
        """At the incident that decided it, else at the newest that its chain names: nothing was lost before that."""
        parts = [at for at in self.incidents if at in done and at <= loss.facts[0].t]
        decision = self.decided.get(self.words.topic(self.words.topic_of(loss.p)))
        if decision is not None and decision.at_us in self.incidents:
            return Entry(loss, decision.at_us, frozenset(parts), True)
        return Entry(loss, parts[-1] if parts else NOWHERE, frozenset(parts), False)

    def _ended(self, loss: Loss) -> set[int]:
        """When was done what ended the leaderships up to the one that lost them: of a loss whose chain is not told."""
        to = self.past.fact(loss.cause)
        changes = self.past.leader_changes(loss.p, loss.epoch, to) if to is not None else []
        return {done.t for done in map(self.past.action, changes) if done is not None}
