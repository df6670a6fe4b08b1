"""The placement of the ``__consumer_offsets`` that a cluster makes itself (CON-6, PLACE-2)."""

import pytest

from simengine.world.assembly import spread_over_racks


@pytest.mark.parametrize(
    ("racks", "replicas"),
    [
        (["a", "a", "a", "b", "b", "b"], [3, 5, 6]),
        (["a", "b", "c", "a", "b", "c"], [4, 5, 6]),
        (["", "", "", ""], [2, 3, 4]),
        (["a", "b"], [1, 2]),
        (["a", "b", "b", "b", "b"], [1, 4, 5]),
    ],
)
def test_the_offsets_topic_is_spread_over_racks(racks: list[str], replicas: list[int]) -> None:
    brokers = [(number, rack) for number, rack in enumerate(racks, 1)]
    assert spread_over_racks(brokers, min(3, len(brokers))) == replicas
