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
from simengine.importers.text import Paste, clean, count_lines, decode

STATE_KINDS: Final = (describe.KIND, kcat.KIND)  # these become a scenario; the others are named only


def _describe(paste: Paste) -> Reading | None:
    """A describe listing, unless all it has is a header that another tool prints above a table of its own."""
    reading = describe.read(paste)
    if reading is not None and kcat.is_in(paste.joined()):
        reading.warn("Lines of kcat -L stand in the paste as well; they are not used.")
    if reading is None or reading.facts.partitions:
        return reading
    other = foreign.read(paste.joined())
    return other if other is not None and other.facts.partitions else reading


_READERS: Final[tuple[Callable[[Paste], Reading | None], ...]] = (
    _describe,
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
    foreign.bare,
)


def read(data: str | bytes) -> Reading:
    """Recognise and read a paste. Never raises on any text: what cannot be used is a rejection in words."""
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", errors="replace"))
    if size > limits.BYTES_MAX:
        return _refused(
            f"The text has {size / 2**20:.1f} MiB; the limit is {limits.BYTES_MAX // 2**20} MiB. Paste fewer topics."
        )
    text = decode(data) if isinstance(data, bytes) else data
    if not text.strip():
        return _refused(f"The text is empty. {foreign.INSTEAD}")
    lines = count_lines(text)
    paste = clean(text) if lines <= limits.LINES_MAX else Paste()
    lines = max(lines, len(paste.lines))  # HTML may hold more lines than it has line ends
    if lines > limits.LINES_MAX:
        return _refused(f"The text has {lines:,} lines; the limit is {limits.LINES_MAX:,}. Paste fewer topics.")
    for reader in _READERS:
        reading = reader(paste)
        if reading is not None:
            if paste.had_numbers:
                reading.notes.append("The numbers between the lines were taken for line numbers and left out.")
            return _limited(reading)
    return describe.unreadable(paste) or foreign.unknown()


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
