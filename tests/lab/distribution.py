"""Kafka on this machine: its jars, fetched once by Maven, and the laboratory's Java programs compiled against them."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from tests.lab.errors import LabError

HERE: Final = Path(__file__).resolve().parent
KEPT: Final = HERE.parent.parent / "build" / "lab"  # a folder for each version
NEEDED: Final = {"ip": "iproute2", "java": "default-jdk", "javac": "default-jdk", "jar": "default-jdk", "mvn": "maven"}
RECORDS_MOVED: Final = (4, 4)  # from this version on the classes of records are in a package `internal`
JVM: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", f"-Dlog4j2.configurationFile={HERE / 'log4j2.xml'}")


class Distribution:
    """One version of Kafka, ready to run. Made by `prepared`."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.folder = KEPT / version
        self.jars = self.folder / "jars"
        self.programs = self.folder / "programs.jar"
        self.archive = self.folder / "node.jsa"  # classes that a JVM maps instead of loading them: half the start

    @property
    def classpath(self) -> str:
        """The laboratory's programs and Kafka's jars."""
        return f"{self.programs}:{self.jars}/*"

    def java(self, log: Path, memory_mb: int, *arguments: str) -> list[str]:
        """The command that runs a main class; Kafka's own log goes to the file `log`."""
        return ["java", *JVM, f"-Xmx{memory_mb}m", f"-DlabLog={log}", "-cp", self.classpath, *arguments]


def check_machine() -> None:
    """Raise LabError if the machine lacks a program, or this process is not root's."""
    missing = [program for program in NEEDED if shutil.which(program) is None]
    if missing:
        packages = " ".join(sorted({NEEDED[program] for program in missing}))
        raise LabError(f"not found: {', '.join(missing)}. On Debian and Ubuntu: apt-get install {packages}")
    if os.geteuid() != 0:
        raise LabError("only root may make network namespaces. Run the command as root, or in a container with it")


def prepared(version: str) -> Distribution:
    """The version of Kafka with its programs, made where it is missing: minutes the first time. Raises LabError."""
    distribution = Distribution(version)
    distribution.folder.mkdir(parents=True, exist_ok=True)
    with (distribution.folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not distribution.jars.exists():
            _fetch(distribution)
        if _is_older_than_sources(distribution.programs):
            _compile(distribution)
    return distribution


def _fetch(distribution: Distribution) -> None:
    print(f"lab: Maven fetches Kafka {distribution.version} (once)", flush=True)
    arriving = distribution.folder / "arriving"
    shutil.rmtree(arriving, ignore_errors=True)
    command = ["mvn", "--batch-mode", "--quiet", "--file", str(HERE / "pom.xml"), "dependency:copy-dependencies"]
    _run(
        [*command, f"-Dkafka.version={distribution.version}", f"-DoutputDirectory={arriving}"], "is there this version?"
    )
    arriving.rename(distribution.jars)


def _compile(distribution: Distribution) -> None:
    print(f"lab: compiling the programs against Kafka {distribution.version}", flush=True)
    sources, classes = distribution.folder / "sources", distribution.folder / "classes"
    for folder in (sources, classes):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    distribution.archive.unlink(missing_ok=True)
    for source in _sources():
        (sources / source.name).write_text(for_version(source.read_text(), distribution.version))
    files = map(str, sorted(sources.iterdir()))
    _run(["javac", "-nowarn", "-cp", f"{distribution.jars}/*", "-d", str(classes), *files], "is it Kafka 4?")
    _run(["jar", "cf", str(distribution.programs), "-C", str(classes), "."], "is the disk full?")


def _sources() -> list[Path]:
    return sorted((HERE / "java").glob("*.java"))


def _is_older_than_sources(programs: Path) -> bool:
    if not programs.exists():
        return True
    made = programs.stat().st_mtime
    return any(source.stat().st_mtime > made for source in _sources())


def for_version(source: str, version: str) -> str:
    """The source with the package of record classes that this version has."""
    if tuple(map(int, version.split(".")[:2])) < RECORDS_MOVED:
        return source
    return source.replace("import org.apache.kafka.common.record.", "import org.apache.kafka.common.record.internal.")


def _run(command: list[str], question: str) -> None:
    """Run a command. Raises LabError with the end of its output and a question about the likely cause."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        told = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise LabError(f"{command[0]} failed; {question} It said:\n{told}")
