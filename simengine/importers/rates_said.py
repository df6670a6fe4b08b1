"""The load of single topics, where a paste tells it: a line with a topic's name and a number of records a second."""

import re
from typing import Final

from simengine.importers.evidence import Said
from simengine.importers.model import Cluster
from simengine.importers.text import Paste

_UNIT: Final = (
    r"(?:records|record|rec|messages|message|msgs|msg|events)\s?(?:/|per )\s?(?:s|sec|second)\b|(?:rps|msg/s)\b|/s\b"
)
_RATE = re.compile(
    r"^\W{0,9}([A-Za-z0-9._-]{1,249})[\s:=|,\"'`]{1,40}(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,3}))?"
    rf"\s{{0,3}}([kKM]?)\s{{0,3}}(?:{_UNIT})",
)
_PLAIN = re.compile(r"^\s{0,20}([A-Za-z0-9._-]{1,249})(?:\s{1,20}|\s{0,9}[:=]\s{0,9})(\d{1,9})(?:\.(\d{1,3}))?()\s*$")
SOURCE: Final = "a line with its rate"
_FACTORS: Final = {"": 1, "k": 1_000, "K": 1_000, "M": 1_000_000}


def contribute(paste: Paste, cluster: Cluster) -> None:
    """Add the rate of each topic of the cluster that a line gives; a number alone is in records a second."""
    for line in paste.lines:
        match = _RATE.match(line.text[:500]) or _PLAIN.match(line.text[:500])
        if match and match.group(1) in cluster.topics:
            number = float(f"{match.group(2).replace(',', '')}.{match.group(3) or 0}") * _FACTORS[match.group(4)]
            cluster.evidence.rates[match.group(1)] = Said(f"{number:g}", line.no, SOURCE)
