"""In words: which readers missed records of a topic, because a reset of their position jumped over them."""

from typing import TYPE_CHECKING

from simengine.verdict.account import PartitionCounters
from simengine.verdict.sentence import NAMED_MAX
from simengine.verdict.words import name_of
from simengine.words.phrases import listed, plural

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


def skipped_words(cluster: "Cluster", accounts: list[PartitionCounters]) -> str:
    """The sentence on some partitions of one topic; "" where nobody missed anything."""
    by_client: dict[int, int] = {}
    expired = 0
    places: dict[int, bool] = {}
    for account in accounts:
        for reader in account.reading.readers:
            if reader.skipped > 0:
                by_client[int(reader.client)] = by_client.get(int(reader.client), 0) + int(reader.skipped)
                places[int(account.p)] = True
                expired += int(reader.skipped_expired)
    if not by_client:
        return ""
    who = [cluster.net.clients[client].name for client in by_client]
    names = [name_of(p, cluster.partition_names, cluster.topics) for p in places]
    where = listed(names) if len(names) <= NAMED_MAX else f"{len(names)} partitions"
    missed = plural(sum(by_client.values()), "record", "records")
    readers = listed(who) if len(who) <= NAMED_MAX else f"{len(who)} consumers"
    why = (
        f"retention had removed {'them' if expired == sum(by_client.values()) else f'{expired:,} of them'}"
        if expired
        else ""
    )
    return f"{readers} missed {missed} of {where}{f': {why}' if why else ''}."
