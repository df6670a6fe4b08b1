"""Reads the output of ``kafka-broker-api-versions.sh``: brokers, their racks, and the version that their Fetch tells.

Kafka 4.0 removed the versions of Fetch before 4 (KIP-896). The newest version of Fetch is 16 in Kafka 3.7, 17 in 3.9,
and 18 in 4.1.
"""

import re
from typing import Final

from simengine.importers.evidence import PastedValue
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import PastedBroker, PastedCluster, PastedCounts, PasteResult
from simengine.importers.text import Paste

KIND: Final = "apiversions"
LABEL: Final = "kafka-broker-api-versions.sh"
_BROKER = re.compile(r"\(id: (\d{1,10}) rack: (\S{1,249}?)(?: isFenced: (\w{1,5}))?\) ?-> ?(\S*)")
_FETCH = re.compile(r"\bFetch\(1\): (\d{1,3}) to (\d{1,3})\b")


def read(paste: Paste) -> PasteResult | None:
    """The brokers that the output names; None if it names none."""
    cluster = PastedCluster()
    reading = PasteResult(KIND, LABEL, cluster=cluster)
    for line in paste.lines:
        for match in _BROKER.finditer(line.text) if "(id: " in line.text else ():
            number, rack = int(match.group(1)), match.group(2)
            if number > BROKER_ID_MAX:
                continue
            answered = True if match.group(4).startswith("(") else None
            alive = {"true": False, "false": True}.get(match.group(3) or "", answered)
            why = f"it answers {LABEL}" if alive and answered else ""
            named = None if rack in ("null", "None") else rack
            cluster.brokers[number] = PastedBroker(number, named, alive, line.no, LABEL, why)
            if match.group(4).startswith("{"):
                reading.warn("The form with braces comes from a prototype of the tool (0.10.2).")
            elif match.group(4).startswith("ERROR"):
                error = line.text[match.end() :].strip(" :").rpartition(".")[2]
                reading.warn(f"Broker {number} did not tell its APIs: {error or 'ERROR'}.")
    if not cluster.brokers:
        return None
    _take_version(paste, cluster)
    reading.facts = PastedCounts(brokers=len(cluster.brokers))
    return reading


def _take_version(paste: Paste, cluster: PastedCluster) -> None:
    """The version of the cluster: that of its oldest broker."""
    told = [
        (int(found.group(1)), int(found.group(2)), line.no)
        for line in paste.lines
        if "Fetch(1)" in line.text
        for found in _FETCH.finditer(line.text)
    ]
    if told:
        first, last, line = min(told, key=lambda one: one[:2])
        source = f"Fetch {first} to {last} of {LABEL}"
        cluster.evidence.versions.append(PastedValue(_version(first, last), line, source))


def _version(first: int, last: int) -> str:
    """The Kafka version of a broker with these versions of Fetch: the oldest possible one, 3.6 for all before 3.7."""
    if first >= 4:
        return "4.0" if last <= 17 else "4.1"
    return "3.9" if last >= 17 else "3.7" if last == 16 else "3.6"
