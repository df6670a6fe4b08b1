"""Interruptions that do not end an experiment: it waits, says why, and goes on with what is missing."""

import errno
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from playground import storage_trouble
from playground.whatif import interruptions, states
from playground.whatif.models import Experiment, Stage, State
from playground.whatif.pipeline import session
from playground.whatif.pipeline.job import RowsMissing
from playground.whatif.pipeline.results import ResultsProblem
from playground.whatif.pipeline.session import SparkUnavailable
from playground.whatif.runner import LOST_SECONDS, NO_ROOM, NO_ROOM_SECONDS, Runner
from tests.whatif.lab import until
from tests.whatif.test_states import queued

pytestmark = pytest.mark.django_db(transaction=True)  # the beat is a thread of its own

FULL_IN_JAVA = "org.apache.spark.SparkException: Job aborted.\nCaused by: java.io.IOException: No space left on device"
FULL_IN_PYTHON = "PythonException: OSError: [Errno 28] No space left on device"
DIED = "org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)"

# a pool's idle workers are dead when the next task asks for one
POOL_DIED = """An error occurred while calling o305.parquet.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 10.0 failed 1 times, most recent \
failure: Lost task 0.0 in stage 10.0 (TID 60) (localhost executor driver): java.io.IOException: Stream closed
	at java.base/java.lang.ProcessBuilder$NullOutputStream.write(ProcessBuilder.java:445)
	at org.apache.spark.api.python.PythonWorkerFactory.create(PythonWorkerFactory.scala:174)"""
OUR_ERROR = """An error occurred while calling o305.parquet.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 10.0 failed 1 times, most recent \
failure: Lost task 0.0 in stage 10.0 (TID 60) (executor driver): org.apache.spark.api.python.PythonException: x
	at org.apache.spark.api.python.PythonRunner$ReaderIterator.read(PythonRunner.scala:1)"""


class Work:
    """Stands in for Spark: fails as often as it is told to, then everything is done."""

    def __init__(self, runner: Runner, failures: list[Exception]) -> None:
        self.runner, self.failures, self.tries = runner, failures, 0

    def compute(self, _: Any) -> None:
        self.tries += 1
        if self.failures:
            raise self.failures.pop(0)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Runner, Work]]:
    """A claimed experiment whose work fails in these ways, one after the other."""
    monkeypatch.setattr(interruptions, "WAIT_SECONDS", 0.01)
    monkeypatch.setattr(interruptions, "is_alive", lambda _: True)
    monkeypatch.setattr("playground.whatif.runner.is_alive", lambda _: False)  # nothing to cancel there

    def begin(*failures: Exception) -> tuple[Runner, Work]:
        experiment = states.claim(queued().pk, "first")
        assert experiment is not None
        runner = Runner(experiment, lambda: "spark")  # type: ignore[arg-type, return-value]
        work = Work(runner, list(failures))
        monkeypatch.setattr(runner, "_compute", work.compute)
        return runner, work

    return begin


def now(runner: Runner) -> Experiment:
    return Experiment.objects.get(pk=runner.experiment.pk)


@pytest.mark.parametrize(
    "failure",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        RuntimeError(FULL_IN_JAVA),
        RuntimeError(FULL_IN_PYTHON),
        OperationalError("database or disk is full"),
        OperationalError("database is locked"),
        OperationalError("disk I/O error"),
    ],
)
def test_trouble_with_stored_data_is_waited_out(begun: Callable[..., tuple[Runner, Work]], failure: Exception) -> None:
    runner, work = begun(*[failure] * 10)
    runner.run()
    assert work.tries == 11
    assert (now(runner).state, now(runner).error) == (State.DONE, "")


def test_the_page_says_what_is_waited_for_and_a_cancel_ends_the_waiting(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = threading.Event()

    def wait(_: Path, must_stop: threading.Event) -> None:
        waits.set()
        assert must_stop.wait(30)

    monkeypatch.setattr(interruptions, "wait_until_it_may_have_passed", wait)
    monkeypatch.setattr("playground.whatif.runner.BEAT_SECONDS", 0.05)
    runner, work = begun(RuntimeError(FULL_IN_JAVA))
    working = threading.Thread(target=runner.run)
    working.start()
    assert waits.wait(30)
    assert now(runner).state == State.RUNNING
    assert now(runner).error == f"{storage_trouble.FULL} {interruptions.GOES_ON}"
    until(lambda: now(runner).stage == Stage.SPACE, 30)
    states.cancel(runner.experiment.pk)
    working.join(30)
    assert (now(runner).state, now(runner).error, work.tries) == (State.CANCELLED, "", 1)


def test_space_is_waited_for_before_anything_is_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interruptions, "WAIT_SECONDS", 0.01)
    looks = [True, True, False]
    monkeypatch.setattr(interruptions, "is_full", lambda _: looks.pop(0))
    interruptions.wait_until_it_may_have_passed(tmp_path, threading.Event())
    assert looks == []


@pytest.mark.parametrize(("words", "told"), [(DIED, "Python worker exited unexpectedly"), (POOL_DIED, "Stream closed")])
def test_a_process_of_spark_s_that_dies_is_tried_again_and_not_for_ever(
    begun: Callable[..., tuple[Runner, Work]], words: str, told: str
) -> None:
    runner, work = begun(*[RuntimeError(words)] * (interruptions.TRIES_MAX - 1))
    runner.run()
    assert (now(runner).state, work.tries) == (State.DONE, interruptions.TRIES_MAX)
    runner, work = begun(*[RuntimeError(words)] * interruptions.TRIES_MAX)
    runner.run()
    assert (now(runner).state, work.tries) == (State.FAILED, interruptions.TRIES_MAX)
    assert told in now(runner).error


def test_an_error_in_the_work_itself_is_told_and_not_tried_again(begun: Callable[..., tuple[Runner, Work]]) -> None:
    runner, work = begun(RuntimeError(OUR_ERROR))
    runner.run()
    assert (now(runner).state, work.tries) == (State.FAILED, 1)
    assert "PythonException: x" in now(runner).error and "while calling" not in now(runner).error


@pytest.mark.parametrize("failure", [RowsMissing("3 of the 4 rows"), SparkUnavailable("no master"), ValueError("x")])
def test_anything_else_fails_in_words_at_once(begun: Callable[..., tuple[Runner, Work]], failure: Exception) -> None:
    runner, work = begun(failure)
    runner.run()
    assert (now(runner).state, work.tries) == (State.FAILED, 1)
    assert str(failure) in now(runner).error


def test_a_disk_without_space_explains_whatever_failed_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failure = SparkUnavailable("Spark did not start: Failed to create a local dir")
    assert interruptions.trouble(failure, tmp_path / "not made yet") == ""
    monkeypatch.setattr(interruptions, "SPACE_BYTES_MIN", 1 << 60)
    assert interruptions.trouble(failure, tmp_path / "not made yet") == storage_trouble.FULL


def test_the_page_says_which_executors_a_cluster_has_not_given_or_has_lost(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    runner, _ = begun()
    has = [0, 2, 3, 2, 3]
    runner.stage = Stage.EXECUTORS
    monkeypatch.setattr("playground.whatif.runner.NO_ROOM_SECONDS", 0.0)
    monkeypatch.setattr("playground.whatif.runner.is_alive", lambda _: True)
    monkeypatch.setattr("playground.whatif.runner.executors", lambda _: has.pop(0))
    runner.spark = "spark"  # type: ignore[assignment]
    runner._say_what_the_cluster_lacks()  # nothing is said of a local master
    assert (now(runner).error, len(has)) == ("", 5)
    settings.SPARK_MASTER = "spark://a:7077"
    told = []
    while has:
        runner._say_what_the_cluster_lacks()
        told.append(now(runner).error)
    assert told == [NO_ROOM, "", "", "2 of 3 executors work.", ""]


def test_the_page_still_says_that_no_executor_works_while_another_session_asks_for_some(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    runner, _ = begun()
    settings.SPARK_MASTER = "spark://a:7077"
    clock, left = [100.0], threading.Event()
    monkeypatch.setattr("playground.whatif.runner.time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr("playground.whatif.runner.is_alive", lambda _: True)
    monkeypatch.setattr("playground.whatif.runner.abandon", lambda _: left.set())
    runner.spark, runner.stage = "spark", Stage.RUNS  # type: ignore[assignment]

    def told(executors: int, seconds: float) -> str:
        clock[0] += seconds
        monkeypatch.setattr("playground.whatif.runner.executors", lambda _: executors)
        runner._say_what_the_cluster_lacks()
        return now(runner).error

    assert [told(2, 0.0), told(0, 1.0), told(0, NO_ROOM_SECONDS), told(0, LOST_SECONDS)] == ["", "", NO_ROOM, NO_ROOM]
    assert left.wait(30)
    assert [told(0, 8.0), told(2, 1.0), told(0, 1.0)] == [NO_ROOM, "", ""]
    assert runner.stood_seconds == LOST_SECONDS + 8.0 + 1.0, "of which no estimate learns"


def noting(runner: Runner, seen: list[Stage]) -> Callable[..., int]:
    """Stands in for a step of the work: notes the stage in which it is called."""

    def step(*_: Any, **__: Any) -> int:
        seen.append(runner.stage)
        return 0

    return step


def test_the_stage_says_what_is_done_before_the_first_row_and_after_the_last(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    for master, starts, works in (("local[2]", "spark", "runs"), ("spark://a:7077", "cluster", "executors")):
        settings.SPARK_MASTER = master
        runner, _ = begun()
        seen: list[Stage] = []
        for step in ("_find_finished", "_started", "_compute", "_save_result"):
            monkeypatch.setattr(runner, step, noting(runner, seen))
        assert now(runner).stage == Stage.RESULTS
        runner.run()
        assert seen[:4] == ["results", starts, works, "figures"]


@pytest.mark.parametrize(("step", "stage"), [("_find_finished", Stage.RESULTS), ("_started", Stage.CLUSTER)])
def test_a_failure_before_the_first_row_keeps_its_stage_to_the_end(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch, settings: Any, step: str, stage: Stage
) -> None:
    settings.SPARK_MASTER = "spark://a:7077"
    seen: list[str] = []
    runner, _ = begun()

    def fails() -> None:
        raise SparkUnavailable("no master")

    def figures(*_: Any) -> dict[str, Any]:
        seen.append(now(runner).stage)
        return {}

    monkeypatch.setattr(runner, step, fails)
    monkeypatch.setattr("playground.whatif.figures.compared", figures)
    runner.run()
    assert (seen, now(runner).stage, now(runner).state) == ([stage], stage, State.FAILED)


def test_a_beat_tells_the_rows_and_the_stage_of_one_moment(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.SPARK_MASTER = "spark://a:7077"
    monkeypatch.setattr("playground.whatif.runner.BEAT_SECONDS", 0.0)
    monkeypatch.setattr("playground.whatif.runner.is_alive", lambda _: True)
    monkeypatch.setattr("playground.whatif.runner.executors", lambda _: 2)
    runner, _ = begun()
    runner.spark, runner.stage = "spark", Stage.ENGINE  # type: ignore[assignment]
    monkeypatch.setattr(runner.arrivals, "seconds_per_run", lambda: 0.1)
    told: list[Stage] = []

    def renew(_: str, __: str, runs: int, stage: Stage) -> State:
        told.append(stage)
        runner.is_over.set()
        return State.RUNNING

    monkeypatch.setattr(states, "renew", renew)
    runner._beat()
    assert told == [Stage.RUNS]


def test_a_session_that_ends_while_a_beat_asks_for_its_executors_ends_no_beat(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.SPARK_MASTER = "spark://a:7077"
    lives = [True, False]
    monkeypatch.setattr("playground.whatif.runner.is_alive", lambda _: lives.pop(0))

    def gone(_: Any) -> int:
        raise ConnectionRefusedError

    monkeypatch.setattr("playground.whatif.runner.executors", gone)
    runner, _ = begun()
    runner.spark = "spark"  # type: ignore[assignment]
    runner._say_what_the_cluster_lacks()
    assert lives == []


def test_a_beat_that_is_under_way_does_not_undo_the_stage_that_the_work_enters(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.SPARK_MASTER = "spark://a:7077"
    monkeypatch.setattr("playground.whatif.runner.is_alive", lambda _: True)
    monkeypatch.setattr("playground.whatif.runner.executors", lambda _: 2)
    runner, _ = begun()
    runner.spark, runner.stage = "spark", Stage.RUNS  # type: ignore[assignment]
    enters = threading.Thread(target=runner._enter, args=(Stage.FIGURES,))

    def meanwhile() -> float:
        enters.start()
        enters.join(0.2)
        return 0.1

    monkeypatch.setattr(runner.arrivals, "seconds_per_run", meanwhile)
    runner._say_what_the_cluster_lacks()
    enters.join(30)
    assert runner.stage == Stage.FIGURES


def test_the_stage_of_a_cluster_follows_its_executors_and_rows_and_nothing_is_said_in_another_stage(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    runner, _ = begun()
    settings.SPARK_MASTER = "spark://a:7077"
    runner.spark = "spark"  # type: ignore[assignment]
    monkeypatch.setattr("playground.whatif.runner.is_alive", lambda _: True)

    def stage(executors: int, seconds: float) -> str:
        monkeypatch.setattr("playground.whatif.runner.executors", lambda _: executors)
        monkeypatch.setattr(runner.arrivals, "seconds_per_run", lambda: seconds)
        runner._say_what_the_cluster_lacks()
        return runner.stage

    runner.stage = Stage.EXECUTORS
    assert [stage(0, 0.0), stage(2, 0.0), stage(2, 0.1), stage(0, 0.1)] == ["executors", "engine", "runs", "executors"]
    assert now(runner).error == ""  # a cluster needs some seconds to start an executor
    runner.stage = Stage.SPACE
    assert stage(1, 0.1) == "space"
    assert now(runner).error == ""


@pytest.mark.parametrize(
    ("failure", "stage"),
    [
        (RuntimeError(FULL_IN_JAVA), Stage.SPACE),
        (ResultsProblem("s3://rows cannot be written: no route."), Stage.STORAGE),
        (OperationalError("database is locked"), Stage.STORAGE),
    ],
)
def test_the_stage_of_what_is_waited_out_is_space_or_storage(failure: Exception, stage: Stage, tmp_path: Path) -> None:
    assert interruptions.stage_of(interruptions.trouble(failure, tmp_path)) == stage


def test_a_session_ends_if_it_lost_all_executors_for_long_and_waits_if_it_never_had_any(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    runner, _ = begun()
    has = [0, 0, 2, 0, 2, 0, 0]
    left: list[int] = []
    done = threading.Event()

    def leave(_: Any) -> None:
        left.append(len(has))
        done.set()

    monkeypatch.setattr("playground.whatif.runner.LOST_SECONDS", 0.0)
    monkeypatch.setattr("playground.whatif.runner.is_alive", lambda _: True)
    monkeypatch.setattr("playground.whatif.runner.executors", lambda _: has.pop(0))
    monkeypatch.setattr("playground.whatif.runner.abandon", leave)
    runner.spark = "spark"  # type: ignore[assignment]
    settings.SPARK_MASTER = "spark://a:7077"
    while has:
        runner._say_what_the_cluster_lacks()
    assert done.wait(30)
    assert left == [0], "only the last loss counts: before it an executor had come back"


def test_a_cluster_gets_its_executors_back_after_the_last_experiment(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    stopped: list[str] = []
    monkeypatch.setattr(session, "stop", lambda: stopped.append(settings.SPARK_MASTER))
    for master in ("local[2]", "spark://a:7077"):
        settings.SPARK_MASTER = master
        with pytest.raises(ValueError, match="x"), session.in_use(settings.SPARK_MASTER):
            with session.in_use(settings.SPARK_MASTER):
                pass
            assert stopped == []
            raise ValueError("x")
    assert stopped == ["spark://a:7077"]


def test_a_cancel_gives_the_executors_back_before_it_computes_the_figures(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.SPARK_MASTER = "spark://a:7077"
    order: list[str] = []

    def figures(*_: Any) -> dict[str, Any]:
        order.append("figures")
        return {}

    def cancelled(_: Any) -> None:
        states.cancel(runner.experiment.pk)
        assert runner.must_stop.wait(30)
        raise RuntimeError("Job cancelled")

    monkeypatch.setattr(session, "stop", lambda: order.append("stop"))
    monkeypatch.setattr("playground.whatif.runner.is_alive", lambda _: True)
    monkeypatch.setattr("playground.whatif.runner.executors", lambda _: 1)
    monkeypatch.setattr("playground.whatif.figures.compared", figures)
    monkeypatch.setattr("playground.whatif.runner.BEAT_SECONDS", 0.05)
    runner, _ = begun()
    context = SimpleNamespace(cancelJobGroup=lambda _: order.append("cancel"))
    runner.start_spark = lambda: SimpleNamespace(sparkContext=context)  # type: ignore[assignment, return-value]
    monkeypatch.setattr(runner, "_compute", cancelled)
    runner.run()
    assert [step for step in order if step != "cancel"] == ["stop", "figures"]
    assert "cancel" in order[: order.index("stop")]
    assert now(runner).state == State.CANCELLED


def test_an_experiment_waits_for_an_unreachable_store_that_holds_rows_and_fails_without_any(
    begun: Callable[..., tuple[Runner, Work]],
) -> None:
    away = ResultsProblem("s3://rows cannot be written: no route.")
    runner, work = begun(*[away] * 3)
    runner.run()
    assert (now(runner).state, work.tries) == (State.DONE, 4)
    runner, work = begun()

    def not_there() -> None:
        raise away

    runner.results.prepare = not_there  # type: ignore[method-assign]
    runner.run()
    assert (now(runner).state, now(runner).error, work.tries) == (State.FAILED, str(away), 0)


def test_a_cancel_does_not_wait_for_a_cluster_that_lets_spark_wait(
    begun: Callable[..., tuple[Runner, Work]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.whatif.runner.BEAT_SECONDS", 0.05)
    runner, work = begun()
    starts, may_start = threading.Event(), threading.Event()

    def slow() -> Any:
        starts.set()
        may_start.wait(60)

    runner.start_spark = slow
    working = threading.Thread(target=runner.run)
    working.start()
    assert starts.wait(30)
    states.cancel(runner.experiment.pk)
    working.join(10)
    may_start.set()
    assert (now(runner).state, work.tries, working.is_alive()) == (State.CANCELLED, 0, False)


def test_an_error_of_unfit_executors_is_shown_and_not_retried(begun: Callable[..., tuple[Runner, Work]]) -> None:
    lost = 'Lost task 0.0: java.io.IOException: Cannot run program "python9"\n\tat org.apache.spark.api.python'
    runner, work = begun(RuntimeError(lost))
    runner.run()
    assert (now(runner).state, work.tries) == (State.FAILED, 1)
    assert now(runner).error.startswith("The runs could not be finished: The executors have no python9.")
