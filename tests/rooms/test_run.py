"""A run in its engine process: bounded slices, steps, replay, going back, and what its streams add up to."""

from typing import Any

import msgpack
import pytest

from playground.rooms import run as module
from playground.rooms.limits import SLICE_EVENTS
from playground.rooms.run import RoomRun
from playground.rooms.streams import FLIGHTS, STATE, SUMMARY, unpack_rows
from simengine.facts.kinds import ACTION_DONE
from simengine.scenario import load, to_plain
from simengine.world.fold import fold
from simengine.world.world import build
from tests.rooms.site import QUIET

END_US = 12_000_000
TWO_TOPICS = """
format: 1
title: One acknowledges early
seed: 3
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics:
  - {name: safe, assignment: [[2, 3, 1]], config: {min.insync.replicas: 2}}
  - {name: fast, assignment: [[1, 2, 3]]}
producers:
  - {id: careful, topic: safe, rate: 50, acks: all}
  - {id: quick, topic: fast, rate: 200, acks: 1}
consumers:
  - {id: reader, group: g, topics: [fast]}
"""


def _plain() -> dict[str, Any]:
    return to_plain(load(QUIET))


def _advance(run: RoomRun, until_us: int, streams: list[str], *, flush: bool = False) -> list[dict[str, Any]]:
    frames = []
    while run.world.now_us < until_us:
        frames.append(run.advance(until_us, False, streams, flush))
    return frames


def _view(run: RoomRun) -> dict[str, Any]:
    view: dict[str, Any] = msgpack.unpackb(run.view(), strict_map_key=False)
    return view


def _digest(until_us: int) -> str:
    world = build(load(QUIET))
    world.act(1, "kill 1")
    world.run(until_us)
    return world.digest()


def test_slices_steps_and_replay_lead_to_one_digest() -> None:
    sliced, replayed = RoomRun(_plain()), RoomRun(_plain())
    for run in (sliced, replayed):
        run.act(1, "kill 1")
    for until_us in range(0, END_US + 1, 400_000):
        _advance(sliced, until_us, [FLIGHTS])
    while replayed.replay(END_US)["t"] < END_US:
        pass
    assert sliced.digest() == replayed.digest() == _digest(END_US)


@pytest.mark.parametrize("stream", [FLIGHTS, STATE, SUMMARY])
def test_every_stream_folds_to_the_snapshot(stream: str) -> None:
    run = RoomRun(_plain())
    view = _view(run)
    run.act(1_500_000, "kill 1")
    run.act(9_000_000, "start 1")
    run.act(3_000_000, "acks orders 1")
    for until_us in range(100_000, END_US + 1, 100_000):
        for frame in _advance(run, until_us, [stream], flush=until_us % 1_000_000 == 0):
            for row in unpack_rows(frame["streams"][stream][2]) if stream in frame["streams"] else []:
                fold(view, row)
    truth = _view(run)
    assert view | {"seq": 0, "t": 0} == truth | {"seq": 0, "t": 0}


def test_a_frame_with_too_many_facts_is_thinned_and_still_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FACTS_A_FRAME_MAX", 20)
    run = RoomRun(_plain())
    view = _view(run)
    number = 0
    for frame in _advance(run, 5_000_000, [FLIGHTS]):
        rows = unpack_rows(frame["streams"][FLIGHTS][2])
        number += len(rows)
        for row in rows:
            fold(view, row)
    assert view | {"seq": 0, "t": 0} == _view(run) | {"seq": 0, "t": 0}
    assert number < run.world.trace.seq / 2


def test_a_frame_takes_no_more_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FRAME_BUDGET_S", 0.0)
    run = RoomRun(_plain())
    frame = run.advance(600_000_000, False, [FLIGHTS], False)
    assert frame["t"] < 600_000_000
    assert frame["events"] <= 2 * SLICE_EVENTS


def test_frames_say_what_they_follow() -> None:
    run = RoomRun(_plain())
    frames = [frame for end in (100_000, 200_000, 300_000) for frame in _advance(run, end, [FLIGHTS])]
    assert [frame["from"] for frame in frames[1:]] == [frame["seq"] for frame in frames[:-1]]


def test_the_facts_of_a_replayed_run_come_by_replay() -> None:
    run = RoomRun(_plain())
    while run.replay(END_US)["t"] < END_US:
        pass
    found = None
    while found is None:
        found = run.rows_between(False, 1_000_000, 2_000_000, FLIGHTS, 1_000_000)
    world = build(load(QUIET))
    world.run(1_000_000)
    world.trace.keep_traffic = True
    world.run(2_000_000)
    rows = world.trace.take().rows()
    assert (found[0], msgpack.unpackb(found[1])) == (len(rows), rows)


def test_what_a_viewer_drew_is_reached_again() -> None:
    first, second = RoomRun(_plain()), RoomRun(_plain())
    _advance(first, 1_234_567, [FLIGHTS])
    drawn = first.sent_seq
    while second.sent_seq < drawn:
        frame = second.advance_to_seq(drawn, 10_000_000, [FLIGHTS])
    assert drawn <= second.sent_seq and frame["t"] <= 1_234_567


def test_live_actions_are_in_the_past_that_is_replayed() -> None:
    run = RoomRun(_plain())
    run.act(500_000, "kill 2")
    _advance(run, 2_000_000, [])
    run.history.segments[0].forget_facts()
    view = None
    while view is None:
        view = run.view_at(False, 1_000_000)
    assert msgpack.unpackb(view, strict_map_key=False)["brokers"]["2"]["process"] == "down"


def test_the_verdict_in_brief_is_the_gravest_topics() -> None:
    run = RoomRun(to_plain(load(TWO_TOPICS)))
    assert run.sentence() == ""
    run.act(2_900_000, "slow-link 1|2,3 300ms")
    run.act(3_000_000, "kill 1")
    _advance(run, 20_000_000, [STATE])
    assert run.sentence() == run.verdict()["sentence"]
    assert run.sentence().startswith("fast: ") and "gone" in run.sentence()


def test_what_the_fault_model_will_do_is_known_before_and_happens() -> None:
    document = {**to_plain(load(TWO_TOPICS)), "faults": {"broker-mttf": "8s", "broker-mttr": "3s"}, "until": "20s"}
    run = RoomRun(document)
    foretold = [tuple(step) for step in run.drawn["steps"]]
    assert foretold and run.drawn["whole"]
    _advance(run, 20_000_000, [STATE])
    done = [(int(fact.t), fact.words) for fact in run.world.trace.decisive if fact.kind == ACTION_DONE]
    assert done == foretold


def test_a_fault_model_without_end_is_told_of_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DRAWN_TOLD_MAX", 4)
    run = RoomRun({**to_plain(load(TWO_TOPICS)), "faults": {"broker-mttf": "1ms", "broker-mttr": "1ms"}, "until": "1h"})
    assert len(run.drawn["steps"]) == 4 and not run.drawn["whole"]
