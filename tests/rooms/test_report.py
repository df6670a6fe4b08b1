"""The report of a run and of a comparison at the site: the engine's own page."""

import pytest

from simengine.report.page import report
from simengine.scenario import load
from tests.rooms.site import QUIET, Browser

OTHER = QUIET.replace(b"acks: all", b'acks: "1"')


def test_a_run_has_a_report_at_a_moment(person: Browser) -> None:
    run = person.make(QUIET)
    answer = person.get(f"/s/{run}/report?at_us=3000000")
    assert answer.status == 200, answer.text
    link = f"{person.site.url}/s/{run}"
    assert answer.text == report([load(QUIET)], 3_000_000, link)


def test_a_comparison_has_a_report(person: Browser) -> None:
    ids = f"{person.make(QUIET)}..{person.make(OTHER)}"
    answer = person.get(f"/compare/{ids}/report?at_us=3000000")
    assert answer.status == 200, answer.text
    assert answer.text == report([load(QUIET), load(OTHER)], 3_000_000, f"{person.site.url}/compare/{ids}")


@pytest.mark.parametrize(
    ("path", "status"), [("s/nobody/report", 404), ("compare/nobody/report", 400), ("compare/a..b/report", 404)]
)
def test_what_is_not_there_is_refused_in_words(person: Browser, path: str, status: int) -> None:
    answer = person.get(f"/{path}")
    assert answer.status == status
    assert answer.text


def test_a_wrong_moment_is_refused_in_words(person: Browser) -> None:
    answer = person.get(f"/s/{person.make(QUIET)}/report?at_us=soon")
    assert (answer.status, "allowed: whole microseconds" in answer.text) == (400, True)
