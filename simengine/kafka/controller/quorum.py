"""The controller quorum, modelled as a replicated log with a commit delay and an elected active node (QUO-1..6).

Raft's own messages are left out: who can reach whom decides. A write commits after the append linger and a round trip
to a majority; without a majority it waits, and is lost if its author loses the leadership first. How long elections
take, and when a leader without a majority resigns, stands in ``quorum_timers.py``.

So a cluster that has lost a site goes on by two separate conditions: a majority of the controllers here, without which
nobody is elected (STR-2, STR-4), and M replicas in sync at each leader (``Partition.advance_hw``; STR-2, STR-3).
"""

from typing import final

from mypy_extensions import i64

from simengine.facts.decisive import (
    BrokerRegistration,
    ConfigChanged,
    ControllerChanged,
    TopicDeleted,
)
from simengine.facts.kinds import REASON_REASSIGNMENT
from simengine.facts.traffic import metadata_moved
from simengine.kafka.controller.active_control import ActiveControl
from simengine.kafka.controller.lone_candidates import LoneCandidates, VoteRequest
from simengine.kafka.controller.quorum_timers import QuorumTimers
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.shared.metadata import (
    CLUSTER_SETTINGS,
    REMOVE_TOPIC_RECORD,
    THIS_ONE,
    MetadataImage,
    Record,
    registered,
)
from simengine.kafka.wire.controller_api import ControllerChannel, ControllerRequest, ControllerServer
from simengine.kernel.calendar import Event
from simengine.kernel.network import Network
from simengine.kernel.sim import Sim
from simengine.kernel.site import Site


@final
class Controller(ControllerServer):
    """A controller process. ``control`` is set while it takes itself for the active one.

    ``held``: records of the metadata log that it had at the last commit it heard of; ``loaded``: those that it found
    when its process started.
    """

    __slots__ = ("boots", "control", "held", "loaded", "pending_boot", "quorum", "stopping", "why")

    def __init__(self, sim: Sim, node_id: i64, rack: str, site: Site) -> None:
        super().__init__(sim, node_id, site.prefix + "controller " + str(int(site.kafka_id(node_id))), rack, site)
        self.control: ActiveControl | None = None
        self.quorum: Quorum | None = None
        self.why: i64 = 0
        self.stopping: bool = False
        self.pending_boot: bool = False
        self.boots: i64 = 0  # how many processes were begun, or ended while they booted
        self.held: i64 = 0
        self.loaded: i64 = 0

    def handle(self, channel: ControllerChannel, request: ControllerRequest) -> None:
        """A request has reached this process."""
        control = self.control
        quorum = self.quorum
        assert quorum is not None
        if control is None:
            quorum.refuse(channel, request)
        else:
            control.handle(channel, request)


class QuorumHooks:
    """The quorum's interface to the layer above: the logic of an active controller."""

    def activate(self, controller: Controller) -> ActiveControl:
        """The state machine of a newly active controller, built from the committed image."""
        raise AssertionError("no control")

    def refuse(self, channel: ControllerChannel, request: ControllerRequest, hint: i64) -> None:
        """Answer NOT_CONTROLLER."""

    def fencing_decided(self, broker: i64, now: i64) -> None:
        """The active controller decided to fence a silent broker."""

    def heard(self, broker: i64, now: i64) -> None:
        """The active controller noted a heartbeat."""

    def voters_changed(self) -> None:
        """A voter, or a link between voters, was lost or came back."""

    def proposal_answered(self, broker: i64, p: i64, error: i64) -> None:
        """An active controller answered AlterPartition (partition -1: the whole request)."""

    def committed(self, record: Record) -> None:
        """A record was committed."""

    def batch_committed(self, records: list[Record]) -> None:
        """All records of one write were committed."""


@final
class Quorum:
    """The metadata log and its voters."""

    __slots__ = (
        "_elect_serial",
        "_election_at",
        "_outdated",
        "_resign_serial",
        "active",
        "candidates",
        "config",
        "epoch",
        "hooks",
        "image",
        "log",
        "min_insync_facts",
        "net",
        "sim",
        "site",
        "timers",
        "voters",
    )

    def __init__(
        self, net: Network, config: ClusterConfig, voters: list[Controller], hooks: QuorumHooks, site: Site
    ) -> None:
        self.sim: Sim = net.sim
        self.net = net
        self.site = site
        self.config = config
        self.voters = voters
        self.hooks = hooks
        self.log: list[Record] = []
        self.image: MetadataImage = MetadataImage()
        self.active: Controller | None = None
        self.epoch: i64 = 0
        self.min_insync_facts: dict[int, int] = {}  # by scope (topic, -1, -2 - broker): when it was set last
        self.timers: QuorumTimers = QuorumTimers(net.sim, config, site)
        self._elect_serial: i64 = 0
        self._election_at: i64 = -1  # when the election under way ends; -1: none
        self._resign_serial: i64 = 0
        self.candidates: LoneCandidates = LoneCandidates(config.quorum_fetch_timeout_us)
        self._outdated: Controller | None = None  # whose request ended the last leadership: its log is behind
        for voter in voters:
            voter.quorum = self

    # -- reachability

    def _alive(self, voter: ControllerServer) -> bool:
        return voter.up and not voter.paused

    def reaches_majority(self, voter: Controller) -> bool:
        """True if the voter and those it can talk to are more than half of all voters."""
        if not self._alive(voter):
            return False
        count = 1
        for other in self.voters:
            if other is voter or not self._alive(other):
                continue
            if not self.net.is_cut(voter, other) and not self.net.is_cut(other, voter):
                count += 1
        return 2 * count > len(self.voters)

    def commit_delay(self, voter: Controller) -> i64:
        """Linger of the append, then the round trip to the slowest member of the fastest majority (QUO-1)."""
        linger = self.timers.stream.between(0, self.config.append_linger_us)
        trips: list[int] = []
        for other in self.voters:
            if other is voter or not self._alive(other):
                continue
            trips.append(self.net.latency(voter, other) + self.net.latency(other, voter))
        needed = len(self.voters) // 2
        if needed == 0 or not trips:
            return linger + 1000
        trips.sort()
        return linger + trips[min(needed, len(trips)) - 1]

    # -- leadership

    def start(self, first: Controller) -> None:
        """Make a voter the active controller at time 0; where no majority runs, it gives up like any other (QUO-3)."""
        self._activate(first, 0)
        if not self.reaches_majority(first):
            self.reconsider(False)

    def reconsider(self, clean_stop: bool, is_back: bool = False) -> None:
        """A voter or a link between voters changed: does the active controller still lead?

        ``is_back``: a voter came back; who missed its vote has been asking for it in rounds.
        """
        self.hooks.voters_changed()
        active = self.active
        if active is not None and active.control is None:
            self.active = None
            active = None
        if active is not None and self.reaches_majority(active):
            self._elect_serial += 1
            self._election_at = -1
            self._resign_serial += 1
            self.timers.led()
            control = active.control
            if control is not None:
                control.retry_commits()
            self._look_for_candidates(active, False)
            return
        self.timers.lost(clean_stop and active is None)
        if active is not None and self._alive(active):
            self._resign_serial += 1
            self.sim.after(self.timers.resignation_us(), Resignation(self, active, self._resign_serial))
        if is_back and self._election_at > self.sim.now:
            return
        self._elect_serial += 1
        self._election_at = -1
        if self._candidate() is not None:
            delay = self._election_delay(clean_stop, is_back)
            self._election_at = self.sim.now + delay
            self.sim.after(delay, QuorumElection(self, self._elect_serial))

    def _election_delay(self, clean_stop: bool, is_back: bool) -> i64:
        if is_back:
            return self.timers.vote_back_us()
        return self.timers.election_after_stop_us() if clean_stop else self.timers.election_us()

    def _candidate(self) -> Controller | None:
        able: list[Controller] = []
        for voter in self.voters:
            is_outdated = voter is self._outdated
            if voter is not self.active and not voter.stopping and not is_outdated and self.reaches_majority(voter):
                able.append(voter)
        if not able:
            return None
        return able[self.timers.stream.below(len(able))]

    def _look_for_candidates(self, active: Controller, is_new: bool) -> None:
        """Without Pre-Vote: which voters do not hear the active controller, or hear it again after too long?

        ``is_new``: it has just been elected; who does not hear it asks for votes again.
        """
        if self.config.pre_vote:
            return
        now = self.sim.now
        for voter in self.voters:
            if voter is active or not voter.up:
                self.candidates.ends(voter.id)
            elif self._hears(voter, active):
                if self.candidates.hears(voter.id, now):
                    self.sim.after(self.timers.vote_request_us(), VoteRequest(self, voter, True))
            elif self.candidates.lost(voter.id, now) or is_new:
                delay = self.candidates.patience_us(voter.id, now) + self.timers.vote_request_us()
                self.sim.after(delay, VoteRequest(self, voter, False))

    def vote_requested(self, voter: Controller) -> None:
        """A candidate's request, with a newer epoch, reaches the active controller or a voter that follows it."""
        active = self.active
        if active is None or active.control is None or not self._reaches_quorum(voter, active):
            return
        active.why = voter.why
        self.depose(active)
        self.timers.lost(False)
        self._outdated = voter
        self._elect_serial += 1
        delay = self.timers.election_after_vote_us(len(self.voters) - 1)
        self._election_at = self.sim.now + delay
        self.sim.after(delay, QuorumElection(self, self._elect_serial))

    def _reaches_quorum(self, voter: Controller, active: Controller) -> bool:
        for other in self.voters:
            if other is not voter and self._hears(voter, other) and self._alive(other):
                if other is active or self._hears(other, active):
                    return True
        return False

    def elect(self) -> None:
        """A candidate collects the votes of a majority."""
        self._election_at = -1
        active = self.active
        if active is not None and active.control is not None and self.reaches_majority(active):
            return
        winner = self._candidate()
        if winner is not None:
            self._activate(winner, winner.why)

    def _activate(self, winner: Controller, cause: i64) -> None:
        self.epoch += 1
        self.active = winner
        self._outdated = None
        self.timers.led()
        self.sim.trace.state(ControllerChanged(cause, controller=winner.id, epoch=self.epoch))
        outdated = winner.control
        if outdated is not None:
            outdated.close()
        winner.control = self.hooks.activate(winner)
        for voter in self.voters:
            if voter is not winner and voter.control is not None and self._hears(voter, winner):
                self.depose(voter)
        self._look_for_candidates(winner, True)

    def _hears(self, voter: ControllerServer, winner: Controller) -> bool:
        return self._alive(voter) and not self.net.is_cut(winner, voter) and not self.net.is_cut(voter, winner)

    def depose(self, voter: Controller) -> None:
        """A controller learns that it no longer leads: what it had not got committed is gone."""
        control = voter.control
        if control is None:
            return
        voter.control = None
        control.close()
        if self.active is voter:
            self.active = None
            self.sim.trace.state(ControllerChanged(voter.why, controller=self.site.nobody(), epoch=self.epoch))

    def voter_left(self, voter: Controller, clean: bool) -> None:
        """A voter's process died or was paused."""
        if not voter.paused:
            control = voter.control
            voter.control = None
            if control is not None:
                control.close()
            if self.active is voter:
                self.active = None
                self.sim.trace.state(ControllerChanged(voter.why, controller=self.site.nobody(), epoch=self.epoch))
        self.reconsider(clean)

    def voter_back(self, voter: Controller) -> None:
        """A voter's process started, or was resumed.

        Another was elected while it was paused: it learns so, or its own timer has run out meanwhile (QUO-3).
        """
        self.depose_outdated(voter)
        if voter is not self.active:
            self.depose(voter)
        self.reconsider(False, True)

    def depose_outdated(self, voter: Controller) -> None:
        """Whoever led an older epoch learns of the newer one from any majority, whether its leader lives or not."""
        control = voter.control
        if control is not None and control.epoch < self.epoch and self.reaches_majority(voter):
            self.depose(voter)

    def refuse(self, channel: ControllerChannel, request: ControllerRequest) -> None:
        """Answer for a controller that is not active."""
        active = self.active
        hint: i64 = -1
        if active is not None and active.control is not None and self._hears(channel.controller, active):
            hint = active.id
        self.hooks.refuse(channel, request, hint)

    # -- the log

    def follows(self, voter: Controller) -> bool:
        """True if the voter has all committed records: it is the active controller, or hears it."""
        active = self.active
        return active is not None and (voter is active or self._hears(voter, active))

    def held_by(self, voter: Controller) -> i64:
        """The number of records of the metadata log that the voter has. A partitioned voter keeps an old image."""
        return len(self.log) if self.follows(voter) else voter.held

    def commit(self, records: list[Record]) -> None:
        """Append records that a majority holds (metadata_prefix: nobody else writes the log)."""
        trace = self.sim.trace
        for record in records:
            record.offset = len(self.log)
            self.log.append(record)
            self.image.apply(record)
            self._state(record)
            self.hooks.committed(record)
        for voter in self.voters:
            if self.follows(voter):
                voter.held = len(self.log)
        metadata_moved(trace, offset=len(self.log), cluster=self.site.index)
        self.hooks.batch_committed(records)

    def min_insync_fact(self, topic: i64, broker: i64) -> i64:
        """The fact by which min.insync.replicas of a topic, as a leader resolves it, was set last (0: none; HW-3)."""
        facts = self.min_insync_facts
        if topic in facts:
            return facts[topic]
        scope: i64 = CLUSTER_SETTINGS - 1 - broker
        return facts[scope] if scope in facts else facts.get(CLUSTER_SETTINGS, 0)

    def _state(self, record: Record) -> None:
        trace = self.sim.trace
        r = record.partition
        if r is not None:
            r.fact = trace.state(registered(r, record))
            if r.epoch_fact == THIS_ONE:
                r.epoch_fact = r.fact
            if record.reason == REASON_REASSIGNMENT:
                r.adding_fact = r.fact
        if record.kind == REMOVE_TOPIC_RECORD:
            record.fact = trace.state(TopicDeleted(record.cause, topic=record.topic, text=record.text))
        b = record.broker
        if b is not None:
            b.fact = trace.state(BrokerRegistration(record.cause, broker=b.broker, be=b.be, state=b.state))
        if record.settings is not None and record.text:  # a new topic has its settings, and nothing was changed
            subject = self.site.settings_subject(record.topic)
            fact = trace.state(ConfigChanged(record.cause, topic=subject, text=record.text))
            if record.text.startswith("min.insync.replicas="):
                self.min_insync_facts[int(record.topic)] = int(fact)


@final
class QuorumElection(Event):
    """The vote that may follow the loss of the active controller."""

    __slots__ = ("_quorum", "_serial")

    def __init__(self, quorum: Quorum, serial: i64) -> None:
        super().__init__()
        self._quorum = quorum
        self._serial: i64 = serial

    def fire(self) -> None:
        if self._serial == self._quorum._elect_serial:
            self._quorum.elect()


@final
class Resignation(Event):
    """A leader that hears from no majority gives up (QUO-3)."""

    __slots__ = ("_quorum", "_serial", "_voter")

    def __init__(self, quorum: Quorum, voter: Controller, serial: i64) -> None:
        super().__init__()
        self._quorum = quorum
        self._voter = voter
        self._serial: i64 = serial

    def fire(self) -> None:
        quorum = self._quorum
        if self._voter.control is None or quorum.reaches_majority(self._voter):
            return
        if self._serial == quorum._resign_serial or quorum.active is not self._voter:
            quorum.depose(self._voter)
