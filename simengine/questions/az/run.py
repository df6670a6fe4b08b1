"""A cell of the table: the run of a document in which one loss happens, and every partition's share in it.

Nothing comes back within the run: what is out to its end is called "until it is back". What was out before the loss
no figure counts.
"""

from collections.abc import Iterator
from typing import Final

from simengine.facts.kinds import REG_FENCED
from simengine.importers.assumed import REQUEST_TIMEOUT_MS
from simengine.kafka.shared.standing import is_below_min
from simengine.questions.az.causes import AzFate, fates_in
from simengine.questions.az.cell import AzCell, AzLoss
from simengine.questions.az.edits import BACK, GONE
from simengine.questions.az.fenced_beside import beside
from simengine.questions.az.figures import outcome_of
from simengine.questions.az.partition_outages import (
    BELOW_MIN,
    GOES_ON,
    IS_LED,
    OFFSETS,
    QUORUM,
    UNCLEAN,
    UNTIL_BACK,
    WHOLE,
    MeasuredOutage,
    PartitionOutage,
    Place,
    felt,
    measured,
    running,
    since,
    waits_too,
    why_of,
    worst_first,
)
from simengine.questions.az.partition_states import PartitionState, at_moment
from simengine.scenario import Document
from simengine.scenario.limits import TITLE_MAX
from simengine.scenario.model import ProducerEntry, TimelineEntry
from simengine.scenario.profiles import PROFILES
from simengine.scenario.settings import producer_settings
from simengine.verdict.last_copy import missing
from simengine.verdict.presence import length
from simengine.world.world import World, build

KILL_US: Final = 6_000_000  # a group has joined (3 s, group.initial.rebalance.delay.ms) and reads
SETTLES_US: Final = 18_000_000  # detection and election take up to 14 s: what comes back by itself has done so ...
WAITS_US: Final = 15_000_000  # ... and so much after request.timeout.ms where no connection is closed
TIMEOUT: Final = "request.timeout.ms"
BEGUN: Final = ("kill", "pause", "cut")  # what was so before, as a run that carries on another has it


def horizon_us(doc: Document, is_dark: bool) -> int:
    """The moment (us) at which a cell's run ends."""
    waits = request_timeout_ms(doc) * 1_000 + WAITS_US
    return KILL_US + (max(SETTLES_US, waits) if is_dark else SETTLES_US)


def request_timeout_ms(doc: Document) -> int:
    """The longest request.timeout.ms of the clients."""
    configs = [*(one.config for one in doc.producers), *(one.config for one in doc.consumers)]
    return max((int(one.get(TIMEOUT, REQUEST_TIMEOUT_MS)) for one in configs), default=REQUEST_TIMEOUT_MS)


def begun(doc: Document) -> list[TimelineEntry]:
    """The kills, pauses and cuts at 0: they belong to the state that a document begins in."""
    return [entry for entry in doc.timeline if entry.at_us == 0 and entry.action.verb in BEGUN]


def cell_base(doc: Document, acks: str, is_dark: bool) -> Document:
    """The document of a cell without its loss: that acks for every producer, and nothing else happens to its end."""
    producers = [
        producer.model_copy(
            update={
                "acks": acks,
                "config": {key: value for key, value in producer.config.items() if key != "enable.idempotence"},
            }
        )
        for producer in doc.producers
    ]
    changes = {"producers": producers, "timeline": begun(doc), "faults": None, "expect": [], "captions": []}
    return doc.model_copy(update={**changes, "until_us": horizon_us(doc, is_dark), "closing_us": None})


def cell_document(doc: Document, loss: AzLoss, acks: str) -> Document:
    """The document of one cell: that acks for every producer, no other action than the loss, to the cell's end."""
    losses = [TimelineEntry.model_construct(at_us=KILL_US, action=action) for action in loss.actions]
    tail = f", acks={acks}"
    title = f"{doc.title}: {loss.event}"[: TITLE_MAX - len(tail)] + tail
    base = cell_base(doc, acks, loss.is_dark)
    return base.model_copy(update={"title": title, "timeline": [*base.timeline, *losses]})


def coordinators(world: World) -> int:
    """The number of partitions of ``__consumer_offsets``; a cluster that was pasted without any has made one itself."""
    names = world.cluster.partition_names
    return sum(str(world.cluster.topics[topic].name) == OFFSETS for topic, _ in names)


def at_the_loss(doc: Document, acks: str, is_dark: bool) -> World:
    """A run of the document to the moment before the loss."""
    world = build(cell_base(doc, acks, is_dark))
    world.run(KILL_US - 1)
    return world


def run_cell(doc: Document, loss: AzLoss, acks: str, disks: str = BACK) -> AzCell:
    """Run one cell of the table. Takes seconds for thousands of partitions."""
    made = cell_document(doc, loss, acks)
    world = build(made)
    world.run(KILL_US - 1)
    parts = _Parts(world, loss, acks, disks == GONE)
    before = measured(world, acks, KILL_US)
    world.run(made.until_us)
    after = measured(world, acks, KILL_US)
    found = [part for fate in parts.fates if (part := parts.part(fate, before, after)) is not None]
    topics = [(topic.name, len(topic.assignment)) for topic in doc.topics]
    return AzCell(
        row=loss.key,
        acks=acks,
        parts=tuple(worst_first(found)),
        users=sum(count for name, count in topics if not name.startswith("__")),
        coordinators=coordinators(world),
        span_us=max((part.risk_us for part in found if part.risk), default=0),
        disks_gone=parts.disks_gone,
        older=parts.older,
        outcome=outcome_of(world.verdict()),
        fences_beside=parts.beside.fences,
        stops_beside=any(parts.beside.may_stop_it(at) for at in parts.states.values()),
        beside=tuple(place for place, at in parts.states.items() if parts.beside.may_lose(at, acks)),
    )


class _Parts:
    """The state of a world at the moment before the loss, and the share of each partition in it."""

    def __init__(self, world: World, loss: AzLoss, acks: str, disks_gone: bool) -> None:
        doc = world.doc
        self.world = world
        names = world.cluster.partition_names
        self.numbers = {(str(world.cluster.topics[t].name), int(n)): p for p, (t, n) in enumerate(names)}
        self.loss, self.acks, self.disks_gone = loss, acks, disks_gone
        self.older = doc.basis is not None and doc.basis.older
        self.fates: list[AzFate] = list(fates_in(world, loss.brokers))
        self.states = {(one.topic, one.number): one for one in at_moment(world)}
        self.runs = running(world)
        known = world.cluster.quorum.image.brokers
        self.fenced = [broker for broker in self.runs if broker in known and known[broker].state == REG_FENCED]
        self.beside = beside(world, loss, self.runs, disks_gone)
        self.rates = _rates_milli(doc)
        self.lingering = _lingering(doc)

    def part(
        self, fate: AzFate, before: dict[Place, MeasuredOutage], after: dict[Place, MeasuredOutage]
    ) -> PartitionOutage | None:
        """The share of one partition; None where the loss is nothing to it and it was whole before."""
        at, early, late = self.states[fate.place], before[fate.place], after[fate.place]
        dead = tuple(broker for broker in at.replicas if broker in self.loss.brokers or broker not in self.runs)
        why = why_of(fate, len(at.replicas) - len(dead), self.loss.has_quorum)
        is_internal, is_led = fate.topic.startswith("__"), why in IS_LED
        leader_takes_writes = is_led if self.acks == "1" and not is_internal else why in GOES_ON
        servers = since(early.servers_write, late.servers_write, leader_takes_writes)
        write, write_open = felt(late.client_write, servers)
        servers_read = since(early.servers_read, late.servers_read, is_led)
        read, read_open = felt(late.client_read, servers_read)
        if read_open and why in (BELOW_MIN, QUORUM):
            read, read_open = servers_read[0], False  # what it waits for was never acknowledged, or `may_hide` tells it
        gone, gone_before = self._gone_with_disks(at)
        lost, doubled = _new(early, late, "lost") + gone, _new(early, late, "duplicated")
        log = self._log(at.replicas, gone + gone_before)
        hidden = 0 if self.older and why == BELOW_MIN else _count(late, "hidden")
        if not (why or write or read or hidden or lost or doubled or log):
            return None
        if is_internal:
            (read, read_open), servers_read = servers, servers
        hides = not is_internal and self._hides(fate, why, at.min_isr)
        by_luck = fate.may_be_unclean or fate.may_return_unclean
        by_luck = by_luck or self._may_lose_all_since(fate, at) or self._may_lose_more(at)
        is_told = log != WHOLE and not (is_internal and self.acks == "1")  # the brokers write those with acks=all
        return PartitionOutage(
            topic=fate.topic,
            number=fate.number,
            replicas=at.replicas,
            leader=at.leader,
            dead=dead,
            in_sync=sum(broker not in dead for broker in at.isr),
            wanted=at.min_isr,
            why=why,
            was_out=early.servers_write[1],
            was_unread=early.servers_write[1] if is_internal else early.servers_read[1] or _count(early, "hidden") > 0,
            write_us=write,
            write_servers_us=servers[0],
            write_open=write_open,
            read_us=UNTIL_BACK if hides else read,
            read_servers_us=servers_read[0],
            read_open=read_open and not hides,
            hidden=hidden,
            hides=hides,
            may_hide=self.acks == "all" and why == BELOW_MIN and fate.takes_over and not is_internal,
            lost=lost,
            lost_before=_new(early, late, "lost_before") + gone_before,
            duplicated=doubled,
            risk=0 if log or why == UNCLEAN else self._risk(fate, at, lost),  # else its newest records are gone by rule
            risk_us=self._alone_us(at),
            by_luck=by_luck and is_told,
            log=log,
            waits_for=waits_too(at, why, self._back()),
        )

    def _back(self) -> list[int]:
        """The brokers that are back with the loss; one that was fenced before stays so."""
        back = self.loss.disks if self.disks_gone else self.loss.brokers
        return [broker for broker in back if broker not in self.fenced]

    def _hides(self, fate: AzFate, why: str, wanted: int) -> bool:
        """True if acks=1 goes on while the high watermark stands: below min.insync.replicas (HW-2), where an unclean
        leader is alone, or with a dead member of the ISR that no controller can take out (HW-1).

        Before 3.7 the minimum hid nothing.
        """
        if self.acks != "1" or not self.rates.get(fate.place, 0):
            return False
        if why == BELOW_MIN or why == UNCLEAN and is_below_min(1, wanted):
            return not self.older
        return why == QUORUM and not fate.was_led_there

    def _risk(self, fate: AzFate, at: PartitionState, lost: int) -> int:
        """The number of acks=1 records that can stand on the leader alone: those of the last fetches (PROD-4).

        A producer that lingers sends several at once (PC-1). No fewer than this run lost.
        They are lost if another member of the ISR or the ELR leads next: now, or when the controllers or it are back.
        """
        heirs = [broker for broker in (*at.isr, *at.elr) if broker != at.leader]
        if self.acks != "1" or fate.topic.startswith("__") or self._may_lose_all_since(fate, at):
            return 0
        if not fate.was_led_there or not heirs:
            return lost
        alone = self.rates.get(fate.place, 0) * self._alone_us(at) + self.lingering.get(fate.place, 0)
        return max(lost, -(-alone // 1_000_000_000))

    def _alone_us(self, at: PartitionState) -> int:
        """The longest time (us) that a record of a partition stands on its leader alone (FET-1, PROD-4).

        A record that is appended just after a response left waits until that response is at the follower and the next
        fetch is back. The response that carries it is a third trip. A killed leader's response still arrives at a
        follower that lives on. A dark leader's does not.
        """
        followers = [broker for broker in at.isr if broker in self.runs and broker not in self.loss.brokers]
        trips = 2 if followers and not self.loss.is_dark else 3
        network = self.world.doc.network
        return trips * (network.latency_us + network.jitter_us)

    def _may_lose_all_since(self, fate: AzFate, at: PartitionState) -> bool:
        """True if a member of the ELR may lead next: it lacks all records of acks=1 since it left the ISR (ELR-8)."""
        is_led_by_elr = bool(at.elr) and all(broker in self.loss.brokers for broker in at.isr)
        return self.acks == "1" and fate.was_led_there and is_led_by_elr and not fate.topic.startswith("__")

    def _gone_with_disks(self, at: PartitionState) -> tuple[int, int]:
        """Records that stand on the disks of the loss alone, where those are gone: of this run, and from before it.

        Where every copy that may lead without an unclean election is on those disks, that is the whole log, whatever
        an outdated copy elsewhere holds: the next leader is one of them, with an empty disk (ELEC-7, ELR-6), and the
        others truncate to its log. With ELR a broker that returns with an empty disk leaves the ISR (ELR-5), so an
        unclean election may find that copy first.
        """
        if not self.disks_gone:
            return 0, 0
        account = self.world.book.account(self.numbers[at.topic, at.number])
        if account.leader() is not None:
            return 0, 0  # its log counts, and it is on another disk
        disks = dict.fromkeys(self.loss.disks, True)
        able = (*at.isr, *at.elr, *at.last_known)
        elsewhere = [broker for broker in at.electable if broker in self.runs and broker not in disks]
        finds_outdated = at.unclean and bool(self.world.doc.elr) and bool(elsewhere)
        is_whole = bool(able) and not finds_outdated and all(broker in disks for broker in able)
        hosts = [broker for broker in self.world.cluster.brokers if not is_whole and int(broker.id) not in disks]
        logs = [copy.log for broker in hosts if (copy := broker.replica(account.p)) is not None]
        kept = account.losses.kept.spans()
        gone = sum(length(missing(logs, [(base, end)], epoch)) for base, end, epoch in kept)
        return gone, int(account.before.missing(logs) - account.before.lost)

    def _may_lose_more(self, at: PartitionState) -> bool:
        """True if a copy elsewhere may truncate to the log of an empty one that comes back and leads (ELEC-7, ELR-6).

        The order in which the brokers return decides.
        """
        if not self.disks_gone or self.world.book.account(self.numbers[at.topic, at.number]).leader() is not None:
            return False
        empty = [broker for broker in at.replicas if broker in self.loss.disks]
        return 0 < len(empty) < len(at.replicas)

    def _log(self, replicas: tuple[int, ...], gone: int) -> str:
        """The part of a log that is gone with the disks of the loss: the whole, or all that no outdated copy has."""
        if self.disks_gone and all(broker in self.loss.disks for broker in replicas):
            return WHOLE
        return "tail" if gone else ""


def _count(measured: MeasuredOutage, key: str) -> int:
    return int(measured.figures.get(key, 0))


def _new(early: MeasuredOutage, late: MeasuredOutage, key: str) -> int:
    """The records that the verdict counts since the loss."""
    return max(0, _count(late, key) - _count(early, key))


def _rates_milli(doc: Document) -> dict[Place, int]:
    """Records per 1000 s to each partition."""
    rates: dict[Place, int] = {}
    for _, place, rate in _shares(doc):
        rates[place] = rates.get(place, 0) + rate
    return rates


def _lingering(doc: Document) -> dict[Place, int]:
    """The number of records for each partition that wait for linger.ms, times 10^9."""
    profile = PROFILES[doc.profile]
    linger_us = {
        one.id: producer_settings(profile, one.acks, one.config, one.record_bytes).linger_us for one in doc.producers
    }
    found: dict[Place, int] = {}
    for producer, place, rate in _shares(doc):
        found[place] = found.get(place, 0) + rate * linger_us[producer.id]
    return found


def _shares(doc: Document) -> Iterator[tuple[ProducerEntry, Place, int]]:
    """Each producer with each partition that it writes to, and its records per 1000 s to that."""
    numbers = {topic.name: list(topic.numbers) for topic in doc.topics}
    for producer in doc.producers:
        to = producer.partitions or numbers.get(producer.topic, [])
        for number in to:
            yield producer, (producer.topic, number), producer.rate_milli // len(to)
