"""Runs one experiment in the worker: shards on Spark two at a time, a beat, one final state.

The beat runs in its own thread: once a second it renews the lease, writes how far the work is and looks for a cancel;
then, or when the lease was lost, it cancels the Spark jobs of the experiment, and Spark ends the Python workers.
"""

import logging
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Final

from django.db import DatabaseError, connection
from django.utils import timezone
from pyspark import Accumulator, Broadcast
from pyspark.sql import SparkSession

from playground.scenarios.engine_version import engine_version
from playground.whatif import interruptions, states
from playground.whatif.answer import compared
from playground.whatif.intervals import load_scipy
from playground.whatif.limits import BEAT_SECONDS
from playground.whatif.models import Experiment, ShardLog, State
from playground.whatif.pipeline.engine import other_engine
from playground.whatif.pipeline.job import run_shard
from playground.whatif.pipeline.session import SparkUnavailable, first_line, is_alive
from playground.whatif.pipeline.shards import Shard, is_finished, keep_parts, rows, shards

log = logging.getLogger(__name__)

SHARDS_AT_ONCE: Final = 2
"""While the last tasks of one shard end, the next one already fills the cores."""


class Runner:
    """One experiment that this worker has claimed."""

    def __init__(self, experiment: Experiment, spark: Callable[[], SparkSession]) -> None:
        self.experiment = experiment
        self.plan = experiment.plan
        self.shards = shards(self.plan, experiment.seeds_each)
        self.holder = experiment.lease_owner
        self.start_spark = spark
        self.spark: SparkSession | None = None
        self.claim = self.holder.rpartition(" ")[2]
        self.group = f"whatif-{experiment.pk}-{self.claim}"  # a later claim's jobs are not this one's to cancel
        self.must_stop = threading.Event()  # cancelled, failed, or the lease was lost
        self.is_over = threading.Event()
        self.finished: list[Shard] = []
        self.counters: dict[int, Accumulator[int]] = {}  # runs done of the shards at work

    def run(self) -> None:
        """Compute what is missing and end in a final state, unless the lease was lost."""
        began = time.monotonic()
        beat = threading.Thread(target=self._beat, name=f"beat-{self.experiment.pk}", daemon=True)
        beat.start()
        threading.Thread(target=load_scipy, name="load", daemon=True).start()  # while Spark starts: a cancel has 5 s
        state, error = State.DONE, ""
        try:
            self._work()
        except SparkUnavailable as problem:
            state, error = State.FAILED, str(problem)
        except Exception as problem:  # whatever ended the job must be said on the page
            if not self.must_stop.is_set():
                log.warning("%s failed", self.group, exc_info=True)
                state, error = State.FAILED, _failure_words(problem)
        finally:
            self.must_stop.set()
            try:
                self._keep_the_rest()
                states.finish(self.experiment.pk, self.holder, state, error, time.monotonic() - began)
            finally:
                self.is_over.set()
                beat.join()

    def _work(self) -> None:
        """Compute what is missing, again after each interruption, and save the result."""
        tries = 0
        while not self.must_stop.is_set():
            finished = len(self.finished)
            try:
                self._find_finished()
                self.spark = self.start_spark()
                self._compute(self.spark)
                self._save_result(is_final=True)
            except Exception as problem:
                tries = 1 if len(self.finished) > finished else tries + 1
                if self.must_stop.is_set() or not self._may_go_on(problem, tries):
                    raise
            else:
                return

    def _may_go_on(self, problem: Exception, tries: int) -> bool:
        """Whether it was an interruption after which the work goes on; True when that has passed."""
        folder = self.experiment.folder
        if words := interruptions.trouble(problem, folder):
            log.warning("%s waits: %s", self.group, words, exc_info=True)
            self._say(f"{words} {interruptions.GOES_ON}")
            interruptions.wait_until_it_may_have_passed(folder, self.must_stop)
            self._say("")
            return True
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
        folder = self.experiment.folder
        if self.experiment.engine != engine_version():
            shutil.rmtree(folder, ignore_errors=True)
            Experiment.objects.filter(pk=self.experiment.pk).update(engine=engine_version())
        folder.mkdir(parents=True, exist_ok=True)
        self.finished = [shard for shard in self.shards if is_finished(folder, shard)]
        self._log_finished()

    def _compute(self, spark: SparkSession) -> None:
        """All shards that are not finished yet."""
        missing = [shard for shard in self.shards if shard not in self.finished]
        self.counters.clear()
        plan_text = spark.sparkContext.broadcast(self.experiment.plan_text)
        with ThreadPoolExecutor(SHARDS_AT_ONCE, thread_name_prefix=self.group) as pool:
            todo = [pool.submit(self._one_shard, spark, shard, plan_text) for shard in missing]
            try:
                for future in as_completed(todo):
                    future.result()
                    self._save_result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self._cancel_jobs()
                raise
        plan_text.destroy()

    def _one_shard(self, spark: SparkSession, shard: Shard, plan_text: Broadcast[str]) -> None:
        """Compute one shard in a thread of its own, unless the experiment is stopping."""
        if self.must_stop.is_set():
            return
        try:
            context = spark.sparkContext
            context.setJobGroup(self.group, f"{self.experiment.title}, {shard.name}", interruptOnCancel=True)
            context.setLocalProperty("spark.scheduler.pool", self.group)
            log = ShardLog.objects.create(experiment=self.experiment, shard=shard.number, worker=self.holder)
            self.counters[shard.number] = counter = context.accumulator(0)
            run_shard(spark, plan_text, shard, self.experiment.folder, self.claim, counter)
            self.finished.append(shard)
            del self.counters[shard.number]
            ShardLog.objects.filter(pk=log.pk).update(finished=timezone.now())
        finally:
            connection.close()

    def _log_finished(self) -> None:
        """Note shards that were committed just before their worker went."""
        numbers = [shard.number for shard in self.finished]
        log = ShardLog.objects.filter(experiment=self.experiment, shard__in=numbers)
        for number in sorted(set(numbers) - set(log.exclude(finished=None).values_list("shard", flat=True))):
            last = log.filter(shard=number).last()
            if last is not None:
                ShardLog.objects.filter(pk=last.pk).update(finished=timezone.now())

    def _keep_the_rest(self) -> None:
        """Where the work ends early, keep what the tasks of unfinished shards had; say how much is kept in all."""
        if states.renew(self.experiment.pk, self.holder, self._runs_kept()) is None:
            return  # the lease was lost: another worker computes these shards
        unfinished = [shard for shard in self.shards if shard not in self.finished]
        if unfinished:
            self._cancel_jobs()
            for shard in unfinished:
                keep_parts(self.experiment.folder, self.plan, shard)
            kept = self._save_result(is_final=True)
            states.renew(self.experiment.pk, self.holder, kept)

    def _runs_kept(self) -> int:
        """Runs of finished shards."""
        return sum(shard.runs for shard in list(self.finished))

    def _runs_done(self) -> int:
        """The same, and what the tasks of the other shards have reported."""
        at_work = sum(int(counter.value) for counter in list(self.counters.values()))
        return min(self.plan.runs, self._runs_kept() + at_work)

    def _beat(self) -> None:
        """Until the work is over: renew the lease, look for a cancel."""
        try:
            while not self.is_over.wait(BEAT_SECONDS):
                self._renew()
                if self.must_stop.is_set():
                    self._cancel_jobs()  # each beat: a job may have been submitted meanwhile
        finally:
            connection.close()

    def _renew(self) -> None:
        """Say that the work goes on; a database that is away for a moment is asked again at the next beat."""
        try:
            if states.renew(self.experiment.pk, self.holder, self._runs_done()) != State.RUNNING:
                self.must_stop.set()
        except DatabaseError:
            log.warning("%s: the lease could not be renewed", self.group, exc_info=True)
            connection.close()

    def _cancel_jobs(self) -> None:
        """End the Spark jobs of this claim. A JVM that died has none."""
        if self.spark is not None and is_alive(self.spark):
            self.spark.sparkContext.cancelJobGroup(self.group)

    def _save_result(self, is_final: bool = False) -> int:
        """Statistics of what is kept so far; the number of its runs. `is_final`: no more rows will come."""
        mine = Experiment.objects.filter(pk=self.experiment.pk, lease_owner=self.holder)
        kept = rows(self.experiment.folder, self.shards)
        mine.update(result=compared(self.plan, self.experiment.baseline, kept, is_final))
        return int(kept.num_rows)


def _failure_words(problem: BaseException) -> str:
    """Why the runs could not be finished, in a sentence."""
    return f"The runs could not be finished: {(other_engine(problem) or first_line(problem)).rstrip('.')}."
