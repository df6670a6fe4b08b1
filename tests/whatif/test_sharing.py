"""Real Spark: who has few runs is not kept waiting by who has many, and a place that was given away costs no row."""

import csv
import io
import time
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from playground.whatif import leases, states, worker
from playground.whatif.models import Experiment, ShardLog, State
from playground.whatif.pipeline import session
from playground.whatif.pipeline.plan import ExperimentPlan
from playground.whatif.pipeline.run_one import plan_row
from playground.whatif.runner import Runner
from tests.rooms.site import Browser, Site
from tests.whatif.lab import START_S, Lab, run, status, until, wait_for
from tests.whatif.plans import plan

AXES: dict[str, Any] = {"acks": ["1", "all"], "fault": [{"kind": "rack", "rack": "az-a", "from": "1s", "to": "4s"}]}
LONG: dict[str, Any] = {"seeds": 6_000, "axes": AXES}
SHORT: dict[str, Any] = {"seeds": 10, "horizon": "5s", "axes": AXES}
CHECKED = 20  # rows
ASK_S = 1.0  # the site answers at a higher priority than the worker computes


class _From(urllib.request.HTTPHandler):
    """Connects from another address of the loopback network."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address

    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        connect: Callable[..., HTTPConnection] = partial(HTTPConnection, source_address=(self.address, 0))
        return self.do_open(connect, req)


def stranger(site: Site, address: str) -> Browser:
    """A browser at another address."""
    made = Browser(site)
    made._opener = urllib.request.build_opener(_From(address), urllib.request.HTTPCookieProcessor(made.jar))
    return made.ready()


def test_20_short_runs_end_while_two_long_experiments_of_another_address_run(
    working: Lab, researcher: Browser, doc: str
) -> None:
    long = [run(researcher, doc, **LONG) for _ in range(2)]
    until(lambda: all(status(researcher, one)["runs_done"] for one in long), START_S, ASK_S)
    other = stranger(working.site, "127.0.0.2")
    short = run(other, doc, **SHORT)
    began, seen = time.monotonic(), []

    def is_done() -> bool:
        now = status(other, short)
        seen.append((now["state"], now["stage"], now["running"], now["ahead"]))
        return bool(now["state"] == "done")

    until(is_done, START_S)
    print(f"20 short runs took {time.monotonic() - began:.1f} s from the queue to their figures")
    assert ("queued", "turn", 2, 0) in seen
    done = [status(researcher, one)["runs_done"] for one in long]
    assert [status(researcher, one)["runs"] > number for one, number in zip(long, done, strict=True)] == [True, True]
    for one, before in zip(long, done, strict=True):
        until(partial(has_more, researcher, one, before), START_S)
        researcher.post(f"/what-if/{one}/cancel")
        ended = wait_for(researcher, one, "cancelled")
        assert (ended["claims"], ended["result"]["rows"]) == (1, ended["runs_done"])
        assert_rows(working, researcher, one, ended["runs_done"])


def has_more(person: Browser, experiment: str, runs: int) -> bool:
    """True if an experiment has more rows than so many."""
    return bool(status(person, experiment)["runs_done"] > runs)


def assert_rows(lab: Lab, person: Browser, experiment: str, number: int) -> None:
    """Each run is kept once, and those that are looked at are as one process computes them."""
    found = list(csv.DictReader(io.StringIO(person.get(f"/what-if/{experiment}/runs.csv").text)))
    assert len({(row["variant"], row["seed"]) for row in found}) == len(found) == number
    of = ExperimentPlan.from_json(lab.ask("select plan_text from whatif_experiment where id = ?", experiment)[0][0])
    letters = [variant.letter for variant in of.variants]
    for row in found[:: -(-number // CHECKED)]:
        index = (int(row["seed"]) - of.first_seed) * len(letters) + letters.index(row["variant"])
        assert plan_row(of, index)["digest"] == row["digest"]


@pytest.fixture
def here(settings: LazySettings) -> Iterator[None]:
    """A Spark of this process."""
    settings.SPARK_MASTER = "local[2]"
    yield
    session.stop()


@pytest.mark.only_long
@pytest.mark.django_db(transaction=True)  # the runner works in threads
def test_an_experiment_that_gave_its_place_away_ends_with_the_rows_of_one_that_did_not(
    here: None, settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RESULTS_URL = tmp_path.as_uri()
    monkeypatch.setattr("playground.whatif.runner.BEAT_SECONDS", 0.05)
    of = plan(seeds=40)
    made = Experiment.objects.create(
        owner="me", title="Test", plan_text=of.to_json(), baseline="A", seeds_each=4, seconds_per_run=2.0
    )
    experiment, starts = states.claim(made.pk, worker.NAME), 0
    while experiment is not None:
        starts += 1
        runner = Runner(experiment, worker.spark_session)
        before = experiment.runs_done
        monkeypatch.setattr(runner.place, "must_be_left", lambda: runner.arrivals.runs() > before + 10)  # noqa: B023
        experiment = runner.run()
        leases.release(runner.holder)
    made.refresh_from_db()
    assert starts > 2
    assert (made.state, made.error, made.claims, made.runs_done) == (State.DONE, "", 1, of.runs)
    assert [made.results.row(index) for index in range(of.runs)] == [plan_row(of, index) for index in range(of.runs)]
    finished = ShardLog.objects.exclude(finished=None).values_list("shard", flat=True)
    assert sorted(finished) == list(range(10)), "no block was computed again after it was finished"
