"""The cost of a fault as tables: by topic and mode of acks, and the recovery time of each partition in its parts."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from simengine.explain.incident_words import PARTS
from simengine.report.html import Html, element, table
from simengine.scenario.model import Document
from simengine.words.phrases import seconds

MODES: Final = ("all", "1")
NOT_YET: Final = "not so far"

Json = dict[str, Any]


def cost_table(rpo: Json, rto: Json) -> Html:
    """By topic and mode: the records lost, the longest recovery time, and the partition that took it."""
    head = ("Topic", "acks", "Records lost", "Recovery time, longest", "Partition")
    return table(head, [_cost(topic, mode, rpo, rto.get(mode)) for topic, mode in _written(rpo, rto)])


def _written(rpo: Json, rto: Json) -> list[tuple[str, str]]:
    """The topics that a fault touched, each with the modes in which it is written."""
    waited = {(one["topic"], mode) for mode, found in rto.items() for one in [*found["partitions"], *found["never"]]}
    lost = {(topic, mode) for topic, counts in rpo["topics"].items() for mode in MODES if counts[mode]}
    return sorted(waited | lost, key=lambda one: (one[0], MODES.index(one[1])))


def _cost(topic: str, mode: str, rpo: Json, rto: Json | None) -> Sequence[str]:
    lost = f"{rpo['topics'].get(topic, {}).get(mode, 0):,}"
    if rto is None:
        return topic, mode, lost, "–", "–"
    never = [one["partition"] for one in rto["never"] if one["topic"] == topic]
    if never:
        return topic, mode, lost, NOT_YET, _unbroken(never[0])
    worst: Json = max(
        (one for one in rto["partitions"] if one["topic"] == topic), key=lambda one: int(one["us"]), default={}
    )
    return topic, mode, lost, seconds(worst["us"]) if worst else "–", _unbroken(worst.get("partition", "–"))


def _unbroken(name: str) -> Html:
    """A name on one line: the hyphen of a partition is no place to break it."""
    return element("span", name, class_="name")


def recovery_table(rto: Json) -> Html:
    """The recovery time of each partition and mode, in its parts. Parts that are nowhere are left out."""
    told = [(mode, one) for mode in MODES if mode in rto for one in rto[mode]["partitions"]]
    parts = [part for part in PARTS if any(one[f"{part}_us"] for _, one in told)]
    back = [
        [_unbroken(one["partition"]), mode, seconds(one["us"]), *(seconds(one[f"{part}_us"]) for part in parts)]
        for mode, one in told
    ]
    never = [
        [_unbroken(one["partition"]), mode, NOT_YET, *("–" for _ in parts)]
        for mode in MODES
        if mode in rto
        for one in rto[mode]["never"]
    ]
    return table(["Partition", "acks", "Recovery time", *(PARTS[part] for part in parts)], [*never, *back])


def modes_without_calls(doc: Document, rto: Json) -> Iterator[str]:
    """The reason why a mode has no recovery time: nobody writes with it, or nobody did so after the fault."""
    actions = [entry.action for entry in doc.timeline]
    changed = [arg for one in actions for slot, arg in zip(one.slots, one.args, strict=True) if slot.kind == "acks"]
    used = {*(producer.acks for producer in doc.producers), *changed}
    for mode in MODES:
        if mode not in used:
            yield f"RTO acks={mode}: no call with acks={mode} in this run"
        elif mode not in rto:
            yield f"RTO acks={mode}: no call with acks={mode} after this fault to a partition that it touched"
