"""The administrators' calls that a run has refused, as JSON and as lines of text."""

from collections.abc import Iterable
from typing import Any

from simengine.facts.decisive import RequestRefused
from simengine.facts.errors import ERROR_NAMES, refused_because
from simengine.facts.trace import Decisive
from simengine.kernel.site import SEPARATOR
from simengine.kernel.titles import partition_title

Json = dict[str, Any]


def refusals(facts: Iterable[Decisive], names: Json) -> list[Json]:
    """The refused requests, in the order of time; ``t`` in us, ``partition`` "" where it is about none.

    Where clusters have names, ``cluster`` says which one a call without a partition was made to, and a partition has
    its cluster's name before it.
    """
    found: list[Json] = []
    for fact in facts:
        if not isinstance(fact, RequestRefused):
            continue
        p, error = int(fact.p), int(fact.error)
        partition = cluster = ""
        if p >= 0:
            topic, number = names["partitions"][p]
            partition = _prefix(topic, names) + partition_title(names["topics"][topic], number)
        elif "clusters" in names:
            cluster = str(names["clusters"][-1 - p]["name"])
        why = refused_because(fact.text, error)
        told = {"t": int(fact.t), "call": fact.text, "partition": partition, "error": ERROR_NAMES[error], "why": why}
        found.append({**told, "cluster": cluster} if cluster else told)
    return found


def _prefix(topic: int, names: Json) -> str:
    """``east/`` before the names of a cluster that has one."""
    return f"{names['clusters'][names['topic_clusters'][topic]]['name']}{SEPARATOR}" if "clusters" in names else ""


def refusal_line(refusal: Json) -> str:
    """``20.000 s: create v was refused: … (INVALID_REPLICA_ASSIGNMENT)``."""
    about = f" {refusal['partition']}" if refusal["partition"] else ""
    about += f" in cluster {refusal['cluster']}" if "cluster" in refusal else ""
    why = "" if refusal["why"] == refusal["error"] else f"{refusal['why']} "
    return f"{refusal['t'] / 1e6:.3f} s: {refusal['call']}{about} was refused: {why}({refusal['error']})"
