"""Elections that the active controller holds at set times: preferred leaders (PREF-1, PREF-2), unclean ones (UNC-2)."""

from typing import Final

from simengine.facts.kinds import REASON_PREFERRED, REASON_UNCLEAN
from simengine.kafka.controller.election import ELECT_PREFERRED, ELECT_UNCLEAN, PartitionChange
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.shared.metadata import MetadataImage, Record

PREFERRED_BATCH_MAX: Final = 1000  # PREF-1


def elect_preferred(image: MetadataImage, config: ClusterConfig) -> list[Record]:
    """PREF-1, PREF-2: the changes, PREFERRED_BATCH_MAX at most."""
    records: list[Record] = []
    for base in image.partitions:
        if base is None or base.leader == base.replicas[0]:
            continue
        if len(records) >= PREFERRED_BATCH_MAX:
            break
        record = PartitionChange(base, image, config, ELECT_PREFERRED).build(REASON_PREFERRED, 0)
        if record is not None:
            records.append(record)
    return records


def elect_unclean(image: MetadataImage, config: ClusterConfig) -> list[Record]:
    """UNC-2: leaders for leaderless partitions of topics that allow it."""
    records: list[Record] = []
    for base in image.partitions:
        if base is None or base.leader != -1 or not image.unclean(base.topic):
            continue
        record = PartitionChange(base, image, config, ELECT_UNCLEAN).build(REASON_UNCLEAN, 0)
        if record is not None:
            records.append(record)
    return records
