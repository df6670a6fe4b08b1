"""Writes a recording in the form of the files: plain data, or one line of JSON."""

import json
from typing import Any, Final

from simengine.recordings.mirror_model import MirrorRecording
from simengine.recordings.model import FORMAT, REGISTERED, BrokerRecord, RecordedFinalLog, Recording

SYNCS: Final = "mm2-offset-syncs.internal"  # stands for the topic of each flow
CHECKPOINTS: Final = "checkpoints.internal"


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


def mirror_to_plain(recording: MirrorRecording) -> dict[str, Any]:
    """A recording of two clusters as its reader takes it; of internal topics only partition 0 of one name each."""
    return {
        "format": FORMAT,
        "kafka": recording.kafka,
        "mirror_maker": recording.mirror_maker,
        "name": recording.name,
        "title": recording.title,
        "groups": recording.groups,
        "actions": recording.actions,
        "clusters": {name: to_plain(cluster) for name, cluster in recording.clusters.items()},
        "mirror": {
            "config": recording.config,
            "syncs": [
                [one.t, one.cluster, SYNCS, n, one.partition, one.up, one.down] for n, one in enumerate(recording.syncs)
            ],
            "checkpoints": [
                [one.t, one.cluster, CHECKPOINTS, n, one.group, one.partition, one.up, one.down]
                for n, one in enumerate(recording.checkpoints)
            ],
            "positions": recording.positions,
            "ends": recording.ends,
        },
    }


def to_line(recording: Recording | MirrorRecording) -> str:
    """One line of JSON, without the newline."""
    plain = mirror_to_plain(recording) if isinstance(recording, MirrorRecording) else to_plain(recording)
    return json.dumps(plain, separators=(",", ":"))


def _registration(record: BrokerRecord) -> list[Any]:
    changes: dict[str, Any] = {"brokerId": record.broker, "brokerEpoch": record.broker_epoch}
    if record.kind == REGISTERED:
        changes |= {"rack": record.rack, "fenced": True, "inControlledShutdown": record.shutting_down}
    elif record.shutting_down:
        changes["inControlledShutdown"] = 1
    else:
        changes["fenced"] = record.fenced
    return [record.t, record.kind, changes]


def _log(log: RecordedFinalLog) -> dict[str, Any]:
    different = {str(broker): records for broker, records in log.different.items()}
    return {"replicas": list(log.replicas), "records": log.records, "different": different}
