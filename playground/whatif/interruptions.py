"""Interruptions from outside that do not end an experiment: a disk or a database that fails, a process that dies.

After any of these the experiment goes on with the blocks that are not finished. Trouble with stored data is waited out;
a dead JVM or Python worker is tried again some times, since runs that kill theirs each time would never end.
"""

import os
import re
import shutil
import threading
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from playground.storage_trouble import FULL, trouble_of
from playground.whatif.models import Stage
from playground.whatif.pipeline.results import ResultsProblem
from playground.whatif.pipeline.session import is_alive

TRIES_MAX: Final = 4 + (os.cpu_count() or 1)
"""In a row in which no block was finished. Idle Python workers that died end a try each; there is up to one a core."""

SPACE_BYTES_MIN: Final = 8 * 1024 * 1024  # less free space than this counts as a full disk
WAIT_SECONDS: Final = 3.0
GOES_ON: Final = "The experiment goes on by itself when that has passed."
_DISK_IS_FULL: Final = "no space left on device"  # in Spark's words, which name the errors of Java and of executors
_DIED: Final = ("python worker exited unexpectedly", "executorlostfailure")
_BROKEN: Final = re.compile(r"lost task [^\n]*?: java\.(io|net)\.\w+")  # the pipe or socket between Java and Python
_OF_PYTHON: Final = "org.apache.spark.api.python"


def trouble(problem: BaseException, folder: Path) -> str:
    """The sentence for a disk, a store or a database that fails; empty where the error is about something else."""
    if isinstance(problem, ResultsProblem):
        return str(problem)
    if _DISK_IS_FULL in str(problem).lower() or is_full(folder):
        return FULL
    return trouble_of(problem) or ""


def stage_of(words: str) -> Stage:
    """The stage of an experiment that waits after a trouble of these words."""
    return Stage.SPACE if words == FULL else Stage.STORAGE


def is_full(folder: Path) -> bool:
    """True if the disk below a folder, which need not exist, has next to no space left."""
    place = next(one for one in (folder, *folder.parents) if one.exists())
    return shutil.disk_usage(place).free < SPACE_BYTES_MIN


def is_death(problem: BaseException, spark: SparkSession | None) -> bool:
    """True if a process of Spark's died over the work."""
    told = str(problem).lower()
    is_broken = _OF_PYTHON in told and _BROKEN.search(told) is not None
    return is_broken or any(words in told for words in _DIED) or (spark is not None and not is_alive(spark))


def wait_until_it_may_have_passed(folder: Path, must_stop: threading.Event) -> None:
    """Wait a moment, and then for space, unless the work is to stop."""
    while not must_stop.wait(WAIT_SECONDS):
        if not is_full(folder):
            return
