"""The fault axis: what happens to the brokers of a run.

`{"kind": "as-is"}` keeps the document's own faults and actions. `{"kind": "rates", "mttf_us": …, "mttr_us": …}` lets
every broker fail and come back at random. `{"kind": "rack", "rack": …, "from_us": …, "to_us": …, "back_us": … | null}`
kills a rack at one moment, drawn from the seed alone, so that every variant meets it at the same moment. With kind
"site" and a cluster as `site` it is all brokers and controllers of that cluster. If the run kills that cluster itself,
then what follows in its timeline, such as clients that move, keeps its distance from the loss.
"""

from typing import Any

from playground.whatif.pipeline.parts import parts_of
from simengine.kernel.random import Stream
from simengine.scenario.durations import format_duration, parse_duration

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
    if lost_us is not None:
        _follow(document, lost_us, moment)
    document["timeline"].append({"at": format_duration(moment), "do": f"kill-{fault['kind']} {lost_by(fault)}"})
    if fault.get("back_us") is not None:
        back = format_duration(moment + fault["back_us"])
        document["timeline"].append({"at": back, "do": f"start-{fault['kind']} {lost_by(fault)}"})


def lost_by(fault: Json) -> str:
    """The rack or the cluster that a fault takes."""
    return str(fault[fault["kind"]])


def loss_us(document: Json, fault: Json) -> int | None:
    """When the run of a document loses the cluster that a fault takes; None if it does not."""
    if fault["kind"] != "site":
        return None
    return site_times(document, fault["site"], "kill-site")[0]


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
    """When the rack or the cluster dies under this seed, microseconds."""
    width = fault["to_us"] - fault["from_us"]
    if width <= 0:
        return int(fault["from_us"])
    draw = Stream(seed, lost_by(fault), "what-if rack").u32()
    return int(fault["from_us"] + (width * draw >> 32))


def duration_words(us: int) -> str:
    """A duration as prose has it, the unit after a space: "1.5 s", "5 min"."""
    text = format_duration(us)
    number = text.rstrip("ushm")
    unit = text[len(number) :]
    return f"{number} {'min' if unit == 'm' else unit}"


def fault_words(fault: Json) -> str:
    """The fault in words: "az-a dies at 10 s", "brokers fail every 1 min"."""
    if fault["kind"] == "as-is":
        return "faults as in the run"
    if fault["kind"] == "rates":
        return f"brokers fail every {duration_words(fault['mttf_us'])}, back after {duration_words(fault['mttr_us'])}"
    when = f"at {duration_words(fault['from_us'])}"
    if fault["to_us"] > fault["from_us"]:
        when = f"between {duration_words(fault['from_us'])} and {duration_words(fault['to_us'])}"
    back = "" if fault.get("back_us") is None else f", back after {duration_words(fault['back_us'])}"
    return f"{lost_by(fault)} dies {when}{back}"
