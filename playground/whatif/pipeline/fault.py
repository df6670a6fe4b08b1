"""The fault axis: what happens to the brokers of a run.

`{"kind": "as-is"}` keeps the document's own faults and actions. `{"kind": "rates", "mttf_us": …, "mttr_us": …}` lets
every broker fail and come back at random. `{"kind": "rack", "rack": …, "from_us": …, "to_us": …, "back_us": … | null}`
kills a rack at one moment, drawn from the seed alone, so that every variant meets it at the same moment.
"""

from typing import Any

from simengine.kernel.random import Stream
from simengine.scenario.durations import format_duration

Json = dict[str, Any]


def apply_fault(document: Json, fault: Json) -> None:
    """Put a fault into a document whose actions on brokers are already gone."""
    if fault["kind"] == "as-is":
        return
    document.pop("faults", None)
    if fault["kind"] == "rates":
        mttf, mttr = format_duration(fault["mttf_us"]), format_duration(fault["mttr_us"])
        document["faults"] = {"broker-mttf": mttf, "broker-mttr": mttr, "kind": "kill"}
        stop_faults(document)
        return
    moment = rack_moment_us(fault, document["seed"])
    document["timeline"].append({"at": format_duration(moment), "do": f"kill-rack {fault['rack']}"})
    if fault.get("back_us") is not None:
        back = format_duration(moment + fault["back_us"])
        document["timeline"].append({"at": back, "do": f"start-rack {fault['rack']}"})


def stop_faults(document: Json) -> None:
    """Let no broker fail after the horizon (the document's `until`): there the run is closed and drained."""
    if document.get("faults"):
        document["faults"] = {**document["faults"], "until": document["until"]}


def rack_moment_us(fault: Json, seed: int) -> int:
    """When the rack dies under this seed, microseconds."""
    width = fault["to_us"] - fault["from_us"]
    if width <= 0:
        return int(fault["from_us"])
    draw = Stream(seed, fault["rack"], "what-if rack").u32()
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
    return f"{fault['rack']} dies {when}{back}"
