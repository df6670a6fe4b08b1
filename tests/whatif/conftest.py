"""The lab: a site with a worker and its own data, and a browser that has made a document in it."""

import json
from collections.abc import Iterator

import pytest

from tests.rooms.site import Browser
from tests.whatif.lab import Lab
from tests.whatif.plans import DOCUMENT


@pytest.fixture(scope="session")
def lab(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """One site for all tests with a worker; each test leaves a running worker behind or none."""
    made = Lab(tmp_path_factory.mktemp("lab"))
    made.site.start()
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="session")
def researcher(lab: Lab) -> Browser:
    """A browser with cookies."""
    return Browser(lab.site).ready()


@pytest.fixture(scope="session")
def doc(researcher: Browser) -> str:
    """The id of the document that experiments are made on."""
    return researcher.make(json.dumps(DOCUMENT).encode())


@pytest.fixture
def working(lab: Lab) -> Lab:
    """The lab with a worker that runs."""
    if lab.worker is None or lab.worker.poll() is not None:
        lab.start_worker()
    return lab
