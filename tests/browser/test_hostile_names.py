"""Texts and names that are markup or scripts: every page shows them as text and runs none of them.

The pages are opened without their security policy, so that a script that got into one would run.
"""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as TookTooLong

from playground.environment import ROOT
from simengine.scenario import load
from tests.browser.pages import DESK, WAIT_MS, made, opened, token
from tests.faults.world import LoggedSite

TEXT: Final = (
    """{0} </title></script></textarea><script>ran.push("{0}")</script><img src=x onerror='ran.push("{0}")'>"""
    """<a href="javascript:ran.push('{0}')">"a" 'b' &lt;i&gt; {{{{x}}}} ${{ran.push("{0}")}}"""
)
NAME: Final = (
    """{0}"'<img/src=x/onerror=ran.push("{0}")//</script<svg/onload=ran.push("{0}")//javascript:ran.push("{0}")"""
)
TITLE, ABOUT, CAPTION = (TEXT.format(name) for name in ("title", "about", "caption"))
RACK, OTHER, WRITER, READER, GROUP = (NAME.format(name) for name in ("rack", "other", "writer", "reader", "group"))
DOCUMENT: Final[dict[str, Any]] = {
    "format": 1,
    "title": TITLE,
    "about": ABOUT,
    "seed": 3,
    "until": "4s",
    "cluster": {
        "brokers": [{"id": 1, "rack": RACK}, {"id": 2, "rack": OTHER}, {"id": 3, "rack": OTHER}],
        "controllers": [{"id": 100, "rack": OTHER}],
    },
    "topics": [{"name": "orders", "assignment": [[1, 2, 3]], "config": {"min.insync.replicas": 2}}],
    "producers": [{"id": WRITER, "topic": "orders", "rate": 20, "acks": 1, "rack": RACK}],
    "consumers": [{"id": READER, "group": GROUP, "topics": ["orders"]}],
    "timeline": [{"at": "1s", "do": f"kill-rack {RACK}"}, {"at": "1500ms", "do": f"close {WRITER}"}],
    "captions": [{"at": "1900ms", "text": CAPTION}],
}
EXPERIMENT: Final[dict[str, Any]] = {
    "title": TITLE,
    "topics": ["orders"],
    "seeds": 2,
    "first_seed": "1",
    "horizon": "2s",
    "latency": "8ms",
    "axes": {"fault": [{"kind": "rack", "rack": RACK, "from": "200ms", "to": "1s", "back": "500ms"}]},
    "baseline": {},
    "left_out": [],
    "quick": False,
}
SHOWN: Final = """texts => {
  const told = [...document.querySelectorAll('body, body *')].filter(one => one.tagName !== 'SCRIPT').flatMap(one =>
    [one.value, one.getAttribute('title'), one.getAttribute('aria-label'),
     ...[...one.childNodes].filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.data)]);
  return texts.every(text => told.some(one => typeof one === 'string' && one.includes(text)));
}"""
ELEMENTS: Final = """() => [...document.querySelectorAll('*')].filter(one =>
  one.getAttribute('src') === 'x' || (one.getAttribute('href') ?? '').startsWith('javascript:') ||
  one.getAttributeNames().some(name => name.startsWith('on'))).map(one => one.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoggedSite]:
    """A site in which an experiment is queued at once."""
    served = LoggedSite(tmp_path_factory.mktemp("hostile"))
    served.start()
    yield served
    served.stop()


@pytest.fixture
def context(browser: Browser, site: LoggedSite) -> Iterator[BrowserContext]:
    """A person whose browser runs every script that a page has."""
    person = browser.new_context(viewport=DESK, base_url=site.url, bypass_csp=True)
    person.add_init_script("window.ran = []")
    yield person
    person.close()


def shows(page: Page, *texts: str) -> None:
    """These stand on the page as text, as a hint or in a field; nothing of them became an element, and none has run."""
    try:
        page.wait_for_function(SHOWN, arg=texts, timeout=WAIT_MS)
    except TookTooLong:
        raise AssertionError(f"not on {page.url}: {[t for t in texts if not page.evaluate(SHOWN, [t])]}") from None
    assert page.evaluate(ELEMENTS) == []
    assert page.evaluate("window.ran") == []


def test_hostile_texts_and_names_are_text_on_every_page(page: Page, site: LoggedSite) -> None:
    run = made(page, json.dumps(DOCUMENT))
    with computed(page, site, run.rpartition("/")[2]) as experiment:
        copy = page.request.post(f"{run}/share", data={"at_us": 2_000_000}, headers=token(page)).json()["url"]
        opened(page, copy)
        shows(page, TITLE, RACK, OTHER, WRITER, READER, CAPTION)
        for tab in page.locator("[role=tab]").all():
            tab.click()
            shows(page)
        for path, texts in {
            f"{run}/about": (TITLE, ABOUT, RACK, WRITER),
            f"{copy}/still?at_us=2000000": (TITLE, RACK),
            f"{run}/az": (TITLE, RACK, OTHER),
            "/runs": (TITLE,),
            f"/what-if/new?doc={run.rpartition('/')[2]}": (TITLE, RACK),
            "/what-if": (TITLE,),
        }.items():
            page.goto(path)
            shows(page, *texts)
        for form in ("yaml", "json"):
            assert load(as_file(page, f"{run}.{form}", f"application/{form}")) == load(DOCUMENT)
        refuses_a_topic(page)
    page.goto(experiment)
    shows(page, TITLE, RACK)
    rows = csv.reader(io.StringIO(as_file(page, f"{experiment}/table.csv", "text/csv")))
    assert any(RACK in cell for row in rows for cell in row)
    as_file(page, f"{experiment}/runs.csv", "text/csv")


def refuses_a_topic(page: Page) -> None:
    """A topic may hold none of it: the import page says so and quotes it as text; a document with one is refused."""
    name = NAME.format("topic")
    page.goto("/import")
    row = "Topic: {}\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1\n"
    page.get_by_test_id("import-text").fill(row.format(name) + row.format("orders"))
    expect(page.get_by_test_id("import-unread")).to_contain_text(name)
    shows(page, "no legal topic name")
    wrong = {**DOCUMENT, "topics": [{"name": name, "assignment": [[1]]}]}
    refused = page.request.post("/api/documents", data=json.dumps(wrong), headers=token(page))
    assert refused.status == 400 and "not a topic name" in refused.text()


def as_file(page: Page, path: str, kind: str) -> str:
    """A file of this kind, which no browser takes for a page."""
    answer = page.request.get(path)
    assert answer.headers["content-type"].startswith(kind), path
    assert answer.headers["x-content-type-options"] == "nosniff", path
    return answer.text()


@contextmanager
def computed(page: Page, site: LoggedSite, run: str) -> Iterator[str]:
    """The address of an experiment on the run; afterwards it is computed."""
    answer = page.request.post("/what-if/run", data={**EXPERIMENT, "doc": run}, headers=token(page))
    assert answer.ok, answer.text()
    command = [sys.executable, "-m", "tests.faults.finished_experiment", answer.json()["id"]]
    with subprocess.Popen(command, cwd=ROOT, env=site.environment) as process:
        yield str(answer.json()["url"])
        assert process.wait(60) == 0
