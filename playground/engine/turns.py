"""The order of requests where many share an engine: addresses take turns, and in each address its browsers.

A browser is a cookie, which can be thrown away: sixty browsers behind one address have the share of one address. Next
is the address that has used the least time, then its browser that has, then that browser's oldest request. A holder
that comes back after a rest starts level with the others: unused time is not saved up.
"""

from collections import deque
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
SHARES_KEPT_MAX = 200


class Holder(NamedTuple):
    """The sender of a request: an address and a browser, each "" where it is not known."""

    address: str
    browser: str


class Shares:
    """Seconds that each holder of one kind (addresses, or the browsers of one) has used."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._now = 0.0  # what the holder that was served last had used

    def enter(self, key: str) -> None:
        """A holder has a request again."""
        self._used[key] = max(self._used.get(key, 0.0), self._now)

    def used(self, key: str) -> float:
        """The seconds that count for a holder."""
        return self._used[key]

    def serve(self, key: str) -> None:
        """It has its turn."""
        self._now = max(self._now, self._used[key])

    def charge(self, key: str, seconds: float) -> None:
        """It used so much; less than nothing where too much was charged before."""
        if key in self._used:
            self._used[key] += seconds

    def forget_idle(self, active: set[str]) -> None:
        """Keep little of those that ask for nothing: where there are many, they begin where the others are."""
        if len(self._used) > SHARES_KEPT_MAX:
            self._used = {key: used for key, used in self._used.items() if key in active}


class Turns(Generic[T]):
    """Requests that wait. ``guess_s``: what one is taken to cost until ``charge`` tells."""

    def __init__(self, guess_s: float) -> None:
        self._guess_s = guess_s
        self._waiting: dict[Holder, deque[T]] = {}
        self._addresses = Shares()
        self._browsers: dict[str, Shares] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def put(self, holder: Holder, request: T) -> None:
        """A request waits from now on."""
        if holder not in self._waiting:
            if all(holder.address != other.address for other in self._waiting):
                self._addresses.enter(holder.address)
            self._browsers.setdefault(holder.address, Shares()).enter(holder.browser)
            self._waiting[holder] = deque()
        self._waiting[holder].append(request)

    def take(self, may: Callable[[Holder], bool] = lambda _: True) -> tuple[Holder, T] | None:
        """The next request, of those holders that ``may`` have one now; None without one."""
        holder = min((one for one in self._waiting if may(one)), key=self._rank, default=None)
        if holder is None:
            return None
        request = self._waiting[holder].popleft()
        self._addresses.serve(holder.address)
        self._browsers[holder.address].serve(holder.browser)
        self.charge(holder, self._guess_s)
        if not self._waiting[holder]:
            del self._waiting[holder]
            self._forget_idle()
        return holder, request

    def charge(self, holder: Holder, seconds: float) -> None:
        """A holder used so much of the engine's time."""
        self._addresses.charge(holder.address, seconds)
        if holder.address in self._browsers:
            self._browsers[holder.address].charge(holder.browser, seconds)

    def correct(self, holder: Holder, seconds: float) -> None:
        """A request that was taken has cost so much."""
        self.charge(holder, seconds - self._guess_s)

    def remove(self, holder: Holder, request: T) -> None:
        """A request that waited does not any more, if it is still there."""
        waiting = self._waiting.get(holder)
        if waiting is not None and request in waiting:
            waiting.remove(request)
            if not waiting:
                del self._waiting[holder]

    def of_address(self, address: str) -> int:
        """The number of waiting requests of an address."""
        return sum(len(waiting) for holder, waiting in self._waiting.items() if holder.address == address)

    def of_holder(self, holder: Holder) -> int:
        """The number of waiting requests of a holder."""
        return len(self._waiting.get(holder, ()))

    def newest_of_biggest(self) -> tuple[Holder, T] | None:
        """The newest request of the address that has the most waiting, of its browser with the most."""
        sizes = {holder: (self.of_address(holder.address), len(waiting)) for holder, waiting in self._waiting.items()}
        if not sizes:
            return None
        holder = max(sizes, key=lambda one: sizes[one])
        return holder, self._waiting[holder][-1]

    def clear(self) -> list[T]:
        """Take all that waits, in no order that matters."""
        left = [request for waiting in self._waiting.values() for request in waiting]
        self._waiting.clear()
        return left

    def _rank(self, holder: Holder) -> tuple[float, float]:
        return self._addresses.used(holder.address), self._browsers[holder.address].used(holder.browser)

    def _forget_idle(self) -> None:
        self._addresses.forget_idle({holder.address for holder in self._waiting})
        for address, browsers in list(self._browsers.items()):
            browsers.forget_idle({holder.browser for holder in self._waiting if holder.address == address})
        if len(self._browsers) > SHARES_KEPT_MAX:
            active = {holder.address for holder in self._waiting}
            self._browsers = {address: kept for address, kept in self._browsers.items() if address in active}
