"""Compares the estimated time of experiments with the time that they take: ten of them, one after the other.

A site, a queue and a worker of this machine; each experiment is previewed, begun and awaited as the page does it.
"""

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from playground import valkey
from playground.environment import REDIS_URL, ROOT
from playground.imports.work import built_of
from tests.rooms.site import Browser
from tests.whatif.lab import Lab, status, until

DONE_S: Final = 900.0
FACTOR: Final = 1.5
RACK: Final = {"kind": "rack", "rack": "az-a", "from": "5s", "to": "15s"}
AS_IN_RUN: Final = {"kind": "as-is"}
BROKERS, TOPICS, PARTITIONS_EACH = 30, 19, 100


class Case(NamedTuple):
    """An experiment: the text of its document ("" for the sandbox), and what the builder sends."""

    name: str
    document: str
    seeds: int
    horizon: str
    axes: dict[str, list[Any]]


def rates(mttf: str, mttr: str) -> dict[str, str]:
    """Brokers that fail at random."""
    return {"kind": "rates", "mttf": mttf, "mttr": mttr}


def scenario(name: str) -> str:
    """A scenario of the gallery."""
    return (ROOT / "tests" / "scenarios" / f"{name}.yaml").read_text()


def paste() -> str:
    """The document of a big cluster, as the import page makes it of kafka-topics.sh --describe."""
    lines = []
    for topic in range(TOPICS):
        head = f"PartitionCount: {PARTITIONS_EACH}\tReplicationFactor: 3\tConfigs: min.insync.replicas=2"
        lines.append(f"Topic: topic-{topic}\t{head}")
        for number in range(PARTITIONS_EACH):
            ids = ",".join(str(1 + (topic * 7 + number + k * 10) % BROKERS) for k in range(3))
            row = f"Leader: {ids.partition(',')[0]}\tReplicas: {ids}\tIsr: {ids}"
            lines.append(f"\tTopic: topic-{topic}\tPartition: {number}\t{row}")
    racks = {str(broker): f"az-{'abc'[broker // 10 % 3]}" for broker in range(1, BROKERS + 1)}
    (checked,) = built_of(json.dumps({"text": "\n".join(lines), "racks": racks}).encode())["checked"]
    return str(checked["text"])


def cases() -> list[Case]:
    """Ten experiments that take some 10 to 40 s each on two cores; the first begins before Spark does."""
    both = ["1", "all"]
    return [
        Case("the builder's own question", "", 1_000, "2m", {"acks": both, "fault": [RACK]}),
        Case("short and many", "", 2_000, "20s", {"acks": both, "fault": [RACK]}),
        Case("random faults", "", 300, "60s", {"acks": both, "fault": [rates("30s", "5s")]}),
        Case("acks=0", "", 300, "2m", {"acks": ["0", "all"], "fault": [RACK]}),
        Case("half an hour", "", 500, "30m", {"acks": both, "fault": [RACK]}),
        Case("rare faults", "", 50, "10m", {"acks": both, "fault": [rates("20m", "10s")]}),
        Case("replicas", "", 100, "60s", {"rf": [1, 3], "min_isr": [1, 2], "fault": [{**RACK, "back": "10s"}]}),
        Case("as in the run", scenario("s28-paused-leader-45-s"), 600, "90s", {"acks": both, "fault": [AS_IN_RUN]}),
        Case(
            "two sites",
            scenario("mirrors/s42-failover"),
            700,
            "60s",
            {"wan_us": ["5ms", "100ms"], "fault": [AS_IN_RUN]},
        ),
        Case("a big paste", paste(), 3, "60s", {"acks": both, "fault": [RACK]}),
    ]


@contextmanager
def lab(folder: Path) -> Iterator[Lab]:
    """A site with a queue and a worker."""
    with ExitStack() as stack:
        server = valkey.choose()
        process = stack.enter_context(subprocess.Popen(valkey.command(), stdin=subprocess.PIPE))
        stack.callback(process.terminate)
        assert process.stdin is not None
        process.stdin.write(valkey.configuration(server, folder))
        process.stdin.close()
        assert valkey.wait_until_it_answers(server.url)
        (folder / "data").mkdir()
        made = Lab(folder / "data")
        made.site.environment[REDIS_URL] = server.url
        made.site.start()
        stack.callback(made.stop)
        made.start_worker()
        yield made


def said_and_happened(person: Browser, case: Case) -> tuple[dict[str, Any], float]:
    """The preview of an experiment, and the seconds from its start until its result."""
    body: dict[str, Any] = {"seeds": case.seeds, "horizon": case.horizon, "axes": case.axes}
    if case.document:
        body["doc"] = person.make(case.document.encode())
    told = person.post("/what-if/preview", body).json()
    assert not told["problems"], told["problems"]
    began = time.monotonic()
    experiment = person.post("/what-if/run", body).json()["id"]
    until(lambda: status(person, experiment)["state"] not in ("queued", "running"), DONE_S, 0.2)
    seconds = time.monotonic() - began
    last = status(person, experiment)
    assert last["state"] == "done", last["error"]
    return told, seconds


def measure() -> dict[str, float]:
    """estimates_within: of ten experiments, how many took between the estimate by FACTOR and the estimate times it."""
    within = 0
    with tempfile.TemporaryDirectory() as name, lab(Path(name)) as made:
        person = Browser(made.site).ready()
        for case in cases():
            told, seconds = said_and_happened(person, case)
            ratio = told["seconds"] / seconds
            within += 1 / FACTOR <= ratio <= FACTOR
            ideal = told["runs"] * told["seconds_per_run"] / told["processes"]
            print(
                f"{case.name:28} said {told['seconds']:5.1f} s ({told['seconds_min']:.1f} to "
                f"{told['seconds_max']:.1f}; ideal {ideal:4.1f}), took {seconds:5.1f} s, ratio {ratio:.2f}",
                flush=True,
            )
    print(f"{within} of {len(cases())} within a factor of {FACTOR}")
    return {"estimates_within": within}
