"""Looking back: at any moment the page can have the view of the document run to that moment, in any browser."""

import json
import random
from typing import Any

from playground.rooms.limits import RANGE_MAX_US
from simengine.scenario import load
from simengine.world.fold import fold
from simengine.world.world import build
from tests.rooms.site import QUIET, Browser, Site

MOMENTS = 50
END_US = 14_000_000


def _played(person: Browser) -> str:
    run_id = person.make(QUIET)
    with person.room(run_id) as viewer:
        viewer.do("speed", value=8_000_000)
        viewer.do("act", do="kill 1")
        viewer.do("play")
        while viewer.t < 11_000_000:
            viewer.receive()
        viewer.do("act", do="start 1")
        while viewer.t < END_US:
            viewer.receive()
        viewer.do("pause")
    return run_id


def _truth(person: Browser, run_id: str, at_us: int) -> Any:
    world = build(load(person.get(f"/s/{run_id}.json").body))
    world.run(at_us)
    return json.loads(json.dumps(world.snapshot()))


def test_for_fifty_random_moments_the_view_is_that_of_the_document_run_to_it(site: Site, person: Browser) -> None:
    run_id = _played(person)
    fresh = Browser(site).ready()
    luck = random.Random(50)
    for at_us in sorted(luck.randrange(END_US) for _ in range(MOMENTS)):
        reader = luck.choice((person, fresh))
        shown = reader.get(f"/rooms/{run_id}/snapshot?at_us={at_us}&as=json").json()
        assert shown | {"seq": 0} == _truth(person, run_id, at_us) | {"seq": 0}, at_us


def test_the_facts_after_a_view_lead_to_the_view_after_them(site: Site, person: Browser) -> None:
    run_id = _played(person)
    reader = Browser(site).ready()
    view = reader.get(f"/rooms/{run_id}/snapshot?at_us=2000000").msgpack()
    rows = reader.get(f"/rooms/{run_id}/facts?from_us=2000000&to_us=5000000&stream=flights").msgpack()
    for row in rows:
        fold(view, row)
    assert json.loads(json.dumps(view | {"t": 5_000_000})) == _truth(person, run_id, 5_000_000)


def test_after_a_restart_the_facts_of_the_past_are_the_same(own_site: Site) -> None:
    person = Browser(own_site).ready()
    run_id = _played(person)
    path = f"/rooms/{run_id}/facts?from_us=3000000&to_us=9000000&stream=flights"
    before = person.get(path).msgpack()
    own_site.kill()
    own_site.start()
    assert person.ready().get(path).msgpack() == before
    assert before


def test_too_long_a_range_is_refused_in_words(person: Browser) -> None:
    run_id = person.make(QUIET)
    answer = person.get(f"/rooms/{run_id}/facts?from_us=0&to_us={RANGE_MAX_US + 1}&stream=state")
    assert answer.status == 400 and str(RANGE_MAX_US) in answer.json()["error"]


def test_a_stream_that_does_not_exist_is_refused_in_words(person: Browser) -> None:
    answer = person.get(f"/rooms/{person.make(QUIET)}/facts?from_us=0&to_us=1&stream=all")
    assert answer.status == 400 and "flights" in answer.json()["error"]


def test_metrics_of_a_past_moment_are_those_of_the_document_run_to_it(site: Site, person: Browser) -> None:
    run_id = _played(person)
    reader = Browser(site).ready()
    for at_us in (1_000_000, 9_000_000, END_US):
        world = build(load(person.get(f"/s/{run_id}.json").body))
        world.run(at_us)
        told = reader.get(f"/rooms/{run_id}/metrics?at_us={at_us}&node=2").json()
        assert told == {"t": at_us, "metrics": world.metrics(2)}
        everyone = reader.get(f"/rooms/{run_id}/metrics?at_us={at_us}").json()["metrics"]
        assert everyone == [row for row in world.metrics() if ",partition=" not in str(row["name"])]
    assert reader.get(f"/rooms/{run_id}/metrics?node=two").status == 400
