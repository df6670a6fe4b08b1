"""The network of a cluster: a network namespace for each node and one for all clients, joined by a bridge.

Nothing leaves the machine: the addresses 10.77.SLOT.x exist inside these namespaces alone, so no port can be taken.
"""

import os
import signal
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from tests.lab.errors import LabError

CLIENT: Final = "client"  # the host on which all clients run
SWITCH: Final = "switch"
NOWHERE: Final = "02:00:00:00:be:ef"  # a hardware address that no host has
BROKER_PORT: Final = 9092
CONTROLLER_PORT: Final = 9093

Host = int | str  # the id of a node, or CLIENT


def ip(*arguments: str) -> None:
    """Run `ip`. Raises LabError with what it said."""
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"ip {' '.join(arguments)}: {done.stderr.strip()}. Are network namespaces allowed here?")


class LabNetwork:
    """The hosts of a slot. `up` makes them and `down` removes them."""

    def __init__(self, slot: int, nodes: Iterable[int]) -> None:
        self.slot = slot
        self.hosts: list[Host] = [CLIENT, *nodes]
        self._cut: set[tuple[Host, Host]] = set()

    def address(self, host: Host) -> str:
        """The IPv4 address of a host: brokers from .10 on, controllers (100 and more) from .200 on."""
        if isinstance(host, str):
            return f"10.77.{self.slot}.5"
        return f"10.77.{self.slot}.{host + 10 if host < 100 else host + 100}"

    def inside(self, host: Host) -> list[str]:
        """The words before a command that run it on a host."""
        return ["ip", "netns", "exec", self.namespace(host)]

    def up(self) -> None:
        """Make all hosts anew. Raises LabError."""
        self.down()
        switch = self.namespace(SWITCH)
        ip("netns", "add", switch)
        ip("-n", switch, "link", "add", "name", "lan", "type", "bridge")
        ip("-n", switch, "link", "set", "dev", "lan", "up")
        for host in self.hosts:
            self._add(host)

    def down(self) -> None:
        """End every process of the slot and remove its namespaces, those of a run that was killed included."""
        listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=False).stdout
        for namespace in (line.split()[0] for line in listed.splitlines() if line.startswith(self.namespace(""))):
            pids = subprocess.run(
                ["ip", "netns", "pids", namespace], capture_output=True, text=True, check=False
            ).stdout
            for pid in map(int, pids.split()):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            ip("netns", "del", namespace)

    def cut(self, left: Iterable[Host], right: Iterable[Host]) -> None:
        """Drop all packets between two groups of hosts in silence, until `heal`."""
        right = list(right)
        for pair in ((x, y) for x in left for y in right):
            for host, peer in (pair, pair[::-1]):
                neighbour = (
                    "neigh",
                    "replace",
                    self.address(peer),
                    "lladdr",
                    NOWHERE,
                    "nud",
                    "permanent",
                    "dev",
                    "eth0",
                )
                ip("-n", self.namespace(host), *neighbour)
                self._cut.add((host, peer))

    def heal(self) -> None:
        """Undo all cuts."""
        for host, peer in self._cut:
            ip("-n", self.namespace(host), "neigh", "del", self.address(peer), "dev", "eth0")
        self._cut.clear()

    def join(self, namespace: str, device: str, number: int) -> None:
        """Give a namespace outside the slot a device in this network, with the address that ends in `number`."""
        self._plug(namespace, device, namespace, f"10.77.{self.slot}.{number}")

    def namespace(self, host: Host) -> str:
        """The name of a host's network namespace."""
        return f"lab{self.slot}-{host}"

    def _add(self, host: Host) -> None:
        namespace = self.namespace(host)
        ip("netns", "add", namespace)
        ip("-n", namespace, "link", "set", "lo", "up")
        self._plug(namespace, "eth0", str(host), self.address(host))

    def _plug(self, namespace: str, device: str, plug: str, address: str) -> None:
        """Join a device of a namespace to the switch."""
        switch = self.namespace(SWITCH)
        ip("-n", namespace, "link", "add", device, "type", "veth", "peer", "name", f"v{plug}", "netns", switch)
        ip("-n", switch, "link", "set", "dev", f"v{plug}", "master", "lan", "up")
        ip("-n", namespace, "addr", "add", f"{address}/24", "dev", device)
        ip("-n", namespace, "link", "set", device, "up")
