"""Writes a recording in the form of the files: plain data, or one line of JSON."""

import json
from typing import Any

from simengine.recordings.model import FORMAT, REGISTERED, BrokerRecord, Client, FinalLog, Recording


def to_plain(recording: Recording) -> dict[str, Any]:
    """The recording as the reader takes it."""
    return {
        "format": FORMAT,
        "kafka": recording.kafka,
        "name": recording.name,
        "title": recording.title,
        "cluster": {
            "brokers": {str(broker): rack for broker, rack in recording.brokers.items()},
            "controllers": list(recording.controllers),
            "elr": int(recording.elr),
            "config": recording.config,
        },
        "topics": [
            {"name": topic.name, "assignment": [list(row) for row in topic.assignment], "config": topic.config}
            for topic in recording.topics
        ],
        "clients": [_client(client) for client in recording.clients],
        "setup": [{"do": step.verb, **step.details} for step in recording.setup],
        "actions": recording.actions,
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


def _client(client: Client) -> dict[str, Any]:
    plain: dict[str, Any] = {"id": client.id, "kind": client.kind, "config": dict(client.config)}
    if client.via:
        plain["config"]["via"] = list(client.via)
    if client.assign:
        plain["assign"] = [list(pair) for pair in client.assign]
    if client.subscribe:
        plain["subscribe"] = list(client.subscribe)
    return {**plain, "group": client.group} if client.group else plain


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
