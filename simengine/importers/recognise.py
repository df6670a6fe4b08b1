"""Which output a paste is: the readers are asked in turn, those that give a cluster state first."""

from collections.abc import Callable
from typing import Final

from simengine.importers import (
    api_versions,
    compose,
    cruise,
    describe,
    endpoints,
    foreign,
    kcat,
    kcat_json,
    limits,
    logdirs,
    quorum,
    reassign,
    strimzi,
)
from simengine.importers.model import Reading
from simengine.importers.text import Paste, clean, decode

STATE_KINDS: Final = (describe.KIND, kcat.KIND)  # these become a scenario; the others are named only
_READERS: Final[tuple[Callable[[Paste], Reading | None], ...]] = (
    describe.read,
    kcat.read,
    kcat_json.read,
    api_versions.read,
    endpoints.read,
    quorum.read,
    lambda paste: foreign.read(paste.joined()) if "API Version:" in paste.joined() else None,
    strimzi.read,
    compose.read,
    logdirs.read,
    reassign.read,
    cruise.read,
    lambda paste: foreign.read(paste.joined()),
)


def read(data: str | bytes) -> Reading:
    """Recognise and read a paste. Never raises on any text: what cannot be used is a rejection in words."""
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", errors="replace"))
    if size > limits.BYTES_MAX:
        return _refused(
            f"The text has {size / 2**20:.1f} MiB; the limit is {limits.BYTES_MAX // 2**20} MiB. Paste fewer topics."
        )
    paste = clean(decode(data) if isinstance(data, bytes) else data)
    if not any(line.text.strip() for line in paste.lines):
        return _refused(f"The text is empty. {foreign.INSTEAD}")
    if len(paste.lines) > limits.LINES_MAX:
        return _refused(
            f"The text has {len(paste.lines):,} lines; the limit is {limits.LINES_MAX:,}. Paste fewer topics."
        )
    for reader in _READERS:
        reading = reader(paste)
        if reading is not None:
            return _limited(reading)
    return foreign.unknown()


def _refused(sentence: str) -> Reading:
    reading = foreign.unknown()
    reading.rejected = sentence
    return reading


def _limited(reading: Reading) -> Reading:
    """Refuse a cluster that is too big, and a listing in which nothing was whole."""
    facts = reading.facts
    if facts.partitions > limits.PARTITIONS_MAX:
        reading.rejected = (
            f"This cluster has {facts.partitions:,} partitions; the limit is {limits.PARTITIONS_MAX:,}. "
            "Remove topics or import fewer."
        )
    elif facts.brokers > limits.BROKERS_MAX:
        reading.rejected = (
            f"This cluster has {facts.brokers:,} brokers; the limit is {limits.BROKERS_MAX:,}. Import fewer topics."
        )
    elif reading.cluster is not None and not facts.brokers and not facts.topics:
        reading.rejected = (
            f"This looks like {reading.label}, but no line of it is whole. Paste it again from the start."
        )
    return reading
