"""The causes of later facts: the newest facts about each broker's process, pace and links, and its troubles.

The registration of a broker goes back to its process, its unfencing to that or to its links with the controller. What
a leader does about a follower goes back to what befell the two of them: their processes, the follower's pace, and the
link between them. Silence goes back to the trouble in which it began. Numbers of facts; 0 where nothing has happened
since the start.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

PACE: Final = -1  # in the place of the other end of a link
SERVING: Final = -2
SLOW_LINK_US: Final = 500_000  # below, fetches and heartbeats come later, but as often
ON_THE_WAY_US: Final = 200_000  # what was sent before a trouble began may arrive so long after
GOES_ON: Final = 1 << 62  # the end of a trouble that is not over
FETCHES_US: Final = 1_500_000  # a follower was caught up at most so long ago when it falls behind


@mypyc_attr(acyclic=True)
@final
class Trouble:
    """A trouble that keeps a broker from its work: the fact that began it, and its time (µs)."""

    __slots__ = ("fact", "since", "until")

    def __init__(self, fact: i64, since: i64) -> None:
        self.fact: i64 = fact
        self.since: i64 = since
        self.until: i64 = GOES_ON


@mypyc_attr(acyclic=True)
@final
class ProcessEnds:
    """The facts by which a broker's process fell silent, each after it was started or resumed."""

    __slots__ = ("_is_silent", "facts", "works")

    def __init__(self) -> None:
        self.facts: list[int] = []
        self.works: bool = True
        self._is_silent: bool = False

    def changed(self, fact: i64, works: bool, is_silent: bool) -> None:
        """The process is in another state."""
        if is_silent and not self._is_silent:
            self.facts.append(int(fact))
        self.works, self._is_silent = works, is_silent


@final
class Causes:
    """Facts by broker, and by what befell it."""

    __slots__ = ("_ends", "_happened_to", "_newest", "_troubles")

    def __init__(self) -> None:
        self._ends: dict[int, ProcessEnds] = {}  # by broker
        self._newest: dict[int, int] = {}
        self._happened_to: dict[
            tuple[int, int], int
        ] = {}  # process: (broker, broker); link: its ends; (broker, PACE or SERVING)
        self._troubles: dict[tuple[int, int], list[Trouble]] = {}  # oldest first

    # -- what happens

    def noticed(self, broker: i64, fact: i64) -> None:
        """A fact about a broker's process or any link of it."""
        self._newest[int(broker)] = int(fact)

    def process_changed(self, broker: i64, fact: i64, works: bool, is_silent: bool, now: i64) -> None:
        """A broker's process is in another state; ``is_silent``: it died or was paused."""
        self.noticed(broker, fact)
        self._ends.setdefault(int(broker), ProcessEnds()).changed(fact, works, is_silent)
        self._changed((int(broker), int(broker)), fact, works, now)

    def pace_changed(self, broker: i64, fact: i64, is_full: bool, now: i64) -> None:
        """A broker takes records in at another pace."""
        self._changed((int(broker), PACE), fact, is_full, now)

    def serving_changed(self, broker: i64, fact: i64, is_full: bool, now: i64) -> None:
        """A broker serves fetches at another pace."""
        self._changed((int(broker), SERVING), fact, is_full, now)

    def link_changed(self, a: i64, b: i64, fact: i64, is_whole: bool, now: i64) -> None:
        """Messages from node ``a`` to node ``b`` travel differently now; ``is_whole``: they arrive, and soon."""
        self._changed((int(a), int(b)), fact, is_whole, now)

    def _changed(self, what: tuple[int, int], fact: i64, is_well: bool, now: i64) -> None:
        self._happened_to[what] = int(fact)
        known = self._troubles.get(what)
        if known is not None and known[-1].until == GOES_ON:
            if is_well:
                known[-1].until = now
        elif not is_well:
            self._troubles.setdefault(what, []).append(Trouble(fact, now))

    # -- what it explains

    def of(self, broker: i64) -> i64:
        """The fact that last changed a broker's process or links."""
        return self._newest.get(int(broker), 0)

    def process_of(self, broker: i64) -> i64:
        """The fact that last changed a broker's process."""
        return self._happened_to.get((int(broker), int(broker)), 0)

    def end_of(self, broker: i64) -> i64:
        """The fact by which a broker's process last fell silent; the newest one where it never has."""
        troubles = self._troubles.get((int(broker), int(broker)))
        return self.process_of(broker) if troubles is None else troubles[-1].fact

    def again(self, fact: i64) -> i64:
        """The newest fact by which a trouble began again that a fact had begun; the same fact where it did not.

        A stop that goes on outlasts a start of its broker, or a link that was whole for a moment: what keeps it up is
        the newest death, or the newest cut. Not once the broker works.
        """
        for ends in self._ends.values():
            if not ends.works and fact in ends.facts:
                return ends.facts[-1]
        for what, troubles in self._troubles.items():
            if what[0] != what[1] and troubles[-1].until == GOES_ON and any(one.fact == fact for one in troubles):
                return troubles[-1].fact
        return fact

    def heard(self, broker: i64, controller: i64) -> i64:
        """The newest fact about how a broker reaches a controller."""
        return self._newest_of(_ways(broker, controller))

    def cause_of_silence(self, broker: i64, controller: i64, since: i64, within: i64) -> i64:
        """The cause of a broker's silence at a controller; a heartbeat was due ``within`` µs of ``since`` (LIVE-3)."""
        fact = self._broke(_ways(broker, controller), since, within, GOES_ON)
        return fact if fact else self.of(broker)

    def between(self, leader: i64, follower: i64) -> i64:
        """The newest fact about how a follower keeps up with a leader."""
        return self._newest_of(_between(leader, follower))

    def cause_of_lag(self, leader: i64, follower: i64, since: i64) -> i64:
        """The cause of a follower's lag behind a leader from ``since`` on (ISR-2); 0 if no trouble is known."""
        return self._broke(_between(leader, follower), since, FETCHES_US, GOES_ON)

    def cause_of_no_response(self, broker: i64, client: i64, since: i64) -> i64:
        """The trouble by which a request that a client sent to a broker at ``since`` had no response; 0: none known."""
        return self._broke(_between(broker, client), since, ON_THE_WAY_US, since + ON_THE_WAY_US)

    def trouble_between(self, leader: i64, follower: i64) -> i64:
        """The newest trouble by which a follower cannot keep up now; 0 where none is known."""
        newest: i64 = 0
        for what in _between(leader, follower):
            for trouble in self._troubles.get(what, []):
                if trouble.until == GOES_ON:
                    newest = max(newest, trouble.fact)
        return newest

    def _newest_of(self, places: list[tuple[int, int]]) -> i64:
        newest: i64 = 0
        for what in places:
            newest = max(newest, self._happened_to.get(what, 0))
        return newest

    def _broke(self, places: list[tuple[int, int]], since: i64, within: i64, until: i64) -> i64:
        """The first trouble that began soon after a sign of life, else the newest before that lasts to ``until``.

        0 where there is none.
        """
        first: i64 = 0
        before: i64 = 0
        for what in places:
            for trouble in self._troubles.get(what, []):
                if trouble.since < since - ON_THE_WAY_US:
                    if trouble.until >= until and trouble.fact > before:
                        before = trouble.fact
                elif trouble.since <= since + within and (first == 0 or trouble.fact < first):
                    first = trouble.fact
        return first if first else before


def _ways(broker: i64, controller: i64) -> list[tuple[int, int]]:
    b, c = int(broker), int(controller)
    return [(b, b), (b, c), (c, b)]


def _between(leader: i64, follower: i64) -> list[tuple[int, int]]:
    a, b = int(leader), int(follower)
    return [(a, a), (b, b), (b, PACE), (a, SERVING), (a, b), (b, a)]
