"""The chain of facts from the decisive event to a loss, each link a sentence with its rules and its moment.

A record is lost when a replica leads that does not have it. So the chain tells, in order of time: who acknowledged it
and on how many copies; why the later leader did not have it (never fetched, cut off, or cut away again); how the ISR
let that replica lead (ISR-2, ISR-8, ELR-2, a setting); what ended the former leadership; the elections up to the one
that decided; the loss; and the last copies being cut off. Where the last copy went while nobody led, it tells of each
copy how it went (`copies`).
"""

from typing import Final

from simengine.decide import Decision
from simengine.facts.decisive import (
    ActionDone,
    ClientChanged,
    ConfigChanged,
    PartitionChanged,
    ProcessChanged,
    RecordsLost,
    ReplicaGone,
    Truncated,
)
from simengine.facts.kinds import (
    ELECTION_LAST_KNOWN,
    ELECTION_NONE,
    ELECTION_UNCLEAN,
    PROCESS_DOWN,
    PROCESS_STARTING,
    REASON_CONFIG,
    REASON_UNCLEAN,
)
from simengine.facts.trace import Decisive
from simengine.scenario.action_words import inside
from simengine.verdict.presence import Spans, joined, length, within
from simengine.verdict.sentence import listed
from simengine.verdict.words import brokers
from simengine.why.copies import holders, how_it_went, without_a_copy
from simengine.why.election_words import election, was_asked
from simengine.why.evidence import Evidence, Seen
from simengine.why.instead import instead
from simengine.why.isr_words import elr_change, isr_change
from simengine.why.link import ACKED, CUT, ELECTION, FAULT, ISR, LOST, MISSING, SETTING, Link
from simengine.why.losses import Loss, acks_of, alike, at_one_moment, last_of
from simengine.why.missing import left_isr, lost_while_down, obstacle
from simengine.why.past import Past
from simengine.why.sentences import Clause, Words, acks_word, offsets
from simengine.why.settings import Settings

STEPS_MAX: Final = 8  # changes of one kind told between the acknowledgement and the loss


class Chain:
    """Tells one loss."""

    def __init__(self, loss: Loss, past: Past, evidence: Evidence, words: Words, settings: Settings) -> None:
        self.loss = loss
        self.past = past
        self.evidence = evidence
        self.words = words
        self.settings = settings
        self.name = words.partition(loss.p)
        self.lost_seq = loss.facts[0].seq
        cause = past.fact(loss.cause)
        self.went = cause if isinstance(cause, Truncated | ReplicaGone) else None  # the last copy
        # None: the first leader lost them itself, in its first epoch; or nobody led
        self.election = cause if isinstance(cause, PartitionChanged) else None
        self.led = past.activation(loss.p, self._last_epoch(), self.lost_seq + 1)
        self.winner = self._winner()
        activation = past.activation(loss.p, loss.epoch, self.lost_seq)
        self.author = activation.broker if activation is not None else -1
        self.acks = acks_of(loss, evidence)
        self._links: dict[tuple[int, str], Link] = {}  # by moment and text: a cut is a fact in each direction

    def _last_epoch(self) -> int:
        """The leader epoch in which they were lost."""
        return self.election.epoch if self.election is not None else self.loss.epoch

    def _winner(self) -> int:
        """The broker that led without them."""
        if self.election is not None:
            return self.election.leader
        return self.led.broker if self.led is not None else -1

    def links(self, decision: Decision | None) -> list[Link]:
        """The whole chain in order of time; ``decision``: the action without which the topic loses nothing."""
        first = self.acks[0] if self.acks else None
        if first is not None:
            self._acknowledged()
        if self.went is not None:
            self._copies_went(self.went, first)
        elif first is not None:
            self._why_missing()
        if self.election is not None:
            self._isr_story(first.seq if first is not None else self.lost_seq, self.election)
            self._leaderships(self.election)
        if self.went is None and self._last_epoch() == self.loss.epoch:
            self._led_again()
        self._lost()
        self._cut_off()
        if decision is not None:
            self._decided(decision, first.seq if first is not None else self.lost_seq)
        return sorted(self._links.values(), key=lambda link: (link.t, link.seq))

    # -- links

    def _add(self, fact: Decisive | Seen, role: str, text: str, rules: tuple[str, ...]) -> None:
        action, action_t = "", -1
        if isinstance(fact, Decisive) and role in (MISSING, SETTING, FAULT):
            done = self.past.action(fact)
            if done is not None:
                action, action_t = done.text, done.t
                text += "" if self.words.says(fact, done) else f" ({inside(done.text, self.words.node)})"
        self._links.setdefault((fact.t, text), Link(fact.seq, fact.t, role, text, rules, action, action_t))

    def _add_clause(self, fact: Decisive, role: str) -> None:
        text, rules = self.words.clause(fact)
        done = self.past.action(fact)
        is_end = isinstance(fact, ProcessChanged) and fact.state == PROCESS_DOWN
        if isinstance(fact, ProcessChanged) and is_end and done and done.text.startswith("stop "):
            text, rules = f"{self.words.node(fact.node)} had stopped", ("SHUT-3",)
        self._add(fact, role, text, rules)

    # -- acknowledged

    def _fresh(self) -> list[Seen]:
        """Answers that the leader gave before somebody else, or nobody, was to lead."""
        to = self.election or self.went
        changes = self.past.leader_changes(self.loss.p, self.loss.epoch, to) if to else []
        end = next((fact.seq for fact in changes if fact.leader != self.author), self.lost_seq)
        return [ack for ack in self.acks if ack.seq < end]

    def _stale(self) -> list[Seen]:
        """Answers that it gave after that."""
        return self.acks[len(self._fresh()) :]

    def _acknowledged(self) -> None:
        """Who answered, in which mode, on how many copies; a former leader that still answers gets its own link."""
        fresh, stale = self._fresh(), self._stale()
        if fresh:
            self._set_acks(fresh[0])
        for acks in alike(fresh, self._copies, STEPS_MAX):
            how, rules = self._copies(acks[0])
            self._add(acks[0], ACKED, f"broker {self.author} acknowledged {self._told(acks)}: {how}", rules)
        for acks in alike(stale, self._responder, STEPS_MAX):
            self._add(acks[0], ACKED, *self._late(acks))

    def _responder(self, ack: Seen) -> int:
        """Who responded: not always who led in the epoch that wrote the records."""
        return self.evidence.responders.get(ack.seq, self.author)

    def _late(self, acks: list[Seen]) -> Clause:
        """Responses after another was to lead: of the former leader, or of a later one to a retry (IDEM-3)."""
        responder = self._responder(acks[0])
        if responder != self.author:
            text = f"broker {responder} acknowledged {self._told(acks)}: it had the batch from broker {self.author}"
            return f"{text} and knew the retry", ("IDEM-3",)
        text = f"broker {self.author}, which still took itself for the leader, acknowledged {self._told(acks)}"
        return text, ("LIVE-5", "PROD-4" if self.loss.acks >= 0 else "PROD-6")

    def _told(self, acks: list[Seen]) -> str:
        """Which of the lost records, to whom, in which mode, and how long it went on."""
        pairs = [part for ack in acks for part in within(self.loss.gaps, ack.records.base, ack.records.end)]
        clients = listed(sorted({self.words.client(ack.who) for ack in acks}))
        which = f"{offsets(pairs)} of {self.name} to {clients} with acks={acks_word(self.loss.acks)}"
        return f"{which}{last_of(acks)}"

    def _copies(self, ack: Seen) -> tuple[str, tuple[str, ...]]:
        """On how many copies an answer stood."""
        if self.loss.acks >= 0:
            return "it answers after its own write", ("PROD-4",)
        isr = sorted(self.past.isr_of_leader(self.author, self.loss.p, ack.seq))
        least = self.settings.number(self.words.topic_of(self.loss.p), "min.insync.replicas", ack.seq)
        if len(isr) == 1:
            return f"it was alone in its ISR, and min.insync.replicas is {least}", ("PROD-6", "HW-1")
        return f"all of the ISR, {brokers(isr)}, had them", ("PROD-6", "HW-1")

    def _set_acks(self, ack: Seen) -> None:
        """The mode was chosen by somebody during the run: a setting of the chain."""
        fact = self.past.newest(ClientChanged, ack.seq, lambda f: f.client == ack.who)
        done = self.past.action(fact)
        if fact is not None and done is not None and done.text.startswith("acks "):
            self._add_clause(fact, SETTING)

    # -- why the later leader did not have them

    def _why_missing(self) -> None:
        """What kept them from the later leader when they were acknowledged, else when the leadership ended."""
        if (had := self.evidence.had(self.winner, self.loss.records, self.lost_seq)) is not None:
            self._lost_its_copy(had)
            self._not_again()
            return
        moments = [ack.seq for ack in self._fresh()[-1:]]
        changes = self.past.leader_changes(self.loss.p, self.loss.epoch, self.election) if self.election else []
        moments += [fact.cause for fact in changes[:1]]
        fact = obstacle(self.past, self.winner, self.author, moments)
        if fact is not None:
            self._add_clause(fact, MISSING)

    def _copies_went(self, last: Truncated | ReplicaGone, first: Seen | None) -> None:
        """What kept others from having a copy, how each copy went, and the changes of ISR and leader up to the last."""
        held = holders(self.evidence, self.loss)
        for broker in without_a_copy(self.past, self.loss.p, held, last)[:STEPS_MAX]:
            fact = obstacle(self.past, broker, self.author, [ack.seq for ack in self._fresh()[-1:]])
            if fact is not None:
                self._add_clause(fact, MISSING)
        for broker in held:
            went = how_it_went(self.past, self.evidence, self.loss, broker, last)
            if isinstance(went, ReplicaGone):
                self._add(went, MISSING, f"broker {broker} deleted its copy of {self.name}", ("REA-4",))
            elif isinstance(went, Truncated):
                self._cut_before(went)
                self._down(went)
        if first is not None:
            for fact in self.past.isr_changes(self.loss.p, first.seq, last.seq)[:STEPS_MAX]:
                self._left(fact)
            self._leaderships(last)

    def _down(self, cut: Truncated) -> None:
        """What had ended the process of a broker whose log was gone, or shorter, when it came back."""
        if self.past.process(cut.broker, cut.seq)[0] == PROCESS_DOWN:
            fact = self.past.fell_silent(cut.broker, cut.seq)
            if fact is not None:
                self._add_clause(fact, FAULT)

    def _not_again(self) -> None:
        """What kept the later leader from fetching them anew until the one was gone that it could have them from."""
        if self.election is not None and (led := self.past.leader_before(self.election)) != self.winner:
            fact = obstacle(self.past, self.winner, led, [self.election.cause])
            if fact is not None:
                self._add_clause(fact, MISSING)

    def _lost_its_copy(self, had: Seen) -> None:
        """The later leader had the records and has them no more: it cut them off, or came back without them."""
        low = min(base for base, _ in self.loss.gaps)
        cuts = [
            fact
            for fact in self.past.of(Truncated)
            if had.seq < fact.seq < self.lost_seq
            and (fact.broker, fact.p) == (self.winner, self.loss.p)
            and fact.old > low
        ]
        for fact in cuts:
            self._cut_before(fact)
        if not cuts:
            back = self.past.newest(
                ProcessChanged, self.lost_seq, lambda f: f.node == self.winner and f.state == PROCESS_STARTING
            )
            if back is not None and back.seq > had.seq:
                self._add(back, MISSING, f"broker {self.winner} came back without them", ("LOG-10",))

    def _cut_before(self, fact: Truncated) -> None:
        """A broker lost the end of its log: to a power loss, or by truncating."""
        broker, end, cause = fact.broker, fact.new, self.past.fact(fact.cause)
        if isinstance(cause, ProcessChanged):
            self._add_clause(cause, MISSING)
        lost = lost_while_down(fact, self.past, self.words)
        if lost is not None:
            self._add(fact, MISSING, *lost)
            return
        where = f"its own high watermark, {end}" if self.settings.is_legacy else f"{end}"
        text = f"broker {broker} cut its log of {self.name} off at {where}"
        self._add(fact, CUT, text, self.settings.truncation_rules())

    # -- how the ISR let it lead

    def _isr_story(self, acked: int, election: PartitionChanged) -> None:
        """When the later leader left the ISR for the last time, and each change of the ISR after the answer."""
        left = left_isr(self.past, self.loss.p, self.winner, election.seq)
        if left is not None:
            self._left(left)
        if self.winner not in self.past.isr(self.loss.p, election.seq):
            self._added(election, left.seq if left is not None else 0)
        changes = self.past.isr_changes(self.loss.p, acked, election.seq)
        for fact in changes[:STEPS_MAX]:
            self._left(fact)
        if election.election in (ELECTION_LAST_KNOWN, ELECTION_UNCLEAN):
            self._elr_story(acked, election, {fact.seq for fact in changes})

    def _elr_story(self, acked: int, election: PartitionChanged, told: set[int]) -> None:
        """What emptied the ELR: the last known leader was let lead, or only an unclean election gave a leader."""
        is_unclean = election.election == ELECTION_UNCLEAN
        for fact, gone in self.past.elr_losses(self.loss.p, election.seq + 1)[:STEPS_MAX]:
            is_forgotten = fact.reason == REASON_CONFIG and acked < fact.seq < election.seq
            if fact.seq not in told and (is_forgotten or not is_unclean):
                self._cause_of(fact)
                self._add(fact, ISR, *elr_change(fact, gone, self.name))

    def _added(self, election: PartitionChanged, left: int) -> None:
        """A reassignment brought the later leader, which has not been in the ISR since: its place alone let it lead."""
        fact = self.past.added(self.loss.p, self.winner, election.seq)
        if fact is not None and fact.seq > left and election.election == ELECTION_UNCLEAN:
            of = "of which an unclean election takes the first that is active"
            text = f"broker {self.winner} became a replica of {self.name}, now on {brokers(fact.replicas)}, {of}"
            self._add(fact, SETTING, text, ("REA-1", "UNC-4"))

    def _left(self, fact: PartitionChanged) -> None:
        """An ISR that lost or gained members by a commit, what that goes back to, and whom the commit elected."""
        self._cause_of(fact)
        text, rules = isr_change(fact, self.past.isr(self.loss.p, fact.seq), self.name)
        self._add(fact, ISR, text, rules)
        if fact.election != ELECTION_NONE:
            self._elected(fact)

    # -- leaderships

    def _led_again(self) -> None:
        """Nobody else was elected: the leader itself came back without them, before its session had ended (REG-5)."""
        fact = self.past.fell_silent(self.winner, self.lost_seq)
        if fact is not None:
            self._add_clause(fact, FAULT)

    def _leaderships(self, last: Decisive) -> None:
        """What ended the leadership that acknowledged, and every leadership up to the fact that decided."""
        changes = self.past.leader_changes(self.loss.p, self.loss.epoch, last)
        if len(changes) > STEPS_MAX:
            changes = [*changes[: STEPS_MAX - 1], changes[-1]]
        for fact in changes:
            self._cause_of(fact)
            self._elected(fact)

    def _cause_of(self, fact: PartitionChanged) -> None:
        """What a commit goes back to: a fault, or that somebody asked for an unclean election."""
        cause = self.past.fact(fact.cause)
        if cause is None:
            return
        if fact.reason == REASON_UNCLEAN:
            self._add(cause, SETTING, self.words.clause(cause)[0], ("UNC-3",))
        else:
            self._add_clause(cause, FAULT)

    def _elected(self, fact: PartitionChanged) -> None:
        """Whom a commit elected, or that it found nobody."""
        self._unclean_setting(fact)
        topic = self.words.topic_of(self.loss.p)
        self._add(fact, ELECTION, *election(fact, self.past, self.settings, topic, self.name))

    def _unclean_setting(self, fact: PartitionChanged) -> None:
        """Unclean election was switched on during the run: a setting of the chain."""
        if fact.election != ELECTION_UNCLEAN or was_asked(self.past, fact):
            return
        topic = self.words.topic_of(self.loss.p)
        on = self.past.newest(
            ConfigChanged,
            fact.seq,
            lambda f: f.topic in (topic, -1) and f.text == "unclean.leader.election.enable=true",
        )
        if on is not None:
            self._add(on, SETTING, self.words.clause(on)[0], ("UNC-2",))

    # -- lost

    def _lost(self) -> None:
        for facts in at_one_moment(self.loss.facts, STEPS_MAX):
            told = joined([(fact.base, fact.base + fact.count) for fact in facts])
            pairs = [part for base, end in self.loss.gaps for part in within(told, base, end)]
            verb = "is" if length(pairs) == 1 else "are"
            which = f"{offsets(pairs)}, written in epoch {self.loss.epoch}, {verb} lost{last_of(facts)}"
            if self.went is not None:
                them = "it" if length(pairs) == 1 else "them"
                rule = "REA-4" if isinstance(self.went, ReplicaGone) else "STATE-7"
                self._add(facts[0], LOST, f"{which}: no broker has {them} in its log or on its disk any more", (rule,))
                continue
            why, rules = self._instead(pairs, facts)
            self._add(facts[0], LOST, f"{which}: the leader's log, broker {self.winner}'s, {why}", rules)

    def _instead(self, lost: Spans, facts: list[RecordsLost]) -> Clause:
        """What the leader's log has in their place."""
        if self.led is None:
            return "does not have them", ("TRUNC-6",)
        return instead(self.led, lost, facts, self.evidence)

    def _cut_off(self) -> None:
        """The copies that were left are cut off, once for each broker; a process that is down cuts nothing (LOG-8)."""
        low = min(base for base, _ in self.loss.gaps)
        told: list[int] = []
        for fact in self.past.of(Truncated):
            broker, p, old, new = fact.broker, fact.p, fact.old, fact.new
            if fact.seq < self.lost_seq or p != self.loss.p or broker in told or not new <= low < old:
                continue
            had = self.evidence.had(broker, self.loss.records, fact.seq)
            if had is None or self.past.process(broker, fact.seq)[0] == PROCESS_DOWN:
                continue
            told.append(broker)
            text = f"broker {broker} cut off its copy, {offsets([(new, old)])} of {self.name}, to follow the new leader"
            self._add(fact, CUT, text, self.settings.truncation_rules())

    # -- what decided it

    def _decided(self, decision: Decision, acked: int) -> None:
        """What decided it, where nothing else goes back to that: a member was out of the ISR for it, or it alone."""
        acts = [fact for fact in self.past.of(ActionDone) if fact.text == decision.text]
        done = next((fact for fact in acts if fact.t == decision.at_us), None)
        if done is None or self._is_told(done):
            return
        p, isr = self.loss.p, self.past.isr(self.loss.p, acked)
        for fact in self.past.isr_changes(p, 0, acked):
            left = set(self.past.isr(p, fact.seq)).difference(fact.isr, isr)
            if left and self.past.action(fact) is done:
                self._left(fact)
        if not self._is_told(done):
            self._add(done, FAULT, inside(done.text, self.words.node), ())

    def _is_told(self, done: ActionDone) -> bool:
        """Whether some link goes back to what was done."""
        return any((link.action, link.action_t) == (done.text, done.t) for link in self._links.values())
