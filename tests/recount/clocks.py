"""Clocks of a recount: how long something was so, and for how long a producer had no response."""

from typing import Final

from simengine.facts import kinds as f
from simengine.verdict.outage import THETA_US

UP: Final = (f.PROCESS_RUNNING, f.PROCESS_STOPPING)  # the process runs and its listeners are open


class Time:
    """The time that something was so, in stretches of its own that are longer than theta."""

    def __init__(self, until: int) -> None:
        self.until = until
        self.since = -1
        self.done = 0
        self.spans: list[tuple[int, int]] = []  # stretches that are over, short ones too

    def is_so(self, is_so: bool, t: int) -> None:
        if is_so and self.since < 0:
            self.since = t
        elif not is_so and self.since >= 0:
            self.done = self.us(t)
            self.spans.append((self.since, min(t, self.until)))
            self.since = -1

    def us(self, now: int) -> int:
        open_us = min(now, self.until) - self.since if self.since >= 0 else 0
        return self.done + (open_us if open_us > THETA_US else 0)

    def all(self, now: int) -> list[tuple[int, int]]:
        """All stretches, the one that goes on included."""
        return [*self.spans, *([(self.since, min(now, self.until))] if self.since >= 0 else [])]


def long(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans made one where they touch, those longer than theta."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return [(start, end) for start, end in found if end - start > THETA_US]


class Silence:
    """The time without success of one producer on a partition, in one mode of acks; ``ended``: with no call waiting."""

    def __init__(self, until: int) -> None:
        self.until = until
        self.time = Time(until)
        self.waiting = 0
        self.ended = 0

    def calls(self, count: int, t: int) -> None:
        if not self.waiting and t - self.ended > THETA_US:
            self.time.is_so(False, self.ended)
        self.waiting += count
        self.time.is_so(True, t)

    def ends(self, count: int, is_success: bool, t: int) -> None:
        self.waiting -= count
        if is_success:
            self.time.is_so(False, t)
            self.time.is_so(self.waiting > 0, t)
        elif not self.waiting:
            self.ended = t

    def us(self, now: int) -> int:
        return self.time.us(self._until(now))

    def all(self, now: int) -> list[tuple[int, int]]:
        """All stretches."""
        return self.time.all(self._until(now))

    def open_us(self, now: int) -> int:
        """Microseconds of the open stretch, latency included; -1 without one."""
        return min(self._until(now), self.time.until) - self.time.since if self.time.since >= 0 else -1

    def _until(self, now: int) -> int:
        return now if self.waiting else min(now, self.ended)
