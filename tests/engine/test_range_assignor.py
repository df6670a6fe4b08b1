"""The share of each member of a group (CON-14). Expected shares follow Kafka's RangeAssignor by hand."""

from typing import Any, cast

from simengine.kafka.group.member import Member
from simengine.kafka.group.range_assignor import share_out
from simengine.kafka.wire.api import NO_MEMBER
from simengine.kafka.wire.group_api import JOIN, GroupRequest


class Cluster:
    """Partitions 0 to 5 are of topic t, 6 is of a newer t, 7 of a deleted one, 8 on of topic u."""

    def __init__(self, racks: dict[int, str] | None = None) -> None:
        self.broker = self
        self.racks = racks or {}

    def topic_name(self, p: int) -> str:
        return "t" if p < 8 else "u"

    def is_deleted(self, p: int) -> bool:
        return p == 7

    def racks_of(self, p: int) -> list[str]:
        return list(self.racks.get(p, ""))


def shared(cluster: Cluster, *members: tuple[str, list[int]]) -> list[list[int]]:
    """The partitions of each member, given its rack and the partitions of its topics."""
    made = []
    for client, (rack, wanted) in enumerate(members):
        request = GroupRequest(JOIN, "h", client, NO_MEMBER)
        request.rack, request.wanted = rack, wanted
        made.append(Member(client, request))
    share_out(made, cast("Any", cluster))
    return [member.assigned for member in made]


def test_partitions_are_shared_out_among_those_who_want_their_topic() -> None:
    t, u = [0, 1, 2], [8, 9, 10]
    assert shared(Cluster(), ("", t), ("", u), ("", t + u)) == [[0, 1], [8, 9], [2, 10]]


def test_a_partition_that_one_member_has_noticed_is_shared_out_among_all_of_its_topic() -> None:
    """One of a deleted topic is not: its name stands for the new topic."""
    assert shared(Cluster(), ("", [0, 1, 2]), ("", [7]), ("", [0, 1, 2, 6])) == [[0, 1], [2], [6]]


def test_members_get_partitions_with_a_replica_in_their_rack() -> None:
    """As the clusters of r5-v421, r5-v431 and r5-v440 did."""
    cluster = Cluster({0: "ab", 1: "bc", 2: "ac", 3: "ac", 4: "ab", 5: "bc"})
    t = [0, 1, 2, 3, 4, 5]
    assert shared(cluster, ("a", t), ("b", t), ("c", t)) == [[0, 2], [1, 4], [3, 5]]
    assert shared(cluster, ("", t), ("", t), ("", t)) == [[0, 1], [2, 3], [4, 5]]


def test_racks_do_not_count_where_all_partitions_have_the_same_or_none_is_a_members() -> None:
    t = [0, 1, 2]
    assert shared(Cluster(dict.fromkeys(t, "abc")), ("b", t), ("a", t)) == [[0, 1], [2]]
    assert shared(Cluster({0: "ab", 1: "b", 2: "a"}), ("x", t), ("y", t)) == [[0, 1], [2]]


def test_racks_do_not_count_where_all_partitions_have_the_same_and_one_member_is_elsewhere() -> None:
    """Else the member in rack a would come first."""
    t = [0, 1]
    assert shared(Cluster(dict.fromkeys(t, "ab")), ("x", t), ("a", t)) == [[0], [1]]


def test_a_topic_whose_partitions_have_the_same_racks_goes_by_range_beside_another() -> None:
    """Partitions of t have different racks, those of u the same; they differ in number, so each stands alone."""
    cluster = Cluster({0: "a", 1: "b", 8: "ab", 9: "ab", 10: "ab"})
    both = [0, 1, 8, 9, 10]
    assert shared(cluster, ("x", both), ("b", both)) == [[0, 8, 9], [1, 10]]


def test_a_member_without_a_rack_is_near_every_partition() -> None:
    """It comes first, so it gets the first partition; else the member in rack b would."""
    assert shared(Cluster({0: "b", 1: "b", 2: "a", 3: "a"}), ("", [0, 1, 2, 3]), ("b", [0, 1, 2, 3])) == [
        [0, 1],
        [2, 3],
    ]


def test_what_is_near_nobody_goes_by_range() -> None:
    """The first pass gives a its partition, the second goes on with the first member that has room."""
    assert shared(Cluster({0: "c", 1: "a", 2: "c"}), ("a", [0, 1, 2]), ("b", [0, 1, 2])) == [[0, 1], [2]]


def test_topics_with_the_same_members_and_size_stay_together() -> None:
    """Partition i of both goes to one member, where that is near a replica of both."""
    cluster = Cluster({0: "b", 1: "a", 2: "ab", 8: "b", 9: "a", 10: "b"})
    both = [0, 1, 2, 8, 9, 10]
    assert shared(cluster, ("a", both), ("b", both)) == [[1, 9], [0, 2, 8, 10]]


def test_topics_that_stay_together_fill_no_member_beyond_its_share() -> None:
    """Both members are in rack a. The first has room for one partition of each topic."""
    cluster = Cluster({0: "a", 1: "ab", 8: "a", 9: "a"})
    both = [0, 1, 8, 9]
    assert shared(cluster, ("a", both), ("a", both)) == [[0, 8], [1, 9]]


def test_an_offline_replica_has_no_rack() -> None:
    cluster = Cluster({0: "a", 1: "ab"})
    cluster.racks_of = lambda p: ["", "a"] if p == 0 else ["a", "b"]  # type: ignore[method-assign]
    assert shared(cluster, ("b", [0, 1]), ("a", [0, 1])) == [[1], [0]]
