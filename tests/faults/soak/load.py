"""The load of a soak on an instance: rooms that play, viewers at real websockets, actions of owners, experiments."""

import asyncio
import json
import time
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, Final

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from tests.faults.matrix.instance import Instance
from tests.faults.three_brokers import three_brokers
from tests.rooms.site import Browser

DOCUMENT: Final = three_brokers(rate=200)
EXPERIMENT: Final[dict[str, Any]] = {
    "title": "Soak",
    "seeds": 20,
    "horizon": "5s",
    "axes": {"acks": ["1", "all"], "fault": [{"kind": "rack", "rack": "a", "from": "1s", "to": "3s"}]},
}
ACTIONS: Final = ("kill 1", "start 1", "acks orders 1", "acks orders all", "pause 2", "resume 2")
ACT_EVERY_S: Final = 30.0
ALIVE_EVERY_S: Final = 1.0
# Rooms play up to here first: the past that they keep is full then, and their logs have folded what is older.
BEGIN_US: Final = 400_000_000
BEGIN_SPEED: Final = 30_000_000  # us a second
APART_US: Final = 5_000_000  # and so much further than the room before: they do not fold at the same time
ROOM_S: Final = 120.0  # until a room is there, on a busy machine


@dataclass
class Load:
    """The counts of what was sent and of the answers."""

    instance: Instance
    rooms: int
    viewers: int
    experiments: int
    minutes: float
    frames: int = 0
    closed: list[str] = field(default_factory=list)  # sockets that closed by themselves, each with its reason
    actions: int = 0
    refused: list[str] = field(default_factory=list)
    alive_ms: list[float] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)  # ids of experiments

    async def run(self) -> None:
        """Everything for the whole time; the first viewer of a room is its owner."""
        owners = [await asyncio.to_thread(Browser(self.instance).ready) for _ in range(self.rooms)]
        runs = [await asyncio.to_thread(one.make, json.dumps(DOCUMENT).encode()) for one in owners]
        sockets = [await self._socket(run, owner) for run, owner in zip(runs, owners, strict=True)]
        await asyncio.gather(*(self._begin(socket, number) for number, socket in enumerate(sockets)))
        tasks = [asyncio.create_task(self._own(socket, number)) for number, socket in enumerate(sockets)]
        for number in range(self.viewers - self.rooms):
            viewer = await self._socket(runs[number % self.rooms], None)
            tasks.append(asyncio.create_task(self._read(viewer)))
        tasks.append(asyncio.create_task(self._ask_alive(owners[0])))
        tasks.append(asyncio.create_task(self._experiment(owners[0], runs[0])))
        await asyncio.sleep(self.minutes * 60)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _socket(self, run: str, owner: Browser | None) -> ClientConnection:
        url = f"ws://127.0.0.1:{self.instance.port}/ws/room/{run}"
        cookies = "; ".join(f"{one.name}={one.value}" for one in owner.jar) if owner else ""
        return await connect(
            url,
            origin=Origin(self.instance.url),
            additional_headers={"Cookie": cookies} if cookies else {},
            compression=None,
            max_size=None,
            ping_interval=None,
            open_timeout=ROOM_S,
        )

    async def _read(self, socket: ClientConnection) -> None:
        """Take every frame; a refused command is kept, and so is the reason of a socket that ends."""
        reason = ""
        async for data in socket:
            self.frames += 1
            if b"\xa7refused" in data[:16] or b"\xa3end" in data[:16]:
                reason = str(msgpack.unpackb(data, strict_map_key=False).get("reason"))
                self.refused.append(reason)
        self.closed.append(f"{socket.close_code}: {reason}")

    async def _begin(self, socket: ClientConnection, number: int) -> None:
        """Play fast to where a room begins, then at automatic speed. What a room only reaches leaves it no past."""
        await socket.send(json.dumps({"id": 1, "cmd": "speed", "value": BEGIN_SPEED}))
        await socket.send(json.dumps({"id": 2, "cmd": "play"}))
        t_us = 0
        while t_us < BEGIN_US + number * APART_US:
            t_us = max(t_us, msgpack.unpackb(await socket.recv(), strict_map_key=False).get("t", 0))
        await socket.send(json.dumps({"id": 3, "cmd": "speed", "value": "auto"}))

    async def _own(self, socket: ClientConnection, number: int) -> None:
        """One action after another; the rooms act one after another."""
        reading = asyncio.create_task(self._read(socket))
        try:
            await asyncio.sleep(ACT_EVERY_S * number / self.rooms)
            for action in cycle(ACTIONS):
                self.actions += 1
                await socket.send(json.dumps({"id": self.actions, "cmd": "act", "do": action}))
                await asyncio.sleep(ACT_EVERY_S)
        finally:
            reading.cancel()

    async def _ask_alive(self, browser: Browser) -> None:
        while True:
            began = time.monotonic()
            answer = await asyncio.to_thread(browser.get, "/alive")
            assert answer.status == 200, answer.text
            self.alive_ms.append((time.monotonic() - began) * 1e3)
            await asyncio.sleep(ALIVE_EVERY_S)

    async def _experiment(self, browser: Browser, run: str) -> None:
        """The experiments, one in each equal part of the time."""
        began = time.monotonic()
        for number in range(self.experiments):
            due = began + 60 * self.minutes * number / self.experiments
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            body = {**EXPERIMENT, "doc": run, "first_seed": 1 + 100 * number}
            answer = await asyncio.to_thread(browser.post, "/what-if/run", body)
            if answer.status == 201:
                self.asked.append(answer.json()["id"])
            else:
                self.refused.append(f"experiment {number + 1}: {answer.text[:200]}")
