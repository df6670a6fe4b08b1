"""One room, many viewers: the web process's share of a core with 500 of them, how late frames are, and how long an
action takes from the command to its own facts at the socket (the page's part of a click comes on top).
"""

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import msgpack
import psutil
from websockets.asyncio.client import ClientConnection, connect

from tests.bench.engine import document
from tests.rooms.site import Browser, Site

MANY: Final = 500
FEW: Final = 10
SECONDS: Final = 10.0
ACTIONS: Final = 200
ACTION_PAUSE_S: Final = 0.05
SPEED_US: Final = 100_000  # the page's normal speed: single messages are seen


def measure() -> dict[str, float]:
    """`viewers_500_cpu`: share of one core of the web process, 500 viewers at 30 frames a second."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.start()
        try:
            person = Browser(site).ready()
            run_id = person.make(json.dumps(document()).encode())
            _actions(person, run_id)
            return {"viewers_500_cpu": asyncio.run(_many(site, person, run_id))}
        finally:
            site.stop()


def _actions(person: Browser, run_id: str) -> None:
    """Print how long actions take with FEW viewers, commit included."""
    topic = document()["topics"][0]["name"]
    viewers = [person.room(run_id) for _ in range(FEW - 1)]
    with person.room(run_id) as owner:
        owner.do("speed", value=SPEED_US)
        owner.do("play")
        found = []
        for number in range(ACTIONS):
            begin = time.perf_counter()
            assert owner.do("act", do=f"acks {topic} {'all' if number % 2 else 1}")["k"] == "ack"
            found.append((time.perf_counter() - begin) * 1000)
            _pass_time(owner, ACTION_PAUSE_S)
        owner.do("pause")
    for viewer in viewers:
        viewer.connection.close()
    found.sort()
    p99 = found[int(len(found) * 0.99)]
    p50 = statistics.median(found)
    print(f"action, command to own facts at the socket, {FEW} viewers: p50 {p50:.1f} ms, p99 {p99:.1f} ms")


def _pass_time(viewer: Any, seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            viewer.receive(left)
        except TimeoutError:
            return


async def _many(site: Site, person: Browser, run_id: str) -> float:
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in person.jar)
    url = f"ws://127.0.0.1:{site.port}/ws/room/{run_id}"
    options: dict[str, Any] = {"compression": None, "max_size": None, "origin": site.url, "ping_interval": None}
    owner = await connect(url, additional_headers={"Cookie": cookies}, **options)
    viewers = [owner, *[await connect(url, **options) for _ in range(MANY - 1)]]
    await viewers[0].send('{"id": 1, "cmd": "play"}')
    counts = [0] * MANY
    late: list[float] = []
    arrivals: dict[int, float] = {}
    readers = [asyncio.create_task(_read(viewer, n, counts, arrivals, late)) for n, viewer in enumerate(viewers)]
    await asyncio.sleep(2.0)
    assert site.process is not None
    web = psutil.Process(site.process.pid)
    web.cpu_percent()
    before = sum(counts)
    await asyncio.sleep(SECONDS)
    share = web.cpu_percent() / 100
    frames = (sum(counts) - before) / SECONDS / MANY
    for reader in readers:
        reader.cancel()
    late.sort()
    spread = late[int(len(late) * 0.99)] * 1000
    print(f"{MANY} viewers: web process {share:.2f} of a core, {frames:.1f} frames/s each")
    print(f"  from the first viewer's frame to the last one's: p99 {spread:.0f} ms")
    return round(share, 2)


async def _read(
    viewer: ClientConnection, number: int, counts: list[int], arrivals: dict[int, float], late: list[float]
) -> None:
    """Count frames of facts; viewer 0 and the last one also note when each came."""
    async for data in viewer:
        assert isinstance(data, bytes)
        if b"\xa5facts" not in data[:12]:
            continue
        counts[number] += 1
        if number not in (0, MANY - 1):
            continue
        seq = msgpack.unpackb(data)["seq"]
        if seq in arrivals:
            late.append(abs(time.monotonic() - arrivals.pop(seq)))
        else:
            arrivals[seq] = time.monotonic()
