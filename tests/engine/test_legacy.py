"""The legacy teaching mode: copies that differ go on being copied, whatever the batches' borders (LEG-1, LEG-4)."""

from simengine.kafka.log.log import Batch
from simengine.kafka.replica.legacy import from_offset
from simengine.scenario import load
from simengine.world.world import build


def test_a_read_may_begin_inside_a_batch() -> None:
    batch = Batch(10, 5, 1, 0, 40, 7, 0, 40, 0)
    (rest,) = from_offset([batch], 12)
    assert (int(rest.base), int(rest.end), int(rest.n), int(rest.seq)) == (12, 15, 42, 42)
    assert from_offset([batch], 10) == [batch]
    assert from_offset([], 10) == []


def test_a_follower_whose_log_ends_inside_a_batch_of_the_leader_goes_on_copying() -> None:
    """Its high watermark lies inside one batch of another history; epochs would have made it cut."""
    world = build(
        load(
            {
                "format": 1,
                "profile": "legacy",
                "cluster": {"brokers": [1, 2, 3]},
                "topics": [
                    {
                        "name": "t",
                        "assignment": [[1, 2]],
                        "initial": {
                            "0": {
                                "leader": 1,
                                "epoch": 2,
                                "isr": [1],
                                "logs": {
                                    1: {"leo": 20, "epochs": [[0, 0], [2, 4]]},
                                    2: {"leo": 9, "epochs": [[0, 0]]},
                                },
                            }
                        },
                    }
                ],
            }
        )
    )
    world.run(5_000_000)
    copy = world.cluster.by_id[2].replica(0)
    assert copy is not None
    assert int(copy.log.leo) == 20
