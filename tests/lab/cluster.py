"""A real Kafka cluster in KRaft mode: its nodes, their configuration, boot and end."""

import base64
import fcntl
import shutil
import subprocess
import time
import uuid
from pathlib import Path
from typing import Final

from simengine.recordings.model import Recording
from tests.lab.distribution import KEPT, Distribution
from tests.lab.errors import LabError, told
from tests.lab.network import BROKER_PORT, CONTROLLER_PORT, LabNetwork
from tests.lab.node import LabNode

BOOT_LIMIT_S: Final = 120
LOOK_S: Final = 0.25
SETTINGS: Final[dict[str, object]] = {  # what a small cluster needs; all timings are Kafka's defaults
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "num.network.threads": 2,
    "num.io.threads": 4,
    "background.threads": 4,
    "offsets.topic.num.partitions": 1,
    "transaction.state.log.num.partitions": 1,
    "share.coordinator.state.topic.num.partitions": 1,
    "group.initial.rebalance.delay.ms": 0,
    "auto.create.topics.enable": "false",
    "log.cleaner.enable": "false",
}


class LabCluster:
    """The nodes of one cluster on a network. `boot` starts them and `down` ends all of them."""

    def __init__(self, given: Recording, network: LabNetwork, distribution: Distribution, work: Path) -> None:
        self.given = given
        self.network = network
        self._distribution = distribution
        shutil.rmtree(work, ignore_errors=True)
        roles = {**dict.fromkeys(given.controllers, "controller"), **dict.fromkeys(given.brokers, "broker")}
        self.nodes = {
            node: LabNode(node, role, work / f"node{node}", network, distribution) for node, role in roles.items()
        }

    def boot(self, *jvm: str) -> None:
        """Format and start all nodes, and wait until each has started. `jvm`: options of brokers. Raises LabError."""
        with (KEPT / "boot.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # one cluster boots at a time: a boot takes all cores
            self.network.up()
            for node in self.nodes.values():
                node.configure(self._properties(node))
            self._format()
            for node in self.nodes.values():
                node.start(*(jvm if node.role == "broker" else ()))
            end = time.monotonic() + BOOT_LIMIT_S
            while not all(node.started() for node in self.nodes.values()):
                if time.monotonic() > end:
                    raise LabError(f"the cluster did not start within {BOOT_LIMIT_S} s: is the machine busy?")
                time.sleep(LOOK_S)

    def down(self) -> None:
        """Kill every node and remove the network."""
        self.kill_all()
        self.network.down()

    def kill_all(self) -> None:
        """Kill every node."""
        for node in self.nodes.values():
            node.kill()

    def bootstrap(self, brokers: list[int] | None = None) -> str:
        """Bootstrap servers: of these brokers, or of all."""
        return ",".join(f"{self.network.address(broker)}:{BROKER_PORT}" for broker in brokers or self.given.brokers)

    def active_controller(self) -> int | None:
        """The running controller that became active last; None if there is none now."""
        latest: tuple[int, int] | None = None
        for controller in self.given.controllers:
            roles = [line for line in self.nodes[controller].lines() if line.get("event") in ("active", "inactive")]
            if self.nodes[controller].running and roles and roles[-1]["event"] == "active":
                latest = max(latest or (0, 0), (roles[-1]["at"], controller))
        return None if latest is None else latest[1]

    def wipe(self, broker: int, keep_directory_id: bool) -> None:
        """Delete all data of a stopped broker; its directory id is kept or a new one."""
        node = self.nodes[broker]
        identity = node.data / "meta.properties"
        text = identity.read_text()
        shutil.rmtree(node.data)
        node.data.mkdir()
        identity.write_text(text if keep_directory_id else _identity(text, broker))

    def _properties(self, node: LabNode) -> dict[str, object]:
        address = self.network.address(node.id)
        voters = (f"{c}@{self.network.address(c)}:{CONTROLLER_PORT}" for c in self.given.controllers)
        own: dict[str, object] = {"node.id": node.id, "process.roles": node.role, "log.dirs": node.data}
        if node.role == "broker":
            own["listeners"] = own["advertised.listeners"] = f"PLAINTEXT://{address}:{BROKER_PORT}"
            if self.given.brokers[node.id]:
                own["broker.rack"] = self.given.brokers[node.id]
        else:
            own["listeners"] = f"CONTROLLER://{address}:{CONTROLLER_PORT}"
        shared = {
            "controller.quorum.voters": ",".join(voters),
            "offsets.topic.replication.factor": min(3, len(self.given.brokers)),
        }
        return {**SETTINGS, **shared, **own, **self.given.config}

    def _format(self) -> None:
        """Format one node of each role with Kafka's tool, and copy its data for the others: a JVM for each is slow."""
        cluster = f"labCluster{uuid.uuid4().hex[:12]}"
        for role in ("controller", "broker"):
            first, *others = (node for node in self.nodes.values() if node.role == role)
            self._format_node(first, cluster)
            for node in others:
                shutil.copytree(first.data, node.data)
                identity = node.data / "meta.properties"
                identity.write_text(_identity(identity.read_text(), node.id))

    def _format_node(self, node: LabNode, cluster: str) -> None:
        feature = f"eligible.leader.replicas.version={int(self.given.elr)}"
        tool = ("kafka.tools.StorageTool", "format", "-t", cluster, "-c", str(node.properties), "--feature", feature)
        command = self._distribution.java(node.folder / "format.log", 128, *tool)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise LabError(
                f"Kafka refused the configuration of node {node.id} (cluster.config of the script?):\n"
                + told(done.stdout + done.stderr)
            )


def _identity(meta: str, node: int) -> str:
    """The text of meta.properties with this node's id and a new directory id."""
    own = {"node.id": str(node), "directory.id": _kafka_uuid()}
    pairs = [line.partition("=")[::2] for line in meta.splitlines() if "=" in line]
    return "".join(f"{key}={own.get(key, value)}\n" for key, value in pairs)


def _kafka_uuid() -> str:
    """A random id as Kafka writes it: base64 that does not begin with a dash."""
    text = base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
    return text if not text.startswith("-") else _kafka_uuid()
