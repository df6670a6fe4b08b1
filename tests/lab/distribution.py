"""Kafka on this machine: its jars, fetched once by Maven, and the laboratory's Java programs compiled against them."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from tests.lab.errors import LabError, told

HERE: Final = Path(__file__).resolve().parent
KEPT: Final = HERE.parent.parent / "build" / "lab"  # a folder for each version
NEEDED: Final = {"ip": "iproute2", "java": "default-jdk", "javac": "default-jdk", "jar": "default-jdk", "mvn": "maven"}
RECORDS_MOVED: Final = (4, 3)  # from this version on the classes of records are in a package `internal`
JVM: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", f"-Dlog4j2.configurationFile={HERE / 'log4j2.xml'}")
KAFKA: Final = "kafka"
MIRROR: Final = "mirror"


class Distribution:
    """One version of Kafka or of MirrorMaker, ready to run. Made by `prepared`."""

    def __init__(self, version: str, kind: str) -> None:
        self.version = version
        self.kind = kind
        self.sources = HERE / "java" / kind
        self.folder = KEPT / f"{kind}-{version}"
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


def prepared(version: str, kind: str = KAFKA) -> Distribution:
    """A version with the laboratory's programs, made where it is missing: half a minute. Raises LabError."""
    distribution = Distribution(version, kind)
    distribution.folder.mkdir(parents=True, exist_ok=True)
    with (distribution.folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_older(distribution.jars, [distribution.sources / "pom.xml"]):
            _fetch(distribution)
        if _is_older(distribution.programs, [*distribution.sources.iterdir(), distribution.jars]):
            _compile(distribution)
    return distribution


def _fetch(distribution: Distribution) -> None:
    print(f"lab: Maven fetches {distribution.kind} {distribution.version} (once)", flush=True)
    arriving = distribution.folder / "arriving"
    shutil.rmtree(arriving, ignore_errors=True)
    project = str(distribution.sources / "pom.xml")
    settings = (f"-Dkafka.version={distribution.version}", f"-DoutputDirectory={arriving}")
    command = ["mvn", "--batch-mode", "--quiet", "--file", project, "dependency:copy-dependencies", *settings]
    _run(command, "is there this version, and a network?")
    shutil.rmtree(distribution.jars, ignore_errors=True)
    arriving.rename(distribution.jars)
    distribution.jars.touch()


def _compile(distribution: Distribution) -> None:
    print(f"lab: compiling the programs against {distribution.kind} {distribution.version}", flush=True)
    sources, classes = distribution.folder / "sources", distribution.folder / "classes"
    for folder in (sources, classes):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    distribution.archive.unlink(missing_ok=True)
    for source in sorted(distribution.sources.glob("*.java")):
        (sources / source.name).write_text(for_version(source.read_text(), distribution.version))
    files = map(str, sorted(sources.iterdir()))
    _run(["javac", "-nowarn", "-cp", f"{distribution.jars}/*", "-d", str(classes), *files], "is it Kafka 4?")
    _run(["jar", "cf", str(distribution.programs), "-C", str(classes), "."], "is the disk full?")


def _is_older(made: Path, sources: list[Path]) -> bool:
    """True if a file or folder is missing, or a source is newer."""
    return not made.exists() or any(source.stat().st_mtime > made.stat().st_mtime for source in sources)


def for_version(source: str, version: str) -> str:
    """The source with the package of record classes that this version has."""
    if tuple(map(int, version.split(".")[:2])) < RECORDS_MOVED:
        return source
    return source.replace("import org.apache.kafka.common.record.", "import org.apache.kafka.common.record.internal.")


def _run(command: list[str], question: str) -> None:
    """Run a command. Raises LabError with the end of its output and a question about the likely cause."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"{command[0]} failed; {question} It said:\n{told(done.stdout + done.stderr)}")
