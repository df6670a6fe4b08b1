"""The actions that decided a part of a topic's loss each, where no single action decided all of it.

Records are compared, not sums: without an action the run may lose other records instead. An action decides nothing that
was lost before it.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from simengine.explain.decide import Decision, Reruns, harm_to, without_words
from simengine.explain.lost_calls import LostAt, Records, count, of_topic, together, without
from simengine.scenario.action_words import NodeName
from simengine.words.phrases import plural

TOLD_MAX: Final = 4  # actions, those that decided most records
CLEARLY: Final = 10  # other losses are told from one part in so many on: a small shift moves some records
TOLD: Final = ("index", "at_us", "text", "kept", "instead")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PartialDecision(Decision):
    """An action without which some of the lost records are not lost: ``records``, ``kept`` in number.

    ``instead``: others that are lost without it.
    """

    kept: int
    instead: int
    records: Records = field(repr=False)


@dataclass(frozen=True, slots=True)
class PartialDecisions:
    """The actions that decided parts of a topic's loss; ``rest``: records that are lost without any single one."""

    lost: int
    parts: list[PartialDecision]
    rest: int
    tried: int
    is_open: bool  # not all that could have been tried was

    def part_of(self, records: Records) -> PartialDecision | None:
        """The action that decided all of some records."""
        return next((part for part in self.parts if not without(records, part.records)), None)

    def plain(self, name: NodeName) -> Json:
        """As JSON has it; ``words``: as a sentence, nodes called by ``name``."""
        parts = [{field: getattr(part, field) for field in TOLD} for part in self.parts]
        return {"parts": parts, "rest": self.rest, "tried": self.tried, "words": self.words(name)}

    def words(self, name: NodeName) -> str:
        """The decided part of each action, in the order of time."""
        if not self.parts:
            which = f"whichever of the {self.tried} tried" if self.is_open else "whichever one"
            return f"No single action decided it: {which} is left out, all of these records are lost (checked)."
        most = sorted(self.parts, key=lambda part: -part.kept)[:TOLD_MAX]
        told = [self._clause(part, name) for part in sorted(most, key=lambda part: part.at_us)]
        more = len(self.parts) - len(told)
        told += [f"{plural(more, 'more action', 'more actions')} decided others"] if more else []
        told += [f"{plural(self.rest, 'is', 'are')} lost whichever action is left out"] if self.rest else []
        return f"No single action decided all {self.lost:,} lost records: {'; '.join(told)} (checked)."

    def _clause(self, part: PartialDecision, name: NodeName) -> str:
        lost = part.instead * CLEARLY >= part.kept
        instead = f" and {plural(part.instead, 'other is', 'others are')} lost" if lost else ""
        return f"{without_words(part.at_us, part.text, name)} {plural(part.kept, 'is', 'are')} kept{instead}"


def parts_of(reruns: Reruns, topic: str, losses: list[LostAt]) -> PartialDecisions:
    """The actions that decided parts of a topic's lost records.

    Latest first, as up to then nothing was lost yet. ``topic``: "" for the whole run.
    """
    parts: list[PartialDecision] = []
    lost = together(of_topic(records, topic) for _, records in losses)
    last_us = max((at_us for at_us, records in losses if of_topic(records, topic)), default=-1)
    order = [index for index in reruns.candidates if reruns.whole.timeline[index].at_us <= last_us]
    rest, tried = lost, 0
    for index in order:
        found = reruns.without(index) if rest else None
        if found is None:
            break
        tried += 1
        entry = reruns.whole.timeline[index]
        later = together(of_topic(records, topic) for at_us, records in losses if at_us >= entry.at_us)
        harm = harm_to(topic, found)
        still = harm.records if "lost" in harm.shown else lost
        kept = without(later, still)
        if count(without(rest, kept)) < count(rest):
            rest = without(rest, kept)
            instead = count(without(still, lost))
            decided = count(lost), count(still), tried
            place = reruns.place(index)
            parts.append(PartialDecision(place, entry.at_us, str(entry.action), *decided, count(kept), instead, kept))
    return PartialDecisions(count(lost), parts, count(rest), tried, bool(rest) and tried < len(order))


def split_losses(
    reruns: Reruns, decided: dict[str, Decision | None], losses: list[LostAt]
) -> dict[str, PartialDecisions]:
    """The parts of each topic's loss that no single action decided."""
    return {topic: parts_of(reruns, topic, losses) for topic, one in decided.items() if one is None}
