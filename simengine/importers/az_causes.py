"""What the loss of some brokers at one moment does to each partition by rule, from the document alone, without a run.

Implements the reading of ELEC-7 (offline), UNC-1 (who may lead then), PROD-2 and HW-2 (below min.insync.replicas) and
QUO-1 (no commit without a majority of the controllers) that gives an outage its one word of cause. How long an outage
lasts, and what is lost, only a run tells.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from simengine.scenario import Document
from simengine.scenario.model import Topic

TWO_IN_ONE: Final = "2 replicas in one AZ"
RF_1: Final = "RF 1"
ISR_THERE: Final = "ISR only there"
MIN_ISR: Final = "min.insync.replicas"
CONTROLLERS: Final = "controllers"
FAILOVER: Final = "failover"
NOTHING: Final = "no replica there"


@dataclass(frozen=True, slots=True)
class Fate:
    """One partition when the brokers are gone. ``cause`` is "" if it neither goes offline nor below min ISR."""

    topic: str
    number: int
    was_offline: bool  # without leader before
    is_offline: bool  # no member of ISR or ELR is left
    is_below_min: bool  # acks=all is refused
    was_led_there: bool
    takes_over: bool  # another replica becomes leader
    may_be_unclean: bool  # it goes offline, and a replica outside the ISR may be elected (UNC-1)
    is_touched: bool
    cause: str

    def needs_controllers(self, acks: str) -> bool:
        """Whether it would write on after an election or a smaller ISR, which a quorum must commit (QUO-1, HW-2)."""
        if self.was_offline or self.is_offline or acks == "all" and self.is_below_min:
            return False
        return self.takes_over or acks == "all" and self.is_touched


def fates(doc: Document, gone: tuple[int, ...]) -> Iterator[Fate]:
    """What becomes of every partition when the brokers ``gone`` die together."""
    dead = dict.fromkeys(gone, True)
    down = {broker.id: True for broker in doc.brokers if broker.state != "running"}
    for topic in doc.topics:
        minimum, unclean = min_isr(doc, topic), allows_unclean(doc, topic)
        for number, replicas in zip(topic.numbers, topic.assignment, strict=True):
            yield _fate(topic, number, replicas, minimum, unclean, dead, down)


def _fate(
    topic: Topic,
    number: int,
    replicas: list[int],
    minimum: int,
    unclean: bool,
    dead: dict[int, bool],
    down: dict[int, bool],
) -> Fate:
    state = topic.initial.get(number)
    isr = [broker for broker in replicas if broker not in down] if state is None else state.isr
    leader = (isr[0] if isr else -1) if state is None else state.leader
    able = [*isr, *(state.elr if state is not None else [])]
    rest = [broker for broker in isr if broker not in dead]
    left = [broker for broker in able if broker not in dead and broker not in down]
    was_offline = leader == -1
    is_offline = not was_offline and not left
    is_below = not was_offline and len(rest) < min(minimum, len(replicas)) <= len(isr)
    there = sum(broker in dead for broker in replicas)
    cause = _cause(len(replicas), there, is_offline) if is_offline or is_below else ""
    led_there = leader in dead
    touched = any(broker in dead for broker in isr)
    goes_on = any(broker not in dead and broker not in down for broker in replicas)
    return Fate(
        topic=topic.name,
        number=number,
        was_offline=was_offline,
        is_offline=is_offline,
        is_below_min=is_below,
        was_led_there=led_there,
        takes_over=led_there and bool(left),
        may_be_unclean=is_offline and unclean and goes_on,
        is_touched=touched,
        cause=cause,
    )


def _cause(factor: int, there: int, is_offline: bool) -> str:
    if factor == 1:
        return RF_1
    if there >= 2:
        return TWO_IN_ONE
    return ISR_THERE if is_offline else MIN_ISR


def heaviest_rack(doc: Document) -> str:
    """The AZ whose loss by rule stops most topics, then takes most partitions off, then most records/s; "": no AZ."""
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
        if broker.rack is not None and broker.state == "running":
            racks[broker.rack] = (*racks.get(broker.rack, ()), broker.id)
    return dict(sorted(racks.items()))


def controllers_left(doc: Document, rack: str | None = None) -> int:
    """How many controllers run, without those in an AZ."""
    return sum(one.state == "running" and (rack is None or one.rack != rack) for one in doc.controllers)


def has_quorum(doc: Document, rack: str | None = None) -> bool:
    """Whether a majority of the controllers runs, without those in an AZ (QUO-1)."""
    return 2 * controllers_left(doc, rack) > len(doc.controllers)


def _toll(doc: Document, gone: tuple[int, ...]) -> tuple[int, int, float]:
    found = list(fates(doc, gone))
    stopped = dict.fromkeys(fate.topic for fate in found if fate.is_offline or fate.is_below_min)
    return len(stopped), sum(fate.is_offline for fate in found), sum(records_at_risk(doc, found).values())


def min_isr(doc: Document, topic: Topic) -> int:
    """min.insync.replicas of a topic: its own, else the cluster's, else 1."""
    value = topic.config.get("min.insync.replicas", doc.config.get("min.insync.replicas", 1))
    return int(value)


def allows_unclean(doc: Document, topic: Topic) -> bool:
    """unclean.leader.election.enable of a topic: its own, else the cluster's, else false."""
    key = "unclean.leader.election.enable"
    return topic.config.get(key, doc.config.get(key, False)) is True


def records_at_risk(doc: Document, found: list[Fate]) -> dict[str, float]:
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
