"""Runs a script on a real cluster and writes what happened."""

import fcntl
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.lab.cluster import LabCluster
from tests.lab.distribution import KEPT, Distribution
from tests.lab.errors import LabError
from tests.lab.evidence import collect
from tests.lab.export import recording
from tests.lab.fault_script import LabScript, LabStep
from tests.lab.lab_clients import LabClients
from tests.lab.lab_grammar import RECORDED_AS
from tests.lab.lab_verbs import Lab
from tests.lab.network import LabNetwork
from tests.lab.plain import Plain

SLOTS: Final = (1, 2)  # clusters at a time; a third disturbs the clocks of two cores
LAST_LINES_S: Final = 0.5  # for the clients' last lines
RESULT_MAX: Final = 80  # characters of a result in a line of progress


def record(script: LabScript, distribution: Distribution) -> Plain:
    """The recording of one run: boots a cluster, runs the script and ends the cluster. Raises LabError."""
    with slot() as (number, work):
        network = LabNetwork(number, [*script.given.controllers, *script.given.brokers])
        cluster = LabCluster(script.given, network, distribution, work)
        try:
            print(
                f"lab: booting {len(cluster.nodes)} nodes of Kafka {distribution.version} (files in {work})", flush=True
            )
            cluster.boot()
            clients = LabClients(network, distribution, work)
            try:
                zero_ms, actions = _run(script, Lab(cluster, clients))
            finally:
                cluster.kill_all()
                clients.end()
            return recording(script, collect(cluster, distribution, zero_ms, actions, clients.events))
        finally:
            cluster.down()


@contextmanager
def slot() -> Iterator[tuple[int, Path]]:
    """A free slot and its folder, held until the end. Raises LabError if there is none."""
    for number in SLOTS:
        with (KEPT / f"slot{number}.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield number, Path(tempfile.gettempdir()) / f"lab{number}"
            return
    raise LabError(f"{len(SLOTS)} recordings are being made on this machine already: wait until one has ended")


def _run(script: LabScript, lab: Lab) -> tuple[int, list[list[Any]]]:
    """Do the setup and the timeline. Returns time 0 (ms) and the rows of actions."""
    create_topics(script, lab)
    for step in script.setup:
        lab.do(step)
    time.sleep(script.warmup_s)
    clock = LabClock()
    actions: list[list[Any]] = []
    for step in script.timeline:
        clock.do(step, lab.do, actions)
    time.sleep(LAST_LINES_S)
    clock.check()
    return clock.zero_ms, actions


def create_topics(script: LabScript, lab: Lab) -> None:
    """Create the topics of a script. Raises LabError."""
    for topic in script.given.topics:
        response = lab.admin("create", topic=topic.name, assignment=topic.assignment, config=topic.config)
        if not response["ok"]:
            raise LabError(f"Kafka refused topic {topic.name} of the script: {response['message']}")


class LabClock:
    """Does steps at their times, counted from its making."""

    def __init__(self) -> None:
        self.zero_ms = round(time.time() * 1000)
        self._failed: list[Exception] = []  # in the background

    def do(self, step: LabStep, act: Callable[[LabStep], Any], rows: list[list[Any]]) -> None:
        """Wait for the time of a step, `act`, in a thread of its own if it runs in the background, and add a row."""
        time.sleep(step.after if step.at is None else max(0.0, step.at - self._now()))
        begun = self._now()
        result = None
        if step.background:
            threading.Thread(target=self._try, args=(step, act), daemon=True).start()
        else:
            result = act(step)
        if step.verb != "sleep":
            rows.append([begun, self._now(), RECORDED_AS.get(step.verb, step.verb), _details(step, result)])
        shown = "" if result is None else f" -> {result}"[:RESULT_MAX]
        print(f"  {begun:8.3f} s  {step.verb} {' '.join(map(str, step.args))}{shown}", flush=True)

    def check(self) -> None:
        """Raise the first error of a step in the background."""
        if self._failed:
            raise self._failed[0]

    def _try(self, step: LabStep, act: Callable[[LabStep], Any]) -> None:
        try:
            act(step)
        except Exception as error:  # noqa: BLE001  # `check` raises it
            self._failed.append(error)

    def _now(self) -> float:
        """Seconds since time 0."""
        return max(0.0, round(time.time() - self.zero_ms / 1000, 3))


def _details(step: LabStep, result: Any) -> Plain:
    """The arguments of a step as a recording has them: a node that was chosen at run time is named."""
    if step.verb in RECORDED_AS:
        return {"args": result}
    if step.verb in ("producer", "consumer"):
        return {"args": step.args}
    return step.plain() if result is None else {**step.plain(), "result": result}
