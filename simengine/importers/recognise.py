"""Finds the outputs in a paste: every reader is asked, and all that they tell makes one cluster (combine.py).

The first reader that knows the paste gives it its name; those that give a cluster state are asked first.
"""

import gc
from collections.abc import Callable
from typing import Final

from simengine.importers import (
    api_versions,
    compose,
    cruise,
    describe,
    endpoints,
    fields,
    foreign,
    groups,
    json_partitions,
    kafka_configs,
    kcat,
    kcat_json,
    limits,
    logdirs,
    metadata_log,
    msk,
    partition_table,
    placed,
    printed,
    quorum,
    reassign,
    replica_rows,
    server_properties,
    strimzi,
    version,
    zookeeper,
)
from simengine.importers.combine import combine, tells
from simengine.importers.describe_warnings import warn_about_cluster
from simengine.importers.model import PastedCluster, PastedCounts, PasteResult, count
from simengine.importers.row_checks import settle_elrs
from simengine.importers.stripping.strip import undecorated
from simengine.importers.text import Paste, count_lines, decode, keyless_line

STATE_KINDS: Final = (describe.KIND, kcat.KIND, json_partitions.KIND)  # listings of partitions

_READERS: Final[tuple[Callable[[Paste], PasteResult | None], ...]] = (
    kcat.read,
    kcat_json.read,
    json_partitions.read,
    replica_rows.read,
    zookeeper.read,
    metadata_log.read,
    partition_table.read,
    printed.read,
    api_versions.read,
    endpoints.read,
    msk.read,
    quorum.read,
    lambda paste: foreign.read(paste.joined()) if "API Version:" in paste.joined() else None,
    strimzi.read,
    compose.read,
    logdirs.read,
    reassign.read,
    cruise.read,
    server_properties.read,
    kafka_configs.read,
    groups.read,
)


def read(data: str | bytes) -> PasteResult:
    """Recognise and read a paste. Never raises on any text: what cannot be used is a rejection in words.

    The collector of reference cycles is off meanwhile. It would look through all lines and rows several times.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return _read(data)
    finally:
        if collects:
            gc.enable()


def _read(data: str | bytes) -> PasteResult:
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", errors="replace"))
    if size > limits.BYTES_MAX:
        return _refused(
            f"The text has {size / 2**20:.1f} MiB; the limit is {limits.BYTES_MAX // 2**20} MiB. Paste fewer topics."
        )
    text = decode(data) if isinstance(data, bytes) else data
    if not text.strip():
        return _refused(f"The text is empty. {foreign.INSTEAD}")
    if keyless := keyless_line(text):
        return _refused(
            f"Line {keyless:,} goes on for {limits.KEYLESS_CHARS_MAX:,} characters without a key, such as "
            f"Partition: or Configs:. No output that is read here does. {foreign.INSTEAD}"
        )
    lines = count_lines(text)
    labels = fields.count_labels(text) if lines <= limits.LINES_MAX else 0
    if labels > limits.LABELS_MAX:
        return _refused(
            f"The text has {labels:,} rows, by its labels; the limit is {limits.LABELS_MAX:,}. Paste fewer topics."
        )
    paste = undecorated(text) if lines <= limits.LINES_MAX else Paste()
    lines = max(lines, len(paste.lines))  # HTML may hold more lines than it has line ends
    if lines > limits.LINES_MAX:
        return _refused(f"The text has {lines:,} lines; the limit is {limits.LINES_MAX:,}. Paste fewer topics.")
    reading = _together(paste)
    if paste.had_tags:
        reading.warn("The paste was HTML; its tags were taken away.")
    reading.notes += paste.notes
    return _limited(reading)


def _together(paste: Paste) -> PasteResult:
    """The reading of all outputs, under the name of the first."""
    listing = describe.taken(paste)
    readings = [describe.read(paste, listing), *(reader(paste) for reader in _READERS)]
    if listing.failed and not listing.rows and any(map(_tells_state, readings)):
        readings[0] = None  # its rows are those of another output, whose reader has them
    found = [reading for reading in readings if reading is not None]
    if not found or not any(one.cluster is not None and one.cluster.tells_brokers for one in found):
        other = None if found else describe.unreadable(listing)
        other = other or foreign.read(paste.joined())
        if other is not None and (not found or found[0].kind == describe.KIND and other.facts.partitions):
            return other
    if not found:
        return foreign.bare(paste) or foreign.unknown()
    usable = [one for one in found if one.cluster is not None and not one.rejected]
    first = next((one for one in usable if one.cluster is not None and one.cluster.tells_brokers), found[0])
    for doubt in first.alone:
        first.warn(doubt)
    is_refused = limits.is_too_big(first.facts.brokers, first.facts.partitions) or first.rejected
    if first.cluster is not None and not is_refused:
        combine(paste, first, [one for one in found if one is not first])
        if first.kind in STATE_KINDS:
            settle_elrs(first.cluster, first)
            first.facts = count(first.cluster)
            warn_about_cluster(first)
            if first.kind == kcat.KIND:
                kcat.warn_about_metadata(first)
        else:
            _count_declared(first.facts, first.cluster)
        if doubt := version.told(first.cluster).doubt:
            first.warn(doubt[:1].upper() + doubt[1:])
        if mirrors := foreign.mirror_maker(paste):
            first.note(f"A properties file of MirrorMaker 2 stands in the paste as well. {mirrors}")
        first.rejected = _why_no_stand_in(paste, first.cluster, [*found, listing.reading])
        together = dict.fromkeys(one.label for one in found if one is first or tells(one))
        if len(together) > 1:
            first.notes.append(f"Read together: {', '.join(together)}.")
    return first


def _tells_state(reading: PasteResult | None) -> bool:
    """True if an output lists a partition with its ISR."""
    return reading is not None and reading.cluster is not None and any(row.state_told for row in reading.cluster.rows())


def _why_no_stand_in(paste: Paste, cluster: PastedCluster, found: list[PasteResult]) -> str | None:
    """The refusal of a paste that lists partitions of which none can be used: no topic is invented for them."""
    if not cluster.brokers or not placed.is_needed(cluster) or cluster.evidence.declared:
        return None
    other = foreign.read(paste.joined())
    if other is not None and other.facts.partitions:
        return f"The paste lists partitions as {other.label}. {foreign.NOT_INVENTED} {foreign.INSTEAD}"
    lost = next((one for one in found if one.left_out or one.facts.partitions), None)
    if lost is None:
        return None
    why = f" {lost.warnings[0]}" if lost.warnings else ""
    return f"{lost.label} lists partitions, and none of them can be used.{why} {foreign.NOT_INVENTED}"


def _count_declared(facts: PastedCounts, cluster: PastedCluster) -> None:
    """Topics that any output of the paste declares, such as a create command in a compose file, count too."""
    declared = [one for name, one in cluster.evidence.declared.items() if name not in cluster.topics]
    facts.topics = max(facts.topics, len(cluster.topics) + len(declared))
    listed = sum(len(topic.rows) for topic in cluster.topics.values())
    facts.partitions = max(facts.partitions, listed + sum(one.partitions or 0 for one in declared))


def _refused(sentence: str) -> PasteResult:
    reading = foreign.unknown()
    reading.rejected = sentence
    return reading


def _limited(reading: PasteResult) -> PasteResult:
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
    elif reading.kind in STATE_KINDS and not reading.rejected and not facts.brokers and not facts.topics:
        reading.rejected = (
            f"This looks like {reading.label}, and no row of it can be used: {reading.warnings[0]}"
            if reading.warnings
            else f"This looks like {reading.label}, but no line of it is whole. Paste it again from the start."
        )
    return reading
