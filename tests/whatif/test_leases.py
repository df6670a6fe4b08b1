"""Leases on a machine whose clock jumps, or whose workers hang: nobody takes what another works on, nothing is left."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from playground.whatif import leases, states, worker
from playground.whatif.identity import HOST
from playground.whatif.limits import LEASE_SECONDS
from playground.whatif.models import Experiment, Stage, State, WorkerBeat
from playground.whatif.page_state import NO_WORKER, note
from playground.whatif.turns import in_turn
from tests.whatif.plans import plan

pytestmark = pytest.mark.django_db

HERE = worker.NAME
ELSEWHERE = "elsewhere:7:abcd0000"  # a worker of another machine: only its renewals tell whether it lives
HOUR = timedelta(hours=1)


class Clocks:
    """A wall clock that a test sets, and a monotonic one that goes on."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self.wall = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
        self.monotonic = 1_000.0
        patched.setattr(timezone, "now", lambda: self.wall)
        patched.setattr(time, "monotonic", lambda: self.monotonic)

    def pass_by(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.monotonic += seconds


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    monkeypatch.setattr(leases, "_kept", set())
    monkeypatch.setattr(leases, "_seen", {})
    monkeypatch.setattr(worker, "_send", lambda pk: None)
    return Clocks(monkeypatch)


def queued(owner: str = "browser") -> str:
    made = Experiment.objects.create(
        owner=owner, address=owner, title="Test", plan_text=plan().to_json(), baseline="A", seeds_each=1
    )
    return made.pk


def taken(by: str) -> Experiment:
    experiment = states.claim(queued(), by)
    assert experiment is not None
    if by != HERE:
        leases.release(experiment.lease_owner)  # it is kept in the other's process
    return experiment


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
@pytest.mark.parametrize("holder", [HERE, ELSEWHERE])
def test_a_clock_that_jumps_takes_no_experiment_from_a_worker_that_lives(
    clocks: Clocks, jump: timedelta, holder: str
) -> None:
    experiment = taken(holder)
    for second in range(60):
        if second == 20:
            clocks.wall += jump
        worker.sweep()  # between the jump and the next renewal too
        assert states.claim_next(HERE) is None
        assert states.renew(experiment.pk, experiment.lease_owner, second, Stage.RUNS) == State.RUNNING
        clocks.pass_by(1)
    assert states.finish(experiment.pk, experiment.lease_owner, State.DONE)
    experiment.refresh_from_db()
    assert (experiment.state, experiment.claims) == (State.DONE, 1)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_clock_that_jumps_leaves_nothing_with_a_worker_that_is_gone(clocks: Clocks, jump: timedelta) -> None:
    experiment = taken(ELSEWHERE)
    worker.sweep()
    clocks.wall += jump
    clocks.pass_by(LEASE_SECONDS - 1)
    assert states.claim_next(HERE) is None
    clocks.pass_by(1)
    again = states.claim_next(HERE)
    assert again is not None and again.pk == experiment.pk
    assert states.renew(experiment.pk, experiment.lease_owner, 1, Stage.RUNS) is None


def test_a_worker_that_hangs_and_goes_on_does_not_take_what_it_holds_itself(clocks: Clocks) -> None:
    """The sweep and the beat are threads of one process: after the same stop either may come first."""
    experiment = taken(HERE)
    worker.sweep()
    clocks.pass_by(20 * LEASE_SECONDS)
    worker.sweep()
    assert states.claim_next(HERE) is None
    assert states.renew(experiment.pk, experiment.lease_owner, 1, Stage.RUNS) == State.RUNNING


def test_who_looks_late_does_not_take_what_was_renewed_meanwhile(clocks: Clocks) -> None:
    experiment = taken(ELSEWHERE)
    leases.left(HERE)
    clocks.pass_by(LEASE_SECONDS)
    seen = leases.left(HERE)
    assert list(seen) == [experiment.pk]
    assert states.renew(experiment.pk, experiment.lease_owner, 1, Stage.RUNS) == State.RUNNING
    assert states.claim(experiment.pk, HERE, seen[experiment.pk]) is None
    assert leases.left(HERE) == {}


def test_work_that_ended_here_without_a_final_state_is_taken_up_again_at_once(clocks: Clocks) -> None:
    experiment = taken(HERE)
    assert states.claim_next(HERE) is None
    leases.release(experiment.lease_owner)
    again = states.claim_next(HERE)
    assert again is not None and again.pk == experiment.pk and again.claims == 2


def test_what_a_dead_process_of_this_machine_held_is_taken_up_at_once_and_a_cancel_is_closed(clocks: Clocks) -> None:
    dead = f"{HOST[:40]}:4194304:abcd0000"
    experiment, cancelled = taken(dead), taken(dead)
    states.cancel(cancelled.pk)
    worker.sweep()
    cancelled.refresh_from_db()
    assert cancelled.state == State.CANCELLED
    again = states.claim_next(HERE)
    assert again is not None and again.pk == experiment.pk


def test_a_clock_that_is_set_back_changes_nobody_s_turn(clocks: Clocks) -> None:
    assert states.claim(queued("served before the jump"), HERE) is not None
    clocks.wall -= HOUR
    assert states.claim(queued("served after the jump"), HERE) is not None
    Experiment.objects.update(state=State.DONE)
    later, first = queued("served after the jump"), queued("served before the jump")
    assert in_turn() == [first, later]


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_sign_of_life_from_before_a_jump_is_none(clocks: Clocks, jump: timedelta) -> None:
    """A worker that died before the clock was set back does not pass for a living one until the hour is over."""
    WorkerBeat.objects.create(name=HERE, seen=clocks.wall)
    clocks.wall += jump
    waiting = Experiment.objects.get(pk=queued())
    assert note(waiting) == NO_WORKER
    worker.sweep()
    assert note(waiting) == ""
