"""The whole cluster in one sentence: what its topics come to, where they are too many to be told one by one."""

from typing import Final, final

from mypy_extensions import i64

from simengine.kernel.facts import FIGURES
from simengine.verdict import words

TOLD_MAX: Final = 3  # so many topics are told one by one; the sentence on more is about all of them
_ACKED: Final = FIGURES.index("acked")
_LOST: Final = FIGURES.index("lost")
_DUPLICATED: Final = FIGURES.index("duplicated")
_HIDDEN: Final = FIGURES.index("hidden")
_REFUSED: Final = FIGURES.index("refused")
_UNKNOWN: Final = FIGURES.index("unknown")
_DOWN_ALL: Final = FIGURES.index("write_down_all_us")
_DOWN_1: Final = FIGURES.index("write_down_1_us")
_READ_DOWN: Final = FIGURES.index("read_down_us")
_STOPPED_ALL: Final = FIGURES.index("stopped_all")
_STOPPED_1: Final = FIGURES.index("stopped_1")
_HANDED_OVER: Final = FIGURES.index("handed_over")
_VANISHED: Final = FIGURES.index("vanished")
_BY_APPLICATION: Final = FIGURES.index("by_application")
_RECOVERED: Final = FIGURES.index("recovered")
_LOST_AGAIN: Final = FIGURES.index("lost_again")


@final
class Whole:
    """Figures of topics added up, as each topic is written; of times the longest."""

    __slots__ = (
        "by_application",
        "duplicated",
        "ended",
        "handed_over",
        "hidden",
        "leaderless",
        "lost",
        "lost_again",
        "read_down_us",
        "recovered",
        "stopped",
        "topics",
        "topics_lost",
        "topics_stopped",
        "vanished",
        "write_down_us",
    )

    def __init__(self) -> None:
        self.topics: i64 = 0
        self.ended: i64 = 0  # calls that were acknowledged, refused or given up
        self.lost: i64 = 0
        self.topics_lost: i64 = 0
        self.duplicated: i64 = 0
        self.by_application: i64 = 0  # records that stand twice because the application sent them again
        self.recovered: i64 = 0  # of the lost: records that are there again, since the application sent them again ...
        self.lost_again: i64 = 0  # ... and calls beyond the first of their record
        self.hidden: i64 = 0
        self.stopped: i64 = 0  # partitions that cannot be written now ...
        self.leaderless: i64 = 0  # ... and of them those without a leader
        self.topics_stopped: i64 = 0
        self.write_down_us: i64 = 0
        self.read_down_us: i64 = 0
        self.handed_over: i64 = 0
        self.vanished: i64 = 0

    def add(self, figures: list[int], is_all: bool) -> None:
        """One more topic: its figures in the order of ``FIGURES``; none yet is an empty list."""
        self.topics += 1
        if not figures:
            return
        stopped = figures[_STOPPED_ALL if is_all else _STOPPED_1]
        self.ended += figures[_ACKED] + figures[_REFUSED] + figures[_UNKNOWN]
        self.lost += figures[_LOST]
        self.topics_lost += figures[_LOST] > 0
        self.duplicated += figures[_DUPLICATED]
        self.by_application += figures[_BY_APPLICATION]
        self.recovered += figures[_RECOVERED]
        self.lost_again += figures[_LOST_AGAIN]
        self.hidden += figures[_HIDDEN]
        self.stopped += stopped
        self.leaderless += figures[_STOPPED_1]
        self.topics_stopped += stopped > 0
        self.write_down_us = max(self.write_down_us, figures[_DOWN_ALL if is_all else _DOWN_1])
        self.read_down_us = max(self.read_down_us, figures[_READ_DOWN])
        self.handed_over += figures[_HANDED_OVER]
        self.vanished += figures[_VANISHED]

    def sentence(self) -> str:
        """The gravest true fact about all of them."""
        if self.lost:
            where = self._in_topics(self.topics_lost)
            gone = words.lost_words(int(self.lost), int(self.recovered), int(self.lost_again), where)
            return f"{gone}{self._going_on()}"
        if self.duplicated or self.by_application:
            return f"{words.doubled_words(int(self.duplicated), int(self.by_application))}{self._going_on()}"
        if self.hidden:
            hidden = words.plural(int(self.hidden), "acknowledged record", "acknowledged records")
            return f"{hidden} cannot be read.{self._going_on()}"
        if self.stopped:
            return f"{self._stopped_words()}.{self._going_on()}"
        handed_over = words.handed_over_words(int(self.handed_over), int(self.vanished), False)
        kept = handed_over or "Nothing acknowledged was lost."
        if self.write_down_us:
            return f"{kept} Writes stopped for up to {words.seconds(int(self.write_down_us))}."
        if self.read_down_us:
            return f"{kept} Reads stopped for up to {words.seconds(int(self.read_down_us))}."
        if handed_over:
            return handed_over
        return "Nothing was lost and nothing stopped." if self.ended else words.NOTHING_YET

    def _in_topics(self, count: i64) -> str:
        return f" in {words.plural(int(count), 'topic', 'topics')}" if count < self.topics else ""

    def _going_on(self) -> str:
        """How much goes on, where something does not."""
        if not self.topics_stopped:
            return ""
        going = self.topics - self.topics_stopped
        if not going:
            return " No topic works as a whole."
        return f" {int(going):,} of {int(self.topics):,} topics {'keeps' if going == 1 else 'keep'} working."

    def _stopped_words(self) -> str:
        offline, short = int(self.leaderless), int(self.stopped - self.leaderless)
        takes = "takes" if short == 1 else "take"
        if not offline:
            return f"{words.plural(short, 'partition', 'partitions')} {takes} no acks=all writes"
        out = words.plural(offline, "partition is", "partitions are")
        return f"{out} offline and {short:,} {takes} no acks=all writes" if short else f"{out} offline"
