"""Runs of which every event is held against the invariants; a broken one raises ``Violation``."""

from simengine.clients.ledger import Ledger
from simengine.cluster_run import ClusterRun
from simengine.kafka.observer import Observer
from simengine.scenario import Document
from simengine.testing.invariants.checks import Checks
from simengine.testing.invariants.watch import CheckedRun
from simengine.world import World


def checked(doc: Document) -> World:
    """Such a run of a document, at time 0."""
    return World(doc, _watch)


def _watch(doc: Document, observer: Observer, ledger: Ledger) -> CheckedRun | None:
    """The properties are those of logs with leader epochs: a cluster of a version without them is not watched."""
    return None if doc.version.legacy else CheckedRun(observer, ledger)


def checks_of(run: ClusterRun) -> Checks:
    """The checks of a cluster's run, which must be a checked one."""
    assert isinstance(run.watch, CheckedRun), "this run is not checked"
    return run.watch.checks
