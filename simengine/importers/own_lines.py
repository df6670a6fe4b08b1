"""The lines of a paste that belong to an output that was read: heads of its columns, text around its facts.

They hold no fact of their own, and so stand in no evidence; listed as unread they would look like something lost.
"""

import re
from collections.abc import Iterable
from typing import Final

from simengine.importers import (
    api_versions,
    endpoints,
    groups,
    kafka_configs,
    logdirs,
    quorum,
    reassign,
    server_properties,
)
from simengine.importers.cruise_cluster import LABEL as CRUISE
from simengine.importers.text import Paste

LINE_CHARS_MAX: Final = 300  # how a line begins tells it
_ENDPOINTS: Final = re.compile(
    r"\s*ID\*?\s+HOST\s+PORT\b|\s*NAME\s+PARTITIONS\s+REPLICAS\s*$|\s*\d+\s+\S+\s+\d+\s.*\bcontroller\s*$"
)
_OWN: Final = {
    quorum.LABEL: re.compile(
        r"\s*(?:(?:Cluster|Leader)Id|LeaderEpoch|HighWatermark|MaxFollowerLag(?:TimeMs)?|Current(?:Voters|Observers))\s*:|"
        r"\s*(?:NodeId|ReplicaId)\s+(?:\w+\s+){0,2}LogEndOffset\b|\s*\d+\s+(?:\S+\s+){1,6}(?:Leader|Follower|Observer)\s*$"
    ),
    api_versions.LABEL: re.compile(r"\s*\w+\(\d+\): (?:\d|UNSUPPORTED)|\s*\)\s*$"),
    groups.LABEL: re.compile(r"\s*GROUP\s+TOPIC\s+PARTITION|Consumer group '[^']*' (?:has|is)"),
    server_properties.LABEL: re.compile(r"\s*[\w.-]+\s*=|\s*#"),
    endpoints.TABLE: _ENDPOINTS,
    endpoints.LABEL: _ENDPOINTS,
    CRUISE: re.compile(
        r"\s*(?:PARTITION\s+LEADER\b|(?:BROKER|TOPIC|HOST)\s+[A-Z]|Brokers?:|Summary:|The cluster has |\d+\s+\[/|"
        r"(?:Under Replicated|Offline|Out of Sync|Under MinIsr|Partitions with|LogDirs of brokers)\b.*:)|"
        r".{0,120}has \d+ brokers?, \d+ replicas?"
    ),
    kafka_configs.LABEL: re.compile(
        r"\s*(?:Dynamic |All |Default )*(?:default )?configs for |\s*[\w.]+=.* sensitive=", re.I
    ),
    logdirs.LABEL: re.compile(r"\s*(?:Querying brokers|Received log dir)"),
    reassign.LABEL: re.compile(
        r"\s*(?:Status of|Current|Proposed) partition re|\s*Current partition replica assignment|\s*Save this to use|"
        r"\s*Reassignment of (?:partition|replica)|\s*(?:Successfully started|No) (?:partition )?reassignment|"
        r"\s*Clearing (?:broker|topic)-level throttles"
    ),
}  # the label of a reader -> how its lines begin


def contribute(paste: Paste, labels: Iterable[str]) -> list[int]:
    """Numbers of the lines that belong to the outputs with these labels."""
    patterns = [_OWN[label] for label in dict.fromkeys(labels) if label in _OWN]
    return [line.no for line in paste.lines if any(one.match(line.text[:LINE_CHARS_MAX]) for one in patterns)]
