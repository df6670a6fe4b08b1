"""A process of MirrorMaker: its flows live and die as one, and actions of the timeline name it."""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.decisive import MirrorProcessChanged
from simengine.facts.kinds import (
    PROCESS_DOWN,
    PROCESS_PAUSED,
    PROCESS_RUNNING,
    PROCESS_STARTING,
    PROCESS_STOPPING,
    TASKS_NONE,
)
from simengine.kernel.calendar import Event
from simengine.kernel.node import Node
from simengine.kernel.sim import Sim
from simengine.kernel.site import Site
from simengine.mirror.filters import NameFilter
from simengine.mirror.flow import Flow, FlowSettings
from simengine.scenario.durations import parse_duration
from simengine.world.mirrors.book import FlowBook, ProcessListener

BOOT_MIN_US: Final = 2_000_000  # from the start of the process to the moment at which its worker joins its group
BOOT_MAX_US: Final = 6_000_000
NEXT_FLOW_MIN_US: Final = 1_000_000  # the connectors of the next flow of a process start so much later
NEXT_FLOW_MAX_US: Final = 3_000_000


@final
class RunningFlow:
    """A flow between two sites, its book and its settings; ``name`` is as MirrorMaker writes it: east->west."""

    def __init__(
        self,
        source: Site,
        target: Site,
        flow: Flow,
        book: FlowBook,
        settings: FlowSettings,
    ) -> None:
        self.source = source
        self.target = target
        self.name = f"{source.name}->{target.name}"
        self.flow = flow
        self.book = book
        self.admitted = NameFilter([], [])  # groups
        self._settings = settings

    def group_joined(self, site: Site, group: str) -> None:
        """A site has a new group. If the site is the source of the flow, the next refresh can find the group."""
        if site is self.source and self.admitted.admits(group) and group not in self.flow.groups:
            self.flow.groups.append(group)

    def forget_phases(self, after_us: i64) -> None:
        """Later starts do not use the phases of the document: they look for groups ``after_us`` the first flow does."""
        task, checkpoints, connector = self._settings.source_task, self._settings.checkpoints, self._settings.connector
        task.first_flush_us = task.flush_interval_us
        checkpoints.first_look_us = after_us
        checkpoints.known = []
        connector.first_topics_us = connector.topics_us
        connector.first_configs_us = 0


@final
class MirrorProcess(ProcessListener):
    """``site``: the cluster beside which it stands; ``index``: its place among the processes of the document."""

    def __init__(self, sim: Sim, index: i64, name: str, site: Site) -> None:
        self.sim = sim
        self.index: i64 = index
        self.name = name
        self.site = site
        self.flows: list[RunningFlow] = []
        self.state: i64 = PROCESS_DOWN
        self._to_stop: i64 = 0  # flows that have not stopped yet, of a process that stops
        self._stop_cause: i64 = 0
        self._stops_on_resume: bool = False  # SIGTERM reaches a paused process when it goes on
        self._boots: i64 = 0  # starts so far: a boot that was overtaken by a kill does nothing
        self._stream = sim.stream(f"mirror process {name}", "boot")

    def add(self, one: RunningFlow) -> None:
        """Add a flow to the process."""
        self.flows.append(one)
        one.book.process = self

    def legs(self) -> list[Node]:
        """The client nodes of all flows."""
        return [leg for one in self.flows for leg in one.flow.legs()]

    def is_up(self) -> bool:
        """True if there is a process whose tasks have been started."""
        return self.state in (PROCESS_RUNNING, PROCESS_PAUSED, PROCESS_STOPPING)

    def begin(self, is_running: bool) -> None:
        """The state at t=0."""
        if is_running:
            for one in self.flows:
                one.book.begin()
                one.flow.begin()
            self.state = PROCESS_RUNNING
        else:
            for leg in self.legs():
                leg.die()
        after_us: i64 = 0
        for one in self.flows:
            if one is not self.flows[0]:
                after_us += self._stream.between(NEXT_FLOW_MIN_US, NEXT_FLOW_MAX_US)
            one.forget_phases(after_us)

    def start(self, boot_us: i64, cause: i64) -> None:
        """A new process; ``boot_us`` -1: as long as it takes."""
        if self.state != PROCESS_DOWN:
            return
        if boot_us < 0:
            boot_us = self._stream.between(BOOT_MIN_US, BOOT_MAX_US)
        self._boots += 1
        fact = self._say(PROCESS_STARTING, cause)
        self.sim.after(boot_us, Booted(self, self._boots, fact))

    def booted(self, number: i64, cause: i64) -> None:
        """The workers join their groups; their tasks run once they have."""
        if self.state == PROCESS_STARTING and self._boots == number:
            for one in self.flows:
                one.flow.start()
            self._say(PROCESS_RUNNING, cause)

    def kill(self, cause: i64) -> None:
        """SIGKILL."""
        if self.is_up():
            for one in self.flows:
                one.flow.kill()
        if self.state != PROCESS_DOWN:
            self._ended(cause)

    def _ended(self, cause: i64) -> None:
        self._stops_on_resume = False
        self._say(PROCESS_DOWN, cause)
        for one in self.flows:
            one.book.tasks_changed(TASKS_NONE, -1)

    def stop(self, cause: i64) -> None:
        """SIGTERM: flows store their positions, and workers leave their groups. A process that boots dies at once."""
        if self.state == PROCESS_STARTING:
            self.kill(cause)
        elif self.state == PROCESS_PAUSED:
            self._stops_on_resume = True
        elif self.state == PROCESS_RUNNING:
            self._say(PROCESS_STOPPING, cause)
            self._stop_cause = cause
            self._to_stop = len(self.flows)
            for one in self.flows:
                one.flow.shut_down()

    def flow_stopped(self) -> None:
        if self.state == PROCESS_STOPPING:
            self._to_stop -= 1
            if self._to_stop == 0:
                self._ended(self._stop_cause)

    def pause(self, cause: i64) -> None:
        """SIGSTOP."""
        if self.state == PROCESS_RUNNING:
            for one in self.flows:
                one.flow.pause()
            self._say(PROCESS_PAUSED, cause)

    def resume(self, cause: i64) -> None:
        """SIGCONT."""
        if self.state == PROCESS_PAUSED:
            self._say(PROCESS_RUNNING, cause)
            for one in self.flows:
                one.flow.resume()
            if self._stops_on_resume:
                self._stops_on_resume = False
                self.stop(cause)

    def do(self, verb: str, args: tuple[str, ...], cause: i64) -> None:
        """Carry out an action on the process."""
        if verb == "start":
            self.start(parse_duration(args[2]) if len(args) > 2 else -1, cause)
        elif verb == "pause":
            self.pause(cause)
        elif verb == "resume":
            self.resume(cause)
        elif verb == "stop":
            self.stop(cause)
        else:
            assert verb == "kill", verb
            self.kill(cause)

    def why_idle(self, verb: str) -> str:
        """The reason why an action would change nothing now, as a clause about the process; "" where it would."""
        if verb == "start":
            return "" if self.state == PROCESS_DOWN else "it runs already"
        if self.state == PROCESS_DOWN:
            return "it is down already" if verb in ("kill", "stop") else "it is down"
        if self.state == PROCESS_STOPPING and verb in ("stop", "pause"):
            return "it is stopping already"
        if verb == "pause" and self.state != PROCESS_RUNNING:
            return "it is paused already" if self.state == PROCESS_PAUSED else "it has not started yet"
        if verb == "resume" and self.state != PROCESS_PAUSED:
            return "it is not paused"
        return ""

    def _say(self, state: i64, cause: i64) -> i64:
        self.state = state
        return self.sim.trace.state(MirrorProcessChanged(cause, process=self.index, state=state))


@final
class Booted(Event):
    """The start of a process is over."""

    def __init__(self, process: MirrorProcess, number: i64, cause: i64) -> None:
        super().__init__()
        self._process = process
        self._number: i64 = number
        self._cause: i64 = cause

    def fire(self) -> None:
        self._process.booted(self._number, self._cause)
