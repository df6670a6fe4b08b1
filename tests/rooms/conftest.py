"""A site that runs as `make run` serves it, and documents for its rooms."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from playground.rooms import host
from playground.rooms.host import Host
from tests.rooms.kept import Kept
from tests.rooms.site import QUIET, Browser, Site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One web process for all tests that do not kill it."""
    running = Site(tmp_path_factory.mktemp("site"))
    running.start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture
def person(site: Site) -> Browser:
    """A fresh browser that has its cookies."""
    return Browser(site).ready()


@pytest.fixture
def run_id(person: Browser) -> str:
    """A run of this browser's own, paused at 0."""
    return person.make(QUIET)


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A web process that a test may kill."""
    running = Site(tmp_path)
    running.start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture
async def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Host]:
    """A host without a database."""
    monkeypatch.setattr(host, "Storage", Kept)
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    made = Host()
    try:
        yield made
    finally:
        await made.close()
