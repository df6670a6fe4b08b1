"""One topic's contribution to the figures of all topics, worked out once for each statement of its own figures."""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from simengine.verdict.sentence import SentenceNames

SUMMED: Final = (
    "lost",
    "lost_before",
    "duplicated",
    "by_application",  # records that stand more than once because the application sent them again
    "recovered",  # of the lost: records that are there again, since the application sent them again ...
    "lost_again",  # ... and calls beyond the first of their record
    "hidden",
    "unreadable",
    "refused",
    "unknown",
    "handed_over",
    "vanished",
    "unled",
    "stopped_1",
    "groups_down",
    "groups_lost",
    "coordinators",
)
LONGEST: Final = (
    "write_down_all_us",
    "write_down_1_us",
    "vain_us",
    "silent_us",
    "read_down_us",
    "longest_wait_us",
    "longest_read_us",
    "groups_down_us",
)
KEYS: Final = (*SUMMED, *LONGEST)
SUMMED_END: Final = len(SUMMED)


@final
class Addend:
    """One topic's contribution to the figures of all, in the acks mode in which it is written."""

    __slots__ = (
        "amounts",
        "ended",
        "figures",
        "is_all",
        "is_lost",
        "is_stopped",
        "leaderless",
        "past_us",
        "read_client_us",
        "read_goes_on",
        "read_in_parts",
        "read_same_us",
        "stopped",
        "waits_before_leader",
        "write_before_leader",
        "write_client_us",
        "write_goes_on",
        "write_in_parts",
        "write_same_us",
        "write_us",
    )

    def __init__(self, figures: dict[str, int], is_all: bool, named: SentenceNames | None = None) -> None:
        """``figures``: of the topic, by name; none yet is an empty dictionary. ``named``: for its own sentence."""
        self.figures = figures
        self.is_all = is_all
        self.amounts: vec[i64] = vec[i64]()  # in the order of ``KEYS``
        self.ended: i64 = 0
        self.stopped: i64 = 0
        self.leaderless: i64 = 0
        self.write_us: i64 = 0
        self.write_client_us: i64 = 0
        self.write_same_us: i64 = 0  # of that very time: the servers were out
        self.write_goes_on: bool = False  # some calls wait now
        self.write_in_parts: bool = named is not None and named.writes_in_parts
        self.write_before_leader: bool = named is not None and named.writes_before_leader
        self.waits_before_leader: bool = named is not None and named.waits_before_leader
        self.past_us: i64 = named.past_us if named is not None else 0  # the longest stop of writes that is over
        self.read_in_parts: bool = named is not None and named.reads_in_parts
        self.read_client_us: i64 = 0
        self.read_same_us: i64 = 0
        self.read_goes_on: bool = False
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
            self.write_client_us, self.write_same_us = figures["write_down_client_us"], figures["write_same_us"]
            self.read_client_us, self.read_same_us = figures["read_down_client_us"], figures["read_same_us"]
            self.is_lost = figures["lost"] + figures["lost_before"] > 0
            self.write_goes_on, self.read_goes_on = figures["client_waits_us"] > 0, figures["read_waits_us"] > 0
            self.is_stopped = is_stopped(figures, mode)


def is_stopped(figures: dict[str, int], mode: str) -> bool:
    """True if calls, readers or groups wait, or records are hidden; of an unused topic the servers' state counts."""
    if any(figures[key] > 0 for key in ("waiting", "client_waits_us", "read_waits_us", "hidden")):
        return True
    if figures["groups_down"] > 0 and figures["waits_all_us"] > 0:
        return True
    is_used = figures["acked"] + figures["refused"] + figures["unknown"] + figures["handed_over"] > 0
    return not is_used and figures[f"stopped_{mode}"] > 0
