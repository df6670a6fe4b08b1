"""The simulated version of a pasted cluster, and whether ELR is on: written in the paste, or read off Elr columns.

``kafka-topics.sh`` prints Elr columns, empty ones too, of every cluster since 3.9 (KRaft), and N/A where the cluster
does not tell. An Elr that holds an id is of 4.0 or later, with ELR on (ELR-1).
"""

from dataclasses import dataclass

from simengine.importers.model import PastedCluster
from simengine.importers.versions_said import number_of, profile_for
from simengine.scenario.profiles import NEWEST_PROFILE, VERSIONS

FIRST_WITH_ELR = (4, 0)


@dataclass(frozen=True, slots=True)
class PastedVersion:
    """Profile and ELR (None: the default of the version), each with its reason; ``doubt``: what contradicts."""

    profile: str
    why: str
    elr: bool | None = None
    why_elr: str = "the default of a new cluster of this version"
    doubt: str = ""


def told(cluster: PastedCluster) -> PastedVersion:
    """The version of the cluster as the paste tells it, else the version that is assumed."""
    profile, why, doubt = _profile(cluster)
    feature = cluster.evidence.elr
    if feature is not None:
        return PastedVersion(profile, why, feature.value == "on", f"{feature.place()} says so", doubt)
    elr = elr_told(cluster)
    if elr is None:
        return PastedVersion(profile, why, doubt=doubt)
    off = "a topic shows no min.insync.replicas, which a cluster with ELR sets for all of them (ELR-7)"
    return PastedVersion(profile, why, elr, "read off the Elr columns" if elr else off, doubt)


def _profile(cluster: PastedCluster) -> tuple[str, str, str]:
    written = cluster.evidence.versions
    newer = _shows_4_0(cluster)
    if written:
        last = written[-1]
        profile = profile_for(last.value)
        exact = "" if profile == last.value else f"; {profile} is the nearest that is simulated"
        why = f"{last.place()} names {last.value}{exact}"
        if not newer or number_of(last.value) >= FIRST_WITH_ELR:
            return profile, why, ""
        return NEWEST_PROFILE, newer, f"{last.place()} names Kafka {last.value}, but {newer}."
    oldest = min(VERSIONS, key=number_of)
    if newer:
        return NEWEST_PROFILE, newer, ""
    if cluster.evidence.is_zookeeper is not None:
        place = cluster.evidence.is_zookeeper.place()
        return oldest, f"{place}: ZooKeeper, so it is older than 4.0; {oldest} is simulated (as KRaft)", ""
    if has_elr_columns(cluster):
        return NEWEST_PROFILE, "the listing has Elr columns, which are printed since 3.9; it does not tell which", ""
    if cluster.is_described:
        why = f"no Elr is told (N/A, or no column), so it is older than 4.0; {oldest} is the oldest one here (as KRaft)"
        return oldest, why, ""
    return NEWEST_PROFILE, "the listing does not tell", ""


def _shows_4_0(cluster: PastedCluster) -> str:
    """A clause on the proof of version 4.0 or later; "" without a proof."""
    if _keeps_elr(cluster):
        return "the listing has an Elr, which a cluster keeps since 4.0"
    said = cluster.evidence.since_4_0
    return f"{said.place()} has {said.value}, which is printed since 4.0" if said else ""


def _keeps_elr(cluster: PastedCluster) -> bool:
    """True if any row of the paste has an Elr or a LastKnownElr that is not empty."""
    return cluster.evidence.elr_kept or any(row.elr or row.last_known for row in cluster.rows())


def is_older(cluster: PastedCluster) -> bool:
    """True if the paste names a version older than the oldest that is simulated."""
    written = cluster.evidence.versions
    return bool(written) and number_of(written[-1].value) < min(number_of(one) for one in VERSIONS)


def has_elr_columns(cluster: PastedCluster) -> bool:
    """True if any listing of the paste has Elr columns that are not N/A."""
    return cluster.evidence.elr_columns or any(row.elr is not None for row in cluster.rows())


def elr_told(cluster: PastedCluster) -> bool | None:
    """True if eligible leader replicas are on, as far as a listing with their columns tells; None where it does not.

    Only with ELR is an ISR ever empty (ELR-3), and with ELR every topic shows a min.insync.replicas (ELR-7).
    """
    if not has_elr_columns(cluster):
        return None
    if _keeps_elr(cluster) or any(row.elr is not None and not row.isr for row in cluster.rows()):
        return True
    shown = [topic.configs for topic in cluster.topics.values() if topic.configs is not None and topic.tells_configs]
    return False if any("min.insync.replicas" not in configs for configs in shown) else None
