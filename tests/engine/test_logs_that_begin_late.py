"""Logs that retention has cut at the front (LOG-7): a copy that ends before begins anew, one may be cut below."""

from simengine.facts.traffic import StartMoved
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked, checks_of
from tests.engine.cluster import SECOND, copy_on, facts
from tests.swarm import run as swarm_run

LOG = {"leo": 120, "epochs": [[2, 40], [3, 50]], "start": 40}
WRITER = {"id": "P", "topic": "t", "rate": 10, "acks": "1", "config": {}}


def begun_late(config: dict[str, bool], *timeline: tuple[str, str]) -> World:
    """Three copies that begin at offset 40."""
    state = {"leader": 0, "epoch": 3, "isr": [0, 1, 2], "logs": dict.fromkeys((0, 1, 2), LOG)}
    topic = {"name": "t", "assignment": [[0, 1, 2]], "initial": {0: state}, "config": config}
    document = {
        "format": 1,
        "title": "logs that begin late",
        "seed": 5,
        "elr": False,
        "until": "120s",
        "cluster": {"brokers": [0, 1, 2], "controllers": [100]},
        "topics": [topic],
        "producers": [WRITER],
        "timeline": [{"at": at, "do": text} for at, text in timeline],
    }
    run = checked(load(document))
    run.trace.keep_traffic = True
    return run


def test_a_copy_on_an_empty_disk_begins_where_the_leaders_log_does() -> None:
    """FET-13; the mark of it is counted."""
    run = begun_late({}, ("2s", "kill 2"), ("20s", "start 2 empty"))
    run.run(40 * SECOND)
    leader, follower = copy_on(run, 0), copy_on(run, 2)
    assert (follower.log.start, follower.log.leo) == (40, leader.log.leo)
    swarm_run.check_whole(run)
    assert checks_of(run.only).parts.marks.totals()["log dropped whole and begun anew (FET-13)"] == 1


def test_a_log_that_is_cut_below_its_start_begins_there() -> None:
    """TRUNC-3 after an unclean election of somebody with an empty disk (`UnifiedLog.truncateTo`)."""
    unclean = {"unclean.leader.election.enable": True}
    kills = (("2s", "kill 1"), ("2s", "kill 2"), ("20s", "kill 0"))
    run = begun_late(unclean, *kills, ("40s", "start 0 empty"), ("80s", "start 1"))
    run.run(110 * SECOND)
    leader, follower = copy_on(run, 0), copy_on(run, 1)
    assert leader.log.start == 0
    assert (follower.log.start, follower.log.leo) == (0, leader.log.leo)
    swarm_run.check_whole(run)
    assert [(f.broker, f.start) for f in facts(run, StartMoved) if f.broker == 1] == [(1, 0)]
