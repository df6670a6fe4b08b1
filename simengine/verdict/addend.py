"""What one topic adds to the figures of all topics: worked out once for each statement of its own figures."""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

SUMMED: Final = (
    "lost",
    "lost_before",
    "duplicated",
    "by_application",  # records that stand twice because the application sent them again
    "recovered",  # of the lost: records that are there again, since the application sent them again ...
    "lost_again",  # ... and calls beyond the first of their record
    "hidden",
    "unreadable",
    "refused",
    "unknown",
    "handed_over",
    "vanished",
    "unled",
    "groups_down",
    "groups_lost",
    "coordinators",
)
LONGEST: Final = (
    "write_down_all_us",
    "write_down_1_us",
    "write_down_client_us",
    "write_same_us",
    "read_down_client_us",
    "read_same_us",
    "vain_us",
    "read_down_us",
    "longest_wait_us",
    "longest_read_us",
    "groups_down_us",
)
KEYS: Final = (*SUMMED, *LONGEST)
SUMMED_END: Final = len(SUMMED)


@final
class Addend:
    """What one topic adds to the figures of all, in the mode of acks in which it is written."""

    __slots__ = ("amounts", "ended", "figures", "is_all", "is_lost", "is_stopped", "leaderless", "stopped", "write_us")

    def __init__(self, figures: dict[str, int], is_all: bool) -> None:
        """``figures``: of the topic, by name; none yet is an empty dictionary."""
        self.figures = figures
        self.is_all = is_all
        self.amounts: vec[i64] = vec[i64]()  # in the order of ``KEYS``
        self.ended: i64 = 0
        self.stopped: i64 = 0
        self.leaderless: i64 = 0
        self.write_us: i64 = 0
        self.is_lost: bool = False
        self.is_stopped: bool = False
        if figures:
            mode = "all" if is_all else "1"
            for key in KEYS:
                self.amounts = append(self.amounts, figures[key])
            self.ended = figures["acked"] + figures["refused"] + figures["unknown"]
            self.stopped = figures["waiting"]
            self.leaderless = figures["waiting_1"]
            self.write_us = figures[f"write_down_{mode}_us"]
            self.is_lost = figures["lost"] + figures["lost_before"] > 0
            groups_wait = figures["groups_down"] > 0 and figures["waits_all_us"] > 0
            self.is_stopped = self.stopped > 0 or figures["client_waits_us"] > 0 or groups_wait
