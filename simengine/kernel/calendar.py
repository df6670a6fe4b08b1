"""The calendar: what will happen, in the order (time, class, serial).

Class 0 holds the timeline's actions, class 1 all else; the two are numbered apart, so that an action which becomes
known late changes no other event's place. Cancelling needs no removal: an event that finds itself stale does nothing.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

ACTION_CLASS_BIT: Final = 1 << 60


class Event:
    """Something that happens at a time. Subclasses say what, in ``fire``."""

    __slots__ = ("time",)

    def __init__(self) -> None:
        self.time: i64 = 0

    def fire(self) -> None:
        """Happen."""
        raise AssertionError("an event without effect")

    def vanish(self) -> None:
        """The process that it waited for, paused, has died."""

    def comes_by_wire(self) -> bool:
        """True if it reaches a process over the network: a process that was paused reads that last."""
        return False


NOTHING: Final = Event()  # fills the places that hold no event


@final
class Calendar:
    """A binary heap, in rows of native integers: comparing two events touches no object.

    ``_times`` and ``_places`` are the heap; an event and its serial stand at its place in ``_events`` and ``_orders``,
    where they stay until it happens. Behind the end of the heap, ``_places`` lists the places that are free.
    """

    __slots__ = ("_actions", "_events", "_n", "_orders", "_places", "_serial", "_times", "taken")

    def __init__(self) -> None:
        self._n: i64 = 0
        self._times: vec[i64] = vec[i64]()
        self._places: vec[i64] = vec[i64]()
        self._orders: vec[i64] = vec[i64]()
        self._events: vec[Event] = vec[Event]()
        self._serial: i64 = 0
        self._actions: i64 = 0
        self.taken: i64 = 0  # class and serial of the event that was taken out last

    def push(self, event: Event, time: i64) -> None:
        """Let an event happen at a time (us)."""
        serial = self._serial + 1
        self._serial = serial
        self._insert(event, time, ACTION_CLASS_BIT | serial)

    def push_action(self, event: Event, time: i64) -> None:
        """Let an action happen at a time (us), before all other events of that microsecond."""
        self._actions += 1
        self._insert(event, time, self._actions)

    def _insert(self, event: Event, time: i64, order: i64) -> None:
        event.time = time
        i = self._n
        if i == len(self._times):
            self._grow()
        self._n = i + 1
        times = self._times
        places = self._places
        orders = self._orders
        events = self._events
        place = places[i]
        orders[place] = order
        events[place] = event
        while i > 0:
            parent = (i - 1) >> 1
            at = times[parent]
            if at < time or (at == time and orders[places[parent]] < order):
                break
            times[i] = at
            places[i] = places[parent]
            i = parent
        times[i] = time
        places[i] = place

    def _grow(self) -> None:
        place: i64 = len(self._times)
        self._times = append(self._times, 0)
        self._places = append(self._places, place)
        self._orders = append(self._orders, 0)
        self._events = append(self._events, NOTHING)

    def next_at(self) -> i64:
        """The time of the first event, or -1 if there is none."""
        return self._times[0] if self._n > 0 else -1

    def pop(self) -> Event:
        """Take the first event out. The calendar must not be empty."""
        times = self._times
        places = self._places
        orders = self._orders
        events = self._events
        freed = places[0]
        first = events[freed]
        events[freed] = NOTHING
        self.taken = orders[freed]
        n = self._n - 1
        self._n = n
        time = times[n]
        place = places[n]
        order = orders[place]
        places[n] = freed
        i: i64 = 0
        child: i64 = 1
        while child < n:
            at = times[child]
            right = child + 1
            if right < n:
                other = times[right]
                if other < at or (other == at and orders[places[right]] < orders[places[child]]):
                    child = right
                    at = other
            if time < at or (time == at and order < orders[places[child]]):
                break
            times[i] = at
            places[i] = places[child]
            i = child
            child = 2 * i + 1
        if n > 0:
            times[i] = time
            places[i] = place
        return first

    def waiting(self) -> list[Event]:
        """All events to come, in their order."""
        places = sorted((int(self._times[i]), int(self._orders[self._places[i]]), i) for i in range(self._n))
        return [self._events[self._places[i]] for _, _, i in places]
