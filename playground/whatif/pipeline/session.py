"""The Spark session: one to a worker process, shared by its threads, and gone with it.

`SPARK_LOCAL_IP`, driver host and bind address stay on loopback for a local master; Python workers run the interpreter
of this process. Executors elsewhere get the engine as an archive and run the Python that HIGHWATER_SPARK_PYTHON names.
The JVM reads a pipe that this process holds and leaves when the pipe closes, so that no way of dying
(also `kill -9`) leaves it behind. Settings and their reasons were measured; see the comments.
"""

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from pyspark import SparkContext
from pyspark.sql import SparkSession

from playground.environment import OWNER_FILE, SPARK_SECRET, spark_properties, spark_python
from playground.whatif.pipeline import archive
from playground.whatif.pipeline.master import must_answer
from simengine.form import CHOICE, engine_form

log = logging.getLogger(__name__)

ROOT: Final = Path(__file__).resolve().parents[3]
LOOPBACK: Final = "127.0.0.1"

# 390 MB instead of 700 for the JVM, and 2 s less to start: short jobs gain nothing from the second compiler.
# A heap that begins at its usual size does not grow for an hour; what the JVM's own code has freed goes back.
JVM_FLAGS: Final = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms192m -Xmn64m -XX:+AlwaysPreTouch "
    "-XX:TrimNativeHeapInterval=60000"  # a Java that cannot do this overlooks it: Spark says that it may
)
# what Spark would remember of the last 1,000 jobs for pages that nobody sees
FORGOTTEN: Final = {
    "spark.ui.retainedJobs": "20",
    "spark.ui.retainedStages": "20",
    "spark.ui.retainedTasks": "1000",
    "spark.sql.ui.retainedExecutions": "20",
    "spark.cleaner.periodicGC.interval": "5min",  # half an hour by default: broadcasts of ended experiments go then
}

CURE_SPARK: Final = (
    "See the log of Highwater's worker process for Spark's own words. HIGHWATER_SPARK_MASTER names the Spark master; "
    "without it the cores of this machine are used."
)
CURE_MASTER: Final = (
    "Start a master there, or let HIGHWATER_SPARK_MASTER name another one; without it the cores of this machine are "
    "used."
)
CURE_CLUSTER: Final = (
    f"See that a master answers there, and that {SPARK_SECRET} is the spark.authenticate.secret of the cluster, or "
    "unset where it has none."
)
START_SECONDS_MAX: Final = 300.0  # on a cluster: Spark asks a master for a minute; some refusals it never hears of

OPEN_PORTS: Final = (
    f"Spark's ports are open to the network of %s without a secret: set {SPARK_SECRET} to the "
    "spark.authenticate.secret of the cluster"
)
PRIVATE_FILE: Final = "private.properties"  # among the arguments of the JVM everybody could read what it holds

CALLED: Final = "An error occurred while calling"

_LOCK: Final = threading.Lock()
_held: Final[list[SparkSession]] = []  # at most one
_USERS_LOCK: Final = threading.Lock()
_users: Final[list[None]] = []  # one for each experiment that computes in this process


class SparkUnavailable(Exception):
    """Spark cannot run here; the message says why and what to do."""


def is_local(master: str) -> bool:
    """True if the executors are processes of this machine, of the same installation."""
    return master.startswith("local")


def settings(master: str, folder: Path) -> dict[str, str]:
    """Spark's settings; `folder` takes its scratch files. What HIGHWATER_SPARK_PROPERTIES sets is not among them.

    Raises OSError where the archive for the executors cannot be written.
    """
    common = {
        "spark.master": master,
        "spark.app.name": "highwater what-if",
        "spark.scheduler.mode": "FAIR",  # two experiments share the cores
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "512m",
        "spark.driver.extraJavaOptions": f"{JVM_FLAGS} -Djava.io.tmpdir={folder}",
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.python.daemon.module": "playground.whatif.pipeline.daemon",
        "spark.python.task.killTimeout": "1s",  # a cancelled run stops burning its core after this (2 s by default)
        "spark.executorEnv.PYTHONPATH": str(ROOT),
        **FORGOTTEN,
    }
    if is_local(master):
        common |= {"spark.driver.host": LOOPBACK, "spark.driver.bindAddress": LOOPBACK}
    else:
        common |= _elsewhere(master, folder)
    theirs = spark_properties()
    return {key: value for key, value in common.items() if key not in theirs}


def _elsewhere(master: str, folder: Path) -> dict[str, str]:
    """Settings for executors on other machines, which have nothing of ours."""
    shipped = {
        "spark.archives": f"{archive.packed((archive.ARCHIVES, folder)).as_uri()}#{archive.NAME}",
        "spark.executorEnv.PYTHONPATH": f"./{archive.NAME}",
    }
    if engine_form() == "interpreted":
        shipped[f"spark.executorEnv.{CHOICE}"] = "interpreted"
    if os.environ.get(SPARK_SECRET):
        return shipped | {"spark.authenticate": "true", "spark.network.crypto.enabled": "true"}
    log.warning(OPEN_PORTS, master)
    return shipped


def environment(master: str, java_home: Path, folder: Path) -> Mapping[str, str]:
    """The environment variables that must be set before the JVM starts.

    The secret of a cluster and the properties of HIGHWATER_SPARK_PROPERTIES, which may hold keys, go into a file in
    `folder`.
    """
    paths = [str(ROOT), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    words = {
        "JAVA_HOME": str(java_home),
        "PYSPARK_PYTHON": sys.executable if is_local(master) else spark_python(),
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
    }
    private = spark_properties()
    if is_local(master):
        words["SPARK_LOCAL_IP"] = LOOPBACK
        words[CHOICE] = engine_form()  # one that is compiled meanwhile would be another engine than ours
    elif secret := os.environ.get(SPARK_SECRET):
        private["spark.authenticate.secret"] = secret
    if private:
        kept = _private_file(folder, private)
        words["PYSPARK_SUBMIT_ARGS"] = f"--load-spark-defaults --properties-file {kept} pyspark-shell"
    return words


def _private_file(folder: Path, properties: Mapping[str, str]) -> Path:
    kept = folder / PRIVATE_FILE
    kept.unlink(missing_ok=True)
    escaped = (f"{key}={value}".replace("\\", "\\\\") for key, value in properties.items())
    with os.fdopen(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_FILE), "w") as file:
        file.write("".join(f"{line}\n" for line in escaped))
    return kept


def is_held() -> bool:
    """True if this process has a session that can be used."""
    return bool(_held) and is_alive(_held[0])


def start(master: str, java_home: Path, folder: Path) -> SparkSession:
    """The session of this process, made at the first call (5–9 s). Raises SparkUnavailable with the cure."""
    with _LOCK:
        if is_held():
            return _held[0]
        _forget()
        folder.mkdir(parents=True, exist_ok=True)
        cure = CURE_SPARK if is_local(master) else f"{CURE_CLUSTER} {CURE_SPARK}"
        try:
            must_answer(master)
        except OSError as refused:
            raise SparkUnavailable(f"Spark did not start on {master}: {refused}. {CURE_MASTER}") from refused
        try:
            os.environ.update(environment(master, java_home, folder))
            builder = SparkSession.builder
            for key, value in settings(master, folder).items():
                builder = builder.config(key, value)
            spark = builder.getOrCreate() if is_local(master) else within(START_SECONDS_MAX, builder.getOrCreate)
        except Exception as error:
            said = first_line(error)  # the JVM knows the text of its own errors: it is asked before it goes
            _forget()  # a JVM that still waits ends, and its thread with it
            raise SparkUnavailable(f"Spark did not start on {master}: {said}. {cure}") from error
        spark.sparkContext.setLogLevel("OFF")  # failures reach us as exceptions; its own pages of trace say no more
        _held.append(spark)
        return spark


def within(seconds: float, begin: Callable[[], SparkSession]) -> SparkSession:
    """The value of ``begin``. Raises its error, or TimeoutError after so many seconds; its thread is left behind."""
    result = in_thread(begin)
    if not wait([result], seconds).done:
        raise TimeoutError(f"no response within {seconds:g} s")
    return result.result()


def in_thread(begin: Callable[[], SparkSession]) -> Future[SparkSession]:
    """Runs ``begin`` in a thread that does not keep the process alive; the future gets its value or its error."""
    result: Future[SparkSession] = Future()

    def run() -> None:
        try:
            result.set_result(begin())
        except BaseException as error:  # noqa: BLE001  # raised in the thread that waits
            result.set_exception(error)

    threading.Thread(target=run, name="spark start", daemon=True).start()
    return result


def is_alive(spark: SparkSession) -> bool:
    """True if the session's JVM answers and has not been stopped."""
    try:
        return not bool(spark.sparkContext._jsc.sc().isStopped())
    except Exception:  # noqa: BLE001  # a dead JVM shows as any kind of broken connection
        return False


def abandon(spark: SparkSession) -> None:
    """End a session that has become useless: its jobs fail, and the next `start` makes another."""
    with suppress(Exception):  # its JVM may be dead
        spark.sparkContext._jsc.sc().stop()


def executors(spark: SparkSession) -> int:
    """The number of executors of the session; the driver, which is among those that Spark lists, is none."""
    return len(spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()) - 1


@contextmanager
def in_use(master: str) -> Iterator[None]:
    """While an experiment computes. After the last one the session of a cluster ends, which frees its executors."""
    with _USERS_LOCK:
        _users.append(None)
    try:
        yield
    finally:
        with _USERS_LOCK:  # the next experiment starts another session after this
            _users.pop()
            if not _users and not is_local(master):
                stop()


def stop() -> None:
    """End the session of this process and its JVM."""
    with _LOCK:
        if _held:
            try:
                _held[0].stop()
            except Exception:  # a JVM that is dead cannot be stopped
                log.warning("the Spark session could not be stopped", exc_info=True)
        _forget()


def _forget() -> None:
    """Drop a stopped or dead JVM, so that the next `start` launches another."""
    gateway = SparkContext._gateway
    if gateway is not None:
        gateway.shutdown()
        process = getattr(gateway, "proc", None)
        if process is not None:
            process.stdin.close()
    SparkContext._gateway = SparkContext._jvm = None
    SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = None
    _held.clear()


def first_line(error: BaseException) -> str:
    """The first line that says something of an error's text: not which call it was, as Py4J's begin."""
    lines = (line.strip().removeprefix(": ") for line in str(error).splitlines())
    telling = (line.rstrip(".:") for line in lines if line and not line.startswith(CALLED))
    return next(telling, type(error).__name__)
