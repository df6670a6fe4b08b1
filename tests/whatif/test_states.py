"""The states of an experiment: exclusive claims, one final state, what a dead worker leaves behind."""

import os
import threading
from pathlib import Path
from typing import Never

import pytest
from django.conf import LazySettings
from django.utils import timezone
from kombu.exceptions import OperationalError

from playground.whatif import leases, states, worker
from playground.whatif.identity import HOST, is_dead_here, own_name
from playground.whatif.leases import Lease
from playground.whatif.limits import CLAIMS_MAX
from playground.whatif.models import Experiment, Stage, State, WorkerBeat
from playground.whatif.page_state import note, state
from playground.whatif.pipeline.blocks import Block
from playground.whatif.pipeline.results import encoded
from playground.whatif.pipeline.run_one import plan_row
from playground.whatif.pipeline.session import SparkUnavailable
from playground.whatif.runner import Runner
from playground.whatif.tasks import run_experiment
from tests.whatif.plans import plan

pytestmark = pytest.mark.django_db


def queued(state: State = State.QUEUED, owner: str = "") -> Experiment:
    return Experiment.objects.create(
        owner="browser",
        title="Test",
        plan_text=plan().to_json(),
        baseline="A",
        seeds_each=1,
        state=state,
        lease_owner=owner,
    )


def state_of(experiment: Experiment) -> str:
    experiment.refresh_from_db()
    return experiment.state


def test_of_two_workers_one_gets_a_waiting_experiment() -> None:
    experiment = queued()
    assert states.claim(experiment.pk, "first") is not None
    assert states.claim(experiment.pk, "second") is None
    assert state_of(experiment) == State.RUNNING


def test_an_experiment_whose_lease_was_left_goes_to_another_worker_and_the_first_has_lost_it() -> None:
    experiment = queued(State.RUNNING, "first")
    assert states.claim(experiment.pk, "second", Lease("first", 0)) is not None
    assert states.renew(experiment.pk, "first", 5, Stage.RUNS) is None
    assert not states.finish(experiment.pk, "first", State.DONE)
    assert state_of(experiment) == State.RUNNING


def test_what_a_worker_said_it_waits_for_is_not_said_of_the_next_one() -> None:
    experiment = queued(State.RUNNING, "first")
    states.say(experiment.pk, "first", "No executor works.")
    taken = states.claim(experiment.pk, "second", Lease("first", 0))
    assert taken is not None and taken.error == ""


def test_a_renewed_lease_keeps_others_away_and_says_how_far_the_work_is() -> None:
    experiment = queued(State.RUNNING, "first")
    assert states.renew(experiment.pk, "first", 5, Stage.RUNS) == State.RUNNING
    assert states.claim(experiment.pk, "second") is None
    assert states.claim(experiment.pk, "second", Lease("first", 0)) is None
    assert state_of(experiment) == State.RUNNING
    assert experiment.runs_done == 5


def test_a_waiting_experiment_is_cancelled_at_once_and_no_worker_takes_it() -> None:
    experiment = queued()
    states.cancel(experiment.pk)
    assert state_of(experiment) == State.CANCELLED
    assert states.claim(experiment.pk, "first") is None


def test_a_cancel_that_came_first_wins_over_done() -> None:
    experiment = queued(State.RUNNING, "first")
    states.cancel(experiment.pk)
    assert state_of(experiment) == State.CANCELLING
    assert states.finish(experiment.pk, "first", State.DONE)
    assert state_of(experiment) == State.CANCELLED


def test_what_gives_its_place_away_goes_on_later_and_counts_no_worker_that_died() -> None:
    experiment = states.claim(queued().pk, "first")
    assert experiment is not None
    again = states.give_way(experiment, "second", 2.0)
    assert again is not None and again.pk == experiment.pk, "nothing else waits"
    assert not states.finish(experiment.pk, experiment.lease_owner, State.DONE)
    assert (again.claims, again.started, again.computed_seconds) == (1, experiment.started, 2.0)
    assert again.turn > experiment.turn


def test_a_cancel_that_came_first_wins_over_a_place_that_is_given_away() -> None:
    experiment = states.claim(queued().pk, worker.NAME)
    assert experiment is not None
    states.cancel(experiment.pk)
    assert states.give_way(experiment, worker.NAME, 2.0) is None
    leases.release(experiment.lease_owner)
    worker.sweep()
    assert state_of(experiment) == State.CANCELLED


def test_of_a_waiting_experiment_that_has_rows_a_cancel_tells_their_figures(
    settings: LazySettings, tmp_path: Path
) -> None:
    settings.RESULTS_URL = tmp_path.as_uri()
    experiment = states.claim(queued().pk, "first")
    assert experiment is not None
    of = experiment.plan
    experiment.results.prepare()
    experiment.results.put(Block(0, 3), encoded([plan_row(of, index) for index in range(3)]))
    waiting = queued()
    Experiment.objects.filter(pk=waiting.pk).update(owner="another")
    assert (following := states.give_way(experiment, "first", 2.0)) is not None
    assert following.pk == waiting.pk
    states.cancel(experiment.pk)
    assert state_of(experiment) == State.CANCELLING
    worker.sweep()
    assert state_of(experiment) == State.CANCELLED
    assert (experiment.runs_done, experiment.result["rows"], experiment.result["is_final"]) == (2, 2, True)


def test_the_page_says_what_a_waiting_experiment_waits_for() -> None:
    WorkerBeat.objects.create(name="first", seen=timezone.now())
    experiments = [queued() for _ in range(3)]
    assert states.claim_next("first") is not None
    for experiment in experiments:
        Experiment.objects.filter(pk=experiment.pk).update(outline=experiment.plan.outline())
    told = [state(Experiment.objects.get(pk=one.pk), "browser") for one in experiments]
    assert [(one["stage"], one["running"], one["ahead"]) for one in told] == [
        (Stage.RESULTS, 0, 0),
        ("turn", 1, 0),
        ("turn", 1, 1),
    ]


@pytest.mark.parametrize("final", [State.DONE, State.FAILED, State.CANCELLED])
def test_a_final_state_is_final(final: State) -> None:
    experiment = queued(final)
    states.cancel(experiment.pk)
    states.close_left_cancels({experiment.pk: Lease("", 0)})
    assert states.claim(experiment.pk, "first") is None
    assert states.claim(experiment.pk, "first", Lease("", 0)) is None
    assert not states.finish(experiment.pk, "", State.DONE)
    assert state_of(experiment) == final


def test_what_was_being_cancelled_when_its_worker_died_is_cancelled() -> None:
    experiment = queued(State.CANCELLING, "first")
    states.close_left_cancels({experiment.pk: Lease("first", 1)})  # it renewed meanwhile
    assert state_of(experiment) == State.CANCELLING
    states.close_left_cancels({experiment.pk: Lease("first", 0)})
    assert state_of(experiment) == State.CANCELLED


def test_an_experiment_that_kills_every_worker_is_given_up_in_words() -> None:
    experiment = queued(State.RUNNING, "first")
    Experiment.objects.filter(pk=experiment.pk).update(claims=CLAIMS_MAX)
    assert states.claim(experiment.pk, "second", Lease("first", 0)) is None
    assert state_of(experiment) == State.FAILED
    assert experiment.error.startswith(f"Highwater's worker process died {CLAIMS_MAX} times")


def test_a_sweep_sends_what_waits_and_what_a_dead_worker_of_this_machine_held(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(worker, "_send", sent.append)
    waiting = queued()
    orphan = queued(State.RUNNING, f"{HOST[:40]}:{os.getpid()}:ffff0000")
    held = states.claim(queued().pk, worker.NAME)
    assert held is not None
    worker.sweep()
    assert sorted(sent) == sorted([waiting.pk, orphan.pk])
    assert held.pk not in sent
    again = states.claim_next(worker.NAME)
    assert again is not None and again.pk == orphan.pk


def test_a_queue_that_is_away_is_said_and_what_waits_is_sent_as_soon_as_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    experiment, sent = queued(), list[str]()

    def away(*_: object, **__: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(run_experiment, "apply_async", away)
    worker.sweep()
    assert note(experiment) == worker.NO_QUEUE
    monkeypatch.setattr(run_experiment, "apply_async", lambda arguments, **_: sent.extend(arguments))
    worker.sweep()
    worker.sweep()
    assert (note(experiment), sent) == ("", [experiment.pk])


def test_a_worker_of_another_machine_is_never_taken_for_dead() -> None:
    assert not is_dead_here("elsewhere:1:abcd", own_name())
    assert not is_dead_here("nonsense", own_name())
    assert is_dead_here(f"{HOST[:40]}:4194304:abcd", own_name())
    assert not is_dead_here(f"{HOST[:40]}:{os.getppid()}:abcd", own_name())


def test_a_worker_that_claims_again_what_it_lost_does_not_pass_for_its_earlier_self() -> None:
    experiment = queued()
    first = states.claim(experiment.pk, "worker")
    assert first is not None
    again = states.claim(experiment.pk, "worker", Lease(first.lease_owner, 0))
    assert again is not None
    assert leases.worker_of(again.lease_owner) == "worker"
    assert states.renew(experiment.pk, first.lease_owner, 1, Stage.RUNS) is None
    assert states.renew(experiment.pk, again.lease_owner, 1, Stage.RUNS) == State.RUNNING


@pytest.mark.django_db(transaction=True)  # the beat is a thread of its own: inside a transaction it would wait 20 s
def test_what_the_figures_need_is_loaded_while_spark_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = threading.Event()
    monkeypatch.setattr("playground.whatif.runner.load_scipy", loaded.set)

    def spark() -> Never:
        raise SparkUnavailable("loaded" if loaded.wait(10) else "not loaded")

    experiment = states.claim(queued().pk, "first")
    assert experiment is not None
    Runner(experiment, spark).run()
    assert state_of(experiment) == State.FAILED
    assert experiment.error == "loaded"
