"""A cluster or a store that does not fit: the page of the experiment says so in a sentence, and what to do."""

import json
import socket
import subprocess
import sys
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from playground.environment import RESULTS, ROOT, SPARK_MASTER
from tests.rooms.site import Browser, Site
from tests.whatif.lab import run
from tests.whatif.plans import DOCUMENT

AXES: dict[str, Any] = {"acks": ["all"], "fault": [{"kind": "rack", "rack": "az-a", "from": "2s", "to": "5s"}]}
CURE = "Every machine of the cluster needs Highwater's Python ("


@pytest.fixture(scope="module")
def person(redis_url: str, site: Site) -> Browser:
    return Browser(site).ready()


@pytest.fixture(scope="module")
def doc(person: Browser) -> str:
    return person.make(json.dumps(DOCUMENT).encode())


def closed_port() -> int:
    """A port on loopback on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def said(page: Page, person: Browser, doc: str, kind: str, **environment: str) -> str:
    """The words of the page on an experiment that a worker with this environment took."""
    experiment = run(person, doc, seeds=2, axes=AXES)
    command = [sys.executable, "-m", "tests.browser.misfit", experiment, kind]
    assert isinstance(person.site, Site)
    subprocess.run(command, cwd=ROOT, env={**person.site.environment, **environment}, check=True)
    page.goto(f"/what-if/{experiment}")
    words = page.get_by_test_id("whatif-error")
    expect(words).to_be_visible()
    return words.inner_text().strip()


def test_executors_with_another_python(page: Page, person: Browser, doc: str) -> None:
    words = said(page, person, doc, "other Python")
    assert words.startswith("The runs could not be finished: The executors have Python 3.12, Highwater has 3.11. ")
    assert CURE in words and "HIGHWATER_SPARK_PYTHON names it there." in words


def test_executors_with_another_engine(page: Page, person: Browser, doc: str) -> None:
    words = said(page, person, doc, "other engine")
    assert "The executor on node7 has the engine compiled 0123456789abcdef" in words
    assert f"Highwater has compiled fedcba9876543210. {CURE}" in words


def test_a_master_that_is_not_there(page: Page, person: Browser, doc: str) -> None:
    port = closed_port()
    master = f"spark://127.0.0.1:{port}"
    words = said(page, person, doc, "master", **{SPARK_MASTER: master})
    refused = f"nobody answers at 127.0.0.1:{port} (Connection refused)"
    cure = "Start a master there, or let HIGHWATER_SPARK_MASTER name another one"
    assert words.startswith(f"Spark did not start on {master}: {refused}. {cure}")


def test_results_that_cannot_be_written(page: Page, person: Browser, doc: str) -> None:
    place = f"{ROOT.as_uri()}/pyproject.toml/rows"  # below a file
    words = said(page, person, doc, "results", **{RESULTS: place})
    assert words.startswith(f"{place}/") and " cannot be written: " in words
    assert "HIGHWATER_RESULTS names where the rows of experiments are kept." in words
    assert "Errno" not in words
