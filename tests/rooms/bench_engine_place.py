"""Measures why a room's engine has a process of its own: the delay of a socket's frame while a run is busy, by place.

Run with `python -m tests.rooms.bench_engine_place`. One event loop sends 30 small frames a second to each of VIEWERS
socket pairs and reads them; the table gives the delay from the tick to the last viewer's frame.
"""

import asyncio
import multiprocessing
import socket
import statistics
import threading
import time
from collections.abc import Callable
from importlib import resources

from simengine import engine_form
from simengine.scenario import load
from simengine.world.world import build

VIEWERS = 100
SECONDS = 5.0
FRAMES_PER_SECOND = 30
SLICE_EVENTS = 2_000
FRAME = b"x" * 400


def busy() -> None:
    """Run the reference document for ever, in slices."""
    document = load(resources.files("simengine.scenario.builtin").joinpath("reference.yaml").read_bytes())
    while True:
        world = build(document)
        while world.now_us < document.until_us:
            world.run(document.until_us, SLICE_EVENTS)


async def delays() -> list[float]:
    """Delay of each tick in seconds, from when it was due to when every viewer has its frame."""
    loop = asyncio.get_running_loop()
    pairs = [socket.socketpair() for _ in range(VIEWERS)]
    for pair in pairs:
        for end in pair:
            end.setblocking(False)
    found = []
    start = loop.time()
    for tick in range(int(SECONDS * FRAMES_PER_SECOND)):
        due = start + tick / FRAMES_PER_SECOND
        await asyncio.sleep(max(0.0, due - loop.time()))
        for sender, receiver in pairs:
            await loop.sock_sendall(sender, FRAME)
            await loop.sock_recv(receiver, len(FRAME))
        found.append(loop.time() - due)
    for pair in pairs:
        for end in pair:
            end.close()
    return found


def _nowhere() -> Callable[[], None]:
    return lambda: None


def _in_a_thread() -> Callable[[], None]:
    threading.Thread(target=busy, daemon=True).start()
    return lambda: None


def _in_a_process() -> Callable[[], None]:
    process = multiprocessing.get_context("spawn").Process(target=busy, daemon=True)
    process.start()
    return process.terminate


def main() -> None:
    """Print a line for each place."""
    print(f"engine {engine_form()}, {VIEWERS} viewers, {FRAMES_PER_SECOND} frames/s")
    for name, place in (("no run", _nowhere), ("own process", _in_a_process), ("thread", _in_a_thread)):
        end = place()
        time.sleep(2.0)
        found = sorted(asyncio.run(delays()))
        end()
        p99 = found[int(len(found) * 0.99)]
        print(f"{name:12} p50 {statistics.median(found) * 1000:7.1f} ms   p99 {p99 * 1000:7.1f} ms")


if __name__ == "__main__":
    main()
