"""`reassign off BROKER` and `reassign TOPIC replication-factor N`: the lists that a tool would send."""

from simengine.scenario import load
from simengine.world.world import World

CLUSTER = """
format: 1
seed: 1
until: 30s
cluster: {brokers: [{id: 1, rack: a}, {id: 2, rack: b}, {id: 3, rack: c}, {id: 4, rack: c}]}
topics: [{name: t, assignment: [[1, 2], [2, 3], [3, 1]]}, {name: u, assignment: [[3, 4]]}]
timeline:
"""


def replicas(*actions: str) -> list[list[int]]:
    """The replicas that t-0, t-1, t-2 and u-0 have, or are to have, at the end."""
    lines = "".join(f'  - {{at: {2 + 12 * i}s, do: "{action}"}}\n' for i, action in enumerate(actions))
    world = World(load((CLUSTER + lines).encode()))
    world.run(30_000_000)
    image = world.cluster.quorum.image
    found = [known for p in range(4) if (known := image.partition(p)) is not None]
    return [[broker for broker in known.replicas if broker not in known.removing] for known in found]


def test_a_broker_gives_its_replicas_to_brokers_of_racks_that_the_partition_does_not_use() -> None:
    assert replicas("reassign off 3") == [[1, 2], [2, 4], [2, 1], [1, 4]]


def test_a_replica_stays_where_no_broker_is_left_for_it() -> None:
    assert replicas("kill 1", "reassign off 3") == [[1, 2], [2, 4], [2, 1], [2, 4]]
    assert replicas("reassign t replication-factor 4", "reassign off 3")[:3] == [
        [1, 2, 4, 3],
        [2, 3, 1, 4],
        [3, 1, 2, 4],
    ]


def test_a_higher_factor_adds_replicas_and_a_lower_one_takes_the_last() -> None:
    assert replicas("reassign t replication-factor 3") == [[1, 2, 4], [2, 3, 1], [3, 1, 2], [3, 4]]
    assert replicas("reassign t replication-factor 1") == [[1], [2], [3], [3, 4]]
