"""Clocks of a recount: how long something was so, and for how long a producer had no response."""

from simengine.verdict.outage import THETA_US


class Time:
    """How long something was so, in stretches of its own that are longer than theta."""

    def __init__(self, until: int) -> None:
        self.until = until
        self.since = -1
        self.done = 0

    def is_so(self, is_so: bool, t: int) -> None:
        if is_so and self.since < 0:
            self.since = t
        elif not is_so and self.since >= 0:
            self.done = self.us(t)
            self.since = -1

    def us(self, now: int) -> int:
        open_us = min(now, self.until) - self.since if self.since >= 0 else 0
        return self.done + (open_us if open_us > THETA_US else 0)


class Silence:
    """How long one producer had no success with a partition, in one mode of acks; ``ended``: with no call waiting."""

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
        return self.time.us(now if self.waiting else min(now, self.ended))
