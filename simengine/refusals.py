"""The administrators' calls that a run has refused, as JSON and as lines of text."""

from collections.abc import Iterable
from typing import Any

from simengine.kernel.errors import ERROR_NAMES, refused_because
from simengine.kernel.facts import REQUEST_REFUSED
from simengine.kernel.titles import partition_title
from simengine.kernel.trace import Decisive

Json = dict[str, Any]


def refusals(facts: Iterable[Decisive], names: Json) -> list[Json]:
    """What was asked for and refused, in the order of time; ``t`` in us, ``partition`` "" where it is about none."""
    found: list[Json] = []
    for fact in facts:
        if fact.kind != REQUEST_REFUSED:
            continue
        p, error = int(fact.values[0]), int(fact.values[1])
        partition = ""
        if p >= 0:
            topic, number = names["partitions"][p]
            partition = partition_title(names["topics"][topic], number)
        why = refused_because(fact.text, error)
        found.append(
            {"t": int(fact.t), "call": fact.text, "partition": partition, "error": ERROR_NAMES[error], "why": why}
        )
    return found


def refusal_line(refusal: Json) -> str:
    """``20.000 s: create v was refused: … (INVALID_REPLICA_ASSIGNMENT)``."""
    about = f" {refusal['partition']}" if refusal["partition"] else ""
    why = "" if refusal["why"] == refusal["error"] else f"{refusal['why']} "
    return f"{refusal['t'] / 1e6:.3f} s: {refusal['call']}{about} was refused: {why}({refusal['error']})"
