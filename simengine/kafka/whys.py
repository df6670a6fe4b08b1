"""What later facts go back to: the newest decisive facts about each broker's process, pace and links.

The controller's records about a broker go back to the newest fact about its process or any link of it. What a leader
does about a follower goes back to what befell the two of them: their processes, the follower's pace, and the link
between them. Numbers of facts; 0 where nothing has happened since the start.
"""

from typing import Final, final

from mypy_extensions import i64

PACE: Final = -1  # in the place of the other end of a link


@final
class Whys:
    """Facts by broker, and by what befell it."""

    __slots__ = ("_befell", "_newest", "_troubled")

    def __init__(self) -> None:
        self._newest: dict[int, int] = {}
        self._befell: dict[tuple[int, int], int] = {}  # process: (broker, broker); link: its ends; pace: (broker, PACE)
        self._troubled: set[tuple[int, int]] = set()

    def of(self, broker: i64) -> i64:
        """The fact that last changed a broker's process or links."""
        return self._newest.get(int(broker), 0)

    def noticed(self, broker: i64, fact: i64) -> None:
        """From now on what is decided about a broker goes back to this fact."""
        self._newest[int(broker)] = int(fact)

    def process_changed(self, broker: i64, fact: i64, runs: bool) -> None:
        """A broker's process is in another state."""
        self.noticed(broker, fact)
        self._changed((int(broker), int(broker)), fact, runs)

    def pace_changed(self, broker: i64, fact: i64, is_full: bool) -> None:
        """A broker takes records in at another pace."""
        self._changed((int(broker), PACE), fact, is_full)

    def link_changed(self, a: i64, b: i64, fact: i64, is_whole: bool) -> None:
        """What is sent from one node to another gets there otherwise."""
        self._changed((int(a), int(b)), fact, is_whole)

    def _changed(self, what: tuple[int, int], fact: i64, is_well: bool) -> None:
        self._befell[what] = int(fact)
        if is_well:
            self._troubled.discard(what)
        else:
            self._troubled.add(what)

    def between(self, leader: i64, follower: i64) -> i64:
        """The newest fact about how a follower keeps up with a leader."""
        newest: i64 = 0
        for what in _between(leader, follower):
            newest = max(newest, self._befell.get(what, 0))
        return newest

    def trouble_between(self, leader: i64, follower: i64) -> i64:
        """The newest of those by which it cannot keep up still; 0 where none is in its way."""
        newest: i64 = 0
        for what in _between(leader, follower):
            if what in self._troubled:
                newest = max(newest, self._befell.get(what, 0))
        return newest


def _between(leader: i64, follower: i64) -> list[tuple[int, int]]:
    a, b = int(leader), int(follower)
    return [(a, a), (b, b), (b, PACE), (a, b), (b, a)]
