"""The verdict: every call and every record in one column of one table, intervals, and the fact that decided it.

Presence is counted in the log of the current leader: what stands below its high watermark is in the final log; a
partition without leader leaves its records undetermined. Definitions: section 5 of the list of invariants.
"""

from typing import TYPE_CHECKING

from simengine.kafka.api import ACKS_ALL
from simengine.kernel.facts import PARTITION_CHANGED
from simengine.verdict import words
from simengine.verdict.account import BELOW_MIN_ISR, LEADERLESS, STALLED, THETA_US, Account, holds
from simengine.verdict.book import FIGURES
from simengine.verdict.outcomes import ACKED, HANDED_OVER, REFUSED, Calls

if TYPE_CHECKING:
    from simengine.kafka.log import Batch
    from simengine.kafka.replica import Replica
    from simengine.verdict.book import Book

Json = dict[str, object]
Counts = dict[str, int]

SUMMED = (
    "calls",
    "acked",
    "kept",
    "lost",
    "lost_all",
    "lost_1",
    "duplicated",
    "hidden",
    "handed_over",
    "arrived",
    "vanished",
    "refused",
    "unknown",
    "unknown_written",
    "open",
    "undetermined",
    "phantoms",
    "reread",
)
LONGEST = (
    "write_down_all_us",
    "write_down_1_us",
    "read_down_us",
    "stalled_us",
    "refused_us",
    "leaderless_us",
)
SETTLED_US = 30_000_000


def verdict_of(book: "Book", names: Json) -> Json:
    """The verdict of a run so far, for all topics that clients use or that were out."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    now = int(cluster.sim.now)
    topics: list[Json] = []
    for topic in cluster.topics:
        partitions = [partition_verdict(book, book.account(p), now) for p in topic.partitions]
        topics.append(topic_verdict(book, int(topic.index), topic.name, partitions, now))
    topics.sort(key=words.gravity)
    shown = [topic for topic in topics if topic["calls"] or not str(topic["topic"]).startswith("__")]
    return {
        "topics": shown,
        "sentence": words.cluster_sentence(shown),
        "settled": is_settled(book, now),
        "theta_us": int(THETA_US),
        "balance_ok": all(is_balanced(topic) for topic in topics),
        "digest": cluster.sim.trace.digest(),
        "at_us": now,
    }


def is_settled(book: "Book", now: int) -> bool:
    """Whether nothing decisive but figures has happened for 30 s, and nothing is out."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    for fact in reversed(cluster.sim.trace.decisive):
        if now - fact.t > SETTLED_US:
            break
        if fact.kind == PARTITION_CHANGED:
            return False
    return all(account.state == 0 for account in book.accounts)


def is_balanced(topic: Json) -> bool:
    """fate_total: every call has one outcome, and the fates of each outcome sum to it."""
    n = {key: int(str(topic[key])) for key in SUMMED}
    outcomes = n["acked"] + n["handed_over"] + n["refused"] + n["unknown"] + n["open"]
    fates = n["kept"] + n["lost"] + int(str(topic["duplicated_acked"])) + n["undetermined"]
    return outcomes == n["calls"] and fates == n["acked"]


def topic_verdict(book: "Book", index: int, name: str, partitions: list[Json], now: int) -> Json:
    """Sums over a topic's partitions; times are those of its worst partition."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    found: Json = {"topic": name, "acks": acks_of(book, index), "min_isr": int(cluster.quorum.image.min_insync(index))}
    for key in (*SUMMED, "duplicated_acked"):
        found[key] = sum(int(str(partition[key])) for partition in partitions)
    for key in LONGEST:
        found[key] = max((int(str(partition[key])) for partition in partitions), default=0)
    latency = book.topics[index].latency
    found["latency_p50_us"] = int(latency.percentile(500))
    found["latency_p99_us"] = int(latency.percentile(990))
    found["partitions"] = partitions
    figures = dict(zip(FIGURES, book.figures_of(index, now), strict=True))
    found["deciding"] = words.deciding(
        cluster.sim.trace.decisive, figures["deciding"], cluster.partition_names, cluster.topics
    )
    found["lost_traffic_us"], found["held_back"] = figures["lost_traffic_us"], figures["held_back"]
    found["sentence"] = words.sentence(found)
    found["in_user_units"] = words.in_user_units(found)
    return found


def acks_of(book: "Book", topic: int) -> str:
    """The mode in which the topic was written last: "0", "1", "all", or "" if it never was."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    modes = {-1: "all", 0: "0", 1: "1"}
    for p in cluster.topics[topic].partitions:
        for calls in book.account(p).calls:
            if calls.runs:
                return modes[int(calls.runs[-1].acks)]
    return ""


def partition_verdict(book: "Book", account: Account, now: int) -> Json:
    """All figures of one partition."""
    leader = account.leader()
    counts: Counts = dict.fromkeys((*SUMMED, "duplicated_acked"), 0)
    present = copies_in(leader) if leader is not None else {}
    for calls in account.calls:
        count_calls(counts, account, calls, leader, present.get(int(calls.client), []))
    count_hidden(counts, account, leader)
    count_reads(counts, book, account, leader)
    found: Json = {"partition": int(account.p), **counts}
    found["write_down_all_us"] = int(account.out_all.us(now))
    found["write_down_1_us"] = int(account.out_1.us(now))
    found["read_down_us"] = int(account.out_read.us(now))
    found["stalled_us"] = int(account.us_in(STALLED, now))
    found["refused_us"] = int(account.us_in(BELOW_MIN_ISR, now))
    found["leaderless_us"] = int(account.us_in(LEADERLESS, now))
    return found


def copies_in(leader: "Replica") -> dict[int, list["Batch"]]:
    """The producers' batches in the leader's log, by client, in order of their first call."""
    found: dict[int, list[Batch]] = {}
    for batch in leader.log.batches:
        if batch.client >= 0:
            found.setdefault(int(batch.client), []).append(batch)
    for batches in found.values():
        batches.sort(key=first_call)
    return found


def first_call(batch: "Batch") -> tuple[int, int]:
    """Order of batches by call."""
    return int(batch.n), int(batch.base)


def count_calls(
    counts: Counts, account: Account, calls: Calls, leader: "Replica | None", batches: list["Batch"]
) -> None:
    """Put every call of one producer into its cell."""
    counts["calls"] += int(calls.made)
    counts["open"] += int(calls.made - calls.settled)
    for run in calls.runs:
        n, count = int(run.n), int(run.count)
        once, twice = presence(batches, n, count)
        absent = count - once - twice
        if run.outcome == ACKED:
            counts["acked"] += count
            if leader is None:
                counts["undetermined"] += count
                continue
            counts["kept"] += once
            counts["duplicated"] += twice
            counts["duplicated_acked"] += twice
            counts["lost"] += absent
            counts["lost_all" if run.acks == ACKS_ALL else "lost_1"] += absent
        elif run.outcome == HANDED_OVER:
            counts["handed_over"] += count
            counts["arrived"] += once
            counts["duplicated"] += twice
            counts["vanished"] += absent if leader is not None else 0
        elif run.outcome == REFUSED:
            counts["refused"] += count
        else:
            counts["unknown"] += count
            counts["unknown_written"] += once + twice
            counts["duplicated"] += twice


def presence(batches: list["Batch"], n: int, count: int) -> tuple[int, int]:
    """How many of the calls n .. n+count-1 stand once, and how many more than once, in batches sorted by call."""
    low, high = 0, len(batches)
    while low < high:
        middle = (low + high) // 2
        if batches[middle].n < n:
            low = middle + 1
        else:
            high = middle
    i = low
    while i > 0 and batches[i - 1].n + batches[i - 1].count > n:
        i -= 1
    once = twice = 0
    covered = doubled = n
    while i < len(batches) and batches[i].n < n + count:
        start = max(int(batches[i].n), n)
        end = min(int(batches[i].n + batches[i].count), n + count)
        repeated = max(0, min(end, covered) - max(start, doubled))
        twice += repeated
        doubled = max(doubled, min(end, covered))
        once += max(0, end - max(start, covered))
        covered = max(covered, end)
        i += 1
    return once - twice, twice


def count_hidden(counts: Counts, account: Account, leader: "Replica | None") -> None:
    """Acknowledged records at or above the high watermark, once they have been so for longer than theta."""
    if leader is not None:
        counts["hidden"] = int(account.hidden)


def count_reads(counts: Counts, book: "Book", account: Account, leader: "Replica | None") -> None:
    """Records that consumers were handed and that are not in the leader's log, and records handed out again."""
    for (_, p), runs in sorted(book.deliveries.by_reader.items()):
        if p != account.p:
            continue
        highest = 0
        for run in runs:
            start, end = int(run.offset), int(run.offset + run.count)
            counts["reread"] += max(0, min(end, highest) - start)
            highest = max(highest, end)
            if leader is not None and not (
                holds(leader.log, run.offset, run.epoch) and holds(leader.log, end - 1, run.epoch)
            ):
                counts["phantoms"] += sum(1 for offset in range(start, end) if not holds(leader.log, offset, run.epoch))
