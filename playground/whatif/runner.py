"""Runs one experiment in the worker: shards on Spark two at a time, a beat, one final state or a wait for another turn.

The beat runs in its own thread: once a second it renews the lease, writes how far the work is and looks for a cancel
and for the turn of another experiment; then, or when the lease was lost, it cancels the Spark jobs of the experiment,
and Spark ends the Python workers.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from contextlib import ExitStack
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from pyspark import SparkContext
from pyspark.sql import SparkSession

from playground.scenarios.engine_version import engine_version
from playground.whatif import figures, interruptions, leases, states
from playground.whatif.intervals import load_scipy
from playground.whatif.limits import BEAT_SECONDS
from playground.whatif.models import Experiment, ShardLog, Stage, State
from playground.whatif.pipeline.arrivals import Arrivals
from playground.whatif.pipeline.blocks import Shard, missing, shards
from playground.whatif.pipeline.cores import Cores, pool_of
from playground.whatif.pipeline.engine import misfit
from playground.whatif.pipeline.job import BlockTask, run_shard
from playground.whatif.pipeline.results import ResultsProblem, SharedResults
from playground.whatif.pipeline.session import (
    SparkUnavailable,
    abandon,
    executors,
    first_line,
    in_thread,
    in_use,
    is_alive,
    is_held,
    is_local,
)
from playground.whatif.place import ExperimentPlace
from playground.whatif.shared_time import SharedTime

log = logging.getLogger(__name__)

SHARDS_AT_ONCE: Final = 2
"""While the last tasks of one shard end, the next one already fills the cores."""

SAVES_SHARE_MAX: Final = 0.1
"""Of the time that may go into figures of rows that are not all there yet."""

NO_ROOM: Final = (
    "No executor works: the cluster has no worker, or none has room. The experiment goes on when an executor works."
)
SOME_ROOM: Final = "{now} of {most} executors work."
NO_ROOM_SECONDS: Final = 5.0
"""For so long a cluster may start executors before it is said that none works."""

OF_EXECUTORS: Final = (Stage.EXECUTORS, Stage.ENGINE, Stage.RUNS)
"""The stages between which the executors of a cluster decide."""

LOST_SECONDS: Final = 20.0
"""A session whose executors are all gone for so long ends, and the work goes on in a new one.

A standalone master that was started again does not know the sessions of before: it ends their executors for good.
"""

STOP_SECONDS: Final = 0.2
"""The seconds between two checks, during a long start of Spark, that it is still wanted."""


SHARED: Final = SharedTime()
"""Of the experiments that this process runs."""


class Stopped(Exception):
    """The work was to end."""


class Runner:
    """One experiment that this worker has claimed."""

    def __init__(self, experiment: Experiment, spark: Callable[[], SparkSession]) -> None:
        self.experiment = experiment
        self.plan = experiment.plan
        self.shards = shards(self.plan, experiment.seeds_each)
        self.holder = experiment.lease_owner
        self.start_spark = spark
        self.spark: SparkSession | None = None
        self.started_spark = False
        self.claim = self.holder.rpartition(" ")[2]
        self.group = f"whatif-{experiment.pk}-{self.claim}"  # a later claim's jobs are not this one's to cancel
        self.must_stop = threading.Event()  # cancelled, failed, or the lease was lost
        self.is_over = threading.Event()
        self.place = ExperimentPlace(experiment)
        self.cores = Cores(pool_of(experiment.turn))
        self.leaves = False  # another experiment is to have the place
        self.finished: list[Shard] = []
        self.results = experiment.results
        self.arrivals = Arrivals(self.results)
        self.executors_most = 0  # executors that this session had at once
        self.none_from: float | None = None  # monotonic: since when none works, in this session or the ones before
        self.stood_seconds = 0.0  # without executors, longer than a start takes
        self.lacks = ""  # of executors, in words
        self.may_save_from = 0.0  # monotonic
        self.stage = Stage.RESULTS  # what the beat tells the page
        self.stage_guard = threading.Lock()  # the work and the beat both set the stage, and say what is lacking

    def run(self) -> Experiment | None:
        """Compute what is missing and end in a final state, unless the lease was lost.

        If another experiment is to have the place, this one waits again. Returns the claimed other one, else None.
        """
        beat = threading.Thread(target=self._beat, name=f"beat-{self.experiment.pk}", daemon=True)
        beat.start()
        threading.Thread(target=load_scipy, name="load", daemon=True).start()  # while Spark starts: a cancel has 5 s
        with SHARED.share() as shared_seconds, ExitStack() as spark:  # its end waits for a session that still starts
            try:
                spark.enter_context(in_use(settings.SPARK_MASTER))
                state, error = self._outcome()
                if self._has_session():
                    self._cancel_jobs()
                    spark.close()  # before the figures, which take seconds: a cluster gets its executors back
                self._keep_the_rest()
                return self._end(state, error, max(0.0, shared_seconds() - self.stood_seconds))
            finally:
                self.is_over.set()
                beat.join()
                self.arrivals.close(goes_on=self.leaves)

    def _outcome(self) -> tuple[State, str]:
        """Do the work; its final state, and why it failed."""
        try:
            self._work()
        except (SparkUnavailable, ResultsProblem) as problem:
            return State.FAILED, str(problem)
        except Exception as problem:  # whatever ended the job must be said on the page
            if not self.must_stop.is_set():
                log.warning("%s failed", self.group, exc_info=True)
                return State.FAILED, _failure_words(problem)
        finally:
            self.must_stop.set()
        return State.DONE, ""

    def _end(self, state: State, error: str, seconds: float) -> Experiment | None:
        """The last step of the work in the database. The experiment that follows in this place, if that is left."""
        if self.leaves and state == State.DONE and not self._is_whole():
            return states.give_way(self.experiment, leases.worker_of(self.holder), seconds)
        states.finish(self.experiment.pk, self.holder, state, error, seconds)
        return None

    def _work(self) -> None:
        """Compute what is missing, again after each interruption, and save the result."""
        tries = 0
        while not self.must_stop.is_set():
            finished = len(self.finished)
            try:
                self._enter(Stage.RESULTS)
                self._find_finished()
                self._enter(Stage.SPARK if is_local(settings.SPARK_MASTER) else Stage.CLUSTER)
                self.spark = self._started()
                self._enter(Stage.RUNS if is_local(settings.SPARK_MASTER) else Stage.EXECUTORS)
                self._compute(self.spark)
                self._enter(Stage.FIGURES)
                self._save_result(is_final=True)
            except Exception as problem:
                tries = 1 if len(self.finished) > finished else tries + 1
                if self.must_stop.is_set() or not self._may_go_on(problem, tries):
                    raise
            else:
                return

    def _enter(self, stage: Stage) -> None:
        """The work does something else from here on; no beat that is under way undoes it."""
        with self.stage_guard:
            self.stage = stage

    def _started(self) -> SparkSession:
        """The Spark session. Raises Stopped when the work is to end before it has started: a cluster may take long."""
        self.started_spark |= not is_held()
        starting = in_thread(self.start_spark)
        while not wait([starting], STOP_SECONDS).done:
            if self.must_stop.is_set():
                raise Stopped
        return starting.result()

    def _may_go_on(self, problem: Exception, tries: int) -> bool:
        """True if it was an interruption after which the work goes on; True when that has passed."""
        is_first = self.experiment.claims == 1 and not self.experiment.runs_done
        if isinstance(problem, ResultsProblem) and self.spark is None and is_first:
            return False  # nothing was ever kept there
        folder = self.results.local_folder or settings.DATA_DIR
        if words := interruptions.trouble(problem, folder):
            log.warning("%s waits: %s", self.group, words, exc_info=True)
            self._enter(interruptions.stage_of(words))
            self._say(f"{words} {interruptions.GOES_ON}")
            interruptions.wait_until_it_may_have_passed(folder, self.must_stop)
            self.lacks = ""
            self._say("")
            return True
        if misfit(problem):
            return False
        if tries < interruptions.TRIES_MAX and interruptions.is_death(problem, self.spark):
            log.warning("%s: a process of Spark died; going on", self.group, exc_info=True)
            return True
        return False

    def _say(self, words: str) -> None:
        """Tell the page what the work waits for."""
        try:
            states.say(self.experiment.pk, self.holder, words)
        except DatabaseError:
            connection.close()  # the page says so itself

    def _find_finished(self) -> None:
        """The shards whose rows an earlier worker kept; rows of another engine are computed anew."""
        if self.experiment.engine != engine_version():
            self.results.remove()
            Experiment.objects.filter(pk=self.experiment.pk).update(engine=engine_version())
        self.results.prepare()
        self.arrivals.find()
        kept = self.arrivals.kept()
        self.finished = [shard for shard in self.shards if not missing(shard.block, kept)]
        self._log_finished()

    def _compute(self, spark: SparkSession) -> None:
        """All shards that are not finished yet."""
        self.place.begin()
        todo = [shard for shard in self.shards if shard not in self.finished]
        context = spark.sparkContext
        plan_text = context.broadcast(self.experiment.plan_text)
        shared = None if is_local(settings.SPARK_MASTER) else SharedResults(self.results)
        task = BlockTask(plan_text, context.accumulator([], self.arrivals), shared)
        with ThreadPoolExecutor(SHARDS_AT_ONCE, thread_name_prefix=self.group) as pool:
            running = [pool.submit(self._one_shard, context, task, shard) for shard in todo]
            try:
                for future in as_completed(running):
                    future.result()
                    self._save_now_and_then()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self._cancel_jobs()
                raise
        plan_text.destroy()
        self._note_where(context)

    def _one_shard(self, context: SparkContext, task: BlockTask, shard: Shard) -> None:
        """Compute one shard in a thread of its own, unless the experiment is stopping."""
        if self.must_stop.is_set():
            return
        try:
            context.setJobGroup(self.group, f"{self.experiment.title}, block {shard.number}", interruptOnCancel=True)
            context.setLocalProperty("spark.scheduler.pool", self.cores.pool)
            log = ShardLog.objects.create(experiment=self.experiment, shard=shard.number, worker=self.holder)
            run_shard(context, task, shard, self.experiment.seconds_per_run, self.arrivals)
            self.finished.append(shard)
            ShardLog.objects.filter(pk=log.pk).update(finished=timezone.now())
        finally:
            connection.close()

    def _note_where(self, context: SparkContext) -> None:
        """Note the master and the number of cores of this work: the next estimate there is made of them."""
        cores = int(context.defaultParallelism)
        ideal = self.plan.runs * self.experiment.seconds_per_run / cores
        mine = Experiment.objects.filter(pk=self.experiment.pk, lease_owner=self.holder)
        where = {"master": str(context.master), "processes": cores, "started_spark": self.started_spark}
        mine.update(ideal_seconds=ideal, **where)

    def _log_finished(self) -> None:
        """Note shards that were committed just before their worker went."""
        numbers = [shard.number for shard in self.finished]
        log = ShardLog.objects.filter(experiment=self.experiment, shard__in=numbers)
        for number in sorted(set(numbers) - set(log.exclude(finished=None).values_list("shard", flat=True))):
            last = log.filter(shard=number).last()
            if last is not None:
                ShardLog.objects.filter(pk=last.pk).update(finished=timezone.now())

    def _keep_the_rest(self) -> None:
        """Keep the rows that have arrived when the work ends early; say how much is kept in all."""
        state = states.renew(self.experiment.pk, self.holder, self.arrivals.runs(), self.stage)
        if state is None or self._is_whole():
            return  # all is kept; or the lease was lost: another worker computes what is missing
        if state == State.RUNNING and self.leaves:
            self._save_result()
        else:
            states.renew(self.experiment.pk, self.holder, self._save_result(is_final=True), self.stage)

    def _is_whole(self) -> bool:
        return len(self.finished) == len(self.shards)

    def _beat(self) -> None:
        """Until the work is over: renew the lease, look for a cancel."""
        try:
            while not self.is_over.wait(BEAT_SECONDS):
                if not self.must_stop.is_set():
                    self._say_what_the_cluster_lacks()  # before the stage is told, which this sets
                self._renew()
                self._look_who_is_next()
                self._look_for_a_core()
                if self.must_stop.is_set():
                    self._cancel_jobs()  # each beat: a job may have been submitted meanwhile
        finally:
            connection.close()

    def _renew(self) -> None:
        """Say that the work goes on; a database that is away for a moment is asked again at the next beat."""
        try:
            if states.renew(self.experiment.pk, self.holder, self.arrivals.runs(), self.stage) != State.RUNNING:
                self.must_stop.set()
        except DatabaseError:
            log.warning("%s: the lease could not be renewed", self.group, exc_info=True)
            connection.close()

    def _look_who_is_next(self) -> None:
        """Stop where another experiment is to have the place of this one."""
        try:
            if not self.must_stop.is_set() and self.place.must_be_left():
                self.leaves = True
                self.must_stop.set()
        except DatabaseError:
            connection.close()

    def _look_for_a_core(self) -> None:
        """Get a core from an experiment that has all of them for long. A failure changes nothing: one is free later."""
        if self.stage != Stage.RUNS or self.must_stop.is_set() or self.spark is None or not self._has_session():
            return
        try:
            self.cores.look(self.spark.sparkContext)
        except Exception:  # in Spark's private parts; a beat must not end
            if self._has_session():
                log.warning("%s: who has the cores cannot be seen", self.group, exc_info=True)

    def _cancel_jobs(self) -> None:
        """End the Spark jobs of this claim. A session that ended or died has none."""
        if self.spark is not None and self._has_session():
            try:
                self.spark.sparkContext.cancelJobGroup(self.group)
            except Exception:
                if self._has_session():  # else it ended during the call
                    raise

    def _has_session(self) -> bool:
        return self.spark is not None and is_alive(self.spark)

    def _say_what_the_cluster_lacks(self) -> None:
        """Tell the page of executors that a cluster has not given or has lost."""
        if is_local(settings.SPARK_MASTER) or self.spark is None or not self._has_session():
            return
        try:
            now, at = executors(self.spark), time.monotonic()
        except Exception:
            if self._has_session():
                raise
            return  # it ended during the call
        self.executors_most = max(self.executors_most, now)
        none_for = at - (self.none_from or at)
        if now:
            self.stood_seconds += max(0.0, none_for - NO_ROOM_SECONDS)
        self.none_from = None if now else at - none_for
        few = SOME_ROOM.format(now=now, most=self.executors_most) if 0 < now < self.executors_most else ""
        lacks = NO_ROOM if not now and none_for >= NO_ROOM_SECONDS else few
        with self.stage_guard:
            if self.stage in OF_EXECUTORS:
                self.stage = self._stage_with(now)
                if lacks != self.lacks:
                    self.lacks = lacks
                    self._say(lacks)
        if not now and self.executors_most and none_for > LOST_SECONDS:
            self._leave_session(self.spark)

    def _stage_with(self, now: int) -> Stage:
        """The stage on a cluster that has given so many executors."""
        if not now:
            return Stage.EXECUTORS
        return Stage.RUNS if self.arrivals.seconds_per_run() else Stage.ENGINE

    def _leave_session(self, spark: SparkSession) -> None:
        """End a session that lost all its executors; in a thread, since a beat must not wait."""
        log.warning("%s: all executors are gone; asking for others in a new session", self.group)
        self.executors_most = 0  # and none works since the same moment: the page goes on saying so
        threading.Thread(target=abandon, args=(spark,), name="abandon", daemon=True).start()

    def _save_now_and_then(self) -> None:
        """Figures of what is there, not so often that they take the time of the runs."""
        began = time.monotonic()
        if began >= self.may_save_from:
            self._save_result()
            ended = time.monotonic()
            self.may_save_from = ended + (ended - began) / SAVES_SHARE_MAX

    def _save_result(self, is_final: bool = False) -> int:
        """Statistics of what is kept so far; the number of its runs. `is_final`: no more rows will come."""
        return figures.save(self.experiment, self.plan, self.arrivals, is_final)


def _failure_words(problem: BaseException) -> str:
    """A sentence on why the runs could not be finished."""
    return f"The runs could not be finished: {(misfit(problem) or first_line(problem)).rstrip('.')}."
