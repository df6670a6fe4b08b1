"""The election since which leaders lack records of an earlier epoch (FATE-3)."""

from simengine.kafka.log.log import Batch, Log
from simengine.verdict.lacking import LackingSince


def log_of(end: int) -> Log:
    """A log of as many records of epoch 0."""
    log = Log()
    if end:
        log.append(Batch(0, end, 0, 0, 0, 9, 0, 0, 0))
    return log


def test_the_first_leader_without_a_record_is_the_one_that_lost_it() -> None:
    since = LackingSince()
    since.elected(log_of(50), 1, 0)
    since.elected(log_of(40), 2, 1)
    since.elected(log_of(45), 3, 2)
    assert since.parts(0, 30, 60) == [(30, 45, 0), (45, 50, 2), (50, 60, 1)]
    since.elected(log_of(60), 4, 3)
    assert since.parts(0, 30, 70) == [(30, 60, 0), (60, 70, 1)]
    since.elected(log_of(0), 5, 4)
    assert since.parts(0, 30, 70) == [(30, 60, 5), (60, 70, 1)]


def test_of_the_newest_epoch_no_election_is_known() -> None:
    since = LackingSince()
    since.elected(log_of(50), 1, 0)
    assert since.parts(1, 50, 60) == [(50, 60, 0)]
