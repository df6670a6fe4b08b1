"""The calendar: what will happen, in the order (time, class, serial).

Class 0 holds the timeline's actions, class 1 all else; the two are numbered apart, so that an action which becomes
known late changes no other event's place. Cancelling needs no removal: an event that finds itself stale does nothing.
"""

from typing import Final, final

from mypy_extensions import i64

ACTION_CLASS_BIT: Final = 1 << 60


class Event:
    """Something that happens at a time. Subclasses say what, in ``fire``."""

    __slots__ = ("order", "time")

    def __init__(self) -> None:
        self.time: i64 = 0
        self.order: i64 = 0

    def fire(self) -> None:
        """Happen."""
        raise AssertionError("an event without effect")


@final
class Calendar:
    """A binary heap of events."""

    __slots__ = ("_actions", "_serial", "heap")

    def __init__(self) -> None:
        self.heap: list[Event] = []
        self._serial: i64 = 0
        self._actions: i64 = 0

    def __len__(self) -> int:
        return len(self.heap)

    def push(self, event: Event, time: i64) -> None:
        """Let an event happen at a time (us)."""
        self._serial += 1
        event.time = time
        event.order = ACTION_CLASS_BIT | self._serial
        self._sift_up(event)

    def push_action(self, event: Event, time: i64) -> None:
        """Let an action happen at a time (us), before all other events of that microsecond."""
        self._actions += 1
        event.time = time
        event.order = self._actions
        self._sift_up(event)

    def _sift_up(self, event: Event) -> None:
        heap = self.heap
        i: i64 = len(heap)
        heap.append(event)
        time = event.time
        order = event.order
        while i > 0:
            parent_at = (i - 1) >> 1
            parent = heap[parent_at]
            if parent.time < time or (parent.time == time and parent.order < order):
                break
            heap[i] = parent
            i = parent_at
        heap[i] = event

    def pop(self) -> Event:
        """Take the first event out. The calendar must not be empty."""
        heap = self.heap
        first = heap[0]
        last = heap.pop()
        n: i64 = len(heap)
        if n == 0:
            return first
        i: i64 = 0
        child_at: i64 = 1
        while child_at < n:
            child = heap[child_at]
            right_at = child_at + 1
            if right_at < n:
                right = heap[right_at]
                if right.time < child.time or (right.time == child.time and right.order < child.order):
                    child = right
                    child_at = right_at
            heap[i] = child
            i = child_at
            child_at = 2 * i + 1
        heap[i] = last
        self._settle(i, last)
        return first

    def _settle(self, i: i64, event: Event) -> None:
        """Move the event at i up to its place (it came from the bottom, so it is mostly there already)."""
        heap = self.heap
        time = event.time
        order = event.order
        while i > 0:
            parent_at = (i - 1) >> 1
            parent = heap[parent_at]
            if parent.time < time or (parent.time == time and parent.order < order):
                break
            heap[i] = parent
            i = parent_at
        heap[i] = event
