"""A branch in the past: what came after stays as far as it can, or the branch says what it leaves out."""

from typing import Any

import pytest

from simengine.facts.kinds import FLIGHT
from tests.rooms.site import QUIET, Browser, Site


def _scripted(person: Browser, *steps: tuple[str, str]) -> str:
    """A run with these actions, played to 12 s."""
    lines = "".join(f"  - {{at: {at}, do: {do}}}\n" for at, do in steps)
    run_id = person.make(QUIET + b"timeline:\n" + lines.encode() if steps else QUIET)
    with person.room(run_id) as viewer:
        viewer.do("reach", t=12_000_000)
    return run_id


def _fork(person: Browser, run_id: str, do: str, **more: object) -> tuple[list[str], dict[str, Any], str]:
    made = person.post(f"/s/{run_id}/fork", {"at_us": 1_000_000, "do": do, **more})
    assert made.status == 201, made.text
    boot = person.open(made.json()["url"])
    timeline = person.get(f"/s/{boot['scenario']}.json").json().get("timeline", [])
    return [entry["do"] for entry in timeline], boot["later"], boot["scenario"]


def test_the_later_kill_still_happens_in_a_branch(person: Browser) -> None:
    run_id = _scripted(person, ("4s", "kill 1"))
    done, later, branch = _fork(person, run_id, "acks orders 1")
    assert done == ["acks orders 1", "kill 1"]
    assert not later["fresh"] and later["brief"] == "with what came after: 1 kill" and later["problems"] == []
    assert later["other"] == "leaves out 1 later action: kill broker 1 at 4 s"
    with person.room(branch) as viewer:
        viewer.do("reach", t=6_000_000)
    view = person.get(f"/rooms/{branch}/snapshot?at_us=6000000").msgpack()
    assert view["brokers"]["1"]["process"] == "down"
    about = person.get(f"/s/{branch}/about").text
    assert "With what came after: 1 kill" in about.split('data-testid="lineage-later"')[1]


def test_what_can_no_longer_be_done_is_left_out_and_listed_with_the_reason(person: Browser) -> None:
    steps = (("2s", "kill 2"), ("5s", "start 2"), ("6s", "acks orders 1"), ("7s", "elect preferred orders-0"))
    run_id = _scripted(person, *steps, ("8s", "hold 99999"), ("9s", "kill 3"))
    done, later, branch = _fork(person, run_id, "acks orders 1")
    assert done == ["acks orders 1", "kill 2", "start 2", "kill 3"]
    assert later["problems"] == [
        "at 6 s: acks orders 1: it is written so already",
        "at 7 s: elect preferred orders-0: the controller refuses it: ELECTION_NOT_NEEDED",
        "at 8 s: hold 99999: another message has this number here",
    ]
    about = person.get(f"/s/{branch}/about").text
    assert all(problem in about for problem in later["problems"])
    killed, told, _ = _fork(person, run_id, "kill 2")
    assert killed[:2] == ["kill 2", "start 2"]
    assert told["problems"][0] == "at 2 s: kill broker 2: it is down already"


def test_a_branch_that_starts_afresh_says_what_it_leaves_out(person: Browser) -> None:
    run_id = _scripted(person, ("2s", "kill 2"), ("5s", "start 2"))
    done, later, _ = _fork(person, run_id, "kill 3", later="drop")
    assert done == ["kill 3"]
    words = "starts afresh: leaves out 2 later actions: kill broker 2 at 2 s, start broker 2 at 5 s"
    assert later["fresh"] and later["brief"] == words and later["problems"] == []
    assert later["other"] == "with what came after: 1 kill, 1 start"
    refused = person.post(f"/s/{run_id}/fork", {"at_us": 1, "do": "kill 3", "later": "some"})
    assert refused.status == 400 and "keep and drop" in refused.json()["error"]


def test_a_branch_that_nothing_came_after_says_nothing_of_it(person: Browser) -> None:
    assert _fork(person, _scripted(person), "kill 3")[1] is None


@pytest.mark.parametrize("later", ["keep", "drop"])
def test_a_message_held_before_the_branch_is_delivered_in_it(person: Browser, later: str) -> None:
    run_id = person.make(QUIET + b"network: {latency: 200ms}\n")
    with person.room(run_id) as viewer:
        viewer.do("reach", t=700_000)
        rows = person.get(f"/rooms/{run_id}/facts?from_us=400000&to_us=700000&stream=flights").msgpack()
        flight = next(row[0] for row in reversed(rows) if row[2] == FLIGHT)
        viewer.do("act", do=f"hold {flight}")
        viewer.do("reach", t=2_000_000)
        viewer.do("act", do=f"deliver {flight}")
        viewer.do("reach", t=3_000_000)
    done = _fork(person, run_id, "config orders min.insync.replicas 1", later=later)[0]
    assert done[:2] == [f"hold {flight}", "config orders min.insync.replicas 1"]
    assert (f"deliver {flight}" in done) == (later == "keep")


def test_somebody_else_s_copy_of_the_past_keeps_what_came_after(site: Site, person: Browser) -> None:
    run_id = _scripted(person, ("4s", "kill 1"))
    shared = person.post(f"/s/{run_id}/share", {"at_us": 2_000_000}).json()["id"]
    stranger = Browser(site).ready()
    for there in (run_id, shared):
        made = stranger.post(f"/s/{there}/fork", {"shown_us": 2_000_000, "do": "kill 3"}).json()
        assert stranger.open(made["url"])["later"]["brief"] == "with what came after: 1 kill"
