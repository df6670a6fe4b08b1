"""The checks of one cluster as the watch of its run."""

from typing import TYPE_CHECKING, final

from simengine.clients.ledger import Ledger
from simengine.cluster_run import Watch
from simengine.kafka.observer import Observer
from simengine.testing.invariants.checks import CheckedLedger, Checks

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster


@final
class CheckedRun(Watch):
    """Holds every event of a cluster against the invariants."""

    def __init__(self, observer: Observer, ledger: Ledger) -> None:
        self.checks = Checks(observer)
        super().__init__(self.checks, CheckedLedger(self.checks, ledger))

    def begin(self, cluster: "Cluster") -> None:
        """The checks look at whole logs, so that no broker folds its own."""
        for broker in cluster.brokers:
            broker.config.fold_logs = False
        self.checks.begin(cluster)
