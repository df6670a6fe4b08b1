"""Reads tables of brokers with the heads ``ID HOST PORT RACK``: id, rack, and where it stands, whether one is fenced.

``kafka-cluster.sh list-endpoints`` prints two more columns, STATE and ENDPOINT_TYPE; ``rpk cluster info`` and other
tools print the four.
"""

import re
from typing import Final

from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import Broker, Cluster, Facts, Reading
from simengine.importers.text import Paste

KIND: Final = "endpoints"
LABEL: Final = "kafka-cluster.sh list-endpoints"
TABLE: Final = "a table of brokers (ID HOST PORT RACK)"
_HEAD = re.compile(r"\bID\*?\s+HOST\s+PORT\s+RACK\b(?P<state>\s+STATE\b)?")
_ROW = re.compile(
    r"^\W*(\d{1,10})\*?\s+(\S+)\s+(\d{1,5})(?:\s+(\S+))?(?:\s+(fenced|unfenced))?(?:\s+(broker|controller))?\s*$"
)


def read(paste: Paste) -> Reading | None:
    """The brokers (not the controllers) of the table; None without its head line."""
    cluster = Cluster()
    label = ""
    for line in paste.lines:
        head = _HEAD.search(line.text) if "RACK" in line.text else None
        if head:
            label = LABEL if head["state"] else label or TABLE
        match = _ROW.match(line.text) if label and not head else None
        if match and match.group(6) != "controller" and int(match.group(1)) <= BROKER_ID_MAX:
            number, rack = int(match.group(1)), match.group(4)
            alive = None if match.group(5) is None else match.group(5) == "unfenced"
            named = None if rack in (None, "null", "-") else rack
            cluster.brokers[number] = Broker(number, named, alive, line.no, label)
    if not label:
        return None
    reading = Reading(KIND, label, cluster=cluster, facts=Facts(brokers=len(cluster.brokers)))
    if paste.had_html:
        reading.warn("The paste was HTML; its tags were taken away.")
    return reading
