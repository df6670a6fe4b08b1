"""How often somebody may do something: token buckets in the memory of the process."""

import time
from collections import OrderedDict

KEYS_MAX = 10_000


class TokenBucket:
    """Lets ``burst`` through at once and ``per_second`` after that."""

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second = per_second
        self.burst = burst
        self._tokens = float(burst)
        self._last = time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
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
        """Whether ``key`` may once more."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self.per_second, self.burst)
        self._buckets.move_to_end(key)
        if len(self._buckets) > KEYS_MAX:
            self._buckets.popitem(last=False)
        return bucket.take()
