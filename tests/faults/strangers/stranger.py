"""The stranger: what all attacks have in common. Each one has an address of its own."""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.synchronize import Event

from tests.faults.matrix.visitors import NO_ANSWER
from tests.faults.wire import WAIT_S, Wire
from tests.rooms.site import Answer, Browser, Socket

Attack = Callable[["Stranger"], None]


@dataclass
class Target:
    """The address of the site, the address to attack it from, and the links of the visitor's run."""

    port: int
    address: str
    run: str
    edit_link: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class Stranger:
    """Does one attack until the end. `got`: the answers, counted; `at_the_end`: what is done last."""

    def __init__(self, target: Target, is_over: Event) -> None:
        self.target = target
        self.got: Counter[str] = Counter()
        self.at_the_end: list[Callable[[], object]] = []
        self._is_over = is_over
        self._kept: list[Wire | Socket] = []
        self._under_way: dict[int, float] = {}  # when each thread asked that has no answer yet

    def hold(self) -> None:
        """Keep what is open until the end."""
        self._is_over.wait()

    def pause(self, seconds: float) -> bool:
        """Wait; False if the end has come."""
        return not self._is_over.wait(seconds)

    def browser(self) -> Browser:
        """A browser with cookies."""
        return Browser(self.target, self.target.address).ready()

    def without_cookies(self) -> Browser:
        return Browser(self.target, self.target.address)

    def wire(self) -> Wire:
        """A connection that stays open."""
        wire = Wire(self.target, self.target.address)
        self._kept.append(wire)
        return wire

    def note(self, answer: Answer) -> Answer:
        """Count an answer."""
        self.got[str(answer.status)] += 1
        return answer

    def enter(self, browser: Browser, room: str) -> None:
        """Open a room, whose socket stays open, and count how it came."""
        socket = browser.socket(f"/ws/room/{room}")
        self._kept.append(socket)
        while (frame := socket.receive(WAIT_S))["k"] not in ("snap", "end"):
            pass
        self.got["room opened" if frame["k"] == "snap" else "room refused"] += 1

    def at_once(self, number: int, do: Callable[[], object], times: int = 1) -> None:
        """So many at once do it so many times, one after another, and wait for all."""

        def work() -> None:
            for _ in range(times):
                self._under_way[threading.get_ident()] = time.monotonic()
                self.tried(do)
            del self._under_way[threading.get_ident()]

        threads = [threading.Thread(target=work, daemon=True) for _ in range(number)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def again(self, number: int, do: Callable[[], object]) -> None:
        """So many at once do it again and again until the process ends."""
        self.at_once(number, do, sys.maxsize)

    def unanswered(self) -> int:
        """The number of requests under way that have waited for more than a second."""
        return sum(time.monotonic() - asked > 1 for asked in list(self._under_way.values()))

    def tried(self, do: Callable[[], object]) -> None:
        """Do it; an answer that does not come is counted."""
        try:
            do()
        except (AssertionError, *NO_ANSWER) as broken:
            self.got[type(broken).__name__] += 1
