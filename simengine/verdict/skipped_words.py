"""In words: which readers missed records of a topic, and why their position jumped over them."""

from typing import TYPE_CHECKING, Final

from simengine.facts.kinds import RESET_BY_DURATION, RESET_KEPT, RESET_LATEST
from simengine.verdict.account import PartitionCounters
from simengine.verdict.deliveries import OFFSET_GONE, UNCOMMITTED
from simengine.verdict.sentence import NAMED_MAX
from simengine.verdict.words import name_of
from simengine.words.phrases import listed, plural

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster

WHY: Final = {  # by the kind of the reset; of others retention is the reason
    RESET_LATEST: "auto.offset.reset=latest jumped over",
    UNCOMMITTED: "there was no committed offset, and auto.offset.reset=latest jumped over",
    OFFSET_GONE: "its committed offset was gone, and auto.offset.reset=latest jumped over",
    RESET_BY_DURATION: "auto.offset.reset=by_duration jumped over",
    RESET_KEPT: "the offset kept from the deleted topic jumped over",
}


def skipped_words(cluster: "Cluster", accounts: list[PartitionCounters]) -> str:
    """The sentence on some partitions of one topic; "" where nobody missed anything."""
    by_client: dict[int, int] = {}
    by_reset: dict[int, int] = {}
    expired = 0
    places: dict[int, bool] = {}
    for account in accounts:
        for reader in account.reading.readers:
            if reader.skipped > 0:
                by_client[int(reader.client)] = by_client.get(int(reader.client), 0) + int(reader.skipped)
                places[int(account.p)] = True
                expired += int(reader.skipped_expired)
                for why, count in reader.skipped_by.items():
                    by_reset[why] = by_reset.get(why, 0) + count
    if not by_client:
        return ""
    who = [cluster.net.clients[client].name for client in by_client]
    names = [name_of(p, cluster.partition_names, cluster.topics) for p in places]
    where = listed(names) if len(names) <= NAMED_MAX else f"{len(names)} partitions"
    total = sum(by_client.values())
    readers = listed(who) if len(who) <= NAMED_MAX else f"{len(who)} consumers"
    reasons = [f"retention had removed {them(expired, total)}"] if expired else []
    reasons += [f"{WHY[why]} {them(by_reset[why], total)}" for why in WHY if why in by_reset]
    told = f": {'; '.join(reasons)}" if reasons else ""
    return f"{readers} missed {plural(total, 'record', 'records')} of {where}{told}."


def them(count: int, total: int) -> str:
    """``them``, or how many of them."""
    return ("it" if total == 1 else "them") if count == total else f"{count:,} of them"
