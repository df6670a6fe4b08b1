"""RPO and RTO as observed, for each incident: a fault, or several at one moment (STOP-5, STOP-6).

RPO: acknowledged records lost, by mode, and their age: from the earliest lost acknowledgement to the fault, or to the
last lost acknowledgement where a former leader went on; beside it the groups whose committed offsets are gone.

RTO, per partition and mode: from the fault to the first success of a call made after it (what was lost already when a
former leader acknowledged it is no success). Until the first call, a probe each second stands in: it comes through
where the servers would take a call and no call waits. A partition that was created later has its time from its creation
on; one whose topic was deleted has none after that. In parts: what the partition went through (`phases`); of what is
left settle (while records of that producer stood in the log and the high watermark had yet to pass them: the call's
own, or earlier ones that it waited behind) and, from the first call on, client.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from statistics import median
from typing import Any, Final

from simengine.explain.evidence import RecordEvidence
from simengine.explain.fact_index import FactIndex
from simengine.explain.incident_words import NEVER_MAX, rpo_words, rto_words
from simengine.explain.loss_attribution import LossAttribution
from simengine.explain.losses import acks_of
from simengine.explain.phases import SETTLE, PartitionPhases, spent_in
from simengine.explain.recoveries import NOBODY, Recoveries, Recovery
from simengine.explain.repairs import Needs, Repairs
from simengine.explain.sentences import Words, acks_word
from simengine.explain.write_outages import Ends, stop_of, stretches
from simengine.facts.decisive import ActionDone, PartitionChanged
from simengine.facts.kinds import REASON_CREATED
from simengine.facts.trace import Decisive
from simengine.kafka.shared.standing import LEADERLESS
from simengine.kernel.titles import split_title
from simengine.scenario.actions import is_emptied
from simengine.scenario.verb import FAULT
from simengine.scenario.verbs import with_trait
from simengine.verdict.account import PartitionCounters
from simengine.verdict.final import partition_verdict
from simengine.verdict.outage import NEVER, THETA_US
from simengine.verdict.presence import joined, length, within
from simengine.verdict.words import number
from simengine.words.phrases import listed
from simengine.world.world import World

PROBE_US: Final = 1_000_000
FAULTS: Final = with_trait(FAULT)
MODES: Final = ("all", "1")  # nobody answers acks=0 (PROD-4)

Json = dict[str, Any]


@dataclass(slots=True)
class Incident:
    """Faults at one moment."""

    at_us: int
    actions: list[ActionDone]

    @property
    def text(self) -> str:
        """Its actions as the timeline has them: ``kill 1, kill 2``."""
        return ", ".join(action.text for action in self.actions)


def incidents_of(past: FactIndex) -> list[Incident]:
    """The faults of a run that had an effect, those of one moment together.

    A fault is an action that may break something, or a start with an empty disk. A dead broker that is killed again is
    none: nothing follows from it.
    """
    found: list[Incident] = []
    for fact in past.of(ActionDone):
        is_fault = fact.verb in FAULTS or is_emptied(fact.verb, fact.args)
        if not is_fault or not past.has_followed(fact):
            continue
        if found and found[-1].at_us == fact.t:
            found[-1].actions.append(fact)
        else:
            found.append(Incident(fact.t, [fact]))
    return found


@dataclass(slots=True)
class Teller:
    """Makes the account of each incident from what is known of the run."""

    world: World
    past: FactIndex
    words: Words
    booked: LossAttribution
    evidence: RecordEvidence
    incidents: list[Incident]
    recoveries: Recoveries
    _touched: dict[int, set[int]] = field(default_factory=dict)  # partitions, by moment of an action
    _repairs: Repairs = field(init=False)

    def __post_init__(self) -> None:
        self._repairs = Repairs(self.world)

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
            "topics": {},
            "groups": self._groups_lost(i),
            "undetermined": 0,
            "deleted": {"count": 0, "words": ""},
            "elsewhere": self.booked.elsewhere(incident.at_us),
            "age_us": 0,
            "before_us": 0,
            "after_us": [0, 0],
        }
        acks: list[int] = []
        for loss in self.booked.on(incident.at_us):
            mode = "all" if loss.acks < 0 else "1"
            found[mode] += loss.count
            of_topic = found["topics"].setdefault(self._topic(loss.p), dict.fromkeys(MODES, 0))
            of_topic[mode] += loss.count
            acks += [ack.t for ack in acks_of(loss, self.evidence, self.past)]
        if not found["all"] and not found["1"]:
            found["deleted"] = self._deleted_unled(i)
            later = set[int]().union(*map(self._partitions, range(i + 1, len(self.incidents))))
            found["undetermined"] = sum(self._undetermined(p) for p in self._partitions(i) - later)
        if acks:
            found["age_us"] = max(incident.at_us, max(acks)) - min(acks)
            found["before_us"] = max(0, incident.at_us - min(acks))
            found["after_us"] = [max(0, moment - incident.at_us) for moment in (min(acks), max(acks))]
        return found

    def _groups_lost(self, i: int) -> list[str]:
        """The groups whose committed offsets went by what an incident did, or soonest after it (CON-6)."""
        commits = (account.commits for account in self.world.book.accounts)
        causes = [found for one in commits if one is not None for found in one.causes().items()]
        at_us = self.incidents[i].at_us
        return sorted(str(group) for group, cause in causes if self._incident_of(self.past.fact(cause)) == at_us)

    def _incident_of(self, fact: Decisive | None) -> int:
        """The moment of the incident that a fact goes back to, else of the last one before it; -1 without any."""
        done = self.past.action(fact)
        moments = [incident.at_us for incident in self.incidents]
        at = -1 if fact is None else done.t if done is not None and done.t in moments else fact.t
        return max((moment for moment in moments if moment <= at), default=-1)

    def _undetermined(self, p: int) -> int:
        """Acknowledged records of a partition without a leader that are neither lost nor kept yet."""
        account = self.world.book.account(p)
        figures = partition_verdict(self.world.book, account, self.world.names(), self.world.now_us)
        return number(figures, "undetermined")

    def _deleted_unled(self, i: int) -> Json:
        """Acknowledged records of partitions without a leader since an incident whose topics were deleted meanwhile."""
        of_it = [account for account in self.world.book.accounts if self._is_of(i, unled_at_deletion(account))]
        deletions = dict.fromkeys(self._deletion(int(account.p)) for account in of_it)
        return {"count": sum(int(account.deleted_records()) for account in of_it), "words": listed(list(deletions))}

    def _is_of(self, i: int, at_us: int) -> bool:
        """True if an incident is the newest one up to a moment (us); never of -1."""
        newest = max((one.at_us for one in self.incidents if one.at_us <= at_us), default=-1)
        return newest >= 0 and newest == self.incidents[i].at_us

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
            if mode in MODES and (p in touched or self._is_cut_off(i, client, p)):
                part = self._part(i, p, mode, client, wait)
                one = found.setdefault(mode, {"partitions": [], "never": []})
                if part is None:
                    at = self.incidents[i].at_us
                    open_us = next((probe - at for probe in self._probes(i, p, mode, client, wait)), -1)
                    one["never"].append({"partition": self.words.partition(p), "of": (p, client), "open_us": open_us})
                else:
                    one["partitions"].append(part)
        for mode, one in found.items():
            one["partitions"], never = once_each(one["partitions"], one["never"])
            never.sort(key=lambda out: self._deleted_us(out["of"][0]) < NEVER)  # those are told apart, after the others
            one["never"] = [
                self._never(out, mode, not one["partitions"] and k < NEVER_MAX) for k, out in enumerate(never)
            ]
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
        """True if an incident cut a producer off from the leader of a partition."""
        at = self.incidents[i].at_us
        return self._is_apart(client, p, at) and not self._is_apart(client, p, at - 1)

    def _part(self, i: int, p: int, mode: str, client: int, wait: Recovery | None) -> Json | None:
        """The time of one partition and what it went into; None: it took no call again.

        A probe each second may tell it, until the first call is made and while no earlier one waits.
        """
        at = self._since(i, p)
        made_us = NEVER if wait is None else max(at, wait.made_us)
        acked_us = NEVER if wait is None else wait.back_us(self.world.now_us)
        probes = takewhile(lambda us: us < made_us, self._probes(i, p, mode, client, wait))
        end = min(acked_us, next((us for us in probes if not self._is_waiting(p, mode, us)), NEVER))
        if end == NEVER:
            return None
        phases = PartitionPhases(self.world.book.account(p), self.past, self.world.now_us).of(mode, at, end)
        out = [(since, until) for _, since, until in phases]
        waits = within(joined(wait.settling), at, end) if wait is not None and mode == "all" else []
        held = length(joined([*out, *waits]))
        known = joined([*out, *waits, *within([self._in_vain(i, p, mode)], at, end)])
        called = min(made_us, end)
        client_us = end - called - length(within(known, called, end))
        spent = {**spent_in(phases), "vain": length(known) - held, "client": client_us}
        spent[SETTLE] += held - length(out)
        return {
            "partition": self.words.partition(p),
            "topic": self._topic(p),
            "us": end - at,
            "is_new": at > self.incidents[i].at_us,
            "first_call_us": -1 if wait is None else made_us - at,
            "by_probe": end < acked_us,
            **{f"{name}_us": us for name, us in spent.items()},
        }

    def _in_vain(self, i: int, p: int, mode: str) -> tuple[int, int]:
        """From the first to the last response after an incident to calls whose records it lost."""
        at = self.incidents[i].at_us
        losses = [loss for loss in self.booked.on(at) if loss.p == p and acks_word(loss.acks) == mode]
        acks = [ack.t for loss in losses for ack in acks_of(loss, self.evidence, self.past) if ack.t >= at]
        return (min(acks), max(acks)) if acks else (at, at)

    def _since(self, i: int, p: int) -> int:
        """The moment of an incident, or of the later creation of a partition."""
        created = self.past.next_of(PartitionChanged, 0, lambda fact: fact.p == p and fact.reason == REASON_CREATED)
        return max(self.incidents[i].at_us, 0 if created is None else created.t)

    def _deleted_us(self, p: int) -> int:
        """The moment at which the topic of a partition was deleted; NEVER: it was not."""
        fact = self.past.fact(self.world.book.account(p).deleted_by)
        return int(NEVER) if fact is None else fact.t

    def _topic(self, p: int) -> str:
        """The title of a partition's topic."""
        return self.words.topic(self.words.topic_of(p))

    def _deletion(self, p: int) -> str:
        """``topic t was deleted at 9.000 s``, of a partition whose topic was."""
        topic, _ = split_title(self._topic(p))
        return f"topic {topic} was deleted at {self._deleted_us(p) / 1e6:.3f} s"

    def _is_waiting(self, p: int, mode: str, at_us: int) -> bool:
        """True if a moment is within a time in which calls of a mode waited for longer than theta."""
        modes = [one for calls in self.world.book.account(p).calls for one in calls.modes]
        found = (one.spans(self.world.now_us) for one in modes if acks_word(int(one.acks)) == mode)
        return any(since <= at_us <= until for spans in found for since, until in spans)

    def _probes(self, i: int, p: int, mode: str, client: int, wait: Recovery | None) -> Iterator[int]:
        """The moments, in whole seconds after an incident, at which the servers would have taken a call.

        Of a producer, while its links to the leader are good. The state of a partition that was created later is known
        from its first call on.
        """
        since = self._since(i, p)
        at, end = self.incidents[i].at_us, min(self.world.now_us + 1, self._deleted_us(p))
        out = stretches(self.world.book.account(p), mode, self.world.now_us)
        if since > at and wait is not None:
            since = max(since, wait.made_us)
        for probe in range(since + PROBE_US, end, PROBE_US):
            if any(start <= probe < stop for start, stop in out) or self._is_apart(client, p, probe):
                continue
            if not self._is_lost_later(at, p, mode, probe):
                yield probe

    def _is_lost_later(self, fault_us: int, p: int, mode: str, probe_us: int) -> bool:
        """True if records that a moment's leader acknowledges are lost when the fault ends its leadership."""
        led = self.past.registration(p, self.past.after(probe_us))  # None: as at the start
        later = min((other.at_us for other in self.incidents if other.at_us > fault_us), default=NEVER)
        lost_us = Ends(self.world, self.past).lost_us
        losses = [entry.loss for entry in self.booked.entries if entry.loss.p == p and entry.loss.acks >= 0]
        return mode != "all" and any(
            probe_us <= lost_us(loss) < later for loss in losses if led is None or led.epoch == loss.epoch
        )

    def _is_apart(self, client: int, p: int, at_us: int) -> bool:
        """True if a producer is cut off from the leader of a partition at a moment, in a direction or both."""
        before = self.past.after(at_us)
        return client >= 0 and self.past.are_apart(-1 - client, self.past.leader(p, before), before)

    def _never(self, out: Json, mode: str, is_told: bool) -> Json:
        """A partition that took no call again, or none of a client's; ``gone``: why it never will.

        ``is_told``: with what it needs. Where it needs nothing, ``open_us`` tells how long after the incident the
        servers would have taken a call.
        """
        (p, client), is_gone = out["of"], self._deleted_us(out["of"][0]) < NEVER
        needs = self._needs_of(p, mode, client) if is_told and not is_gone else Needs()
        told = {"partition": out["partition"], "topic": self._topic(p), **needs._asdict(), "open_us": out["open_us"]}
        return {**told, "gone": self._deletion(p) if is_gone else ""}

    def _needs_of(self, p: int, mode: str, client: int = NOBODY) -> Needs:
        """The repairs that a partition needs, or the links of a client that is cut off from it."""
        needs = self._repairs.needs_of(p, mode)
        now = self.world.now_us
        if not needs.needs and self._is_apart(client, p, now):
            leader = self.past.leader(p, self.past.after(now))
            return Needs(f"the links between {self.words.client(client)} and {self.words.node(leader)}")
        return needs


def unled_at_deletion(account: PartitionCounters) -> int:
    """The moment (us) since which a partition had no leader when its topic was deleted; -1: it had one, or is there."""
    if not account.deleted_by or account.leader() is not None or len(account.states) < 2:
        return -1
    since, state, _ = account.states[-2]
    return int(since) if state == LEADERLESS else -1


def once_each(back: list[Json], never: list[Json]) -> tuple[list[Json], list[Json]]:
    """Every partition once: by the producer that waited longest, of those whose calls tell the time if there are any.

    Producers that called soon after the fault come before those whose first call came late.

    A partition took calls again if one of them had a success. A probe does not count where another producer's calls
    had none.
    """
    called = {part["partition"] for part in back if not part["by_probe"]}
    out = {one["partition"]: one for one in never if one["partition"] not in called}
    ranked = sorted(back, key=lambda part: (not part["by_probe"], part["first_call_us"] <= THETA_US, part["us"]))
    worst = {part["partition"]: part for part in [*back, *ranked] if part["partition"] not in out}
    return list(worst.values()), list(out.values())
