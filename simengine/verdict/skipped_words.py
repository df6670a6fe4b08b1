"""In words: which readers missed records of a topic, and why their position jumped over them."""

from collections import Counter
from typing import TYPE_CHECKING, Final

from simengine.facts.kinds import RESET_BY_DURATION, RESET_KEPT, RESET_LATEST
from simengine.verdict.account import PartitionCounters
from simengine.verdict.deliveries import OFFSET_GONE, REMOVED, UNCOMMITTED, ReaderPosition
from simengine.verdict.reading import group_of
from simengine.verdict.reads import skipped_records
from simengine.verdict.sentence import NAMED_MAX
from simengine.verdict.words import name_of
from simengine.words.phrases import listed, plural

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster

WHY: Final = {  # by the kind of the reset
    REMOVED: "retention had removed",
    RESET_LATEST: "auto.offset.reset=latest jumped over",
    UNCOMMITTED: "there was no committed offset, and auto.offset.reset=latest jumped over",
    OFFSET_GONE: "its committed offset was gone, and auto.offset.reset=latest jumped over",
    RESET_BY_DURATION: "auto.offset.reset=by_duration jumped over",
    RESET_KEPT: "the offset kept from the deleted topic jumped over",
}


def skipped_words(cluster: "Cluster", accounts: list[PartitionCounters]) -> str:
    """The sentence on some partitions of one topic; "" where nobody missed a record that still stands (FATE-7)."""
    by_client: Counter[int] = Counter()
    by_reset: Counter[int] = Counter()
    places: dict[int, bool] = {}
    for account in accounts:
        groups = _groups(cluster, account)
        leader, log = account.leader(), account.whole_log() if groups else None
        for readers in groups:
            if leader is not None and log is not None:
                for client, why, count in skipped_records(readers, log, int(leader.hw)):
                    by_client[client] += count
                    by_reset[why] += count
                    places[int(account.p)] = True
    if not by_client:
        return ""
    who = [cluster.net.clients[client].name for client in by_client]
    names = [name_of(p, cluster.partition_names, cluster.topics) for p in places]
    where = listed(names) if len(names) <= NAMED_MAX else f"{len(names)} partitions"
    total = sum(by_client.values())
    they = listed(who) if len(who) <= NAMED_MAX else f"{len(who)} consumers"
    reasons = [f"{WHY[why]} {them(by_reset[why], total)}" for why in WHY if why in by_reset]
    told = f": {'; '.join(reasons)}" if reasons else ""
    return f"{they} missed {plural(total, 'record', 'records')} of {where}{told}."


def _groups(cluster: "Cluster", account: PartitionCounters) -> list[list[ReaderPosition]]:
    """The readers of a partition by group, if a reset of one of them jumped over records."""
    found: dict[str, list[ReaderPosition]] = {}
    if any(reader.skipped for reader in account.reading.readers):
        for reader in account.reading.readers:
            found.setdefault(group_of(cluster.net.clients, reader.client), []).append(reader)
    return list(found.values())


def them(count: int, total: int) -> str:
    """``them``, or how many of them."""
    return ("it" if total == 1 else "them") if count == total else f"{count:,} of them"
