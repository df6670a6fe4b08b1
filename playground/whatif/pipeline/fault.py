"""The fault axis: what happens to the brokers of a run.

`{"kind": "as-is"}` keeps the document's own faults and actions. `{"kind": "rates", "mttf_us": …, "mttr_us": …}` lets
every broker fail and come back at random. `{"kind": "rack", "rack": …, "from_us": …, "to_us": …, "back_us": … | null}`
strikes a rack at one moment, drawn from the seed alone, so that every variant meets it at the same moment; likewise
kind "broker", and "roll" (`outages`). With kind "site" and a cluster as `site` all brokers and controllers of that
cluster die. If the run kills that cluster itself, then what follows in its timeline, such as clients that move, keeps
its distance from the loss.
"""

from typing import Any

from playground.whatif.pipeline.document_clusters import parts_of
from playground.whatif.pipeline.outages import how_of, subject, timeline_of, verb
from simengine.kernel.random import Stream
from simengine.scenario.durations import duration_words, format_duration, parse_duration
from simengine.scenario.verbs import KILL_SITE

Json = dict[str, Any]


def apply_fault(document: Json, fault: Json, lost_us: int | None = None) -> None:
    """Put a fault into a document whose actions on brokers are already gone.

    `lost_us`: when the run itself loses the cluster that the fault takes (`loss_us`).
    """
    if fault["kind"] == "as-is":
        return
    for _, part in parts_of(document):
        part.pop("faults", None)
    if fault["kind"] == "rates":
        mttf, mttr = format_duration(fault["mttf_us"]), format_duration(fault["mttr_us"])
        for _, part in parts_of(document):
            part["faults"] = {"broker-mttf": mttf, "broker-mttr": mttr, "kind": "kill"}
        stop_faults(document)
        return
    moment = moment_us(fault, document["seed"])
    if fault["kind"] != "site":
        document["timeline"] += timeline_of(fault, document, moment)
        return
    if lost_us is not None:
        _follow(document, lost_us, moment)
    document["timeline"].append({"at": format_duration(moment), "do": f"kill-{fault['kind']} {fault['site']}"})
    if fault.get("back_us") is not None:
        back = format_duration(moment + fault["back_us"])
        document["timeline"].append({"at": back, "do": f"start-{fault['kind']} {fault['site']}"})


def loss_us(document: Json, fault: Json) -> int | None:
    """The moment (us) when the run of a document loses the cluster that a fault takes; None if it does not."""
    if fault["kind"] != "site":
        return None
    return site_times(document, fault["site"], KILL_SITE)[0]


def site_times(document: Json, site: str, *verbs: str) -> list[int | None]:
    """For each verb when the timeline first does it to a cluster, microseconds; None if it does not."""
    entries = document.get("timeline") or []
    return [
        next((parse_duration(entry["at"]) for entry in entries if entry["do"] == f"{verb} {site}"), None)
        for verb in verbs
    ]


def _follow(document: Json, lost_us: int, moment: int) -> None:
    """Let what follows the loss keep its distance from it; what would come after the end is left out."""
    until_us = parse_duration(document["until"])
    kept = []
    for entry in document["timeline"]:
        at = parse_duration(entry["at"])
        new = at - lost_us + moment if at >= lost_us else at
        if new < until_us:
            kept.append({**entry, "at": format_duration(new)})
    document["timeline"] = kept


def stop_faults(document: Json) -> None:
    """Let no broker fail after the horizon (the document's `until`): there the run is closed and drained."""
    for _, part in parts_of(document):
        if part.get("faults"):
            part["faults"] = {**part["faults"], "until": document["until"]}


def moment_us(fault: Json, seed: int) -> int:
    """The moment when a fault begins under this seed, microseconds."""
    width = fault["to_us"] - fault["from_us"]
    if width <= 0:
        return int(fault["from_us"])
    draw = Stream(seed, str(fault.get(fault["kind"], "roll")), "what-if rack").u32()
    return int(fault["from_us"] + (width * draw >> 32))


def fault_words(fault: Json) -> str:
    """The fault in words: "az-a dies at 10 s", "brokers fail every 1 min"."""
    if fault["kind"] == "as-is":
        return "failures as in the run"
    if fault["kind"] == "rates":
        return f"brokers fail every {duration_words(fault['mttf_us'])}, back after {duration_words(fault['mttr_us'])}"
    if fault["kind"] == "roll":
        return f"every broker restarts in turn, {duration_words(fault['back_us'])} each, beginning {_when(fault)}"
    if fault["kind"] == "site":
        return f"{fault['site']} dies {_when(fault)}{_back(fault, 'back after')}"
    kind = how_of(fault)
    return f"{subject(fault)} {verb(fault, kind.verbs)} {_when(fault)}{_back(fault, kind.until)}"


def _when(fault: Json) -> str:
    first, last = fault["from_us"], fault["to_us"]
    one = last <= first
    return f"at {duration_words(first)}" if one else f"between {duration_words(first)} and {duration_words(last)}"


def _back(fault: Json, until: str) -> str:
    return "" if fault.get("back_us") is None else f", {until} {duration_words(fault['back_us'])}"


def past_words(fault: Json) -> str:
    """The fault as a clause on what happened: "when az-a died"."""
    if fault["kind"] == "rates":
        return "while brokers failed at random"
    if fault["kind"] == "roll":
        return "while every broker restarted in turn"
    if fault["kind"] == "site":
        return f"when {fault['site']} died"
    return f"when {subject(fault)} {verb(fault, how_of(fault).past)}"
