"""RPO and RTO as observed, for each incident: a fault, or several at one moment (section 5 of the list of invariants).

RPO: acknowledged records lost, by mode, and their age: from the earliest lost acknowledgement to the fault, or to the
last lost acknowledgement where a former leader went on; beside it the records that were handed over with acks=0 and
have vanished. Nothing lost is said to be so by rule or by luck (`luck`).

RTO, per partition and mode: from the fault to the first success of a call made after it (what was lost already when a
former leader acknowledged it is no success), or of a probe each second, which comes through where the servers would
take a call: so a time is known where nobody called. In parts: what the partition went through (`phases`); of what is
left settle (while records of that producer stood in the log and the high watermark had yet to pass them: the call's
own, or earlier ones that it waited behind) and client.
"""

from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from simengine.facts.decisive import PartitionChanged
from simengine.verdict.final import partition_verdict
from simengine.verdict.outage import NEVER, THETA_US
from simengine.verdict.presence import joined, length, within
from simengine.verdict.words import number
from simengine.why.booked import Booked
from simengine.why.evidence import Evidence
from simengine.why.faults import faults_of
from simengine.why.incident_words import rpo_words, rto_words
from simengine.why.losses import acks_of
from simengine.why.luck import NOT_SEEN, Odds
from simengine.why.needs import Needs, needs_of
from simengine.why.outs import Ends, stop_of, stretches
from simengine.why.past import Past
from simengine.why.phases import SETTLE, Phases, spent_in
from simengine.why.recoveries import NOBODY, Recoveries, Recovery
from simengine.why.sentences import Words, acks_word
from simengine.why.vanished import Vanished
from simengine.world import World

PROBE_US: Final = 1_000_000
MODES: Final = ("all", "1", "0")

Json = dict[str, Any]


@dataclass(slots=True)
class Incident:
    """Faults at one moment: how many acknowledged records had one copy, on what was hit, then and when it was over."""

    at_us: int
    text: str
    single: int = 0
    single_after: int = 0
    odds: Odds = NOT_SEEN


def incidents_of(past: Past) -> list[Incident]:
    """The faults of a run that had an effect, those of one moment together."""
    found: list[Incident] = []
    for fact in faults_of(past):
        if found and found[-1].at_us == fact.t:
            found[-1].text += f", {fact.text}"
        else:
            found.append(Incident(fact.t, fact.text))
    return found


@dataclass(slots=True)
class Teller:
    """Makes the account of each incident from what is known of the run."""

    world: World
    past: Past
    words: Words
    booked: Booked
    evidence: Evidence
    incidents: list[Incident]
    recoveries: Recoveries
    vanished: Vanished
    handed_over: dict[int, int]  # of it, by moment of the incident
    _touched: dict[int, set[int]] = field(default_factory=dict)  # partitions, by moment of an action
    _needs: dict[tuple[int, str], Needs] = field(default_factory=dict)  # the same at every incident

    def tell(self) -> list[Json]:
        """Every incident: its RPO, and its RTO by mode."""
        self.touch()
        return [self._incident(i) for i in range(len(self.incidents))]

    def touch(self) -> None:
        """Note which commits go back to what was done at which moment."""
        for fact in self.past.of(PartitionChanged):
            done = self.past.action(fact)
            if done is not None:
                self._touched.setdefault(done.t, set()).add(fact.p)

    def _incident(self, i: int) -> Json:
        incident = self.incidents[i]
        rpo = self._rpo(i)
        rto = self._rto(i)
        sentences = [rpo_words(rpo), *(rto_words(mode, one) for mode, one in rto.items())]
        return {"at_us": incident.at_us, "text": incident.text, "rpo": rpo, "rto": rto, "words": sentences}

    # -- what was lost

    def _rpo(self, i: int) -> Json:
        incident = self.incidents[i]
        found: Json = {
            "all": 0,
            "1": 0,
            "handed_over": self.handed_over.get(incident.at_us, 0),
            "undetermined": 0,
            "single": max(incident.single, incident.single_after),
            "by": "luck" if incident.odds.is_luck else "rule",
            "reason": incident.odds.reason,
            "elsewhere": self.booked.elsewhere(incident.at_us),
            "age_us": 0,
            "before_us": 0,
            "after_us": [0, 0],
        }
        acks: list[int] = []
        for loss in self.booked.on(incident.at_us):
            found["all" if loss.acks < 0 else "1"] += loss.count
            acks += [ack.t for ack in acks_of(loss, self.evidence, self.past)]
        if not found["all"] and not found["1"] and (i + 1 == len(self.incidents) or incident.single):
            found["undetermined"] = sum(self._undetermined(p) for p in self._partitions(i))
        if acks:
            found["age_us"] = max(incident.at_us, max(acks)) - min(acks)
            found["before_us"] = max(0, incident.at_us - min(acks))
            found["after_us"] = [max(0, moment - incident.at_us) for moment in (min(acks), max(acks))]
        return found

    def _undetermined(self, p: int) -> int:
        """Acknowledged records of a partition without a leader that are neither lost nor kept yet."""
        account = self.world.book.account(p)
        figures = partition_verdict(self.world.book, account, self.world.names(), self.world.now_us)
        return number(figures, "undetermined")

    # -- how long it took

    def _rto(self, i: int) -> dict[str, Json]:
        """By mode of acks: every partition that the incident touched, or for a producer that it cut off from it."""
        found: dict[str, Json] = {}
        touched = self._partitions(i)
        waits: dict[tuple[int, int, str], Recovery | None] = dict(self.recoveries.by_incident[i])
        called = {p for _, p, _ in waits}
        for p in sorted(touched - called):
            runs = [calls.runs[-1] for calls in self.world.book.account(p).calls if calls.runs]
            if runs:
                waits[NOBODY, p, acks_word(int(runs[-1].acks))] = None
        for (client, p, mode), wait in sorted(waits.items(), key=lambda one: (one[0][0] < 0, one[0])):
            if p in touched or self._is_cut_off(i, client, p):
                part = self._part(i, p, mode, client, wait)
                one = found.setdefault(mode, {"partitions": [], "never": []})
                one["never" if part is None else "partitions"].append(part or self._never(p, mode, client))
        for one in found.values():
            one["partitions"], one["never"] = once_each(one["partitions"], one["never"])
            times = [part["us"] for part in one["partitions"]]
            one["median_us"], one["worst_us"] = (round(median(times)), max(times)) if times else (None, None)
        return {mode: found[mode] for mode in MODES if mode in found}

    def _partitions(self, i: int) -> set[int]:
        """Partitions that something of the incident was committed for, or that were out from it on."""
        at = self.incidents[i].at_us
        found = set(self._touched.get(at, ()))
        for account in self.world.book.accounts:
            stops = (stop_of(account, self.past, mode, at, self.world.now_us) for mode in ("all", "1"))
            if any(stop is not None for stop in stops):
                found.add(int(account.p))
        return found

    def _is_cut_off(self, i: int, client: int, p: int) -> bool:
        """Whether an incident cut a producer off from the leader of a partition."""
        at = self.incidents[i].at_us
        return self._is_apart(client, p, at) and not self._is_apart(client, p, at - 1)

    def _part(self, i: int, p: int, mode: str, client: int, wait: Recovery | None) -> Json | None:
        """The time of one partition and what it went into; None: it took no call again.

        Where nobody called, nobody was answered or the first call came late, a probe each second may tell it.
        """
        at = self.incidents[i].at_us
        acked_us = wait.acked_us if wait is not None and wait.acked_us >= 0 else NEVER
        is_late = wait is None or acked_us == NEVER or wait.made_us - at > THETA_US
        probe = self._probe(i, p, mode, client) if is_late else None
        end = acked_us if probe is None else min(acked_us, at + probe)
        if end == NEVER:
            return None
        phases = Phases(self.world.book.account(p), self.past, self.world.now_us).of(mode, at, end)
        out = [(since, until) for _, since, until in phases]
        waits = within(joined(wait.settling), at, end) if wait is not None and mode == "all" else []
        held = length(joined([*out, *waits]))
        vain = length(joined([*out, *waits, *within([self._in_vain(i, p, mode)], at, end)])) - held
        spent = {**spent_in(phases), "vain": vain, "client": end - at - held - vain}
        spent[SETTLE] += held - length(out)
        return {
            "partition": self.words.partition(p),
            "us": end - at,
            "first_call_us": -1 if wait is None else wait.made_us - at,
            "by_probe": end < acked_us,
            **{f"{name}_us": us for name, us in spent.items()},
        }

    def _in_vain(self, i: int, p: int, mode: str) -> tuple[int, int]:
        """From the first to the last response after an incident to calls whose records it lost."""
        at = self.incidents[i].at_us
        losses = [loss for loss in self.booked.on(at) if loss.p == p and acks_word(loss.acks) == mode]
        acks = [ack.t for loss in losses for ack in acks_of(loss, self.evidence, self.past) if ack.t >= at]
        return (min(acks), max(acks)) if acks else (at, at)

    def _probe(self, i: int, p: int, mode: str, client: int) -> int | None:
        """The first whole second after an incident at which the servers would have taken a call; None: none so far.

        Of a producer, while its links to the leader are good, and with acks=0 while none of its records vanish.
        """
        at, end = self.incidents[i].at_us, self.world.now_us
        out = stretches(self.world.book.account(p), mode, end)
        vanished = self.vanished.sent_us(client, p)
        for probe in range(at + PROBE_US, end + 1, PROBE_US):
            if any(start <= probe < stop for start, stop in out) or self._is_apart(client, p, probe):
                continue
            if mode == "0" and any(probe <= sent_us < probe + PROBE_US for sent_us in vanished):
                continue
            if not self._is_lost_later(at, p, mode, probe):
                return probe - at
        return None

    def _is_lost_later(self, fault_us: int, p: int, mode: str, probe_us: int) -> bool:
        """Whether what the leader of a moment acknowledges is lost with its leadership, which the fault ends."""
        led = self.past.registration(p, self.past.after(probe_us))  # None: as at the start
        later = min((other.at_us for other in self.incidents if other.at_us > fault_us), default=NEVER)
        lost_us = Ends(self.world, self.past).lost_us
        losses = [entry.loss for entry in self.booked.entries if entry.loss.p == p and entry.loss.acks >= 0]
        return mode != "all" and any(
            probe_us <= lost_us(loss) < later for loss in losses if led is None or led.epoch == loss.epoch
        )

    def _is_apart(self, client: int, p: int, at_us: int) -> bool:
        """Whether a producer is cut off from the leader of a partition at a moment, in a direction or both."""
        before = self.past.after(at_us)
        return client >= 0 and self.past.are_apart(-1 - client, self.past.leader(p, before), before)

    def _never(self, p: int, mode: str, client: int = NOBODY) -> Json:
        """A partition that took no call again, or none of a client's, and what it needs."""
        needs = self._needs.get((p, mode)) or needs_of(self.world, p, mode)
        self._needs[p, mode] = needs
        now = self.world.now_us
        if not needs.needs and self._is_apart(client, p, now):
            leader = self.past.leader(p, self.past.after(now))
            needs = Needs(f"the links between {self.words.client(client)} and {self.words.node(leader)}")
        return {"partition": self.words.partition(p), **needs._asdict()}


def once_each(back: list[Json], never: list[Json]) -> tuple[list[Json], list[Json]]:
    """Every partition once: by the producer that waited longest, of those whose calls tell the time if there are any.

    What one of them was answered by took calls again.
    """
    ranked = sorted(back, key=lambda part: (not part["by_probe"], part["us"]))
    worst = {part["partition"]: part for part in [*back, *ranked]}
    out = {one["partition"]: one for one in never if one["partition"] not in worst}
    return list(worst.values()), list(out.values())
