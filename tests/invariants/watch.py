"""The checks of one cluster as the watch of its run."""

from typing import TYPE_CHECKING, final

from simengine.clients.network.ledger import ClientListener
from simengine.kafka.replica.observer import Observer
from simengine.world.cluster_run import Watch
from tests.invariants.checks import CheckedLedger, Checks

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


@final
class CheckedRun(Watch):
    """Holds every event of a cluster against the invariants."""

    def __init__(self, observer: Observer, ledger: ClientListener) -> None:
        self.checks = Checks(observer)
        super().__init__(self.checks, CheckedLedger(self.checks, ledger))

    def begin(self, cluster: "Cluster") -> None:
        """The checks look at whole logs, so that no broker folds its own."""
        for broker in cluster.brokers:
            broker.config.fold_logs = False
        self.checks.begin(cluster)
