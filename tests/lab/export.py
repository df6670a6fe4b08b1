"""A recording's text, from a script and the evidence of its run. The format: tests/conformance/recordings/README.md."""

import json
from collections.abc import Mapping
from typing import Any, Final

from tests.lab.evidence import LabEvidence
from tests.lab.fault_script import LabScript
from tests.lab.metadata_log import last_leaders, partitions, registrations, seconds
from tests.lab.plain import Plain

OF_LEADER: Final = ("isr", "maximalIsr", "pending")  # a follower's values of these mean nothing
OFFSETS: Final = frozenset({"leo", "hw"})
OFFSETS_EVERY_S: Final = 0.5  # changes of offsets alone are kept this often
NAMED: Final = ("client", "event", "at")  # of a client's line, what stands in columns of its own


def recording(script: LabScript, evidence: LabEvidence) -> Plain:
    """The recording as plain data."""
    metadata = partitions(evidence.metadata, evidence.zero_ms)
    return {
        **script.given.given,
        "setup": [{"do": step.verb, **step.plain()} for step in script.setup if not opens(step.verb)],
        "actions": evidence.actions,
        "nodes": _node_events(evidence),
        "brokers": registrations(evidence.metadata, evidence.zero_ms),
        "metadata": metadata,
        "replicas": _replicas(evidence),
        "produce": _produce(evidence),
        "reads": _reads(evidence),
        "client_events": _client_events(evidence),
        "logs": _logs(evidence, last_leaders(metadata)),
    }


def text(plain: Plain, levels: int = 2) -> str:
    """A recording as JSON, a row a line so that differences can be read; objects are opened on so many levels."""
    return _value(plain, levels, "") + "\n"


def opens(verb: str) -> bool:
    """True for a step that opens a client."""
    return verb in ("producer", "consumer")


def _value(value: object, levels: int, indent: str) -> str:
    inner = indent + " "
    if isinstance(value, list) and value and isinstance(value[0], list | dict):
        return "[\n" + ",\n".join(inner + _compact(row) for row in value) + f"\n{indent}]"
    if isinstance(value, dict) and value and levels:
        pairs = (f"{inner}{json.dumps(key)}: {_value(item, levels - 1, inner)}" for key, item in value.items())
        return "{\n" + ",\n".join(pairs) + f"\n{indent}}}"
    return _compact(value)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _node_events(evidence: LabEvidence) -> list[list[Any]]:
    events = [line for line in evidence.nodes if "event" in line and not line["event"].startswith("sampler")]
    return [[seconds(line["at"], evidence.zero_ms), line["node"], line["event"]] for line in events]


def _replicas(evidence: LabEvidence) -> list[list[Any]]:
    """States of replicas: what changed since the row before; offsets alone at most each OFFSETS_EVERY_S."""
    rows: list[list[Any]] = []
    written: dict[tuple[int, str], tuple[float, Plain]] = {}
    for line in evidence.nodes:
        if "replica" not in line:
            continue
        t = seconds(line["at"], evidence.zero_ms)
        state = {key: value for key, value in line.items() if key not in ("at", "node", "replica")}
        if not state.get("leads"):
            state = {key: value for key, value in state.items() if key not in OF_LEADER}
        key = (line["node"], line["replica"])
        last_t, last = written.get(key, (float("-inf"), {}))
        changes = {name: value for name, value in state.items() if last.get(name, ...) != value}
        if not changes or (changes.keys() <= OFFSETS and t - last_t < OFFSETS_EVERY_S):
            continue
        written[key] = (t, {} if "gone" in state else state)
        rows.append([t, *key, changes])
    return rows


def _produce(evidence: LabEvidence) -> list[list[Any]]:
    """A row for each send(), completed by its callback."""
    rows: dict[tuple[object, ...], list[Any]] = {}
    for line in evidence.clients:
        if line["event"] not in ("send", "ack", "fail"):
            continue
        t = seconds(line["at"], evidence.zero_ms)
        call = (line["client"], _partition(line), line["value"])
        if line["event"] == "send":
            rows[call] = [*call, t, None, None, None]
        else:
            rows[call][4:] = [t, line.get("error", "ok"), line.get("offset")]
    return list(rows.values())


def _reads(evidence: LabEvidence) -> list[list[Any]]:
    return [
        [
            seconds(line["at"], evidence.zero_ms),
            line["client"],
            _partition(line),
            *(line[key] for key in ("offset", "epoch", "value")),
        ]
        for line in evidence.clients
        if line["event"] == "read"
    ]


def _client_events(evidence: LabEvidence) -> list[list[Any]]:
    return [
        [
            seconds(line["at"], evidence.zero_ms),
            line["client"],
            line["event"],
            {key: value for key, value in line.items() if key not in NAMED},
        ]
        for line in evidence.clients
        if line["event"] not in ("send", "ack", "fail", "read")
    ]


def _partition(line: Mapping[str, Any]) -> str:
    return f"{line['topic']}-{line['partition']}"


def _logs(evidence: LabEvidence, leaders: Mapping[str, int]) -> Plain:
    return {name: _log(replicas, leaders.get(name, -1)) for name, replicas in sorted(evidence.logs.items())}


def _log(replicas: Mapping[int, list[list[Any]]], leader: int) -> Plain:
    """The leader's log, or the first one without a leader, and each replica's log that is not equal to it.

    A replica whose log is empty is not among ``replicas``.
    """
    records = replicas.get(leader, []) if leader >= 0 else next(iter(replicas.values()))
    return {
        "replicas": sorted(replicas),
        "records": records,
        "different": {str(broker): log for broker, log in replicas.items() if log != records},
    }
