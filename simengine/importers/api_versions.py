"""Reads the output of ``kafka-broker-api-versions.sh``: brokers and their racks (what they speak is left out)."""

import re
from typing import Final

from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import Broker, Cluster, Facts, Reading
from simengine.importers.text import Paste

KIND: Final = "apiversions"
LABEL: Final = "kafka-broker-api-versions.sh"
_BROKER = re.compile(r"\(id: (\d{1,10}) rack: (\S{1,249}?)(?: isFenced: (\w{1,5}))?\) ?-> ?(\S*)")


def read(paste: Paste) -> Reading | None:
    """The brokers that the output names; None if it names none."""
    reading = Reading(KIND, LABEL, cluster=Cluster())
    assert reading.cluster is not None
    for line in paste.lines:
        for match in _BROKER.finditer(line.text) if "(id: " in line.text else ():
            number, rack = int(match.group(1)), match.group(2)
            if number > BROKER_ID_MAX:
                continue
            alive = {"true": False, "false": True}.get(match.group(3) or "")
            named = None if rack in ("null", "None") else rack
            reading.cluster.brokers[number] = Broker(number, named, alive, line.no, LABEL)
            if match.group(4).startswith("{"):
                reading.warn("The form with braces comes from a prototype of the tool (0.10.2).")
            elif not match.group(4).startswith("("):
                reading.warn(f"Broker {number} did not answer: its line holds no list of APIs.")
    if not reading.cluster.brokers:
        return None
    reading.facts = Facts(brokers=len(reading.cluster.brokers))
    if paste.had_html:
        reading.warn("The paste was HTML; its tags were taken away.")
    return reading
