"""The time that brokers take to copy whole logs again: size ÷ rate, or longer under the replication throttle.

Implements FET-18 and FET-19 as the engine does: a broker's copies share its rate, and internal topics are small. The
throttle of leaders is left out: it is mostly set with that of followers, and to the same rate.
"""

from dataclasses import dataclass
from typing import Final

from simengine.kafka.shared.config import throttles
from simengine.questions.az.disks import OnDisks
from simengine.questions.az.words import gigabytes, roughly
from simengine.scenario import Document
from simengine.scenario.config_keys import FOLLOWER_RATE, FOLLOWERS_THROTTLED
from simengine.scenario.model import BrokerEntry, TopicEntry
from simengine.world.assembly import BYTES_PER_MB

LOG_MB: Final = 10_000  # of each copy, where nothing tells
COPY_MB_PER_S: Final = 100
MB_PER_S: Final = "MB/s a broker"


def log_mb(doc: Document) -> int:
    """The size of each copy."""
    told = doc.basis.log_mb if doc.basis is not None else None
    return LOG_MB if told is None else told


def copy_mb_per_s(doc: Document) -> int:
    """The speed at which a broker copies logs, in MB/s."""
    told = doc.basis.copy_mb_per_s if doc.basis is not None else None
    return COPY_MB_PER_S if told is None else told


@dataclass(slots=True)
class _Copies:
    """The copies that one broker makes, in MB; `throttled_mb` of them within its throttle of so many bytes/s."""

    rate: int | None
    mb: int = 0
    throttled_mb: int = 0

    def seconds(self, mb_per_s: int) -> int:
        """The seconds that they take."""
        slow = self.throttled_mb * BYTES_PER_MB // max(1, self.rate) if self.rate is not None else 0
        return max(self.mb // mb_per_s, slow)


def back_in_sync(doc: Document, copied: list[OnDisks]) -> str:
    """The words on when the last partition is back in sync, and on what that rests; "" where all are small."""
    rates = {broker.id: _rate(doc, broker) for broker in doc.brokers}
    topics = {topic.name: topic for topic in doc.topics}
    size, speed = log_mb(doc), copy_mb_per_s(doc)
    by_broker: dict[int, _Copies] = {}
    for one in copied:
        for broker in one.there if not one.at.topic.startswith("__") else ():
            copies = by_broker.setdefault(broker, _Copies(rates[broker]))
            copies.mb += size
            copies.throttled_mb += size if _is_throttled(topics[one.at.topic], one.at.number, broker) else 0
    if not by_broker:
        return ""
    slowest = max(by_broker.values(), key=lambda copies: copies.seconds(speed))
    lasts = slowest.seconds(speed)
    by = f"{speed:,} {MB_PER_S}"
    if slowest.rate is not None and lasts > slowest.mb // speed:
        by = f"{max(1, slowest.rate // BYTES_PER_MB):,} {MB_PER_S}, {FOLLOWER_RATE}"
    return f"back in sync after {roughly(lasts)} ({gigabytes(slowest.mb)} at {by})"


def _rate(doc: Document, broker: BrokerEntry) -> int | None:
    rate = broker.config.get(FOLLOWER_RATE, doc.config.get(FOLLOWER_RATE))
    return None if rate is None else int(rate)


def _is_throttled(topic: TopicEntry, number: int, broker: int) -> bool:
    return throttles(str(topic.config.get(FOLLOWERS_THROTTLED, "")), number, broker)
