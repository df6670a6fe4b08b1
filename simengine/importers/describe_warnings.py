"""Warnings before a reader trusts the picture of a describe listing: gaps, repeats, contradictions."""

import re
from itertools import islice
from typing import Final

from simengine.importers.evidence import WHAT
from simengine.importers.listing import Listings
from simengine.importers.liveness import infer
from simengine.importers.model import NO_LEADER, PastedCluster, PastedPartition, PastedTopic, PasteResult
from simengine.importers.noise import is_ellipsis
from simengine.importers.text import Paste

_BOOTSTRAP = re.compile(r"--(?:bootstrap-server|zookeeper)[ =]+([^\s'\"\\]+)")
SERVERS_MAX: Final = 100  # that are compared with each other
BESIDE: Final = 2  # lines: a blank one and the ellipsis
_NAMED_MAX = 5


def warn_about_cluster(reading: PasteResult) -> None:
    """Add a sentence for each doubt that the cluster of all outputs leaves, in the order of weight."""
    assert reading.cluster is not None
    topics = list(reading.cluster.topics.values())
    is_described = reading.cluster.is_described
    _warn_gaps(topics, is_described, reading)
    if is_described:
        _warn_filtered(topics, reading)
    _warn_short_rows(topics, reading)
    _warn_all_leaderless(reading.cluster, reading)
    _warn_failed_disks(reading.cluster, reading)
    _warn_gone(reading.cluster, reading)


def warn_about_listing(paste: Paste, listings: Listings, reading: PasteResult) -> None:
    """Add a sentence for each doubt about the describe listing itself."""
    if is_cut_out(paste, listings.first_line, listings.last_line):
        reading.warn("Lines were cut out of this listing (an ellipsis stands in it).")
    _warn_repeats(listings, reading)
    _warn_sources(paste, reading)


def is_cut_out(paste: Paste, first: int, last: int) -> bool:
    """True if an ellipsis stands between two lines of a listing, or right before or behind them."""
    near = range(first - BESIDE, last + BESIDE + 1)
    return any(line.no in near and is_ellipsis(line.text) for line in paste.lines)


def names(words: list[str]) -> str:
    """The first few of a list, and how many more there are."""
    shown = ", ".join(words[:_NAMED_MAX])
    return shown if len(words) <= _NAMED_MAX else f"{shown} and {len(words) - _NAMED_MAX} more"


def many_partitions(name: str, listed: int, declared: int) -> str:
    """The warning for a listing that does not show as many partitions as it counts."""
    if listed > declared:
        return f"{name}: {listed} partitions are listed, more than the {declared} that it is said to have."
    return f"{name}: {listed} of {declared} partitions are listed. The rest is not made up."


def _warn_gaps(topics: list[PastedTopic], is_described: bool, reading: PasteResult) -> None:
    bare = [topic.name for topic in topics if topic.declared is None and topic.configs is None]
    if bare and is_described:
        reading.warn(f"No header line for {names(bare)}: PartitionCount and configs are unknown.")
    for topic in topics:
        if topic.declared is not None and len(topic.rows) != topic.declared:
            reading.warn(many_partitions(topic.name, len(topic.rows), topic.declared))
        elif topic.declared is None and topic.configs is not None and not topic.rows:
            reading.warn(f"{topic.name}: no partition is listed.")


def _warn_filtered(topics: list[PastedTopic], reading: PasteResult) -> None:
    """Topics of which a filter left partitions out, told by its flag or by rows that are all of one kind."""
    for flag, fits in WHAT.items():
        cut = [topic.name for topic in topics if topic.filter == flag and topic.declared != len(topic.rows)]
        if cut:
            reading.warn(
                f"{flag} lists a partition only if it {fits}: the others of {names(cut)} are not in the paste, and so "
                "not in the run. Paste the whole kafka-topics.sh --describe, without a filter, to have them."
            )
    bare = [topic for topic in topics if topic.rows and not topic.filter]
    rows = [row for topic in bare for row in topic.rows.values()]
    is_bare = all(topic.configs is None and topic.declared is None and not topic.filter for topic in topics)
    if rows and is_bare and all(map(_is_short, rows)):
        reading.warn(
            "No header stands above the rows and each is under-replicated, as --under-replicated-partitions lists "
            "them. If there are more partitions, paste the whole kafka-topics.sh --describe."
        )


def _is_short(row: PastedPartition) -> bool:
    return len(row.isr) < len(row.replicas) and row.leader != NO_LEADER


def _warn_repeats(listings: Listings, reading: PasteResult) -> None:
    for name, times in listings.times.items():
        reading.warn(f"{name} is listed {times} times: of each partition the last row counts.")
        listing = listings.open[name]
        older = [f"{name}-{row.number}" for row in listing.topic.rows.values() if row.line < listing.since]
        if older:
            reading.warn(f"The last listing of {name} does not show {names(older)}: taken from an earlier one.")
    for row in listings.repeated:
        reading.warn(f"Line {row.line}: {row.topic}-{row.number} is said twice; the last row counts.")
    _warn_moments(listings, reading)


def _warn_moments(listings: Listings, reading: PasteResult) -> None:
    """Topics that were last listed before another one changed: what is built is then no moment of the cluster."""
    if not listings.changed:
        return
    before, last = max(listings.changed, key=lambda pair: pair[1].line)
    stale = [
        name
        for name, listing in listings.open.items()
        if name != last.topic and listing.topic.rows and listing.last_line < before.line
    ]
    if stale:
        reading.warn(
            f"{names(stale)}: last listed above line {last.line}, where {last.topic}-{last.number} has changed. "
            "Two moments are put together; list all topics at once if that matters."
        )


def _warn_short_rows(topics: list[PastedTopic], reading: PasteResult) -> None:
    """Rows with fewer replicas than their header's ReplicationFactor: the line may have been cut."""
    for topic in topics:
        short = [f"{topic.name}-{row.number}" for row in topic.rows.values() if len(row.replicas) < (topic.factor or 0)]
        if short:
            reading.warn(f"Fewer replicas are listed than ReplicationFactor: {topic.factor} says: {names(short)}.")


def _warn_all_leaderless(cluster: PastedCluster, reading: PasteResult) -> None:
    """A listing of partitions without leader alone says of few brokers whether they run."""
    rows = list(cluster.rows())
    is_whole = all(topic.declared == len(topic.rows) for topic in cluster.topics.values())
    if is_whole or any(row.leader != NO_LEADER for row in rows):
        return
    unknown = [str(broker) for broker, life in infer(cluster).items() if not life.told]
    if unknown:
        reading.warn(
            f"No listed partition has a leader, so nothing tells which of {names(unknown)} run. They are taken "
            "for running; paste the whole kafka-topics.sh --describe, without a filter, to have it told."
        )


def _warn_failed_disks(cluster: PastedCluster, reading: PasteResult) -> None:
    """Copies that are offline on brokers that are alive: their log directory has failed."""
    lives = infer(cluster)
    failed = [(row, broker) for row in cluster.rows() for broker in row.offline if lives[broker].alive]
    if failed:
        copies = names([f"{row.topic}-{row.number} on broker {broker}" for row, broker in failed])
        reading.warn(
            f"Offline although the broker is alive, as after the failure of a log directory: {copies}. "
            "Failed disks are not simulated: such a copy is taken for one that works."
        )


def _warn_gone(cluster: PastedCluster, reading: PasteResult) -> None:
    """Brokers that a later list of brokers does not name any more, and that no row shows alive."""
    lives = infer(cluster)
    unlisted = [broker.id for broker in cluster.brokers.values() if broker.alive is False and broker.is_unlisted]
    gone = [str(broker) for broker in sorted(unlisted) if not lives[broker].alive]
    if gone:
        reading.warn(f"The last list of brokers does not name {', '.join(gone)} any more: taken for down.")


def _warn_sources(paste: Paste, reading: PasteResult) -> None:
    if paste.had_escapes:
        reading.warn("Parts of the paste were quoted by a program (literal \\t); they were read as tabs.")
    named = (value for line in paste.lines if "describe" in line.text for value in _BOOTSTRAP.findall(line.text))
    servers = [frozenset(value.split(",")) for value in islice(dict.fromkeys(named), SERVERS_MAX)]
    if any(not first & other for at, first in enumerate(servers) for other in servers[at + 1 :]):
        reading.warn("The commands name different servers. If these are two clusters, import them one at a time.")
