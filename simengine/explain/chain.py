"""The chain of facts from the decisive event to a loss, as typed links.

A record is lost when a replica leads that does not have it. So the chain tells, in order of time: who acknowledged it
and on how many copies; why the later leader did not have it (never fetched, cut off, or cut away again); how the ISR
let that replica lead (ISR-2, ISR-8, ELR-2, a setting); what ended the former leadership; the elections up to the one
that decided; the loss; and the last copies being cut off. Where the last copy went while nobody led, it tells of each
copy how it went.
"""

from dataclasses import replace
from typing import Any, Final

from simengine.explain.commits import election, elr_change, isr_change, was_asked
from simengine.explain.decide import Decision
from simengine.explain.evidence import RecordEvent, RecordEvidence
from simengine.explain.fact_index import FactIndex
from simengine.explain.link import ACKED, CUT, FAULT, LOST, MISSING, SETTING, ChainLink, LinkKind
from simengine.explain.losses import Loss, acks_of, at_one_moment, last_us
from simengine.explain.missing import left_isr, lost_its_end, obstacle
from simengine.explain.sentences import Words
from simengine.explain.settings import TopicSettingsHistory
from simengine.facts.decisive import (
    ActionDone,
    ClientChanged,
    ConfigChanged,
    PartitionChanged,
    ProcessChanged,
    ReplicaGone,
    Truncated,
)
from simengine.facts.kinds import (
    ELECTION_LAST_KNOWN,
    ELECTION_NONE,
    ELECTION_UNCLEAN,
    PROCESS_DOWN,
    PROCESS_PAUSED,
    PROCESS_RUNNING,
    PROCESS_STARTING,
    REASON_CONFIG,
    REASON_UNCLEAN,
)
from simengine.facts.trace import Decisive
from simengine.verdict.presence import joined, within

STEPS_MAX: Final = 8  # changes of one kind told between the acknowledgement and the loss


class ChainLinks:
    """Links of one partition in the making, each told once; ``happened``: with what somebody did to bring it about."""

    def __init__(self, p: int, past: FactIndex, words: Words) -> None:
        self.p = p
        self.past = past
        self.words = words
        self._links: dict[tuple[object, ...], ChainLink] = {}

    def ordered(self) -> list[ChainLink]:
        """All links in order of time."""
        return sorted(self._links.values(), key=lambda link: (link.fact.t, link.fact.seq))

    def put(self, link: ChainLink) -> None:
        """A link, once for each moment."""
        if isinstance(link.fact, Decisive) and link.role in (MISSING, SETTING, FAULT):
            link = replace(link, done=self.past.action(link.fact))
        self._links.setdefault((link.fact.t, *link.key), link)

    def add(
        self, fact: Decisive | RecordEvent, role: str, kind: LinkKind, rules: tuple[str, ...], **fields: Any
    ) -> None:
        """A link of this partition."""
        self.put(ChainLink(kind, fact, role, rules, fields))

    def happened(self, fact: Decisive, role: str, rules: tuple[str, ...] | None = None) -> None:
        """A link that tells a fact; ``rules``: others than its own."""
        done = self.past.action(fact)
        lone = self.words.cut_from_controllers(fact)
        if isinstance(fact, ProcessChanged) and fact.state == PROCESS_DOWN and done and done.verb == "stop":
            self.add(fact, role, LinkKind.HAD_STOPPED, ("SHUT-3",), broker=fact.node)
        elif lone is not None:
            self.add(fact, role, LinkKind.CUT_FROM_CONTROLLERS, ("FLT-5",), broker=lone)
        else:
            said = self._rules_of(fact) if rules is None else rules
            self.put(ChainLink(LinkKind.HAPPENED, fact, role, said, {"fact": fact}))

    def _rules_of(self, fact: Decisive) -> tuple[str, ...]:
        """The rules of a fact; a process that was not paused runs again since it was started (REG-1)."""
        if isinstance(fact, ProcessChanged) and fact.state == PROCESS_RUNNING:
            return ("FLT-2",) if self.past.process(fact.node, fact.seq)[0] == PROCESS_PAUSED else ("REG-1",)
        return self.words.clause(fact)[1]

    def cause_of(self, fact: PartitionChanged) -> None:
        """Tell the cause of a commit: a fault, or a request for an unclean election."""
        cause = self.past.fact(fact.cause)
        if cause is not None and fact.reason == REASON_UNCLEAN:
            self.happened(cause, SETTING, ("UNC-3",))
        elif cause is not None:
            self.happened(cause, FAULT)

    def lost_end(self, fact: Truncated, settings: TopicSettingsHistory) -> None:
        """A broker lost the end of its log: to a power loss, with its disk, or by truncating."""
        cause = self.past.fact(fact.cause)
        if isinstance(cause, ProcessChanged):
            self.happened(cause, MISSING)
        self.put(lost_its_end(fact, self.past, settings))

    def is_told(self, done: ActionDone) -> bool:
        """True if some link goes back to the action."""
        return any(link.done is done for link in self._links.values())


class Chain:
    """Tells one loss."""

    def __init__(
        self, loss: Loss, past: FactIndex, evidence: RecordEvidence, words: Words, settings: TopicSettingsHistory
    ) -> None:
        self.loss = loss
        self.past = past
        self.evidence = evidence
        self.words = words
        self.settings = settings
        self.told = ChainLinks(loss.p, past, words)
        self.lost_seq = loss.facts[0].seq
        cause = past.fact(loss.cause)
        self.went = cause if isinstance(cause, Truncated | ReplicaGone) else None  # the last copy
        # None: the first leader lost them itself, in its first epoch; or nobody led
        self.election = cause if isinstance(cause, PartitionChanged) else None
        self.last_epoch = self.election.epoch if self.election is not None else loss.epoch  # in which they were lost
        self.led = past.activation(loss.p, self.last_epoch, self.lost_seq + 1)
        led = self.led.broker if self.led is not None else -1
        self.winner = self.election.leader if self.election is not None else led  # led without them
        activation = past.activation(loss.p, loss.epoch, self.lost_seq)
        self.author = activation.broker if activation is not None else -1
        self.acks = acks_of(loss, evidence, past)
        to = self.election or self.went
        changes = past.leader_changes(loss.p, loss.epoch, to) if to is not None else []
        ended = next((fact.seq for fact in changes if fact.leader != self.author), None)
        # before another broker, or none, was to lead
        self.fresh = [ack for ack in self.acks if ended is None or ack.seq < ended]

    def links(self, decision: Decision | None) -> list[ChainLink]:
        """The whole chain in order of time; ``decision``: the action without which the topic loses nothing."""
        since = self.acks[0].seq if self.acks else self.lost_seq
        self._acknowledged()
        if self.went is not None:
            self._copies_went(self.went, since)
        elif self.acks:
            self._why_missing()
        if self.election is not None:
            self._isr_story(since, self.election)
            self._leaderships(self.election)
        if self.went is None and self.last_epoch == self.loss.epoch:
            self._led_again()
        self._lost()
        self._cut_off()
        if decision is not None:
            self._decided(decision)
        return self.told.ordered()

    # -- acknowledged

    def _acknowledged(self) -> None:
        """Tell the acknowledgements, each with its copies; late ones of a former leader get their own link."""
        if self.fresh:
            self._set_acks(self.fresh[0])
        for acks in at_one_moment(self.fresh, STEPS_MAX, self._copies):
            self._acked(acks, *self._copies(acks[0]))
        appends = {seen.seq: True for seen in self.evidence.led(self.loss.p, self.loss.epoch).values()}
        late = self.acks[len(self.fresh) :]
        for acks in at_one_moment(late, STEPS_MAX, lambda ack: ack.seq in appends):
            if acks[0].seq in appends:
                self._acked(acks, LinkKind.ACKED_AS_FORMER, ("LIVE-5", "PROD-4"), {})
            else:
                self._acked(acks, LinkKind.ACKED_LATE, ("PROD-4" if self.loss.acks >= 0 else "PROD-6",), {})

    def _acked(self, acks: list[RecordEvent], kind: LinkKind, rules: tuple[str, ...], how: dict[str, Any]) -> None:
        """Tell the acknowledged lost records: their clients, their mode, and the moment of the last acknowledgement."""
        spans = [part for ack in acks for part in within(self.loss.gaps, ack.records.base, ack.records.end)]
        fields = {
            "broker": self.author,
            "partition": self.loss.p,
            "records": spans,
            "clients": sorted({ack.who for ack in acks}),
            "acks": self.loss.acks,
            "until_us": last_us(acks),
        }
        self.told.add(acks[0], ACKED, kind, rules, **fields, **how)

    def _copies(self, ack: RecordEvent) -> tuple[LinkKind, tuple[str, ...], dict[str, Any]]:
        """On how many copies an acknowledgement stood."""
        if self.loss.acks >= 0:
            return LinkKind.ACKED_ON_WRITE, ("PROD-4",), {}
        isr = sorted(self.past.isr_of_leader(self.author, self.loss.p, ack.seq))
        if len(isr) == 1:
            topic = self.words.topic_of(self.loss.p)
            least = self.settings.number(topic, "min.insync.replicas", ack.seq)
            if least > 1:  # HW-3: min.insync.replicas counts at most the replicas that can be in sync
                return LinkKind.ACKED_ONLY, ("PROD-6", "HW-3"), {}
            return LinkKind.ACKED_ALONE, ("PROD-6", "HW-1"), {"least": least}
        return LinkKind.ACKED_BY_ISR, ("PROD-6", "HW-1"), {"members": isr}

    def _set_acks(self, ack: RecordEvent) -> None:
        """The mode was chosen by somebody during the run: a setting of the chain."""
        fact = self.past.newest(ClientChanged, ack.seq, lambda f: f.client == ack.who)
        done = self.past.action(fact)
        if fact is not None and done is not None and done.verb == "acks":
            self.told.happened(fact, SETTING)

    # -- why the later leader did not have them

    def _why_missing(self) -> None:
        """Tell the fact that kept them from the later leader at their acknowledgement, else at the leadership's end."""
        had = self.evidence.had(self.winner, self.loss.records, self.lost_seq)
        if had is not None:
            self._lost_its_copy(had)
            led = self.past.leader_before(self.election) if self.election is not None else self.winner
            if self.election is not None and led != self.winner:  # what kept it from fetching them again
                self._obstacle(self.winner, led, [self.election.cause])
            return
        moments = [ack.seq for ack in self.fresh[-1:]]
        changes = self.past.leader_changes(self.loss.p, self.loss.epoch, self.election) if self.election else []
        self._obstacle(self.winner, self.author, [*moments, *(fact.cause for fact in changes[:1])])

    def _obstacle(self, broker: int, source: int, moments: list[int]) -> None:
        fact = obstacle(self.past, broker, source, moments)
        if fact is not None:
            self.told.happened(fact, MISSING)

    def _copies_went(self, last: Truncated | ReplicaGone, since: int) -> None:
        """Tell the loss of each copy, and the leaderships up to the last."""
        for broker in sorted({seen.who for seen in self.evidence.appends}):
            went = self._how_it_went(broker, last)
            if isinstance(went, ReplicaGone):
                self.told.add(went, MISSING, LinkKind.DELETED, ("REA-4",), broker=broker, partition=self.loss.p)
            elif isinstance(went, Truncated):
                self.told.lost_end(went, self.settings)
                died = self.past.fell_silent(broker, went.seq)
                if died is not None and self.past.process(broker, went.seq)[0] == PROCESS_DOWN:
                    self.told.happened(died, FAULT)
        if self.acks:
            for fact in self.past.isr_changes(self.loss.p, since, last.seq)[:STEPS_MAX]:
                self._left(fact)
            self._leaderships(last)

    def _how_it_went(self, broker: int, last: Decisive) -> Truncated | ReplicaGone | None:
        """The fact by which a broker's copy of the lost records went: ``last``, or an earlier one; None without any."""
        had = self.evidence.had(broker, self.loss.records, self.lost_seq)
        if had is None:
            return None
        end = self.loss.gaps[-1][1]
        cuts = [fact for fact in self.past.of(Truncated) if fact.new < end <= fact.old]
        copies: list[Truncated | ReplicaGone] = [*cuts, *self.past.of(ReplicaGone)]
        went = [
            fact for fact in copies if (fact.broker, fact.p) == (broker, self.loss.p) and had.seq < fact.seq <= last.seq
        ]
        return min(went, key=lambda fact: fact.seq, default=None)

    def _lost_its_copy(self, had: RecordEvent) -> None:
        """The later leader had the records and has them no more: it cut them off, deleted its copy or lost it."""
        low = self.loss.gaps[0][0]
        cuts = [
            fact
            for fact in self.past.of(Truncated)
            if had.seq < fact.seq < self.lost_seq
            and (fact.broker, fact.p) == (self.winner, self.loss.p)
            and fact.old > low
        ]
        for fact in cuts:
            self.told.lost_end(fact, self.settings)
        if self._deleted_its_copy(had):
            return
        back = self.past.newest(
            ProcessChanged, self.lost_seq, lambda f: f.node == self.winner and f.state == PROCESS_STARTING
        )
        if not cuts and back is not None and back.seq > had.seq:
            self.told.add(back, MISSING, LinkKind.BACK_WITHOUT, ("LOG-10",), broker=self.winner, records=self.loss.gaps)

    def _deleted_its_copy(self, had: RecordEvent) -> bool:
        """Tell that a reassignment removed the later leader from the replicas, and that one added it again (ELR-2)."""
        p, winner = self.loss.p, self.winner
        gone = self.past.newest(ReplicaGone, self.lost_seq, lambda f: (f.broker, f.p) == (winner, p))
        if gone is None or gone.seq < had.seq:
            return False
        self.told.add(gone, MISSING, LinkKind.DELETED, ("REA-4",), broker=winner, partition=p)
        changes = [fact for fact in self.past.of(PartitionChanged) if fact.p == p and fact.seq > gone.seq]
        again = next((fact for fact in changes if winner in fact.replicas), None)
        if again is not None:
            self.told.happened(again, MISSING, ("REA-1", "ELR-2"))
        return True

    # -- how the ISR let it lead

    def _isr_story(self, acked: int, election: PartitionChanged) -> None:
        """Tell the last time the later leader left the ISR, and each change of the ISR after the acknowledgement."""
        left = left_isr(self.past, self.loss.p, self.winner, election.seq)
        changes = self.past.isr_changes(self.loss.p, acked, election.seq)
        for fact in [*([left] if left is not None else []), *changes[:STEPS_MAX]]:
            self._left(fact)
        if election.election in (ELECTION_LAST_KNOWN, ELECTION_UNCLEAN):
            self._elr_story(acked, election, {fact.seq for fact in changes})

    def _elr_story(self, acked: int, election: PartitionChanged, told: set[int]) -> None:
        """Tell the commits that emptied the ELR: only the last known leader or an unclean election was left."""
        is_unclean = election.election == ELECTION_UNCLEAN
        for fact, gone in self.past.elr_losses(self.loss.p, election.seq + 1)[:STEPS_MAX]:
            is_forgotten = fact.reason == REASON_CONFIG and acked < fact.seq < election.seq
            if fact.seq not in told and (is_forgotten or not is_unclean):
                self.told.cause_of(fact)
                self.told.put(elr_change(fact, gone))

    def _left(self, fact: PartitionChanged) -> None:
        """An ISR that lost or gained members by a commit, what that goes back to, and whom the commit elected."""
        self.told.cause_of(fact)
        self.told.put(isr_change(fact, self.past.isr(self.loss.p, fact.seq)))
        if fact.election != ELECTION_NONE:
            self._elected(fact)

    # -- leaderships

    def _led_again(self) -> None:
        """Nobody else was elected: the leader itself came back without them, before its session had ended (REG-5)."""
        fact = self.past.fell_silent(self.winner, self.lost_seq)
        if fact is not None:
            self.told.happened(fact, FAULT)

    def _leaderships(self, last: Decisive) -> None:
        """Tell the end of the leadership that acknowledged, and every leadership up to the fact that decided."""
        changes = self.past.leader_changes(self.loss.p, self.loss.epoch, last)
        for fact in [*changes[:-1][: STEPS_MAX - 1], *changes[-1:]]:
            self.told.cause_of(fact)
            self._elected(fact)

    def _elected(self, fact: PartitionChanged) -> None:
        """Whom a commit elected, or that it found nobody; and that unclean election was switched on during the run."""
        key, topic = "unclean.leader.election.enable", self.words.topic_of(self.loss.p)
        if fact.election == ELECTION_UNCLEAN and not was_asked(self.past, fact):
            on = self.past.newest(ConfigChanged, fact.seq, lambda f: f.topic in (topic, -1) and f.text == f"{key}=true")
            if on is not None:
                self.told.happened(on, SETTING, ("UNC-2",))
        self.told.put(election(fact, self.past, self.settings.is_on(topic, key, fact.seq)))

    # -- lost

    def _lost(self) -> None:
        for facts in at_one_moment(self.loss.facts, STEPS_MAX):
            told = joined([(fact.base, fact.base + fact.count) for fact in facts])
            spans = [part for base, end in self.loss.gaps for part in within(told, base, end)]
            which = {"records": spans, "epoch": self.loss.epoch, "until_us": last_us(facts)}
            if self.went is not None:
                rule = "REA-4" if isinstance(self.went, ReplicaGone) else "STATE-7"
                self.told.add(facts[0], LOST, LinkKind.LOST_EVERYWHERE, (rule,), **which)
            elif self.led is not None and self.led.leo <= spans[0][0]:
                end = {"broker": self.winner, "end": self.led.leo}
                self.told.add(facts[0], LOST, LinkKind.LOST_BEYOND_END, ("TRUNC-6",), **which, **end)
            else:
                self.told.add(facts[0], LOST, LinkKind.LOST_TO_OTHERS, ("TRUNC-6",), **which, broker=self.winner)

    def _cut_off(self) -> None:
        """The copies that were left are cut off, once for each broker; a process that is down cuts nothing (LOG-8)."""
        low, told = self.loss.gaps[0][0], set[int]()
        for fact in self.past.of(Truncated):
            broker, old, new = fact.broker, fact.old, fact.new
            if fact.seq < self.lost_seq or fact.p != self.loss.p or broker in told or not new <= low < old:
                continue
            had = self.evidence.had(broker, self.loss.records, fact.seq)
            if had is None or self.past.process(broker, fact.seq)[0] == PROCESS_DOWN:
                continue
            told.add(broker)
            fields = {"broker": broker, "records": [(new, old)], "partition": self.loss.p}
            self.told.add(fact, CUT, LinkKind.CUT_OFF, self.settings.truncation_rules(), **fields)

    def _decided(self, decision: Decision) -> None:
        """The action that decided it, where no link goes back to that."""
        acts = [fact for fact in self.past.of(ActionDone) if fact.text == decision.text and fact.t == decision.at_us]
        if acts and not self.told.is_told(acts[0]):
            self.told.happened(acts[0], FAULT)
