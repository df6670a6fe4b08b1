"""A run: a document set going. ``build`` makes it, ``World.run`` advances it, ``World.act`` adds to its timeline."""

import gc
from typing import Final

from simengine import view
from simengine.assembly import Assembly
from simengine.clients.ledger import Ledger
from simengine.execution import Executor
from simengine.faults import BrokerFaults
from simengine.invariants.checks import CheckedLedger, Checks
from simengine.kafka.observer import Observer
from simengine.kernel.errors import ERROR_NAMES
from simengine.kernel.facts import REQUEST_REFUSED
from simengine.kernel.trace import Trace
from simengine.scenario.actions import Action, parse
from simengine.scenario.model import Document
from simengine.scenario.problems import FieldError
from simengine.scenario.references import Names
from simengine.scheduled import ActionEvent
from simengine.verdict.book import Book
from simengine.verdict.final import is_settled, records_of, verdict_of
from simengine.verdict.metrics import of_node, readings
from simengine.verdict.outage import NEVER

ALL: Final = ("all",)


class Refused(Exception):
    """An action that the run does not take: the message says why and what is allowed."""


class World:
    """One run of one document. Times are microseconds since its start.

    Everything it does follows from the document and the actions added; how ``run`` is cut into calls does not matter.
    """

    def __init__(self, doc: Document, checks: bool = False) -> None:
        self.doc = doc
        self.book = Book()
        self.checks: Checks | None = None
        observer: Observer = self.book.observer
        ledger: Ledger = self.book.ledger
        if checks and not doc.version.legacy:  # the properties are those of logs with leader epochs
            self.checks = Checks(observer)
            ledger = CheckedLedger(self.checks, ledger)
            observer = self.checks
        self.parts = Assembly(doc, observer, ledger)
        self.sim = self.parts.sim
        self.cluster = self.parts.cluster
        self.trace: Trace = self.sim.trace
        self.executor = Executor(self.parts)
        self._names = Names.of(doc)
        self.timeline: list[tuple[int, Action]] = []
        self.book.begin(self.cluster, NEVER if doc.closing_us is None else doc.closing_us)
        self._expect_writers()
        if self.checks is not None:
            for broker in self.cluster.brokers:
                broker.config.fold_logs = False
            self.checks.begin(self.cluster)
        for entry in doc.timeline:
            self._schedule(entry.at_us, entry.action)
        if doc.faults is not None:
            for broker in self.cluster.brokers:
                BrokerFaults(self.executor, broker, doc.faults)

    def _expect_writers(self) -> None:
        """How each topic will be written: by the producers that call from the start, where there are any."""
        pairs = zip(self.doc.producers, self.parts.producers, strict=True)
        open_ones = [(producer, node) for producer, node in pairs if producer.state == "open"]
        busy = {producer.topic for producer, _ in open_ones if producer.rate_milli > 0}
        for producer, node in open_ones:
            if producer.rate_milli > 0 or producer.topic not in busy:
                self.book.expect(self.parts.topic_index[producer.topic], node.number, node.settings.acks)

    @property
    def now_us(self) -> int:
        """The time up to which the run has been executed."""
        return int(self.sim.now)

    @property
    def events(self) -> int:
        """Events executed so far."""
        return int(self.sim.events)

    def run(self, until_us: int, budget: int = 0) -> int:
        """Execute all events up to ``until_us``, at most ``budget`` (0: no limit); returns the time reached.

        The garbage collector rests meanwhile: events make no cycles, and looking for some costs a tenth of the time.
        """
        collects = gc.isenabled()
        gc.disable()
        try:
            return int(self.sim.run(until_us, budget))
        finally:
            if collects:
                gc.enable()

    def next_event_us(self) -> int:
        """Time of the next event, -1 if there is none."""
        return int(self.sim.calendar.next_at())

    def _schedule(self, at_us: int, action: Action) -> None:
        number = len(self.timeline)
        self.timeline.append((at_us, action))
        self._names.add(action)
        self.sim.calendar.push_action(ActionEvent(self.executor, action, number), at_us)

    def check(self, text: str) -> Action:
        """The action that a text says, if this run can take it; raises ``Refused``."""
        try:
            action = parse(text)
            self._names.check(action)
        except FieldError as wrong:
            raise Refused(str(wrong)) from None
        return action

    def act(self, at_us: int, text: str) -> int:
        """Add an action at ``at_us``, or just after now if that is past; returns its time; raises ``Refused``."""
        action = self.check(text)
        at_us = max(at_us, self.now_us + 1)
        self._schedule(at_us, action)
        return at_us

    def without_effect(self) -> dict[int, str]:
        """Actions that changed nothing when their time came, by their places in ``timeline``, and why.

        Either the state that they ask for was there already, or the controller refused the call.
        """
        facts = self.executor.facts
        found = dict(self.executor.idle)
        for fact in self.trace.decisive:
            number = facts.get(int(fact.cause), -1) if fact.kind == REQUEST_REFUSED else -1
            if number >= 0 and self.timeline[number][1].args[1:] != ALL:  # others of all partitions may get a leader
                found[number] = f"the controller refuses it: {ERROR_NAMES[int(fact.values[1])]}"
        return found

    def digest(self) -> str:
        """16 hex digits over every fact so far."""
        return self.trace.digest()

    def snapshot(self) -> dict[str, object]:
        """What the screen shows now; equal to the fold of all facts."""
        return view.snapshot(self)

    def processes(self) -> list[tuple[str, str]]:
        """Kafka id and state of every controller, then of every broker: a small part of ``snapshot``."""
        return view.processes(self)

    def names(self) -> dict[str, object]:
        """The names behind the numbers in facts."""
        return view.names(self)

    def verdict(self) -> dict[str, object]:
        """What was lost, doubled, hidden or blocked so far, and which event decided it."""
        return verdict_of(self.book, self.names())

    def is_settled(self) -> bool:
        """The verdict's ``settled`` without the verdict: nothing is out, and no partition changed for 30 s."""
        return is_settled(self.book, self.now_us)

    def metrics(self, node: int = -1) -> list[dict[str, object]]:
        """What the processes (or one of them, by Kafka id) say over JMX now: a row a reading (MET-*)."""
        found = readings(self.cluster) if node < 0 else of_node(self.cluster, node)
        return [reading.row() for reading in found]

    def record_fates(self) -> list[dict[str, object]]:
        """The fate of every record that a producer sent, calls of equal fate as one row."""
        return records_of(self.book, self.names())

    def active_controller(self) -> int:
        """Kafka id of the active controller, -1 if there is none."""
        active = self.cluster.quorum.active
        return -1 if active is None else int(active.id)

    def logs(self) -> dict[int, dict[int, list[tuple[int, int, int, int, int]]]]:
        """Every replica's log (dead brokers too): per partition and broker, (base, count, epoch, client, n) a batch."""
        found: dict[int, dict[int, list[tuple[int, int, int, int, int]]]] = {}
        for broker in self.cluster.brokers:
            for replica in broker.hosted:
                batches = [
                    (int(b.base), int(b.count), int(b.epoch), int(b.client), int(b.n)) for b in replica.log.batches
                ]
                found.setdefault(int(replica.p), {})[int(broker.id)] = batches
        return found


def build(doc: Document, checks: bool = False) -> World:
    """A run of a checked document, at time 0; with ``checks`` every event is held against the invariants."""
    return World(doc, checks)
