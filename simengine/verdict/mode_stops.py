"""Stops in some partitions: how long calls of each mode of acks had no response, where, and in how many parts."""

from mypy_extensions import i64

from simengine.kafka.wire.api import ACKS_ALL
from simengine.verdict.account import PartitionCounters
from simengine.verdict.outage import common_us
from simengine.verdict.outcomes import CallOutcomes
from simengine.verdict.presence import length
from simengine.verdict.sentence import ModeStop
from simengine.verdict.silences import waits


def mode_stops(accounts: list[PartitionCounters], now: int) -> tuple[ModeStop, ...]:
    """One stop for each mode; none if all calls were made in one."""
    longest: dict[int, ModeStop] = {}
    waiting: dict[int, set[i64]] = {}  # partitions in which calls of a mode wait
    for account in accounts:
        for calls in account.calls:
            for mode in calls.modes:
                acks, us = int(mode.acks), int(mode.us(now))
                known = longest.get(acks)
                if known is None or us > known.us:
                    out = account.out_all if acks == ACKS_ALL else account.out_1
                    same_us = int(common_us(mode.spans(now), out.spans(now))) if us else 0
                    known = ModeStop(mode_name(acks), us, same_us, 0, us > mode.stretch_us(now))
                longest[acks] = known
                if waits(account, mode, now):
                    waiting.setdefault(acks, set()).add(account.p)
    if len(longest) < 2:
        return ()
    return tuple(stop._replace(waiting=len(waiting.get(acks, ()))) for acks, stop in longest.items())


def stood_partitions(accounts: list[PartitionCounters], now: int) -> int:
    """Partitions in which some producer had no response for longer than theta."""
    return sum([any(calls.no_response_us(now) > 0 for calls in account.calls) for account in accounts])


def writes_in_parts(accounts: list[PartitionCounters], now: int) -> bool:
    """True if the longest time of a producer without a response is the sum of several stops."""
    found = longest_stop(accounts, now)
    return found is not None and found[1].no_response_us(now) > found[1].silence(now)[1]


def writes_before_leader(accounts: list[PartitionCounters], now: int) -> bool:
    """True if the longest time of a producer without a response began before its partition's first leader."""
    found = longest_stop(accounts, now)
    return found is not None and found[1].silence(now)[0] < found[0].led_since


def waits_before_leader(accounts: list[PartitionCounters], now: int) -> bool:
    """True if the call that waited longest was made before its partition had a leader."""
    longest: i64 = 0
    found = False
    for account in accounts:
        for calls in account.calls:
            us = calls.waits.longest_us(now)
            if us > longest:
                longest, found = us, calls.waits.longest_since(now) < account.led_since
    return found


def longest_stop(accounts: list[PartitionCounters], now: int) -> tuple[PartitionCounters, CallOutcomes] | None:
    """The partition and calls of the longest time of a producer without a response; None if there is no such time."""
    longest: i64 = 0
    found: tuple[PartitionCounters, CallOutcomes] | None = None
    for account in accounts:
        for calls in account.calls:
            us = calls.no_response_us(now)
            if us > longest:
                longest, found = us, (account, calls)
    return found


def past_us(accounts: list[PartitionCounters], now: int) -> int:
    """The longest time in one go of a producer without a response that is over; 0 if there is none."""
    return max([int(mode.past_us(now)) for one in accounts for calls in one.calls for mode in calls.modes], default=0)


def reads_in_parts(accounts: list[PartitionCounters], now: int) -> bool:
    """True if the longest time of a reader without records is the sum of several stops."""
    longest: i64 = 0
    found = False
    for account in accounts:
        for reader in account.reading.readers:
            spans = account.reading.starved(reader, now)
            us = length(spans)
            if us > longest:
                longest, found = us, len(spans) > 1
    return found


def mode_name(acks: int) -> str:
    """``all``, ``1`` or ``0``."""
    return "all" if acks == ACKS_ALL else str(acks)
