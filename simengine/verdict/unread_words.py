"""In words: who has, or had for longest, no position in a topic's partitions, and so got nothing of them."""

from typing import TYPE_CHECKING

from simengine.verdict.account import Account
from simengine.verdict.sentence import NAMED_MAX, listed, seconds
from simengine.verdict.unread import Want
from simengine.verdict.words import name_of

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster


def unread_us(accounts: list[Account], now: int) -> int:
    """For how long at most a reader of some partitions had no position; 0 where everybody had one in time."""
    longest = 0
    for account in accounts:
        if account.reading.unread.wants:
            longest = max(longest, int(account.reading.unread.us(now)))
    return longest


def unread_words(cluster: "Cluster", accounts: list[Account]) -> str:
    """The sentence on some partitions of one topic; "" where everybody who is to read them had a position in time."""
    now = cluster.sim.now
    gravest: Want | None = None
    missed: list[tuple[int, Want]] = []
    for account in accounts:
        want = account.reading.unread.worst(now)
        if want is not None:
            missed.append((int(account.p), want))
            if gravest is None or want.is_graver(gravest, min(now, account.closing.us)):
                gravest = want
    if gravest is None:
        return ""
    is_open = gravest.since >= 0
    alike = [p for p, want in missed if want.client == gravest.client and (want.since >= 0) == is_open]
    names = [name_of(p, cluster.partition_names, cluster.topics) for p in alike]
    where = listed(names) if len(names) <= NAMED_MAX else f"{len(names)} partitions"
    if is_open:
        dead = ": its last member died" if gravest.is_dead else ""
        return f"{who(gravest, cluster)} has read nothing of {where} since {int(gravest.since) / 1e6:.3f} s{dead}."
    return f"{who(gravest, cluster)} read nothing of {where} for {seconds(int(gravest.longest_us))}."


def who(want: Want, cluster: "Cluster") -> str:
    """``Group g``, or ``Consumer C`` where it reads by itself."""
    if want.group:
        return f"Group {want.group}"
    return f"Consumer {cluster.net.clients[want.client].name}"
