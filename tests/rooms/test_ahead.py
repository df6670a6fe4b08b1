"""A moment that has not been simulated yet: the room goes there, says how far it is, and stops when asked."""

import json
from typing import Any

from simengine.scenario import load
from simengine.world.world import build
from tests.rooms.site import QUIET, Browser, Site

FAR_US = 4_321_987


def _truth(person: Browser, run_id: str, at_us: int) -> Any:
    world = build(load(person.get(f"/s/{run_id}.json").body))
    world.run(at_us)
    return json.loads(json.dumps(world.verdict()))


def test_a_room_goes_to_a_moment_ahead_and_everybody_gets_its_view(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer, person.room(run_id) as other:
        viewer.do("play")
        answer = viewer.do("reach", t=FAR_US)
        assert (answer["k"], answer["at_us"]) == ("ack", FAR_US)
        snap = other.until("snap")
    assert snap["view"]["t"] == FAR_US
    assert not snap["clock"]["playing"]
    shown = person.get(f"/rooms/{run_id}/verdict?at_us={FAR_US}").json()
    assert shown == _truth(person, run_id, FAR_US)
    assert shown["digest"]


def test_what_was_passed_on_the_way_can_be_looked_at(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("act", do="kill 1")
        viewer.do("reach", t=15_000_000)
        past = person.get(f"/rooms/{run_id}/verdict?at_us=11000000").json()
        assert past == _truth(person, run_id, 11_000_000)
        seqs = [row[0] for row in person.get(f"/rooms/{run_id}/facts?from_us=0&to_us=15000000").msgpack()]
        assert seqs == sorted(set(seqs)) and len(seqs) > 5
        first = viewer.seq
        viewer.rows.clear()
        viewer.do("speed", value=1_000_000)
        viewer.do("play")
        while viewer.t < 15_300_000:
            viewer.receive()
        assert viewer.rows[0][0] == first + 1


def test_a_pause_ends_the_way_ahead_where_it_is(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("reach", t=1)
        reach = viewer.send("reach", t=3_600_000_000)
        viewer.until("loading")
        viewer.send("pause")
        answer = viewer.until("ack", id=reach)
        assert 0 < answer["at_us"] < 3_600_000_000
        shown = person.get(f"/rooms/{run_id}/verdict").json()
    assert shown == _truth(person, run_id, answer["at_us"])


def test_other_rooms_go_on_meanwhile(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer, person.room(person.make(QUIET)) as other:
        viewer.send("reach", t=3_600_000_000)
        viewer.until("loading")
        other.do("speed", value=1_000_000)
        other.do("play")
        while other.t < 500_000:
            other.receive()
        viewer.send("pause")


def test_only_the_one_who_moves_the_clock_may_go_ahead(site: Site, run_id: str) -> None:
    stranger = Browser(site).ready()
    with stranger.room(run_id) as viewer:
        answer = viewer.do("reach", t=FAR_US)
    assert answer["k"] == "refused" and "look around" in answer["reason"]


def test_a_moment_that_was_not_simulated_has_no_view_and_says_how_far_the_run_is(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("reach", t=250_000)
        for what in ("snapshot", "verdict"):
            answer = person.get(f"/rooms/{run_id}/{what}?at_us=1500000")
            assert answer.status == 409
            assert answer.json()["error"] == "1.500 s has not been simulated yet; the run is at 0.250 s"


def test_a_moment_ahead_must_be_named(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        answer = viewer.do("reach")
    assert answer["k"] == "refused" and "microseconds" in answer["reason"]
