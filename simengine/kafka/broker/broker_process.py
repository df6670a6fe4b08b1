"""The process of a broker as the parts know it that talk to the controllers and to what else runs in the process."""

from mypy_extensions import i64

from simengine.facts.decisive import ProcessChanged
from simengine.facts.kinds import PROCESS_DOWN, PROCESS_PAUSED, PROCESS_RUNNING, PROCESS_STOPPING
from simengine.kafka.replica.observer import Observer
from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.wire.controller_api import ControllerChannel, ControllerPeer, ControllerServer
from simengine.kernel.sim import Sim
from simengine.kernel.site import Site


class SharedProcess:
    """The other roles in the process of a broker: in combined mode its controllers (``process.roles``).

    It is told what becomes of the process; this class does nothing, as for a process with one role.
    """

    def starts(self, boot_us: i64, cause: i64) -> None:
        """The process starts, by an action; its other roles are up after ``boot_us``."""

    def changed(self, process: i64, has_left: bool, cause: i64) -> None:
        """The process is in another state, by an action or another fact; ``has_left``: it ended in order."""


class BrokerProcess(ReplicaHost):
    """The state of the process, its connections to controllers, and what its parts ask of each other."""

    __slots__ = ("directory", "has_left", "shared", "why")

    def __init__(
        self, sim: Sim, broker_id: i64, name: str, rack: str, config: ClusterConfig, observer: Observer, site: Site
    ) -> None:
        super().__init__(sim, broker_id, name, rack, config, observer, site)
        self.directory: i64 = 0  # the number of its disk's directory id
        self.has_left: bool = False  # it is down because it was shut down
        self.shared: SharedProcess = SharedProcess()
        self.why: i64 = 0  # the decisive fact that last changed this process or its links

    def controller_channel(self, controller: ControllerServer, peer: ControllerPeer) -> ControllerChannel:
        """The connection of one part of this broker to one controller, made on first use and kept."""
        for channel in self.channels:
            if isinstance(channel, ControllerChannel) and channel.controller is controller and channel.peer is peer:
                return channel
        return ControllerChannel(self.net, self, controller, peer)

    def state_process(self, state: i64, has_left: bool = False) -> i64:
        """State that the process is in another state; returns the fact. ``has_left``: it went in order (SHUT-3)."""
        self.has_left = has_left
        self.process = state
        cause = self.why
        self.why = self.sim.trace.state(ProcessChanged(self.why, node=self.id, state=state, left=int(has_left)))
        works = state in (PROCESS_RUNNING, PROCESS_STOPPING)  # one that stops in order beats and fetches on (SHUT-1)
        is_silent = state in (PROCESS_DOWN, PROCESS_PAUSED)
        self.causes.process_changed(self.id, self.why, works, is_silent, self.sim.now)
        self.observer.process_changed(self)
        self.shared.changed(state, has_left, cause)
        return self.why

    # -- what one part asks of another

    def leader_changed(self) -> None:
        """Another controller is active."""

    def metadata_published(self) -> None:
        """A batch of metadata is applied."""

    def sees_itself_leave(self) -> None:
        """Metadata says that this broker is fenced or shuts down."""

    def kill(self) -> None:
        """End the process at once."""

    def exit(self) -> None:
        """End the process in order (SHUT-3)."""
