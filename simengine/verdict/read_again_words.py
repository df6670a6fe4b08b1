"""In words: which readers read records of a topic again, because the committed offsets of their group had expired."""

from typing import TYPE_CHECKING

from simengine.facts.decisive import OffsetsExpired
from simengine.verdict.account import PartitionCounters
from simengine.verdict.reading import group_of
from simengine.verdict.sentence import NAMED_MAX
from simengine.verdict.words import name_of
from simengine.words.phrases import listed, plural

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


def read_again_words(cluster: "Cluster", accounts: list[PartitionCounters]) -> str:
    """The sentence on some partitions of one topic; "" where nobody read anything again for that reason (CON-10)."""
    again = [(account, one) for account in accounts for one in account.reading.readers if one.again > 0]
    if not again:
        return ""
    expired = {fact.text: True for fact in cluster.sim.trace.decisive if isinstance(fact, OffsetsExpired)}
    by_group: dict[str, int] = {}
    places: dict[int, bool] = {}
    for account, reader in again:
        group = group_of(cluster.net.clients, reader.client)
        if group in expired:
            by_group[group] = by_group.get(group, 0) + int(reader.again)
            places[int(account.p)] = True
    if not by_group:
        return ""
    names = [name_of(p, cluster.partition_names, cluster.topics) for p in places]
    where = listed(names) if len(names) <= NAMED_MAX else f"{len(names)} partitions"
    who = listed(list(by_group)) if len(by_group) <= NAMED_MAX else f"{len(by_group)} groups"
    read = plural(sum(by_group.values()), "record", "records")
    return f"{who} read {read} of {where} again: committed offsets had expired."
