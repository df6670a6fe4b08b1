"""Rates: token buckets in the memory of the process.

A cookie can be thrown away. So a browser that was first seen a moment ago counts with all such browsers of its address,
and all browsers of an address have a limit together.
"""

import time
from collections import OrderedDict
from typing import Final, NamedTuple

from playground.engine.turns import Holder

KEYS_MAX = 10_000
NEWCOMER_S: Final = 5.0  # so long after it was first seen, a browser counts for its address


class TokenBucket:
    """Lets ``burst`` through at once and ``per_second`` after that."""

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second = per_second
        self.burst = burst
        self._tokens = float(burst)
        self._last = time.monotonic()

    def take(self) -> bool:
        """True if one more is allowed now."""
        now = time.monotonic()
        self._tokens = min(float(self.burst), self._tokens + (now - self._last) * self.per_second)
        self._last = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Buckets:
    """A bucket for each key; the keys used longest ago are forgotten first."""

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second = per_second
        self.burst = burst
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, key: str) -> bool:
        """True if ``key`` may once more."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self.per_second, self.burst)
        self._buckets.move_to_end(key)
        if len(self._buckets) > KEYS_MAX:
            self._buckets.popitem(last=False)
        return bucket.take()


class Rate(NamedTuple):
    """``burst`` at once and ``per_second`` after that."""

    per_second: float
    burst: int


class VisitorRates:
    """Buckets for browsers, for the newcomers of each address, which have half of its rate, and for addresses."""

    def __init__(self, browser: Rate, address: Rate) -> None:
        self._browsers = Buckets(*browser)
        self._newcomers = Buckets(address.per_second / 2, address.burst // 2)
        self._addresses = Buckets(*address)

    def take(self, visitor: Holder) -> bool:
        """True if this visitor may once more. A browser at its own limit takes nothing from its address."""
        browser = counted(visitor).browser
        is_own = self._browsers.take(browser) if browser else self._newcomers.take(visitor.address)
        return is_own and self._addresses.take(visitor.address)


def counted(visitor: Holder) -> Holder:
    """The visitor as limits count it: with browser "" for a newcomer, as without a cookie."""
    if not visitor.browser:
        return visitor
    now = time.monotonic()
    first_seen = _first_seen[visitor.browser] = _first_seen.pop(visitor.browser, now)  # the newest to forget
    if len(_first_seen) > KEYS_MAX:
        _first_seen.popitem(last=False)
    return visitor if now - first_seen >= NEWCOMER_S else Holder(visitor.address, "")


_first_seen: OrderedDict[str, float] = OrderedDict()
