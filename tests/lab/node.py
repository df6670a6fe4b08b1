"""One process of Kafka: a broker or a controller on a host of the laboratory's network."""

import json
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tests.lab.distribution import Distribution
from tests.lab.errors import LabError, told
from tests.lab.network import LabNetwork

SAMPLE_MS: Final = 10  # between two looks at a node's replicas
STOP_LIMIT_S: Final = 330  # Kafka itself gives up a controlled shutdown after 300 s
MEMORY_MB: Final = {"broker": 320, "controller": 192}


class LabNode:
    """A node and its folder: configuration, data, logs and the lines that its process wrote."""

    def __init__(self, node: int, role: str, folder: Path, network: LabNetwork, distribution: Distribution) -> None:
        self.id = node
        self.role = role
        self.folder = folder
        self._network = network
        self._distribution = distribution
        self._processes: list[subprocess.Popen[bytes]] = []  # the newest last
        folder.mkdir(parents=True)

    @property
    def data(self) -> Path:
        """The folder of Kafka's logs."""
        return self.folder / "data"

    @property
    def properties(self) -> Path:
        """The file of the node's configuration."""
        return self.folder / "server.properties"

    @property
    def running(self) -> bool:
        """True while there is a process, a paused or stopping one included."""
        return any(process.poll() is None for process in self._processes)

    def configure(self, properties: Mapping[str, object]) -> None:
        """Write the configuration."""
        self.properties.write_text("".join(f"{key}={value}\n" for key, value in properties.items()))

    def start(self, *jvm: str) -> None:
        """Start a process, beside one that may still be stopping. `jvm`: further options. Returns at once."""
        arguments = ("LabNode", str(self.properties), str(self.folder / "lines.jsonl"), str(SAMPLE_MS))
        java = self._distribution.java(self.folder / "kafka.log", MEMORY_MB[self.role], *arguments)
        java[1:1] = jvm or self._archive()
        with (self.folder / "console.log").open("ab") as console:
            process = subprocess.Popen(
                [*self._network.inside(self.id), *java],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                start_new_session=True,
            )
        self._processes.append(process)

    def kill(self) -> None:
        """SIGKILL, also to a paused process. Returns when it is gone."""
        self.send_signal(signal.SIGKILL)
        for process in self._processes:
            process.wait()

    def stop(self) -> None:
        """SIGTERM. Returns when the process is gone, or after STOP_LIMIT_S."""
        self.send_signal(signal.SIGTERM)
        for process in self._processes:
            try:
                process.wait(STOP_LIMIT_S)
            except subprocess.TimeoutExpired:
                print(f"lab: node {self.id} did not stop within {STOP_LIMIT_S} s", flush=True)

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if there is one."""
        for process in self._processes:
            if process.poll() is None:
                process.send_signal(number)

    def lines(self) -> list[dict[str, Any]]:
        """The lines that the node wrote so far: events of its life and states of its replicas, with `at` in ms."""
        file = self.folder / "lines.jsonl"
        if not file.exists():
            return []
        whole = file.read_text().rpartition("\n")[0]  # a line under way is left for the next look
        return [json.loads(line) for line in whole.splitlines() if line.endswith("}")]

    def started(self) -> bool:
        """True once the process said that it has started. Raises LabError if it died."""
        if any(line.get("event") == "started" for line in self.lines()):
            return True
        if not self.running:
            console = (self.folder / "console.log").read_text(errors="replace")
            raise LabError(
                f"node {self.id} died while it started (its log: {self.folder / 'kafka.log'}):\n{told(console)}"
            )
        return False

    def _archive(self) -> tuple[str, ...]:
        archive = self._distribution.archive
        return (f"-XX:SharedArchiveFile={archive}",) if archive.exists() else ()
