"""A site that runs as `make run` serves it, and documents for its rooms."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rooms.site import Browser, Site

QUIET = b"""
format: 1
title: Three brokers
seed: 11
cluster: {brokers: [{id: 1, rack: a}, {id: 2, rack: b}, {id: 3, rack: c}], controllers: [100, 101, 102]}
topics:
  - {name: orders, assignment: [[1, 2, 3], [2, 3, 1]], config: {min.insync.replicas: 2}}
producers:
  - {id: writer, topic: orders, rate: 20, acks: all}
consumers:
  - {id: reader, group: g, topics: [orders], config: {auto.offset.reset: earliest}}
"""


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
