"""One cluster of a world with all that belongs to it alone: its parts, its executor, its book and its checks."""

from simengine.assembly import Assembly
from simengine.clients.ledger import Ledger
from simengine.execution import Executor
from simengine.faults import BrokerFaults
from simengine.ground import Ground
from simengine.invariants.checks import CheckedLedger, Checks
from simengine.kafka.observer import Observer
from simengine.kernel.site import Site
from simengine.scenario.model import Document
from simengine.verdict.book import Book


class ClusterRun:
    """A cluster as a document describes it, assembled; ``begin`` sets it going."""

    def __init__(self, doc: Document, ground: Ground, site: Site, checks: bool) -> None:
        self.doc = doc
        self.site = site
        self.book = Book()
        self.checks: Checks | None = None
        observer: Observer = self.book.observer
        ledger: Ledger = self.book.ledger
        if checks and not doc.version.legacy:  # the properties are those of logs with leader epochs
            self.checks = Checks(observer)
            ledger = CheckedLedger(self.checks, ledger)
            observer = self.checks
        self.parts = Assembly(doc, observer, ledger, ground, site)
        self.cluster = self.parts.cluster
        self.executor = Executor(self.parts)

    def active_controller(self) -> int:
        """Number of the active controller, -1 if there is none."""
        active = self.cluster.quorum.active
        return -1 if active is None else int(active.id)

    def begin(self, closing_us: int) -> None:
        """Open the book, which counts no time out after ``closing_us``, and the checks."""
        self.book.begin(self.cluster, closing_us)
        self._expect_writers()
        if self.checks is not None:
            for broker in self.cluster.brokers:
                broker.config.fold_logs = False
            self.checks.begin(self.cluster)

    def begin_faults(self) -> None:
        """Let brokers fail as the document's fault model says."""
        if self.doc.faults is not None:
            for broker in self.cluster.brokers:
                BrokerFaults(self.executor, broker, self.doc.faults)

    def _expect_writers(self) -> None:
        """How each topic will be written: by the producers that call from the start, where there are any."""
        pairs = zip(self.doc.producers, self.parts.producers, strict=True)
        open_ones = [(producer, node) for producer, node in pairs if producer.state == "open"]
        busy = {producer.topic for producer, _ in open_ones if producer.rate_milli > 0}
        for producer, node in open_ones:
            if producer.rate_milli > 0 or producer.topic not in busy:
                self.book.expect(self.parts.topic_index[producer.topic], node.number, node.settings.acks)
