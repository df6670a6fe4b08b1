"""Elections that the active controller holds at set times: preferred leaders (PREF-1, PREF-2), unclean ones (UNC-2)."""

from typing import TYPE_CHECKING, Final

from simengine.facts.kinds import REASON_PREFERRED, REASON_UNCLEAN
from simengine.kafka.election import ELECT_PREFERRED, ELECT_UNCLEAN, PartitionChange
from simengine.kafka.metadata import Record

if TYPE_CHECKING:
    from simengine.kafka.control import ClusterControl

PREFERRED_BATCH_MAX: Final = 1000  # PREF-1


def elect_preferred(control: "ClusterControl") -> bool:
    """PREF-1, PREF-2: whether there may be more to do."""
    image = control.image
    records: list[Record] = []
    for base in image.partitions:
        if base is None or base.leader == base.replicas[0]:
            continue
        if len(records) >= PREFERRED_BATCH_MAX:
            break
        record = PartitionChange(base, image, control.config, ELECT_PREFERRED).build(REASON_PREFERRED, 0)
        if record is not None:
            records.append(record)
    control.write(records, None)
    return len(records) >= PREFERRED_BATCH_MAX


def elect_unclean(control: "ClusterControl") -> None:
    """UNC-2: leaderless partitions of topics that allow it."""
    image = control.image
    records: list[Record] = []
    for base in image.partitions:
        if base is None or base.leader != -1 or not image.unclean(base.topic):
            continue
        record = PartitionChange(base, image, control.config, ELECT_UNCLEAN).build(REASON_UNCLEAN, 0)
        if record is not None:
            records.append(record)
    control.write(records, None)
