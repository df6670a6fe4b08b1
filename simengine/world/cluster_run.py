"""One cluster of a world with all that belongs to it alone: its parts, its executor, its book, and who watches it."""

from collections.abc import Callable

from simengine.clients.network.ledger import ClientListener
from simengine.kafka.cluster.cluster import Cluster
from simengine.kafka.replica.observer import Observer
from simengine.kernel.site import Site
from simengine.scenario.model import Document
from simengine.verdict.book import VerdictCounters
from simengine.world.assembly import ClusterBuild
from simengine.world.client_moves import ClientMoves
from simengine.world.execution import Executor
from simengine.world.faults import BrokerFaults
from simengine.world.ground import SharedWorld


class Watch:
    """Sees all that one cluster does: an observer and a ledger that stand before those of the book, and pass all on."""

    def __init__(self, observer: Observer, ledger: ClientListener) -> None:
        self.observer = observer
        self.ledger = ledger

    def begin(self, cluster: Cluster) -> None:
        """The cluster is assembled, and nothing has happened in it."""


Watching = Callable[[Document, Observer, ClientListener], Watch | None]
"""Makes the watch of a document's cluster, given the book's observer and ledger; None: this cluster has none."""


class ClusterRun:
    """A cluster as a document describes it, assembled; ``begin`` sets it going."""

    def __init__(
        self, doc: Document, ground: SharedWorld, moves: ClientMoves, site: Site, watching: Watching | None
    ) -> None:
        self.doc = doc
        self.site = site
        self.book = VerdictCounters()
        observer: Observer = self.book.observer
        ledger: ClientListener = self.book.ledger
        self.watch = None if watching is None else watching(doc, observer, ledger)
        if self.watch is not None:
            observer, ledger = self.watch.observer, self.watch.ledger
        self.parts = ClusterBuild(doc, observer, ledger, ground, site)
        self.cluster = self.parts.cluster
        self.executor = Executor(self.parts, moves)

    def active_controller(self) -> int:
        """Number of the active controller, -1 if there is none."""
        active = self.cluster.quorum.active
        return -1 if active is None else int(active.id)

    def begin(self, closing_us: int) -> None:
        """Open the book, which counts no time out after ``closing_us``, and the watch."""
        self.book.begin(self.cluster, closing_us)
        self._expect_writers()
        if self.watch is not None:
            self.watch.begin(self.cluster)

    def begin_faults(self) -> None:
        """Let brokers fail as the document's fault model says."""
        if self.doc.faults is not None:
            for broker in self.cluster.brokers:
                BrokerFaults(self.executor, broker, self.doc.faults)

    def _expect_writers(self) -> None:
        """State the expected writers of each topic: the producers that call from the start, where there are any."""
        pairs = zip(self.doc.producers, self.parts.producers, strict=True)
        open_ones = [(producer, node) for producer, node in pairs if producer.state == "open"]
        busy = {producer.topic for producer, _ in open_ones if producer.rate_milli > 0}
        for producer, node in open_ones:
            if producer.rate_milli > 0 or producer.topic not in busy:
                self.book.expect(self.parts.topic_index[producer.topic], node.number, node.settings.acks)
