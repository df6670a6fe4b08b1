"""The labels of ``kafka-topics.sh --describe``: how each is spelled, and the name of its field.

Labels of every version: 0.8 wrote them in lower case, 2.5 added ``Adding Replicas``, 2.8 ``TopicId``, 3.8 ``Elr``;
``Offline`` and the observers come from Confluent Server.
"""

import re
from functools import lru_cache
from typing import Final

_CANONICAL: Final = {
    "topicid": "topic_id",
    "topic": "topic",
    "partitioncount": "count",
    "replicationfactor": "rf",
    "configs": "configs",
    "partition": "partition",
    "leader": "leader",
    "replicas": "replicas",
    "isr": "isr",
    "lastknownelr": "last_known",
    "elr": "elr",
    "addingreplicas": "adding",
    "removingreplicas": "removing",
    "offline": "offline",
    "offlinereplicas": "offline",
    "liveobservers": "observers",
    "observers": "observers",
    "markedfordeletion": "marked",
}
SPELLINGS_MAX: Final = 1024  # of labels that are kept: a stranger can write one in thousands of ways
LABELS: Final = (
    r"Topic\s?Id|Partition\s?Count|Replication\s?Factor|Topic|Configs|Partition|Leader|Adding\s?Replicas|"
    r"Removing\s?Replicas|Offline\s?Replicas|Replicas|Isr|Last\s?Known\s?Elr|Elr|Offline|Live\s?Observers|Observers|"
    r"Marked\s?For\s?Deletion"
)
STRICT = re.compile(
    rf"(?=[TPRCLIEOMA])(?<![\w.=-])({LABELS})\s*:", re.IGNORECASE
)  # first letters first: 10 times faster
GLUED = re.compile(rf"({LABELS})\s*:")  # also in the middle of a word
ANY = re.compile(rf"(?=[TPRCLIEOMA])(?:{LABELS})\s*:", re.IGNORECASE)  # whatever either of them finds, and more


@lru_cache(SPELLINGS_MAX)
def is_exact(label: str) -> bool:
    """True if a label has the letters that the tool prints, large and small."""
    return re.fullmatch(LABELS, label) is not None


@lru_cache(SPELLINGS_MAX)
def name_of(label: str) -> str:
    """A label by its field's name, however it is spaced."""
    return _CANONICAL[re.sub(r"\s", "", label).lower()]
