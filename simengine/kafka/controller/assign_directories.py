"""AssignReplicasToDirs at the controller (DIR-2, DIR-3): brokers say in which log directory their copies are.

Kafka's method: ``ReplicationControlManager.handleAssignReplicasToDirs``. Why brokers ask stands in ``directories.py``.
"""

from mypy_extensions import i64

from simengine.facts.kinds import REASON_DIRECTORY
from simengine.kafka.controller.election import ELECT_CLEAN, PartitionChange
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.shared.metadata import MetadataImage, Record
from simengine.kafka.wire.controller_api import AssignDirectoriesRequest


def assign_directories(
    image: MetadataImage, config: ClusterConfig, request: AssignDirectoriesRequest, cause: i64
) -> list[Record]:
    """One record for each partition, judged by the directories of before. Raises PE by one."""
    records: list[Record] = []
    for p in request.partitions:
        base = image.partition(p)
        if base is None or int(request.broker_id) not in base.replicas:
            continue  # answered with an error of its own, which the broker's next metadata settles
        change = PartitionChange(base, image, config, ELECT_CLEAN)
        change.assign_directory(request.broker_id, request.directory)
        record = change.build(REASON_DIRECTORY, cause)
        if record is not None:
            records.append(record)
    return records
