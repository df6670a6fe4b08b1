"""The effect of the loss of some brokers on each partition by rule, from its state at that moment.

``simengine.kafka.shared.standing`` says who may lead by what is left, and whether that is below min.insync.replicas.
Here that becomes the one word of cause of an outage, with ELEC-7 (offline) and QUO-1 (no commit without a majority of
the controllers). How long an outage lasts, and what is lost or hidden, only a run tells.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from simengine.facts.kinds import ELECTION_UNCLEAN, PROCESS_DOWN, REG_FENCED
from simengine.kafka.shared.standing import PartitionLists, is_below_min, successors
from simengine.questions.az.partition_states import NOBODY, PartitionState, at_moment, at_start
from simengine.scenario import Document
from simengine.world.world import World


@dataclass(frozen=True, slots=True)
class AzFate:
    """One partition when the brokers are gone."""

    topic: str
    number: int
    was_offline: bool  # without leader before
    is_offline: bool  # no member of ISR or ELR is left
    is_below_min: bool  # acks=all is refused, and the high watermark stands
    was_led_there: bool
    takes_over: bool  # another replica becomes leader
    may_be_unclean: bool  # it goes offline, and a replica outside the ISR may be elected (UNC-1)
    may_return_unclean: bool  # it is offline, and one outside ISR and ELR may be the first that is back (UNC-1)
    is_touched: bool  # a member of its ISR dies

    @property
    def place(self) -> tuple[str, int]:
        """Topic and number."""
        return self.topic, self.number

    def needs_controllers(self, acks: str, hides: bool) -> bool:
        """True if it waits only for an election or a smaller ISR, which a quorum must commit (QUO-1, HW-1, HW-2).

        ``hides``: in the run it has acknowledged records that nobody can read.
        """
        if self.was_offline or self.is_offline or self.is_below_min and (acks == "all" or not self.takes_over):
            return False
        return self.takes_over or self.is_touched and (acks == "all" or hides)


def fates(doc: Document, gone: tuple[int, ...]) -> Iterator[AzFate]:
    """The fate of every partition when the brokers ``gone`` die together as the document starts."""
    return _fates(at_start(doc), [broker.id for broker in doc.brokers if broker.state != "running"], gone)


def fates_in(world: World, gone: tuple[int, ...]) -> Iterator[AzFate]:
    """The fate of every partition when the brokers ``gone`` die together at this moment of a run.

    A broker that is fenced leads nothing, as one that is down (LIVE-4).
    """
    cluster = world.cluster
    fenced = [broker for broker, one in cluster.quorum.image.brokers.items() if one.state == REG_FENCED]
    down = [*fenced, *(broker.id for broker in cluster.brokers if broker.process == PROCESS_DOWN)]
    return _fates(at_moment(world), down, gone)


def _fates(states: Iterable[PartitionState], down: list[int], gone: tuple[int, ...]) -> Iterator[AzFate]:
    dead, out = dict.fromkeys(gone, True), dict.fromkeys(down, True)
    for state in states:
        yield _fate(state, dead, out)


def _fate(at: PartitionState, dead: dict[int, bool], down: dict[int, bool]) -> AzFate:
    left = [broker for broker in at.replicas if broker not in dead and broker not in down]
    isr = [broker for broker in at.isr if broker in left]  # as it is when the others are fenced
    found = successors(PartitionLists(list(at.replicas), isr, list(at.elr), [], list(at.observers)), left, at.unclean)
    rest = [broker for broker in at.isr if broker not in dead]
    was_offline = at.leader == NOBODY
    is_offline = not was_offline and not found.is_clean
    gets_below = is_below_min(len(rest), at.min_isr) and not is_below_min(len(at.isr), at.min_isr)
    led_there = at.leader in dead
    return AzFate(
        topic=at.topic,
        number=at.number,
        was_offline=was_offline,
        is_offline=is_offline,
        is_below_min=not was_offline and gets_below,
        was_led_there=led_there,
        takes_over=led_there and found.is_clean,
        may_be_unclean=is_offline and found.how == ELECTION_UNCLEAN,
        may_return_unclean=(was_offline or is_offline) and at.unclean and _has_outdated(at),
        is_touched=len(rest) < len(at.isr),
    )


def _has_outdated(at: PartitionState) -> bool:
    """True if a copy that may be elected may lack committed records: one outside ISR and ELR."""
    return any(broker not in at.isr and broker not in at.elr for broker in at.electable)


def heaviest_rack(doc: Document) -> str:
    """The AZ whose loss as the document starts stops most topics, then takes most partitions off, then most records/s.

    By rule, without a run; "" where there is no AZ.
    """
    racks = {rack: brokers for rack, brokers in running_racks(doc).items() if brokers}
    return max(racks, key=lambda rack: _toll(doc, racks[rack]), default="")


def running_racks(doc: Document) -> dict[str, tuple[int, ...]]:
    """The AZs by name, each with its running brokers: () where the loss is one of controllers alone.

    Left out is an AZ whose brokers are all down, unless the majority of the controllers is lost with it.
    """
    homes = dict.fromkeys(broker.rack for broker in doc.brokers)
    racks: dict[str, tuple[int, ...]] = {
        one.rack: ()
        for one in doc.controllers
        if one.rack is not None and (one.rack not in homes or has_quorum(doc) and not has_quorum(doc, one.rack))
    }
    for broker in doc.brokers:
        if broker.rack is not None and broker.state != "down":
            racks[broker.rack] = (*racks.get(broker.rack, ()), broker.id)
    return dict(sorted(racks.items()))


def controllers_left(doc: Document, rack: str | None = None) -> int:
    """The number of controllers that run, without those in an AZ."""
    return sum(one.state == "running" and (rack is None or one.rack != rack) for one in doc.controllers)


def has_quorum(doc: Document, rack: str | None = None) -> bool:
    """True if a majority of the controllers runs, without those in an AZ (QUO-1)."""
    return 2 * controllers_left(doc, rack) > len(doc.controllers)


def _toll(doc: Document, gone: tuple[int, ...]) -> tuple[int, int, float]:
    found = list(fates(doc, gone))
    stopped = dict.fromkeys(fate.topic for fate in found if fate.is_offline or fate.is_below_min)
    return len(stopped), sum(fate.is_offline for fate in found), sum(records_at_risk(doc, found).values())


def records_at_risk(doc: Document, found: list[AzFate]) -> dict[str, float]:
    """Records/s by topic that go to leaders which die and are replaced: with acks=1 the newest of them are lost."""
    led: dict[str, int] = {}
    for fate in found:
        if fate.takes_over:
            led[fate.topic] = led.get(fate.topic, 0) + 1
    sizes = {topic.name: len(topic.assignment) for topic in doc.topics}
    risk: dict[str, float] = {}
    for producer in doc.producers:
        if producer.topic in led:
            share = led[producer.topic] / sizes[producer.topic]
            risk[producer.topic] = risk.get(producer.topic, 0.0) + producer.rate_milli / 1000 * share
    return risk
