"""The range assignor, by which the partitions of each topic are shared out among the members of a group (CON-14).

Kafka's client does this in the leader of the group, by its own view of the racks; here the coordinator does.
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.group.member import Member

if TYPE_CHECKING:
    from simengine.kafka.group.coordinator import GroupCoordinator


@final
class TopicShare:
    """A topic that is shared out. ``racks``: of each partition, those of its replicas; ``given``: to each taker."""

    __slots__ = ("_extra", "_share", "given", "left", "partitions", "racks", "takers")

    def __init__(self, partitions: list[int], racks: list[list[str]], takers: list[Member]) -> None:
        self.partitions = partitions
        self.racks = racks
        self.takers = takers
        self.left = list(range(len(partitions)))
        self.given = [0 for _ in takers]
        self._share: i64 = len(partitions) // len(takers)
        self._extra: i64 = len(partitions) % len(takers)

    def looks_at_racks(self) -> bool:
        """True if some member's rack has replicas, and the partitions do not all have the same racks."""
        everywhere = {rack for racks in self.racks for rack in racks}
        if not any(taker.rack in everywhere for taker in self.takers if taker.rack):
            return False
        return any(len(racks) < len(everywhere) for racks in self.racks)

    def is_near(self, k: i64, i: i64) -> bool:
        """True if a replica of a partition is in the rack of a taker, or the taker has none."""
        rack = self.takers[k].rack
        return not rack or rack in self.racks[i]

    def room(self, k: i64) -> i64:
        """The number of further partitions that a taker may get."""
        return self._share + (1 if self._extra > 0 else 0) - self.given[k]

    def give(self, k: i64, chosen: list[int]) -> None:
        """Give partitions to a taker."""
        if not chosen:
            return
        self.takers[k].assigned.extend([self.partitions[i] for i in chosen])
        taken = set(chosen)
        self.left = [i for i in self.left if i not in taken]
        self.given[k] += len(chosen)
        if self.given[k] > self._share:
            self._extra -= 1

    def share(self, near_only: bool) -> None:
        """Each taker in turn gets the first partitions that are left, up to its share."""
        for k in range(len(self.takers)):
            fit = [i for i in self.left if not near_only or self.is_near(k, i)]
            self.give(k, fit[: max(0, int(self.room(k)))])


def share_out(members: list[Member], coordinator: "GroupCoordinator") -> None:
    """Set the partitions of all members. Takers near a replica come first where racks matter (KIP-881).

    Members may know different partitions of a topic for a while: those that were added, or of a topic created again.
    """
    for member in members:
        member.assigned = []
    shares = _shares(members, coordinator)
    looks_at_racks = any(share.looks_at_racks() for share in shares)
    if looks_at_racks:
        _share_near(shares)
    for share in shares:
        share.share(near_only=False)
    if looks_at_racks:
        for member in members:
            member.assigned.sort()


def _shares(members: list[Member], coordinator: "GroupCoordinator") -> list[TopicShare]:
    by_topic: dict[str, list[int]] = {}
    for p in sorted({p for member in members for p in member.wanted if not coordinator.is_deleted(p)}):
        by_topic.setdefault(coordinator.topic_name(p), []).append(p)
    return [
        TopicShare(
            partitions,
            [[rack for rack in coordinator.broker.racks_of(p) if rack] for p in partitions],
            [member for member in members if name in [coordinator.topic_name(p) for p in member.wanted]],
        )
        for name, partitions in by_topic.items()
    ]


def _share_near(shares: list[TopicShare]) -> None:
    """The first pass. Topics with the same takers and number of partitions stay together: partition by partition."""
    groups: dict[tuple[tuple[int, ...], int], list[TopicShare]] = {}
    for share in shares:
        key = (tuple(int(taker.id) for taker in share.takers), len(share.partitions))
        groups.setdefault(key, []).append(share)
    for together in groups.values():
        if len(together) > 1:
            _share_together(together)
        elif together[0].looks_at_racks():
            together[0].share(near_only=True)


def _share_together(shares: list[TopicShare]) -> None:
    first = shares[0]
    for i in range(len(first.partitions)):
        for k in range(len(first.takers)):
            if all(share.is_near(k, i) and share.room(k) > 0 for share in shares):
                for share in shares:
                    share.give(k, [i])
                break
