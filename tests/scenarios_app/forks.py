"""Branches of stored runs, for the tests of what is stored."""

from playground.scenarios import store
from playground.scenarios.models import Scenario
from playground.scenarios.owner import Maker


def forked(run: Scenario, at_us: int, do: str, *, owner: str, left: store.Left | None = None) -> Scenario:
    """A branch that starts afresh, or one that leaves out these of the later actions."""
    return store.fork(run, store.branch_of(run, at_us, do), by=Maker(owner), left=left)
