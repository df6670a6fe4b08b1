"""Reads ``aws kafka list-nodes`` (Amazon MSK): the brokers and the subnet of each.

Each subnet of a cluster lies in an Availability Zone of its own, so it stands for the rack, whose name is not told.
"""

from typing import Any, Final

from simengine.importers.evidence import PastedValue
from simengine.importers.jsontext import json_lines, placed_values
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import PastedBroker, PastedCluster, PastedCounts, PasteResult
from simengine.importers.text import Paste
from simengine.importers.yamltext import at

KIND: Final = "msk"
LABEL: Final = "aws kafka list-nodes (Amazon MSK)"
_MARK: Final = '"BrokerNodeInfo"'


def read(paste: Paste) -> PasteResult | None:
    """The brokers of the list; None without one."""
    text = paste.joined()
    if _MARK not in text:
        return None
    cluster = PastedCluster()
    for value, _, _, line in placed_values(text, paste):
        nodes = value.get("NodeInfoList") if isinstance(value, dict) else value
        for node in nodes if isinstance(nodes, list) else [value]:
            _take(node, line, cluster)
    if not cluster.brokers:
        return None
    cluster.evidence.lines_read = json_lines(paste, lambda value: _MARK.strip('"') in str(value))
    reading = PasteResult(KIND, LABEL, PastedCounts(brokers=len(cluster.brokers)), cluster)
    if any(broker.rack for broker in cluster.brokers.values()):
        reading.note("The subnet of each broker stands for its rack: each lies in an Availability Zone of its own.")
    return reading


def _take(node: Any, line: int, cluster: PastedCluster) -> None:
    info = at(node, "BrokerNodeInfo") if isinstance(node, dict) else None
    number = at(info, "BrokerId")
    if not isinstance(number, int | float) or number != number // 1 or not 0 <= number <= BROKER_ID_MAX:
        if isinstance(node, dict) and "ZookeeperNodeInfo" in node:
            cluster.evidence.is_zookeeper = PastedValue("ZooKeeper", line, LABEL)
        return
    rack = at(info, "ClientSubnet")
    cluster.brokers[int(number)] = PastedBroker(
        int(number), rack if isinstance(rack, str) and rack else None, line=line, source=LABEL
    )
