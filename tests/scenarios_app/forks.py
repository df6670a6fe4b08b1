"""Branches and copies of stored runs, and the list of My runs, for the tests of what is stored."""

from typing import Any

from asgiref.sync import async_to_sync

from playground.scenarios import documents, listed, outside, store
from playground.scenarios.branches import Left
from playground.scenarios.models import Scenario
from playground.scenarios.owner import Maker
from simengine.scenario import Document
from simengine.scenario.limits import TIME_US_MAX
from tests.scenarios_app.inside import ME


def document_of(run: Scenario) -> Document:
    """The whole document of a run."""
    return documents.of_stored(store.stored(run))


def timeline_of(run: Scenario) -> list[tuple[int, str]]:
    """The actions of a run."""
    return [(entry.at_us, str(entry.action)) for entry in document_of(run).timeline]


def forked(run: Scenario, at_us: int, do: str, *, owner: str, left: Left | None = None) -> Scenario:
    """A branch that starts afresh, or one that leaves out these of the later actions."""
    branch = async_to_sync(outside.branch_of)(run, at_us, do, TIME_US_MAX, ME)
    grown = async_to_sync(outside.grown)(branch, left, ME)
    return store.fork(run, branch, grown, by=Maker(owner))


def shared(run: Scenario, at_us: int, digest: str, verdict: dict[str, Any]) -> Scenario:
    """A copy of a run."""
    checked = async_to_sync(outside.copy)(run, False, ME)
    return store.share(run, checked, at_us, digest, verdict, by=Maker("me"))


def rows(browser: str, number: int = 99) -> list[listed.ScenarioRow]:
    """The rows of a browser in My runs."""
    return async_to_sync(listed.rows)(browser, number, ME)
