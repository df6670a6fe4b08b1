"""In words: who has, or had for longest, no position in a topic's partitions, and so got nothing of them."""

from typing import TYPE_CHECKING

from simengine.verdict.account import PartitionCounters
from simengine.verdict.outage import THETA_US
from simengine.verdict.sentence import NAMED_MAX
from simengine.verdict.unread import Want
from simengine.verdict.words import name_of
from simengine.words.phrases import listed, seconds

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


def unread_us(accounts: list[PartitionCounters], now: int) -> int:
    """For how long at most a reader of some partitions had no position; 0 where everybody had one in time."""
    longest = 0
    for account in accounts:
        if account.reading.unread.wants:
            longest = max(longest, int(account.reading.unread.us(now)))
    return longest


def unread_words(cluster: "Cluster", accounts: list[PartitionCounters]) -> str:
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
    alike = [(p, want) for p, want in missed if is_alike(want, gravest)]
    names = [name_of(p, cluster.partition_names, cluster.topics) for p, _ in alike]
    where = listed(names) if len(names) <= NAMED_MAX else f"{len(names)} partitions"
    if gravest.since >= 0:
        dead = ": its last member died" if gravest.is_dead else ""
        since = min(int(want.since) for _, want in alike)
        return f"{who(gravest, cluster)} has read nothing of {where} since {since / 1e6:.3f} s{dead}."
    lasted = seconds(min(int(want.longest_us) for _, want in alike))
    if not gravest.group:  # nobody reads for it, and all that it waited for is its position
        return f"{who(gravest, cluster)} waited {lasted} for its position in {where}."
    return f"{who(gravest, cluster)} read nothing of {where} for {lasted}."


def is_alike(want: Want, gravest: Want) -> bool:
    """True if the same client or group has, or had, no position for as long, give or take theta."""
    if want.client != gravest.client or (want.since >= 0) != (gravest.since >= 0):
        return False
    apart = want.since - gravest.since if gravest.since >= 0 else want.longest_us - gravest.longest_us
    return abs(int(apart)) <= THETA_US


def who(want: Want, cluster: "Cluster") -> str:
    """``Group g``, or ``Consumer C`` where it reads by itself."""
    if want.group:
        return f"Group {want.group}"
    return f"Consumer {cluster.net.clients[want.client].name}"
