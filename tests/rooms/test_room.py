"""A live room over its socket: clock, actions, viewers, errors."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from playground.origins import is_ours
from playground.rooms.limits import (
    ASKS_A_SECOND,
    ASKS_BURST,
    BAD_FRAMES_MAX,
    BIG_PARTITIONS,
    COMMAND_BYTES_MAX,
    COMMANDS_BURST,
    SPEED_BIG_US,
    SPEED_MAX_US,
)
from playground.rooms.names import RoomName
from simengine.facts import kinds
from simengine.facts.decisive import BrokerRegistration
from simengine.scenario import load
from simengine.world.view import snapshot
from simengine.world.world import build
from tests.rooms.site import QUIET, Browser, Site


def test_a_room_greets_with_the_document_its_names_and_what_the_viewer_may_do(person: Browser, run_id: str) -> None:
    with person.socket(f"/ws/room/{run_id}") as viewer:
        hello = viewer.until("hello")
    assert hello["owner"] and hello["control"]
    assert hello["document"]["title"] == "Three brokers"
    assert hello["names"]["topics"][0] == "orders"
    assert hello["doc_id"] == run_id


def test_a_new_run_stands_at_zero_and_paused(person: Browser, run_id: str) -> None:
    with person.socket(f"/ws/room/{run_id}") as viewer:
        snap = viewer.until("snap")
    assert snap["view"]["t"] == 0
    assert not snap["clock"]["playing"]


def test_a_cluster_drawn_as_a_map_begins_at_two_seconds_a_second(person: Browser) -> None:
    many = QUIET.replace(b"[[1, 2, 3], [2, 3, 1]]", b"[" + b",".join([b"[1, 2, 3]"] * (BIG_PARTITIONS + 1)) + b"]")
    with person.socket(f"/ws/room/{person.make(many)}") as viewer:
        assert viewer.until("snap")["clock"]["speed"] == SPEED_BIG_US


def test_playing_brings_facts_without_a_gap(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        first = viewer.seq
        viewer.do("speed", value=1_000_000)
        viewer.do("play")
        while viewer.t < 500_000:
            viewer.receive()
        seqs = [row[0] for row in viewer.rows]
    assert seqs == list(range(first + 1, first + 1 + len(seqs)))


def test_a_fast_room_slows_down_at_events_when_it_is_told_to(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("speed", value=5_000_000)
        assert viewer.do("ease", value="yes")["k"] == "refused"
        assert viewer.do("ease", value=True)["k"] == "ack"
        viewer.do("act", do="kill 1")
        viewer.do("play")
        speeds = []
        while not (fenced := _fenced_us(viewer.rows)) or viewer.t < fenced + 100_000:
            frame = viewer.receive()
            if frame["k"] == "facts":
                assert frame["clock"]["speed"] == 5_000_000 and frame["clock"]["eases"]
                speeds.append((frame["t"], frame["clock"]["now_speed"]))
    assert {speed for t, speed in speeds if 300_000 < t < 5_000_000} == {5_000_000}
    assert 100_000 in {speed for t, speed in speeds if fenced < t < fenced + 200_000}


def _fenced_us(rows: list[list[Any]]) -> int:
    """The moment (us) when a broker was fenced, 0 if it was not."""
    registrations = [BrokerRegistration.read(row) for row in rows if row[2] == kinds.BROKER_REGISTRATION]
    return next((one.t for one in registrations if one.state == kinds.REG_FENCED), 0)


def test_a_paused_room_sends_nothing(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("play")
        viewer.send("pause")
        viewer.until("clock", playing=False)
        viewer.until("ack")
        viewer.until("people", here=1)  # said once, about a second after somebody came
        with pytest.raises(TimeoutError):
            viewer.receive(0.3)


def test_an_accepted_action_is_acknowledged_with_its_time_and_its_facts_come_at_once(
    person: Browser, run_id: str
) -> None:
    with person.room(run_id) as viewer:
        answer = viewer.do("act", do="kill 2")
        assert answer["k"] == "ack" and answer["at_us"] == 1
        seen = [row[2] for row in viewer.rows]
    assert seen[0] == kinds.ACTION_DONE
    assert kinds.PROCESS_CHANGED in seen


def test_an_acknowledged_action_is_in_the_document(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("act", do="kill 2")
    assert person.get(f"/s/{run_id}.json").json()["timeline"] == [{"at": "1us", "do": "kill 2"}]


def test_an_impossible_action_is_refused_with_the_reason_and_the_run_is_untouched(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        before = viewer.seq
        answer = viewer.do("act", do="kill 9")
        assert answer["k"] == "refused" and "9" in answer["reason"]
        near = viewer.do("act", do="kil 2")
        assert "did you mean kill?" in near["reason"]
        assert viewer.seq == before
    assert "timeline" not in person.get(f"/s/{run_id}.json").json()


def test_an_action_sent_twice_under_one_nonce_happens_once(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        first = viewer.do("act", do="kill 2", nonce="n1")
        second = viewer.do("act", do="kill 2", nonce="n1")
    assert first["at_us"] == second["at_us"]
    assert len(person.get(f"/s/{run_id}.json").json()["timeline"]) == 1


def test_bad_frames_are_answered_and_the_rest_goes_on(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.connection.send("{")
        assert viewer.until("error")["place"] == "frame"
        viewer.connection.send(b"\x00\x01")
        assert "JSON text frame" in viewer.until("error")["reason"]
        viewer.connection.send(json.dumps({"cmd": "play", "x": "y" * COMMAND_BYTES_MAX}))
        assert str(COMMAND_BYTES_MAX) in viewer.until("error")["reason"]
        answer = viewer.do("speed", value=SPEED_MAX_US + 1)
        assert answer["place"] == "value" and "auto" in answer["allowed"]
        assert viewer.do("play")["k"] == "ack"


def test_a_frame_beyond_the_wall_closes_the_socket_and_the_room_goes_on(person: Browser, run_id: str) -> None:
    with person.room(run_id) as first, person.room(run_id) as second:
        first.connection.send("x" * 200_000)
        with pytest.raises(AssertionError, match="closed"):
            first.until("never", 5)
        assert second.do("play")["k"] == "ack"


def test_too_many_commands_are_refused_and_later_ones_taken(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        ids = [viewer.send("stream", value="flights") for _ in range(COMMANDS_BURST + 40)]
        answers: dict[int, str] = {}
        while len(answers) < len(ids):
            frame = viewer.receive()
            if frame["k"] in ("ack", "refused"):
                answers[frame["id"]] = frame["k"]
        assert "refused" in answers.values()
        time.sleep(0.5)
        assert viewer.do("pause")["k"] == "ack"


def test_a_connection_that_keeps_sending_nonsense_is_closed(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        for _ in range(BAD_FRAMES_MAX + 1):
            viewer.connection.send("nonsense")
        with pytest.raises(AssertionError, match="closed"):
            viewer.until("never", 5)
        assert str(BAD_FRAMES_MAX) in viewer.frames[-1]["reason"]


def test_requests_about_the_past_are_limited_in_words(person: Browser, run_id: str) -> None:
    path = f"/rooms/{run_id}/facts?from_us=0&to_us=0"
    person.known()
    with ThreadPoolExecutor(ASKS_A_SECOND) as pool:  # one after the other, a slow machine asks no more than is allowed
        answers = list(pool.map(person.get, [path] * (ASKS_BURST + ASKS_A_SECOND * 3)))
    refused = [answer.json()["error"] for answer in answers if answer.status == 429]
    assert any(str(ASKS_A_SECOND) in words for words in refused)


def test_a_step_goes_to_the_next_event_and_pauses(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("act", do="kill 2")
        viewer.do("step")
        seen = [row for row in viewer.rows if row[1] > 1 and row[2] < kinds.FIRST_TRAFFIC]
        assert {row[1] for row in seen if row[2] != kinds.VERDICT_CHANGED} == {viewer.t}


def test_a_step_to_any_fact_goes_less_far(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        before = viewer.seq
        viewer.do("step", to="fact")
        assert viewer.rows and viewer.rows[0][0] == before + 1
        assert {row[1] for row in viewer.rows} == {viewer.t}


def test_automatic_speed_skips_the_wait_for_the_fencing_of_a_dead_broker(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("speed", value="auto")
        viewer.do("act", do="kill 1")
        viewer.do("play")
        begin = time.monotonic()
        while not any(row[2] == kinds.BROKER_REGISTRATION for row in viewer.rows):
            viewer.receive()
        assert viewer.t > 6_000_000
        assert time.monotonic() - begin < 9


def test_another_browser_reads_and_does_not_act(site: Site, person: Browser, run_id: str) -> None:
    other = Browser(site).ready()
    with other.socket(f"/ws/room/{run_id}") as viewer:
        hello = viewer.until("hello")
        assert not hello["owner"] and not hello["control"]
        viewer.until("snap")
        assert "fork" in viewer.do("act", do="kill 1")["reason"]
        assert viewer.do("play")["k"] == "refused"


def test_all_viewers_of_a_room_see_the_same_facts(site: Site, person: Browser, run_id: str) -> None:
    other = Browser(site).ready()
    with person.room(run_id) as first, other.room(run_id) as second:
        first.do("act", do="kill 3")
        while second.seq < first.seq:
            second.receive()
        assert second.rows == first.rows


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:3000", "http://127.0.0.1", "null"])
def test_a_viewer_from_a_foreign_origin_is_refused(person: Browser, run_id: str, origin: str) -> None:
    with pytest.raises(InvalidStatus) as caught:
        person.socket(f"/ws/room/{run_id}", origin=origin)
    assert caught.value.response.status_code == 403


def test_a_page_elsewhere_on_this_machine_is_not_ours_unless_it_is_named() -> None:
    ours = "http://localhost:8000"
    for other in ("http://localhost:3000", "https://localhost:8000", "http://localhost", "", "null"):
        assert not is_ours(other, ours, [])
    assert is_ours(ours, ours, [])
    assert is_ours("https://highwater.example", ours, ["https://highwater.example"])  # behind a proxy
    assert not is_ours("http://rebound.example:8000", "http://rebound.example:8000", [])  # no host of ours


def test_a_room_that_does_not_exist_says_so(person: Browser) -> None:
    with person.socket("/ws/room/nothing") as viewer:
        assert "nothing" in viewer.until("end")["reason"]


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("x" * 3_000, "xxxxx…, or"),
        ("a%00b", "a<U+0000>b, or"),
        ("%E2%80%AEgpj", "<U+202E>gpj, or"),
        ("%0a%0a", "link , or"),
    ],
)
def test_a_link_that_is_none_is_repeated_cut_and_visible(person: Browser, link: str, told: str) -> None:
    with person.socket(f"/ws/room/{link}") as viewer:
        reason = viewer.until("end")["reason"]
    assert told in reason and len(reason) < 200, reason


def test_the_state_stream_carries_no_flights_and_starts_with_a_snapshot(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("stream", value="state")
        viewer.until("snap")
        viewer.do("speed", value=1_000_000)
        viewer.do("play")
        while viewer.t < 300_000:
            viewer.receive()
        seen = {row[2] for row in viewer.rows}
    assert seen and kinds.FLIGHT not in seen


def test_the_view_of_a_past_moment_is_that_of_the_document_run_to_it(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("speed", value=5_000_000)
        viewer.do("play")
        viewer.do("act", do="kill 1")
        while viewer.t < 4_000_000:
            viewer.receive()
        viewer.do("pause")
    document = person.get(f"/s/{run_id}.json").body
    for at_us in (0, 1, 1_234_567, 3_000_000, 700_001):
        world = build(load(document))
        world.run(at_us)
        answer = person.get(f"/rooms/{run_id}/snapshot?at_us={at_us}&as=json").json()
        assert answer == json.loads(json.dumps(snapshot(world)))


def test_decisive_facts_of_a_range_come_by_http(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        at_us = viewer.do("act", do="kill 1")["at_us"]
    rows = person.get(f"/rooms/{run_id}/facts?from_us=0&to_us={at_us}").msgpack()
    assert next(row[2] for row in rows if row[1] == at_us) == kinds.ACTION_DONE
    assert all(row[2] < kinds.FIRST_TRAFFIC for row in rows)


def test_a_wrong_moment_is_refused_in_words(person: Browser, run_id: str) -> None:
    answer = person.get(f"/rooms/{run_id}/snapshot?at_us=-1")
    assert answer.status == 400 and "at_us" in answer.json()["error"]


def test_at_high_speed_an_action_goes_back_to_what_was_shown(person: Browser) -> None:
    run_id = person.make(QUIET)
    with person.room(run_id) as viewer:
        viewer.do("speed", value=5_000_000)
        viewer.do("play")
        while viewer.t < 3_000_000:
            viewer.receive()
        shown = viewer.t - 400_000
        answer = viewer.do("act", do="kill 2", shown_us=shown)
        assert answer["at_us"] == shown + 1
        assert any(frame["k"] == "snap" and frame["back"] for frame in viewer.frames)


def test_at_low_speed_an_action_happens_at_the_time_of_the_server(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        viewer.do("speed", value=500_000)
        viewer.do("play")
        while viewer.t < 300_000:
            viewer.receive()
        assert viewer.do("act", do="kill 2", shown_us=100_000)["at_us"] > 250_000


def test_the_names_of_rooms_tell_whose_they_are() -> None:
    shared = RoomName.of("abc", is_frozen=True, browser_key="0123456789abcdef")
    assert RoomName.read(str(shared)) == shared
    assert shared.is_open_to("0123456789abcdef") and not shared.is_open_to("f" * 16)
    assert str(RoomName.of("abc", is_frozen=False, browser_key="x")) == "abc"
