"""What became of one record that was sent with acks=0 and is in no leader's log, as links of a chain.

Nobody answers such a record (PROD-4, PC-9), so no call fails and no retry follows. It was written by a leader, and then
a broker led that did not have it; or a broker that no longer led, or did not know yet that it leads, refused it and
closed the connection; or it was on its way to a process that was gone or hung, over a connection that a restarted host
no longer knew, or over a link that was cut.
"""

from itertools import pairwise
from typing import Any, Final

from simengine.facts.decisive import (
    ClientChanged,
    FollowerStarted,
    LeaderActivated,
    MessageHandled,
    PartitionChanged,
    ProcessChanged,
    ReplicaGone,
    Truncated,
)
from simengine.facts.kinds import (
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_NONE,
    ELECTION_UNCLEAN,
    HAND_DELIVERS,
    PROCESS_DOWN,
    PROCESS_PAUSED,
    PROCESS_STARTING,
    REASON_PREFERRED,
)
from simengine.facts.trace import Decisive
from simengine.kafka.broker import SLOW_RESUME_FOR_US
from simengine.scenario.action_words import clauses
from simengine.why.isr_words import isr_change
from simengine.why.missing import left_isr, lost_while_down, obstacle
from simengine.why.past import Past
from simengine.why.sentences import Clause, Words
from simengine.why.settings import Settings
from simengine.why.vanished_seen import Call, Copy, Sent

END: Final = 1 << 62
NOBODY: Final = -1
STEPS_MAX: Final = 8  # changes of the leader told before the one that went without it
_HOW: Final[dict[int, Clause]] = {
    ELECTION_ELR: (", out of the ELR", ("ELR-4",)),
    ELECTION_LAST_KNOWN: (", as the last known leader, in neither ISR nor ELR", ("ELR-6", "ELEC-5")),
    ELECTION_UNCLEAN: (", though not in the ISR", ("UNC-4", "ELEC-5")),
}

Json = dict[str, Any]


class Story:
    """Tells one record; ``actions``: the facts of what somebody did that its links name."""

    def __init__(
        self, past: Past, words: Words, settings: Settings, call: Call, sent: Sent, copies: list[Copy]
    ) -> None:
        self._client, self._p, _ = call
        self._past = past
        self._words = words
        self._settings = settings
        self._name = words.partition(self._p)
        self._sent = sent
        self._copies = copies
        self._links: dict[tuple[int, str], Json] = {}  # by moment and text: one action may have hit many copies
        self.actions: set[int] = set()

    def links(self) -> list[Json]:
        """What happened, with its rules and moments."""
        if self._copies:
            self._written(self._copies[0])
        else:
            self._never_written()
        return list(self._links.values())

    # -- it was written

    def _written(self, first: Copy) -> None:
        """A leader wrote it, and it is in no later leader's log: who led without it, who lost it and how."""
        known = self._past.election(self._p, first.seq)
        leader = known.leader if known is not None else first.broker
        who = f"broker {first.broker}{', which still took itself for the leader,' if leader != first.broker else ''}"
        text = f"{who} wrote it to its log of {self._name}; acks=0 waits for no other copy"
        rules = ("PROD-4",) if leader == first.broker else ("LIVE-5", "PROD-4")
        self._add(first.seq, first.t, "written", text, rules)
        acts = self._led_without(first)
        if known is not None and leader != first.broker:
            self._elected(known, "")
        if acts is not None and leader in (first.broker, NOBODY):
            self._why_missing(acts, first)
            self._led(acts, first)
        for fact in self._past.of(Truncated):
            if fact.p == self._p and self._lost_by(fact):
                self._cut_off(fact, acts.seq if acts is not None else END)

    def _why_missing(self, acts: LeaderActivated, first: Copy) -> None:
        """Why the broker that led later had it not: what kept it from fetching, and when it had left the ISR."""
        broker, election = acts.broker, self._past.election(self._p, acts.seq)
        if election is None or election.seq < first.seq:
            return
        if any(copy.broker == broker for copy in self._copies):  # lost since: what kept it from having it again
            source, moments = self._past.leader_before(election), [election.cause]
        else:
            ended = self._past.next_of(PartitionChanged, first.seq, self._is_election)
            source, moments = first.broker, [first.seq, *([ended.cause] if ended is not None else [])]
        self._cause(obstacle(self._past, broker, source, moments) if source != broker else None)
        left = left_isr(self._past, self._p, broker, election.seq)
        if left is not None:
            self._cause(left)
            text, rules = isr_change(left, self._past.isr(self._p, left.seq), self._name)
            self._add(left.seq, left.t, "isr", text, rules)

    def _is_election(self, fact: PartitionChanged) -> bool:
        return fact.p == self._p and fact.election != ELECTION_NONE

    def _led(self, acts: LeaderActivated, first: Copy) -> None:
        """A broker led without it: by an election after it was written, else it came back so."""
        election = self._past.election(self._p, acts.seq)
        if election is not None and election.seq > first.seq:
            for fact in self._between(first, election):
                self._elected(fact, "")
            self._elected(election, " without it")
        else:
            text = f"broker {acts.broker} led {self._name} again without it, still in epoch {acts.epoch}"
            self._add(acts.seq, acts.t, "election", text, ("REG-5",))

    def _between(self, first: Copy, election: PartitionChanged) -> list[PartitionChanged]:
        """The changes of the leader from the one that wrote it up to an election, without that."""
        wrote = self._past.newest(LeaderActivated, first.seq, lambda f: f.broker == first.broker and f.p == self._p)
        epoch = wrote.epoch if wrote is not None else election.epoch
        changes = self._past.leader_changes(self._p, epoch, election)
        return [fact for fact in changes if fact is not election and self._is_election(fact)][:STEPS_MAX]

    def _led_without(self, first: Copy) -> LeaderActivated | None:
        """The first broker that led, in the epoch that was committed then, with a log that had it not."""
        for fact in self._past.of(LeaderActivated):
            if fact.seq > first.seq and fact.p == self._p and not self._has(fact.broker, fact.seq):
                committed = self._past.registration(self._p, fact.seq)
                if committed is None or fact.epoch >= committed.epoch:
                    return fact
        return None

    def _has(self, broker: int, before: int) -> bool:
        """Whether a broker's log had it."""
        own = [copy for copy in self._copies if copy.broker == broker and copy.seq < before]
        if not own:
            return False
        gone = self._past.newest(ReplicaGone, before, lambda f: f.broker == broker and f.p == self._p)
        cut = self._past.newest(Truncated, before, lambda f: f.broker == broker and f.p == self._p and self._is_cut(f))
        return all(fact is None or fact.seq < own[-1].seq for fact in (gone, cut))

    def _is_cut(self, fact: Truncated) -> bool:
        return fact.new <= self._copies[0].offset < fact.old

    def _lost_by(self, fact: Truncated) -> bool:
        """Whether a broker's log had it before a truncation, and never again."""
        broker = fact.broker
        later = any(copy.broker == broker and copy.seq > fact.seq for copy in self._copies)
        return self._is_cut(fact) and not later and self._has(broker, fact.seq)

    def _cut_off(self, fact: Truncated, led_without: int) -> None:
        """A log that lost it: with the power, with its disk, or cut off to follow the leader.

        The first two befall a process that is down, and count as causes before somebody led without it.
        """
        broker, end = fact.broker, fact.new
        lost = lost_while_down(fact, self._past, self._words)
        if lost is None:
            text = f"broker {broker} cut it off its log of {self._name}, which ends at {end}"
            lost = text, self._settings.truncation_rules()
        elif fact.seq < led_without:
            self._cause(fact)
        self._add(fact.seq, fact.t, "truncated", *lost)

    # -- it was not written

    def _never_written(self) -> None:
        """It was on its way, or refused: what was true of the broker and the link then."""
        if self._sent.arrive < 0:
            self._never_arrived()
            return
        at, broker = self._sent.arrive, self._sent.dst
        dst, before = f"broker {broker}", self._past.after(at)
        died = self._died_since(before)
        state, process = self._past.process(broker, before)
        if died is not None:
            self._cause(died)
            text = f"it came to {dst}, which had been started again: its host did not know the connection any more"
            self._bytes(at, f"{text} and reset it", ("TCP-1", "FLT-3", "PROD-4"))
        elif state == PROCESS_DOWN:
            self._cause(process)
            self._bytes(at, f"it came to {dst}, where no process listened", ("FLT-3", "PROD-4"))
        elif state == PROCESS_PAUSED:
            self._cause(process)
            self._lay_in_a_socket(before, at, dst)
        else:
            self._refused(before, at, dst)

    def _lay_in_a_socket(self, before: int, at: int, dst: str) -> None:
        """It came to a process that hung, which read it when it went on, if it did."""
        later = self._past.next_of(ProcessChanged, before, lambda f: f.node == self._sent.dst)
        if later is None or later.state == PROCESS_DOWN:
            where = f"it lay in the socket of {dst}, whose process hung: nobody wrote it there"
            self._bytes(at, where, ("FLT-2", "PROD-4"))
        else:
            self._cause(later)
            self._refused(later.seq + 1, later.t, dst)

    def _died_since(self, before: int) -> ProcessChanged | None:
        """How the process ended that had the connection, if another was started before it came.

        A producer that sent nothing meanwhile has not noticed where nobody was there, or able, to reset it (PC-7).
        """
        broker, client = self._sent.dst, -1 - self._client
        started = self._past.newest(ProcessChanged, before, lambda f: f.node == broker and f.state == PROCESS_STARTING)
        if started is None:
            return None
        died = self._past.newest(ProcessChanged, started.seq, lambda f: f.node == broker and f.state == PROCESS_DOWN)
        if died is None or started.seq > self._sent.since:
            return died
        done = self._past.action(died)
        was_silent = done is not None and done.text.startswith("power-loss ")
        was_silent = was_silent or self._past.link(client, broker, died.seq) is not None
        return died if was_silent and 0 < self._sent.last < died.seq else None

    def _never_arrived(self) -> None:
        """A link was cut, or the broker's host was dark, or somebody took it out of the air."""
        at, broker = self._sent.stuck, self._sent.dst
        dst, before = f"broker {broker}", self._past.after(at)
        hand = self._past.newest(MessageHandled, END, lambda f: f.flight == self._sent.seq and f.how != HAND_DELIVERS)
        cut = self._past.link(-1 - self._client, broker, before)
        state, process = self._past.process(broker, before)
        if hand is not None:
            self._cause(hand)
            self._add(hand.seq, hand.t, "vanished", f"it was taken out of the air on its way to {dst}", ("PROD-4",))
        elif cut is not None:
            self._cause(cut)
            self._bytes(at, f"it was sent to {dst} over a link that lets nothing through", ("FLT-4", "PROD-4"))
        elif state == PROCESS_DOWN:
            self._cause(process)
            self._bytes(at, f"it was sent to {dst}, whose host was dark: nobody took it", ("PC-7", "PROD-4"))
        else:
            where = "when the connection was lost" if self._sent.is_dropped else "and has not come there"
            self._bytes(at, f"it was on its way to {dst} {where}", ("PROD-4",))

    def _refused(self, before: int, at: int, dst: str) -> None:
        """The broker had it and would not write it."""
        broker, election = self._sent.dst, self._past.election(self._p, before)
        if election is None or self._leads(before):
            self._not_taken_up(before, at, dst)
            return
        self._elected(election, "")
        how = "refused it (NOT_LEADER_OR_FOLLOWER) and closed the connection"
        if election.leader == broker:
            led = (f for f in self._past.of(LeaderActivated) if self._is_own(f) and f.epoch == election.epoch)
            acts = next(led, None)
            knew = "had not learned" if acts is None else f"learned only at {int(acts.t) / 1e6:.3f} s"
            text = f"{dst}, which {knew} that it leads, {how}"
        else:
            told = self._learned(before)
            knew = "" if told is None else f", which had learned at {int(told.t) / 1e6:.3f} s that it leads no more,"
            text = f"{dst}{knew} {how}: its producer still took it for the leader"
        self._bytes(at, text, ("PROD-1", "PROD-4"))

    def _not_taken_up(self, before: int, at: int, dst: str) -> None:
        """One that leads writes what it takes up: the connection was gone, or it was slow after it had hung (FLT-2)."""
        closed = self._closed(before)
        later = self._end_of_lead(before)
        if closed is not None or later is None or self._awake_us(at, later.t) > SLOW_RESUME_FOR_US:
            self._cause(closed)
            self._bytes(at, f"it was on its way to {dst} as the connection was closed", ("PROD-4",))
        elif isinstance(later, ProcessChanged):
            self._cause(later)
            where = f"it lay in the socket of {dst}, whose process ended before it took it up"
            self._bytes(later.t, where, ("FLT-3", "PROD-4"))
        else:
            hung = self._past.fell_silent(self._sent.dst, later.seq)
            if hung is not None and hung.state == PROCESS_PAUSED:
                self._cause(hung)
            election = self._deposed(later.seq)
            if election is not None:
                self._elected(election, "")
            knew = (
                f"{dst}, which took it up only when it had learned at {int(later.t) / 1e6:.3f} s that it leads no more"
            )
            how = "refused it (NOT_LEADER_OR_FOLLOWER) and closed the connection"
            self._bytes(later.t, f"{knew}, {how}", ("FLT-2", "PROD-1", "PROD-4"))

    def _awake_us(self, since: int, until: int) -> int:
        """For how long between two moments the broker's process was not paused."""
        changes = [fact.t for fact in self._past.of(ProcessChanged) if fact.node == self._sent.dst]
        awake = 0
        for start, end in pairwise([since, *(t for t in changes if since < t < until), until]):
            if self._past.process(self._sent.dst, self._past.after(start))[0] != PROCESS_PAUSED:
                awake += end - start
        return awake

    def _leads(self, before: int) -> bool:
        """Whether the broker took itself for the leader."""
        own = self._past.newest(LeaderActivated, before, self._is_own)
        return own is not None and self._end_of_lead(own.seq, before) is None

    def _is_own(self, fact: LeaderActivated | FollowerStarted | ReplicaGone) -> bool:
        return fact.broker == self._sent.dst and fact.p == self._p

    def _end_of_lead(self, after: int, before: int = END) -> FollowerStarted | ReplicaGone | ProcessChanged | None:
        """By what the broker ended to be a leader, from a number on and below another."""
        given_up = self._given_up(after, before)
        died = self._past.next_of(
            ProcessChanged, after, lambda f: f.node == self._sent.dst and f.state == PROCESS_DOWN, before
        )
        if given_up is None or died is None:
            return given_up or died
        return given_up if given_up.seq < died.seq else died

    def _given_up(self, after: int, before: int) -> FollowerStarted | ReplicaGone | None:
        """When the broker began to follow, or gave its replica up."""
        follows = self._past.next_of(FollowerStarted, after, self._is_own, before)
        gone = self._past.next_of(ReplicaGone, after, self._is_own, before)
        if follows is None or gone is None:
            return follows or gone
        return follows if follows.seq < gone.seq else gone

    def _closed(self, before: int) -> ClientChanged | None:
        """When its producer closed the connection, if it did: it was closed, it crashed, or was told its acks anew."""
        fact = self._past.newest(ClientChanged, before, lambda f: f.client == self._client)
        done = self._past.action(fact)
        is_its = done is not None and done.seq > self._sent.seq and done.verb in ("close", "crash", "acks")
        return fact if is_its else None

    def _learned(self, before: int) -> FollowerStarted | ReplicaGone | None:
        """When the broker began to follow after it had led, or gave its replica up (AP-7)."""
        led = self._past.newest(LeaderActivated, before, self._is_own)
        return None if led is None else self._given_up(led.seq, before)

    def _deposed(self, before: int) -> PartitionChanged | None:
        """The commit that gave its leadership to another broker, or to none."""
        led = self._past.newest(LeaderActivated, before, self._is_own)
        since = led.seq if led is not None else 0
        broker = self._sent.dst
        return self._past.next_of(
            PartitionChanged, since, lambda f: self._is_election(f) and f.leader != broker, before
        )

    # -- links

    def _elected(self, election: PartitionChanged, without: str) -> None:
        """A change of the leader, and what it goes back to."""
        self._cause(election)
        leader, epoch, reason, kind = election.leader, election.epoch, election.reason, election.election
        how, rules = _HOW.get(kind, ("", ("ELEC-3" if leader >= 0 else "ELEC-7",)))
        if reason == REASON_PREFERRED:
            how, rules = ", as the preferred leader", ("PREF-2",)
        text = f"broker {leader} became leader of {self._name} in epoch {epoch}{without}{how}"
        self._add(election.seq, election.t, "election", text if leader >= 0 else f"{self._name} lost its leader", rules)

    def _cause(self, fact: Decisive | None) -> None:
        """What somebody did that a fact goes back to; else the fact, which chance has brought about."""
        done = self._past.action(fact)
        if done is not None:
            self._add(done.seq, done.t, "fault", clauses(done.text, self._words.node), ())
            self.actions.add(int(done.seq))
        elif fact is not None and not isinstance(fact, PartitionChanged | Truncated):
            self._add(fact.seq, fact.t, "fault", *self._words.clause(fact))

    def _bytes(self, t: int, text: str, rules: tuple[str, ...]) -> None:
        self._add(self._sent.seq, t, "vanished", text, rules)

    def _add(self, seq: int, t: int, role: str, text: str, rules: tuple[str, ...]) -> None:
        self._links.setdefault((t, text), link(seq, t, role, text, rules))


def link(seq: int, t: int, role: str, text: str, rules: tuple[str, ...]) -> Json:
    """A link as JSON has it."""
    return {"seq": seq, "t": t, "role": role, "text": text, "rules": list(rules), "decides": False}
