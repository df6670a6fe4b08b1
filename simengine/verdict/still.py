"""A partition's share of its topic's figures is kept if nothing in it grows with time or depends on a log."""

from mypy_extensions import i64

from simengine.kafka.shared.standing import OPEN
from simengine.verdict.account import PartitionCounters
from simengine.verdict.outcomes import CallOutcomes
from simengine.verdict.silences import silence


def keep_share(account: PartitionCounters, now: i64) -> None:
    """Work out a partition's share and keep it, if it stays as it is until something is done to the partition."""
    share = account.share
    share.is_kept = is_still(account)
    if not share.is_kept:
        return
    share.before = account.before.count
    out_all, out_1, out = account.out_all, account.out_1, account.reading.out
    share.all_us, share.all_cause = out_all.us(now), out_all.deciding(now)
    share.one_us, share.one_cause = out_1.us(now), out_1.deciding(now)
    share.read_us, share.read_cause = out.us(now), out.deciding(now)
    share.write_us, share.stretch_us, share.client, share.since, share.longest_wait_us, share.held = 0, 0, -1, -1, 0, 0
    for calls in account.calls:
        us = calls.no_response_us(now)
        if us > share.write_us:
            share.write_us, share.write_same_us = us, silence(account, calls, now)
        since, stretch_us = calls.silence(now)
        if stretch_us > share.stretch_us:
            share.stretch_us, share.client, share.since = stretch_us, calls.client, since
        share.held += calls.held(now)
        share.longest_wait_us = max(share.longest_wait_us, calls.waits.longest_us(now))


def is_still(account: PartitionCounters) -> bool:
    """True if it can be written and read, nothing is lost or hidden, no call waits, and nobody reads it."""
    if account.state != OPEN or account.out_all.since >= 0 or account.out_1.since >= 0:
        return False
    reading = account.reading
    if reading.out.since >= 0 or reading.readers or reading.unread.wants:
        return False
    if account.losses.counts or account.before.lost or account.copies.found or not account.hidden.is_empty():
        return False
    if account.unled_by or account.commits is not None:
        return False
    for calls in account.calls:
        if not _are_over(calls):
            return False
    return True


def _are_over(calls: CallOutcomes) -> bool:
    """True if each call of a producer has its response, the last one is no failure, and none was sent again."""
    if calls.again or calls.handed_over.count or calls.waits.are_open():
        return False
    for mode in calls.modes:
        if mode.out.since >= 0:
            return False
    return True
