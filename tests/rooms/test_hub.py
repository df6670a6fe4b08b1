"""Viewers of a room: a fast one gets every frame, a slow one a snapshot, and answers are never dropped."""

import asyncio

from playground.rooms.hub import Hub, Viewer
from playground.rooms.limits import VIEWER_BYTES_MAX, VIEWER_FRAMES_MAX


def _ready() -> Viewer:
    viewer = Viewer()
    viewer.give_snapshot(b"snap")
    return viewer


async def _take_all(viewer: Viewer) -> list[bytes]:
    viewer.close()
    taken = []
    while (frame := await viewer.next_frame()) is not None:
        taken.append(frame)
    return taken


async def test_a_viewer_gets_nothing_before_its_snapshot() -> None:
    viewer = Viewer()
    viewer.give(b"facts")
    assert await _take_all(viewer) == []


async def test_frames_come_in_order_after_the_snapshot() -> None:
    viewer = _ready()
    viewer.give(b"1")
    viewer.give(b"2")
    assert await _take_all(viewer) == [b"snap", b"1", b"2"]


async def test_a_viewer_that_falls_behind_loses_its_backlog_and_needs_a_snapshot() -> None:
    viewer = _ready()
    for _ in range(VIEWER_FRAMES_MAX):
        viewer.give(b"facts")
    assert viewer.needs_snapshot
    assert await _take_all(viewer) == []


async def test_bytes_are_bounded_like_frames() -> None:
    viewer = _ready()
    viewer.give(b"x" * VIEWER_BYTES_MAX)
    viewer.give(b"y")
    assert viewer.needs_snapshot


async def test_answers_survive_a_backlog_that_goes() -> None:
    viewer = _ready()
    viewer.tell(b"ack")
    for _ in range(VIEWER_FRAMES_MAX + 1):
        viewer.give(b"facts")
    assert await _take_all(viewer) == [b"ack"]


async def test_a_snapshot_waits_until_the_viewer_has_taken_what_it_was_told() -> None:
    hub, viewer = Hub(), Viewer()
    hub.add(viewer)
    viewer.tell(b"hello")
    assert hub.waiting_for_snapshot() == []
    await viewer.next_frame()
    assert hub.waiting_for_snapshot() == [viewer]


async def test_each_stream_goes_to_its_viewers_only() -> None:
    hub, first, second = Hub(), _ready(), _ready()
    hub.add(first)
    hub.add(second)
    second.stream = "summary"
    assert hub.streams() == ["flights", "summary"]
    hub.give("summary", b"second")
    assert await _take_all(first) == [b"snap"]
    assert await _take_all(second) == [b"snap", b"second"]


async def test_a_waiting_viewer_is_woken() -> None:
    viewer = Viewer()
    waiting = asyncio.create_task(viewer.next_frame())
    await asyncio.sleep(0)
    viewer.tell(b"late")
    assert await asyncio.wait_for(waiting, 1) == b"late"
