"""Names the output of ``kafka-broker-api-versions.sh``: it tells brokers, their racks and what they speak."""

import re
from typing import Final

from simengine.importers.model import Broker, Cluster, Facts, Reading
from simengine.importers.text import Paste

KIND: Final = "apiversions"
LABEL: Final = "kafka-broker-api-versions.sh"
_BROKER = re.compile(r"\(id: (\d{1,10}) rack: (\S{1,249}?)(?: isFenced: (\w{1,5}))?\) ?-> ?(\S*)")


def read(paste: Paste) -> Reading | None:
    """The brokers that the output names; None if it names none."""
    text = paste.joined()
    found = list(_BROKER.finditer(text)) if "(id: " in text else []
    if not found:
        return None
    reading = Reading(KIND, LABEL, cluster=Cluster())
    assert reading.cluster is not None
    for match in found:
        number, rack = int(match.group(1)), match.group(2)
        reading.cluster.brokers[number] = Broker(number, None if rack == "null" else rack)
        if match.group(4).startswith("{"):
            reading.warn("The form with braces comes from a prototype of the tool (0.10.2).")
        elif not match.group(4).startswith("("):
            reading.warn(f"Broker {number} did not answer: its line holds no list of APIs.")
    reading.facts = Facts(brokers=len(reading.cluster.brokers))
    if paste.had_html:
        reading.warn("The paste was HTML; its tags were taken away.")
    return reading
