"""MirrorMaker 2 in dedicated mode: one process on a host that is in the networks of both clusters."""

import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.lab.cluster import LabCluster
from tests.lab.distribution import Distribution
from tests.lab.errors import LabError
from tests.lab.network import ip

MEMORY_MB: Final = 512
STOP_LIMIT_S: Final = 60
HOST_NUMBER: Final = 7  # the end of its addresses
REPLICATED: Final = (
    *("replication.factor", "checkpoints.topic.replication.factor", "heartbeats.topic.replication.factor"),
    *("offset-syncs.topic.replication.factor", "offset.storage.replication.factor"),
    *("status.storage.replication.factor", "config.storage.replication.factor"),
)
SETTINGS: Final[dict[str, object]] = {  # all else is MirrorMaker's default
    **dict.fromkeys(REPLICATED, 3),
    "tasks.max": 1,
    "dedicated.mode.enable.internal.rest": "false",
    "emit.heartbeats.enabled": "false",
    "offset.storage.partitions": 1,
    "status.storage.partitions": 1,
}


class LabMirror:
    """MirrorMaker between two clusters; by default from the first to the second."""

    def __init__(
        self, clusters: Mapping[str, LabCluster], config: Mapping[str, str], distribution: Distribution, work: Path
    ) -> None:
        self._clusters = clusters
        self._config = config
        self._distribution = distribution
        self._work = work
        self._process: subprocess.Popen[bytes] | None = None
        self.namespace = next(iter(clusters.values())).network.namespace("mirror")

    def up(self) -> None:
        """Make its host, once both networks are there."""
        ip("netns", "add", self.namespace)
        for name, cluster in self._clusters.items():
            cluster.network.join(self.namespace, name, HOST_NUMBER)

    def start(self) -> None:
        """Start the process. Returns at once."""
        properties = self._work / "mirror.properties"
        properties.write_text("".join(f"{key}={value}\n" for key, value in self._properties().items()))
        main = ("org.apache.kafka.connect.mirror.MirrorMaker", str(properties))
        java = self._distribution.java(self._work / "mirror-kafka.log", MEMORY_MB, *main)
        with (self._work / "mirror.log").open("ab") as log:
            self._process = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, *java],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if there is one."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def end(self, number: signal.Signals) -> None:
        """Send SIGKILL or SIGTERM, and wait until the process is gone. Raises LabError after STOP_LIMIT_S."""
        self.send_signal(number)
        try:
            if self._process is not None:
                self._process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            raise LabError(f"MirrorMaker did not stop within {STOP_LIMIT_S} s: is it paused?") from None

    def link(self, cluster: str, state: str) -> None:
        """Take its leg in the network of a cluster `down`, which drops all packets, or `up` again."""
        ip("-n", self.namespace, "link", "set", cluster, state)

    def _properties(self) -> dict[str, object]:
        first, second = self._clusters
        servers = {f"{name}.bootstrap.servers": cluster.bootstrap() for name, cluster in self._clusters.items()}
        flows = {f"{first}->{second}.enabled": "true", f"{second}->{first}.enabled": "false"}
        return {"clusters": f"{first}, {second}", **servers, **SETTINGS, **flows, **self._config}
