"""Judges the expectations of a flow of MirrorMaker: of one topic, or of one group."""

from typing import Any, Final

from simengine.scenario.expect.language import Expectation, bounds
from simengine.scenario.expect.observed import Observation
from simengine.scenario.expect.states import inside

NAMING: Final = ("topic", "group", "on")


def judge_mirror(observed: Observation, expectation: Expectation) -> str:
    """The reason why an expectation of a flow does not hold at the end; "" when it does."""
    wanted = expectation.wanted
    flow = next((one for one in observed.verdict.get("mirrors", []) if one["flow"] == expectation.subject), None)
    if flow is None:
        return "the verdict says nothing of it"
    found = _topics(flow, wanted) if "topic" in wanted else _groups(flow, wanted)
    if len(found) != 1:
        return f"the verdict has {len(found)} entries of it"
    for key, value in wanted.items():
        if key not in NAMING and not inside(int(found[0][key]), bounds(value)):
            return f"{key} was {found[0][key]}, not {value}"
    return ""


def _topics(flow: dict[str, Any], wanted: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in flow["topics"] if one["topic"] == wanted["topic"]]


def _groups(flow: dict[str, Any], wanted: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of a group; without ``on`` it reads one partition only."""
    of_group = [one for one in flow["groups"] if one["group"] == wanted["group"]]
    return [one for one in of_group if one["partition"] == wanted.get("on", one["partition"])]
