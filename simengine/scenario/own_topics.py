"""The topics that Kafka, Connect and MirrorMaker keep for themselves, by their names: no application misses them."""

import re
from typing import Final

from simengine.mirror.replication_policy import ReplicationPolicy

CONNECTS: Final = re.compile(r"(.*[._-])?(connect|mirrormaker2?)([._-].*)?[._-](offsets?|configs?|status)")
INTERNAL: Final = ".internal"
DEFAULT: Final = ReplicationPolicy()


def is_own_topic(topic: str, policy: ReplicationPolicy = DEFAULT) -> bool:
    """True for such a topic, also for one that a flow with the default policy has left. ``policy``: of the flow."""
    if topic.endswith(INTERNAL) or CONNECTS.fullmatch(topic):
        return True
    return any(one.is_internal_topic(topic) or one.is_heartbeats_topic(topic) for one in (policy, DEFAULT))
