"""Writes a recording in the form of the files: plain data, or one line of JSON."""

import json
from typing import Any

from simengine.recordings.model import REGISTERED, BrokerRecord, FinalLog, Recording


def to_plain(recording: Recording) -> dict[str, Any]:
    """The recording as the reader takes it: what was given (cluster, clients, script) as it stood, then what happened.

    What brokers held (``replicas``) is left out.
    """
    return {
        **recording.given,
        "nodes": recording.nodes,
        "brokers": [_registration(record) for record in recording.registrations],
        "metadata": recording.metadata,
        "produce": recording.produce,
        "reads": recording.reads,
        "client_events": recording.client_events,
        "logs": {partition: _log(log) for partition, log in recording.logs.items()},
    }


def to_line(recording: Recording) -> str:
    """One line of JSON, without the newline."""
    return json.dumps(to_plain(recording), separators=(",", ":"))


def _registration(record: BrokerRecord) -> list[Any]:
    changes: dict[str, Any] = {"brokerId": record.broker, "brokerEpoch": record.broker_epoch}
    if record.kind == REGISTERED:
        changes |= {"rack": record.rack, "fenced": True, "inControlledShutdown": record.shutting_down}
    elif record.shutting_down:
        changes["inControlledShutdown"] = 1
    else:
        changes["fenced"] = record.fenced
    return [record.t, record.kind, changes]


def _log(log: FinalLog) -> dict[str, Any]:
    different = {str(broker): records for broker, records in log.different.items()}
    return {"replicas": list(log.replicas), "records": log.records, "different": different}
