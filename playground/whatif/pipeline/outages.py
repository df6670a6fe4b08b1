"""The failures of a rack or a broker by what happens to it: the actions that begin and end it, and its words.

A fault of kind "rack" or "broker" names one as `rack` or `broker`, several with commas, or "any": then each seed draws
one. `how` is a key of `OUTAGES`; a fault without it is a death of processes, whose disks survive. A fault of kind
"roll" restarts every broker, one after the other.
"""

from typing import Any, Final, NamedTuple

from playground.whatif.pipeline.document_clusters import broker_names, node_names, racks_of
from simengine.kernel.random import Stream
from simengine.scenario.durations import format_duration
from simengine.scenario.verbs import POWER_LOSS

Json = dict[str, Any]

ANY: Final = "any"
SLOW: Final = 10
"""Records a second that a slow broker fetches at most."""

ROLL_GAP_US: Final = 10_000_000
"""From the start of one broker of a rolling restart to the stop of the next: its replicas catch up."""


class FailureKind(NamedTuple):
    """A kind of failure: actions with a place for the one and for the others, and verbs for one and for several."""

    kinds: tuple[str, ...]
    begin: str
    end: str
    verbs: tuple[str, str]
    past: tuple[str, str]
    until: str = "back after"


OUTAGES: Final = {
    "kill": FailureKind(("rack", "broker"), "kill{rack} {one}", "start{rack} {one}", ("dies", "die"), ("died", "died")),
    "power": FailureKind(
        ("rack", "broker"),
        f"{POWER_LOSS} {{one}}",
        "start{rack} {one}",
        ("loses power", "lose power"),
        ("lost power", "lost power"),
    ),
    "disk-lost": FailureKind(
        ("broker",), "kill {one}", "start {one} empty", ("loses its disk", "lose their disks"), ("lost its disk", "")
    ),
    "pause": FailureKind(
        ("broker",), "pause {one}", "resume {one}", ("is paused", "are paused"), ("was paused", ""), "for"
    ),
    "slow": FailureKind(
        ("broker",),
        f"slow {{one}} {SLOW}",
        "slow {one} off",
        (f"fetches at most {SLOW} records/s", ""),
        (f"fetched at most {SLOW} records/s", ""),
        "for",
    ),
    "cut": FailureKind(
        ("rack", "broker"),
        "cut {one}|{others}",
        "heal {one}|{others}",
        ("is cut off from the other nodes", "are cut off from the other nodes"),
        ("was cut off from the other nodes", "were cut off from the other nodes"),
        "for",
    ),
}
"""By the value of `how`. A rack has "-rack" in the place `{rack}`."""


def how_of(fault: Json) -> FailureKind:
    """The kind of the failure of a rack or a broker."""
    return OUTAGES[fault.get("how", "kill")]


def struck(fault: Json, document: Json) -> list[str]:
    """The racks or brokers of a fault under the seed of a document."""
    named = str(fault[fault["kind"]])
    if named != ANY:
        return named.split(",")
    every = racks_of(document) if fault["kind"] == "rack" else broker_names(document)
    return [every[Stream(document["seed"], fault["kind"], "what-if any").u32() * len(every) >> 32]]


def timeline_of(fault: Json, document: Json, moment: int) -> list[Json]:
    """The actions of a fault of a rack, of a broker, or of a rolling restart that begins at a moment (us)."""
    if fault["kind"] == "roll":
        return _roll(fault, document, moment)
    outage, some = how_of(fault), struck(fault, document)
    entries = [_entry(moment, outage.begin, fault, one, document) for one in some]
    if fault.get("back_us") is not None:
        entries += [_entry(moment + fault["back_us"], outage.end, fault, one, document) for one in some]
    return entries


def _entry(at_us: int, template: str, fault: Json, one: str, document: Json) -> Json:
    rack = "-rack" if fault["kind"] == "rack" else ""
    others = ",".join(name for name in node_names(document, one) if name != one)
    return {"at": format_duration(at_us), "do": template.format(one=one, rack=rack, others=others)}


def _roll(fault: Json, document: Json, moment: int) -> list[Json]:
    entries = []
    for number, broker in enumerate(broker_names(document)):
        stop_us = moment + number * (fault["back_us"] + ROLL_GAP_US)
        entries += [
            {"at": format_duration(stop_us), "do": f"stop {broker}"},
            {"at": format_duration(stop_us + fault["back_us"]), "do": f"start {broker}"},
        ]
    return entries


def subject(fault: Json) -> str:
    """The racks or brokers of a fault in words."""
    named = str(fault[fault["kind"]])
    if named == ANY:
        return f"any {fault['kind']}"
    words = " and ".join(named.split(","))
    return f"broker {words}" if fault["kind"] == "broker" else words


def verb(fault: Json, verbs: tuple[str, str]) -> str:
    """The verb of a fault for one or for several."""
    return verbs["," in str(fault[fault["kind"]])]
