"""A stand-in for the engine while it is being written: it counts heartbeats and kills brokers, nothing more."""

import sys
import types
from typing import Any

from simengine.kernel import facts
from simengine.kernel.trace import Trace
from simengine.scenario import Document, parse

EVERY_US = 1_000


class Refused(Exception):
    pass


class World:
    def __init__(self, doc: Document) -> None:
        self.doc = doc
        self.now_us = 0
        self.events = 0
        self.trace = Trace()
        self.running = {b.id: 3 if b.state == "running" else 0 for b in doc.brokers}
        self.beats = {b.id: 0 for b in doc.brokers}
        self.todo = [(e.at_us, str(e.action)) for e in doc.timeline]

    def run(self, until_us: int, budget: int = 0) -> int:
        left = budget or 1 << 60
        while left > 0:
            tick = (self.now_us // EVERY_US + 1) * EVERY_US
            act = self.todo[0][0] if self.todo else 1 << 60
            t = min(tick, act)
            if t > until_us:
                self.now_us = until_us
                return until_us
            self.now_us = self.trace.now = t
            self.events += 1
            left -= 1
            if act <= tick and act == t:
                self._do(self.todo.pop(0)[1])
            else:
                b = list(self.beats)[(t // EVERY_US) % len(self.beats)]
                self.beats[b] = t
                self.trace.traffic(facts.FLIGHT, 5, b, 100, t + 500)
                self.trace.traffic(facts.HEARTBEAT_NOTED, b, 1)
        return self.now_us

    def _do(self, do: str) -> None:
        action = parse(do)
        cause = self.trace.decide(facts.ACTION_DONE, 0, [0], [], do)
        if action.verb in ("kill", "start"):
            node = int(action.args[0])
            self.running[node] = 0 if action.verb == "kill" else 3
            self.trace.decide(facts.PROCESS_CHANGED, cause, [node, self.running[node]], [])

    def act(self, at_us: int, do: str) -> int:
        try:
            action = parse(do)
        except ValueError as wrong:
            raise Refused(str(wrong)) from None
        if action.verb == "kill" and int(action.args[0]) not in self.running:
            raise Refused(f"there is no broker {action.args[0]}")
        used = max(at_us, self.now_us + 1)
        self.todo.append((used, do))
        self.todo.sort(key=lambda e: e[0])
        return used

    def digest(self) -> str:
        return self.trace.digest()

    def verdict(self) -> dict[str, Any]:
        return {"topics": [], "sentence": "fake"}

    def names(self) -> dict[str, Any]:
        return {"topics": [], "partitions": [], "clients": [], "brokers": [], "controllers": []}

    def snapshot(self) -> dict[str, Any]:
        return {
            "t": self.now_us,
            "seq": self.trace.seq,
            "brokers": {
                str(b): {
                    "process": facts.PROCESS_NAMES[s],
                    "registration": "active",
                    "be": 1,
                    "heartbeat": self.beats[b],
                }
                for b, s in self.running.items()
            },
            "topics": [],
            "partitions": [],
            "clients": [],
        }


def install() -> None:
    module = types.ModuleType("simengine.world")
    module.World, module.build, module.Refused = World, World, Refused  # type: ignore[attr-defined]
    sys.modules["simengine.world"] = module


def main() -> None:
    install()
    from playground.rooms.engine_process import main as serve

    serve()


if __name__ == "__main__":
    main()
