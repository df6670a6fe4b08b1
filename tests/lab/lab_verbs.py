"""The steps of a script, carried out: one function for each verb. Each returns the result that is recorded, or None."""

import signal
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from tests.lab.cluster import LabCluster
from tests.lab.errors import LabError
from tests.lab.fault_script import LabStep, split_client
from tests.lab.lab_clients import LabClients

LOOK_S: Final = 0.2  # between two looks of a wait
WAIT_LIMIT_S: Final = 60.0
CONSUMER_CONFIG: Final = {"group.id": "g", "auto.offset.reset": "earliest", "enable.auto.commit": "false"}


class Lab:
    """A running cluster and its clients."""

    def __init__(self, cluster: LabCluster, clients: LabClients) -> None:
        self.cluster = cluster
        self.clients = clients

    def do(self, step: LabStep) -> Any:
        """Carry out a step. Returns what the verb returns."""
        return VERBS[step.verb](self, step)

    def admin(self, call: str, **details: Any) -> dict[str, Any]:
        """The response to an admin call; `via` names the brokers to ask first."""
        bootstrap = self.cluster.bootstrap(details.pop("via", None))
        return self.clients.admin(bootstrap, call, details)

    def partitions(self, topic: str) -> list[dict[str, Any]]:
        """The partitions of a topic as a broker describes them now; none if it cannot say."""
        response = self.admin("describe", topic=topic)
        return response["result"] if response["ok"] else []


Verb = Callable[[Lab, LabStep], Any]


def wait_until(holds: Callable[[], Any], limit: float = WAIT_LIMIT_S) -> Any:
    """The value of `holds` once it is true; its last value if the limit passes (s)."""
    end = time.monotonic() + limit
    found = holds()
    while not found and time.monotonic() < end:
        time.sleep(LOOK_S)
        found = holds()
    return found


def _signal(number: signal.Signals, lab: Lab, step: LabStep) -> None:
    for node in step.args:
        lab.cluster.nodes[node].send_signal(number)


def _kill(lab: Lab, step: LabStep) -> None:
    _kill_all(lab, step.args)


def _kill_all(lab: Lab, nodes: Iterable[int]) -> list[int]:
    """Send all signals before the first process is waited for."""
    killed = list(nodes)
    for node in killed:
        lab.cluster.nodes[node].send_signal(signal.SIGKILL)
    for node in killed:
        lab.cluster.nodes[node].kill()
    return killed


def _stop(lab: Lab, step: LabStep) -> None:
    for node in step.args:
        lab.cluster.nodes[node].stop()


def _start(lab: Lab, step: LabStep) -> None:
    _start_all(lab, step.args)


def _start_all(lab: Lab, nodes: Iterable[int]) -> list[int]:
    started = list(nodes)
    for node in started:
        lab.cluster.nodes[node].start()
    return started


def _wipe(lab: Lab, step: LabStep) -> None:
    for node in step.args:
        lab.cluster.wipe(node, step.details["directory"] == "kept")


def _start_stopped(lab: Lab, step: LabStep) -> list[int]:
    among = step.args[0] if step.args else list(lab.cluster.nodes)
    return _start_all(lab, [node for node in among if not lab.cluster.nodes[node].running])


def _start_dead(lab: Lab, step: LabStep) -> list[int]:
    """Start the stopped brokers that are (`in`) or are not (`out`) in the partition's ISR or ELR."""
    topic, number, side = step.args
    partition = next((one for one in lab.partitions(topic) if one["partition"] == number), None)
    if partition is None:
        raise LabError(f"start_dead: no broker describes partition {number} of {topic}: does one run?")
    eligible = {*partition["isr"], *partition["elr"]}
    dead = [broker for broker in partition["replicas"] if not lab.cluster.nodes[broker].running]
    return _start_all(lab, [broker for broker in dead if (broker in eligible) == (side == "in")])


def _active(lab: Lab) -> int:
    """The active controller, waited for. Raises LabError."""
    active: int | None = wait_until(lab.cluster.active_controller)
    if active is None:
        raise LabError(f"no controller became active within {WAIT_LIMIT_S:g} s: does the script leave a majority?")
    return active


def _kill_active_controller(lab: Lab, _step: LabStep) -> list[int]:
    return _kill_all(lab, [_active(lab)])


def _stop_active_controller(lab: Lab, _step: LabStep) -> list[int]:
    active = _active(lab)
    lab.cluster.nodes[active].stop()
    return [active]


def _kill_controllers(lab: Lab, step: LabStep) -> list[int]:
    """The active controller and a standby (`active+1`), or all but the active one (`standbys`)."""
    active = _active(lab)
    standbys = [controller for controller in lab.cluster.given.controllers if controller != active]
    return _kill_all(lab, [active, standbys[0]] if step.args[0] == "active+1" else standbys)


def _kill_site(lab: Lab, step: LabStep) -> list[int]:
    """All nodes of the site with the active controller, or of the first one without it. `sites`: lists of nodes."""
    active = _active(lab)
    sites = [site for site in step.details["sites"] if (active in site) == (step.args[0] == "active")]
    if not sites:
        raise LabError(f"kill_site: no {step.args[0]} site while {active} is the active controller: name it in sites")
    return _kill_all(lab, sites[0])


def _cut(lab: Lab, step: LabStep) -> None:
    lab.cluster.network.cut(*step.args)


def _heal(lab: Lab, _step: LabStep) -> None:
    lab.cluster.network.heal()


def _producer(lab: Lab, step: LabStep) -> None:
    _open(lab, "producer", step, {})


def _consumer(lab: Lab, step: LabStep) -> None:
    _open(lab, "consumer", step, CONSUMER_CONFIG)


def _open(lab: Lab, kind: str, step: LabStep, defaults: dict[str, Any]) -> None:
    config, reads = split_client(step)
    servers = {"bootstrap.servers": lab.cluster.bootstrap(config.pop("via", None))}
    group = {"group.id": reads.pop("group")} if "group" in reads else {}
    lab.clients.tell(op=kind, id=step.args[0], config={**servers, **defaults, **group, **config}, **reads)


def _tell(lab: Lab, step: LabStep) -> None:
    for client in step.args:
        lab.clients.tell(**step.details, op=step.verb, id=client)


def _admin(lab: Lab, step: LabStep) -> Any:
    response = lab.admin(step.verb, **step.details)
    return response.get("result") if response["ok"] else response["error"]


def _sleep(_lab: Lab, step: LabStep) -> None:
    time.sleep(step.args[0])


def _wait_isr(lab: Lab, step: LabStep) -> bool:
    topic, size, *limits = step.args

    def holds() -> bool:
        partitions = lab.partitions(topic)
        return bool(partitions) and all(len(one["isr"]) == size and one["leader"] >= 0 for one in partitions)

    return bool(wait_until(holds, *limits))


def _wait_leader(lab: Lab, step: LabStep) -> bool:
    topic, number, leader, *limits = step.args

    def holds() -> bool:
        return any((one["partition"], one["leader"]) == (number, leader) for one in lab.partitions(topic))

    return bool(wait_until(holds, *limits))


def _wait_active(lab: Lab, step: LabStep) -> int | None:
    active: int | None = wait_until(lab.cluster.active_controller, *step.args)
    return active


VERBS: Final[dict[str, Verb]] = {
    "kill": _kill,
    "stop": _stop,
    "start": _start,
    "pause": partial(_signal, signal.SIGSTOP),
    "resume": partial(_signal, signal.SIGCONT),
    "wipe": _wipe,
    "start_stopped": _start_stopped,
    "start_dead": _start_dead,
    "kill_active_controller": _kill_active_controller,
    "stop_active_controller": _stop_active_controller,
    "kill_controllers": _kill_controllers,
    "kill_site": _kill_site,
    "cut": _cut,
    "heal": _heal,
    "producer": _producer,
    "consumer": _consumer,
    **dict.fromkeys(("send", "rate", "close", "commit"), _tell),
    **dict.fromkeys(("create", "create-auto", "delete", "config", "elect", "reassign"), _admin),
    **dict.fromkeys(("describe", "offsets", "group-offsets", "brokers"), _admin),
    "sleep": _sleep,
    "wait_isr": _wait_isr,
    "wait_leader": _wait_leader,
    "wait_active": _wait_active,
}
