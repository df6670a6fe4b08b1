"""Runs of which every event is held against the invariants; a broken one raises ``Violation``.

`python -m tests.checked FILE ...` runs documents so, and holds them against what they expect.
"""

import sys

from simengine.__main__ import piped
from simengine.clients.network.ledger import ClientListener
from simengine.commands import expect
from simengine.kafka.replica.observer import Observer
from simengine.scenario import Document
from simengine.world.cluster_run import ClusterRun
from simengine.world.world import World
from tests.invariants.checks import Checks
from tests.invariants.watch import CheckedRun


def checked(doc: Document) -> World:
    """Such a run of a document, at time 0."""
    return World(doc, _watch)


def _watch(doc: Document, observer: Observer, ledger: ClientListener) -> CheckedRun | None:
    """The properties are those of logs with leader epochs: a cluster of a version without them is not watched."""
    return None if doc.version.legacy else CheckedRun(observer, ledger)


def checks_of(run: ClusterRun) -> Checks:
    """The checks of a cluster's run, which must be a checked one."""
    assert isinstance(run.watch, CheckedRun), "this run is not checked"
    return run.watch.checks


def main(argv: list[str]) -> int:
    """As `python -m simengine expect`; a broken invariant raises Violation."""
    return expect.main(argv, checked, "python -m tests.checked")


if __name__ == "__main__":
    sys.exit(piped(sys.argv[1:], main))
