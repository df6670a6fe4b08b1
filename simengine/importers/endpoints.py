"""Names the output of ``kafka-cluster.sh list-endpoints``: brokers with racks, fenced ones too (no other tool does)."""

import re
from typing import Final

from simengine.importers.model import Broker, Cluster, Facts, Reading
from simengine.importers.text import Paste

KIND: Final = "endpoints"
LABEL: Final = "kafka-cluster.sh list-endpoints"
_HEAD = re.compile(r"\bID\s+HOST\s+PORT\s+RACK\b")
_ROW = re.compile(r"^\W*(\d{1,10})\s+(\S+)\s+(\d{1,5})\s+(\S+)(?:\s+(fenced|unfenced))?(?:\s+(broker|controller))?\s*$")


def read(paste: Paste) -> Reading | None:
    """The brokers (not the controllers) of the table; None without its head line."""
    if not _HEAD.search(paste.joined()):
        return None
    cluster = Cluster()
    for line in paste.lines:
        match = _ROW.match(line.text)
        if match and match.group(6) != "controller":
            number, rack = int(match.group(1)), match.group(4)
            alive = None if match.group(5) is None else match.group(5) == "unfenced"
            cluster.brokers[number] = Broker(number, None if rack == "null" else rack, alive)
    reading = Reading(KIND, LABEL, cluster=cluster, facts=Facts(brokers=len(cluster.brokers)))
    if paste.had_html:
        reading.warn("The paste was HTML; its tags were taken away.")
    return reading
