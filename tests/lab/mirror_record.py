"""Runs a script on two real clusters with MirrorMaker between them and writes what happened."""

import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.lab.cluster import LabCluster
from tests.lab.distribution import Distribution
from tests.lab.errors import LabError
from tests.lab.evidence import collect
from tests.lab.export import recording
from tests.lab.fault_script import LabStep
from tests.lab.lab_clients import LabClients
from tests.lab.lab_verbs import WAIT_LIMIT_S, Lab, wait_until
from tests.lab.mirror_lab_script import WAIT_END, MirrorLabScript
from tests.lab.mirror_maker import LabMirror
from tests.lab.mirror_watch import MirrorWatch
from tests.lab.network import LabNetwork
from tests.lab.plain import Plain
from tests.lab.record import LAST_LINES_S, LabClock, create_topics, slot

INTERNAL: Final = ("mm2-", "__", "heartbeats")
COMMON: Final = ("format", "kafka", "name", "title")


class MirrorLab:
    """Two running clusters with their clients, and MirrorMaker."""

    def __init__(self, labs: dict[str, Lab], mirror: LabMirror) -> None:
        self.labs = labs
        self.mirror = mirror

    def do(self, owner: str, step: LabStep) -> Any:
        """Carry out a step of a cluster, or of MirrorMaker where `owner` is empty."""
        return self.labs[owner].do(step) if owner else MIRROR_VERBS[step.verb](self, step)


def _links(state: str, lab: MirrorLab, step: LabStep) -> None:
    for cluster in step.args:
        lab.mirror.link(cluster, state)


def _kill_clusters(lab: MirrorLab, step: LabStep) -> None:
    for cluster in step.args:
        lab.labs[cluster].cluster.kill_all()


def _wait_end(lab: MirrorLab, step: LabStep) -> int | None:
    """Wait until a partition of a cluster has so many records. Returns its end, None if the limit passes (s)."""
    cluster, topic, partition, least = step.args

    def holds() -> Plain | None:
        response = lab.labs[cluster].admin("offsets", topic=topic, partition=partition)
        return response if response["ok"] and response["result"] >= least else None

    reached = wait_until(holds, step.details.get("limit", WAIT_LIMIT_S))
    return int(reached["result"]) if reached else None


MIRROR_VERBS: Final[dict[str, Callable[[MirrorLab, LabStep], Any]]] = {
    "mm_start": lambda lab, _: lab.mirror.start(),
    "mm_kill": lambda lab, _: lab.mirror.end(signal.SIGKILL),
    "mm_stop": lambda lab, _: lab.mirror.end(signal.SIGTERM),
    "mm_pause": lambda lab, _: lab.mirror.send_signal(signal.SIGSTOP),
    "mm_resume": lambda lab, _: lab.mirror.send_signal(signal.SIGCONT),
    "mm_cut": partial(_links, "down"),
    "mm_heal": partial(_links, "up"),
    "kill_all": _kill_clusters,
    WAIT_END: _wait_end,
}


def record_mirror(script: MirrorLabScript, distribution: Distribution, mirror_maker: Distribution) -> Plain:
    """The recording of one run: boots both clusters and MirrorMaker, runs the script, ends all. Raises LabError."""
    with ExitStack() as stack:
        work = Path(tempfile.gettempdir()) / "labmirror"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        labs = {name: _booted(script, name, distribution, stack) for name in script.clusters}
        clusters = {name: lab.cluster for name, lab in labs.items()}
        lab = MirrorLab(labs, LabMirror(clusters, script.config, mirror_maker, work))
        watch = MirrorWatch(script, labs, mirror_maker, work)
        stack.callback(watch.end)
        stack.callback(partial(lab.mirror.end, signal.SIGKILL))
        zero_ms, rows = _run(script, lab, watch)
        for cluster in clusters.values():
            cluster.kill_all()
        return {
            "format": 1,
            "kafka": distribution.version,
            "mirror_maker": mirror_maker.version,
            "name": script.name,
            "title": script.title,
            "groups": list(script.groups),
            "mirror": watch.plain(zero_ms),
            "actions": rows[""],
            "clusters": {
                name: _without_internal(
                    recording(
                        script.clusters[name],
                        collect(clusters[name], distribution, zero_ms, rows[name], labs[name].clients.events),
                    )
                )
                for name in labs
            },
        }


def _booted(script: MirrorLabScript, name: str, distribution: Distribution, stack: ExitStack) -> Lab:
    """A cluster of the script with its clients, which end with the stack."""
    number, work = stack.enter_context(slot())
    given = script.clusters[name].given
    network = LabNetwork(number, [*given.controllers, *given.brokers])
    cluster = LabCluster(given, network, distribution, work)
    stack.callback(cluster.down)
    print(
        f"lab: booting {name}, {len(cluster.nodes)} nodes of Kafka {distribution.version} (files in {work})", flush=True
    )
    cluster.boot()
    clients = LabClients(network, distribution, work)
    stack.callback(clients.end)
    return Lab(cluster, clients)


def _run(script: MirrorLabScript, lab: MirrorLab, watch: MirrorWatch) -> tuple[int, dict[str, list[list[Any]]]]:
    """Do the setup and the timeline. Returns time 0 (ms) and the rows of actions by cluster, "" for MirrorMaker's."""
    lab.mirror.up()
    for name, part in script.clusters.items():
        create_topics(part, lab.labs[name])
        for step in part.setup:
            lab.labs[name].do(step)
    lab.mirror.start()
    watch.start()
    time.sleep(script.warmup_s)
    _wait_until_seen(watch)
    clock = LabClock()
    rows: dict[str, list[list[Any]]] = {"": [], **{name: [] for name in script.clusters}}
    for owner, step in script.timeline:
        clock.do(step, partial(lab.do, owner), [] if step.verb == WAIT_END else rows[owner])
    watch.end()
    time.sleep(LAST_LINES_S)
    clock.check()
    return clock.zero_ms, rows


def _wait_until_seen(watch: MirrorWatch) -> None:
    """Wait for every watched partition: MirrorMaker makes the remote ones. Raises LabError after WAIT_LIMIT_S."""
    if not wait_until(lambda: not watch.unseen()):
        raise LabError(f"MirrorMaker made no {', '.join(watch.unseen())}: do its topics in mirror.config fit?")


def _without_internal(plain: Plain) -> Plain:
    """A cluster's part of a recording, without the topics of MirrorMaker and Connect."""
    part = {key: value for key, value in plain.items() if key not in COMMON}
    part["metadata"] = [row for row in part["metadata"] if not _is_internal(row[1])]
    part["replicas"] = [row for row in part["replicas"] if not _is_internal(row[2])]
    part["logs"] = {name: log for name, log in part["logs"].items() if not _is_internal(name)}
    return part


def _is_internal(partition: str) -> bool:
    return partition.startswith(INTERNAL) or ".internal" in partition
