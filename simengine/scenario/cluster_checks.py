"""The checks of a document of several clusters besides each of them: its top level, the links, the sums."""

from typing import Final

from simengine.scenario import limits
from simengine.scenario.model import NO_CLUSTER, ClusterPart, Document, PinnedPhases
from simengine.scenario.parts import parts_of
from simengine.scenario.problems import Problem
from simengine.scenario.profiles import DEFAULT_PROFILE
from simengine.scenario.sites import WorldNames

WITHIN: Final = "stands within each cluster"


def check(doc: Document) -> list[Problem]:
    """The problems of the whole; each cluster is checked by itself."""
    return [*_top_level(doc), *_links(doc), *_sums(doc)]


def _top_level(doc: Document) -> list[Problem]:
    """The keys of one cluster that were written beside the clusters."""
    said = {
        "cluster": doc.cluster is not NO_CLUSTER,
        "profile": doc.profile != DEFAULT_PROFILE,
        "elr": doc.elr_set is not None,
        "topics": bool(doc.topics),
        "producers": bool(doc.producers),
        "consumers": bool(doc.consumers),
        "phases": doc.phases != PinnedPhases(),
        "faults": doc.faults is not None,
    }
    name = next(iter(doc.clusters))
    return [Problem(key, "", WITHIN, f"clusters.{name}.{key}") for key, is_said in said.items() if is_said]


def _lossy(doc: Document) -> list[Problem]:
    """Links that are to lose packets: TCP makes delays of that, and the engine has no packets.

    Documents of one cluster are not refused: stored ones have the key, which never had an effect.
    """
    return [
        Problem(f"network.links[{i}].loss", f"{link.loss_ppm / 1e6:g}", "lost packets are not simulated", "0")
        for i, link in enumerate(doc.network.links)
        if link.loss_ppm
    ]


def _links(doc: Document) -> list[Problem]:
    names = WorldNames(parts_of(doc))
    return _lossy(doc) + [
        wrong.at(f"network.links[{i}].between[{j}]")
        for i, link in enumerate(doc.network.links)
        for j, end in enumerate(link.between)
        if (wrong := names.end_problem(end)) is not None
    ]


def _sums(doc: Document) -> list[Problem]:
    """The limits of a document hold for all of its clusters together."""
    parts = list(doc.clusters.values())
    sums = (
        ("brokers", sum(len(part.cluster.brokers) for part in parts), limits.BROKERS_MAX),
        ("topics", sum(len(part.topics) for part in parts), limits.TOPICS_MAX),
        ("partitions", sum(_partitions(part) for part in parts), limits.PARTITIONS_MAX),
        (
            "producers and consumers",
            sum(len(part.producers) + len(part.consumers) for part in parts),
            limits.CLIENTS_MAX,
        ),
    )
    return [
        Problem("clusters", str(count), f"{count} {what} in all clusters", f"at most {most}")
        for what, count, most in sums
        if count > most
    ]


def _partitions(part: ClusterPart) -> int:
    return sum(len(topic.assignment) for topic in part.topics)
