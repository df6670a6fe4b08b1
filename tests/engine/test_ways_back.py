"""The repairs that are named for a partition that is out bring it back; no part of them does, nor does waiting."""

import json

import pytest

from simengine.explain.repairs import Repairs
from simengine.scenario import load
from simengine.world.world import World, build

SECOND = 1_000_000
LATER = 90 * SECOND


def run_to_its_end(text: str, setup: str, *more: str) -> World:
    """A cluster of three brokers with partition t-0; ``setup``: its replicas, min ISR, and what else is set."""
    replicas, minimum, *options = setup.split()
    doc = {
        "format": 1,
        "profile": "4.2",
        "seed": 5,
        "elr": "elr" in options,
        "until": "60s",
        "cluster": {"brokers": [1, 2, 3], "controllers": [100]},
        "topics": [
            {
                "name": "t",
                "assignment": [[int(one) for one in replicas.split(",")]],
                "config": {
                    "min.insync.replicas": int(minimum),
                    "unclean.leader.election.enable": "unclean" in options,
                },
            }
        ],
        "producers": [
            {"id": "P", "topic": "t", "rate": 5, "acks": "all"},
            {"id": "Q", "topic": "t", "rate": 5, "acks": 1},
        ],
        "timeline": [
            {"at": at, "do": do} for at, do in (one.split(" ", 1) for one in text.split("; "))
        ],
    }  # fmt: skip
    run = build(load(json.dumps(doc)))
    run.run(60 * SECOND)
    for do in more:
        run.act(60 * SECOND + 1, do)
    return run


def takes_calls(run: World, mode: str) -> bool:
    """True if partition 0 can be written in a mode of acks now, and a producer reaches its leader."""
    account = run.book.account(0)
    leader, producers = account.leader(), run.only.parts.producers
    if leader is None or int((account.out_all if mode == "all" else account.out_1).since) >= 0:
        return False
    return not producers or not all(run.net.is_cut(one, leader.broker) for one in producers)


CASES = [
    # ELR-5, REG-4, ELR-6: after a kill neither is in the ELR any more when it is back, and the last leader is elected
    ("1,2 2 elr", "10s kill 2; 25s kill 1", "1", "brokers 1 and 2", "start 1; start 2"),
    ("1,2,3 1 elr", "5s kill 1; 20s kill 3; 35s kill 2", "1", "broker 2", "start 2"),
    # REG-3: a clean end keeps it there
    ("1,2 2 elr", "10s stop 2; 25s kill 1", "1", "broker 2", "start 2"),
    # ELEC-7: without the ELR the last member is enough, however it ended
    ("1,2 2", "10s kill 2; 25s kill 1", "1", "broker 1", "start 1"),
    ("1,2 2", "10s kill 2; 25s kill 1", "all", "brokers 1 and 2 (min.insync.replicas 2)", "start 1; start 2"),
    # UNC-1
    ("1,2 1 unclean", "10s kill 2; 25s kill 1", "1", "broker 1 or broker 2 (would lose 150 records)", "start 2"),
    # a paused process is no member that lives
    ("1 1", "10s pause 1", "all", "broker 1 to go on", "resume 1"),
    ("1,2 2", "10s pause 2", "all", "broker 2 to go on (min.insync.replicas 2)", "resume 2"),
    # LIVE-5, FLT-5: who does not hear the controllers is not elected
    ("1 1", "10s cut 1>100", "1", "the links between broker 1 and controller 100", "heal 1|100"),
    (
        "2 1",
        "10s kill 2; 20s cut 2|100",
        "1",
        "broker 2, and the links between broker 2 and controller 100",
        "start 2; heal 2|100",
    ),
    # ISR-5: nor does a replica join that cannot fetch
    ("1,2 2", "10s cut 1|2", "all", "the links between broker 1 and broker 2 (min.insync.replicas 2)", "heal 1|2"),
    # the run ends before the dead member is fenced
    ("1,2 2", "59s kill 2", "all", "broker 2 (min.insync.replicas 2)", "start 2"),
    # QUO-6: a start comes to nothing without controllers
    ("1,2 1", "10s kill 100; 20s kill 2", "all", "a controller majority", "start 100"),
    (
        "1 1",
        "10s kill 1; 20s cut P,Q|1",
        "1",
        "broker 1, and the links between P and Q and broker 1",
        "start 1; heal P,Q|1",
    ),
]


@pytest.mark.parametrize(("setup", "faults", "mode", "needs", "actions"), CASES)
def test_what_is_named_brings_a_partition_back_and_no_part_of_it(
    setup: str, faults: str, mode: str, needs: str, actions: str
) -> None:
    run = run_to_its_end(faults, setup)
    assert Repairs(run).needs_of(0, mode).needs == needs
    run.run(60 * SECOND + LATER)
    assert not takes_calls(run, mode)
    every = actions.split("; ")
    for one in every:
        part = run_to_its_end(faults, setup, *(other for other in every if other != one))
        part.run(60 * SECOND + LATER)
        assert not takes_calls(part, mode), one
    whole = run_to_its_end(faults, setup, *every)
    whole.run(60 * SECOND + LATER)
    assert takes_calls(whole, mode)


def test_a_partition_with_much_in_the_way_is_told_a_set_that_has_nothing_to_spare() -> None:
    """PROD-2: more obstacles than all sets of are tried."""
    cuts = "10s cut 1,2,3|100; 10s cut 1|2,3; 10s cut 2|3; 10s cut P,Q|1,2,3; 40s kill 1; 40s kill 2; 40s kill 3"
    run = run_to_its_end(cuts, "1,2,3 2")
    found = Repairs(run).needs_of(0, "1").needs
    [last] = run.cluster.quorum.image.partition(0).isr  # type: ignore[union-attr]
    assert found == (
        f"broker {last}, and the links between brokers 1, 2 and 3 and controller 100,"
        " and the links between P and Q and brokers 1, 2 and 3"
    )
