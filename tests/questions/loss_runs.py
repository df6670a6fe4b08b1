"""One more run of the state that a cell of the AZ table is about: another seed, another moment of the loss.

What it comes to is read from the controllers' metadata, the processes and the logs, by Kafka's rules. Nothing here asks
the code of the table.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from simengine.facts.decisive import BrokerRegistration
from simengine.facts.kinds import PROCESS_DOWN, REG_FENCED
from simengine.questions.az import run as az_run
from simengine.questions.az.cell import AzLoss
from simengine.questions.az.partition_states import NOBODY
from simengine.scenario import Action, Document
from simengine.scenario.model import TimelineEntry
from simengine.verdict.last_copy import logs_of, missing
from simengine.verdict.outcomes import ACKED
from simengine.verdict.presence import length
from simengine.world.world import World, build

EARLIEST_US: Final = 4_000_000
LATEST_US: Final = 9_000_000
LOOK_US: Final = 5_000_000  # so long at the end of a run an open partition must acknowledge something
BEFORE_US: Final = 2_000_000  # in so long before the loss a partition that takes writes gets some
UNLUCKY_US: Final = 16_000_000  # longer than an election of a controller and a session after it
DRAIN_US: Final = 45_000_000  # after the return: registration, elections, followers back in sync
Place = tuple[str, int]
State = dict[Place, tuple[int, tuple[int, ...], tuple[int, ...]]]


@dataclass(frozen=True)
class Draw:
    """The chances of a run."""

    seed: int
    at_us: int  # the loss
    returns: bool  # what was lost is started again at the end
    unlucky: tuple[int, ...] = ()  # brokers beside the loss that reach no controller for a while

    @classmethod
    def of(cls, rng: Random, must_return: bool) -> "Draw":
        """A random one."""
        return cls(rng.randrange(1, 1_000_000), rng.randint(EARLIEST_US, LATEST_US), must_return or rng.random() < 0.5)

    def with_bad_luck(self, rng: Random, doc: Document, loss: AzLoss) -> "Draw":
        """The same with some brokers beside the loss that are fenced: they find the new controller too late (QUO-5).

        A cut from the controllers stands for that. Of brokers that share a process with a controller none is taken.
        """
        combined = [one.broker for one in doc.controllers]
        others = [
            one.id
            for one in doc.brokers
            if one.state == "running" and one.id not in loss.brokers and one.id not in combined
        ]
        return replace(self, unlucky=tuple(rng.sample(others, rng.randint(min(1, len(others)), len(others)))))


@dataclass(frozen=True)
class Standing:
    """The state of a partition at one moment of a run."""

    leader: int  # a process that runs; NOBODY: none leads
    is_whole: bool  # every member of the ISR runs
    is_enough: bool  # the ISR has min.insync.replicas members
    acked: int  # records, so far
    gone: int  # of these: in the leader's log no more, or in no log if nobody leads
    before: int  # records from before the run ...
    gone_before: int  # ... and those of them that are gone
    above: int  # acknowledged records at or above the leader's high watermark
    hidden: int  # the verdict's: those that have stood there for more than a second
    stopped_us: int  # for how long the servers took no writes of the mode, so far

    @property
    def is_led(self) -> bool:
        """True if a process that runs leads it."""
        return self.leader != NOBODY

    @property
    def may_still_lose(self) -> bool:
        """True if it has records and nobody leads: the next election may put a leader with a new disk (DIR-3)."""
        return not self.is_led and bool(self.acked or self.before)

    @property
    def moves(self) -> bool:
        """True if its high watermark can move (HW-1, HW-2)."""
        return self.is_led and self.is_whole and self.is_enough

    def takes(self, acks: str) -> bool:
        """True if it acknowledges writes (PROD-2, PROD-4, PROD-6)."""
        return self.moves if acks == "all" else self.is_led


@dataclass(frozen=True)
class Played:
    """A run at three moments. ``back``: {} where nothing is started again."""

    state: State  # who leads, the ISRs and the ELRs, before the loss
    early: dict[Place, Standing]
    eve: dict[Place, Standing]  # LOOK_US before the end
    late: dict[Place, Standing]
    back: dict[Place, Standing]
    fenced: frozenset[int]  # brokers, from the loss to the end
    stuck: frozenset[Place]  # partitions that took writes before the loss, and got none

    def fences_others(self, gone: tuple[int, ...]) -> bool:
        """True if a broker was fenced that is not of the loss.

        A broker whose metadata fetches go to voters that are dark may reach no controller for a session (QUO-5).
        """
        return not self.fenced <= frozenset(gone)


def play(doc: Document, loss: AzLoss, acks: str, disks_gone: bool, draw: Draw) -> Played:
    """Run it. ``doc``: at its moment."""
    made = document(doc, loss, acks, draw)
    world = build(made)
    world.run(draw.at_us - BEFORE_US)
    before = standings(world, acks)
    world.run(draw.at_us - 1)
    state, early = state_of(world), standings(world, acks)
    stuck = frozenset(place for place, one in early.items() if is_stuck(before.get(place), one, acks))
    world.run(made.until_us - LOOK_US)
    eve = standings(world, acks)
    world.run(made.until_us)
    late, fenced = standings(world, acks), fenced_since(world, draw.at_us)
    if not draw.returns:
        return Played(state, early, eve, late, {}, fenced, stuck)
    for at, text in returning(doc, loss, disks_gone, made.until_us):
        world.act(at, text)
    world.run(made.until_us + DRAIN_US)
    return Played(state, early, eve, late, standings(world, acks), fenced, stuck)


def is_stuck(before: Standing | None, now: Standing, acks: str) -> bool:
    """True if a partition takes writes of acks=all and acknowledged none for a while.

    The first batches of an idempotent producer may all be refused and a later one accepted, since the leader knows no
    sequence number yet (IDEM-4). Then all others are out of order until ``delivery.timeout.ms`` is over (IDEM-5).
    Producers of acks=1 are not idempotent here.
    """
    if acks != "all" or before is None:
        return False
    return before.takes(acks) and now.takes(acks) and before.acked == now.acked


def fenced_since(world: World, at_us: int) -> frozenset[int]:
    """The brokers that the controllers have fenced from a moment on."""
    facts = [fact for fact in world.trace.decisive if isinstance(fact, BrokerRegistration) and fact.t >= at_us]
    return frozenset(int(fact.broker) for fact in facts if fact.state == REG_FENCED)


def document(doc: Document, loss: AzLoss, acks: str, draw: Draw) -> Document:
    """The document of the cell with this seed and the loss at this moment."""
    cell = az_run.cell_document(doc, loss, acks)
    timeline = [
        entry.model_copy(update={"at_us": draw.at_us}) if entry.at_us == az_run.KILL_US else entry
        for entry in cell.timeline
    ]
    if draw.unlucky:
        link = f"{','.join(map(str, draw.unlucky))}|{','.join(str(one.id) for one in doc.controllers)}"
        for verb, at_us in (("cut", draw.at_us), ("heal", draw.at_us + UNLUCKY_US)):
            timeline.append(TimelineEntry.model_construct(at_us=at_us, action=Action(verb, (link,))))
    until_us = cell.until_us + draw.at_us - az_run.KILL_US
    return cell.model_copy(update={"seed": draw.seed, "timeline": timeline, "until_us": until_us})


def returning(doc: Document, loss: AzLoss, disks_gone: bool, end_us: int) -> list[tuple[int, str]]:
    """The starts of what was lost, 50 ms apart: controllers, then brokers, on new disks where theirs are gone.

    Gone disks of brokers that were down before the loss are replaced too.
    """
    combined = {one.id: one.broker for one in doc.controllers if one.broker is not None}
    brokers = loss.disks if disks_gone else loss.brokers
    controllers = [one for one in loss.controllers if combined.get(one) not in brokers]
    verbs = [f"start {one}" for one in controllers]
    verbs += [f"start {one} empty" if disks_gone else f"start {one}" for one in brokers]
    return [(end_us + 1_000_000 + 50_000 * at, verb) for at, verb in enumerate(verbs)]


def state_of(world: World) -> State:
    """Leader, ISR and ELR of each partition, as the controllers have them."""
    return {place: (int(at.leader), tuple(at.isr), tuple(at.elr)) for place, _, at in _registrations(world)}


def standings(world: World, acks: str) -> dict[Place, Standing]:
    """The state of every partition now; ``acks``: of the producers."""
    runs = {int(one.id) for one in world.cluster.brokers if one.process != PROCESS_DOWN}
    verdict: Any = world.verdict()
    told = {one["partition"]: one for topic in verdict["topics"] for one in topic["partitions"]}
    return {
        place: _standing(world, place, p, at, runs, told.get(p, {}), "all" if place[0].startswith("__") else acks)
        for place, p, at in _registrations(world)
    }


def _registrations(world: World) -> list[tuple[Place, int, Any]]:
    image, cluster = world.cluster.quorum.image, world.cluster
    places = [(str(cluster.topics[topic].name), int(number)) for topic, number in cluster.partition_names]
    found = [(place, p, image.partition(p)) for p, place in enumerate(places)]
    return [(place, p, at) for place, p, at in found if at is not None]


def _standing(world: World, place: Place, p: int, at: Any, runs: set[int], told: Any, acks: str) -> Standing:
    leader = next((one.replica(p) for one in world.cluster.brokers if one.id == at.leader and at.leader in runs), None)
    logs = logs_of(world.cluster, p) if leader is None else [leader.log]
    account = world.book.account(p)
    acked = [
        (r.offset, r.offset + r.count, r.epoch) for calls in account.calls for r in calls.runs if r.outcome == ACKED
    ]
    hw = 1 << 62 if leader is None else int(leader.hw)
    return Standing(
        leader=NOBODY if leader is None else int(at.leader),
        is_whole=all(int(one) in runs for one in at.isr),
        is_enough=len(at.isr) >= least(world.doc, place[0], len(at.synced())),
        acked=sum(end - start for start, end, _ in acked),
        gone=sum(int(length(missing(logs, [(start, end)], epoch))) for start, end, epoch in acked),
        before=int(account.before.count),
        gone_before=int(account.before.missing(logs)) if account.before.count else 0,
        above=sum(max(0, end - max(start, hw)) for start, end, _ in acked),
        hidden=int(told.get("hidden", 0)),
        stopped_us=int(told.get(f"write_down_{acks}_us", 0)),
    )


def least(doc: Document, topic: str, synced: int) -> int:
    """min.insync.replicas that counts (HW-3)."""
    key = "min.insync.replicas"
    config = next((one.config for one in doc.topics if one.name == topic), {})
    return min(int(config.get(key, doc.config.get(key, 1))), synced)
