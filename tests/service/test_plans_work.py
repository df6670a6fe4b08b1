"""Works of the engine service for the page of plans."""

import json
from typing import Any

import pytest

from playground.plans import work
from playground.scenarios.documents import StoredScenario
from tests.mirror.documents import mirrored

SHORT = {"lost": 5, "detect": 1, "decide": 1, "switch": 1, "repair": 5, "copy_back": 10, "drain": 2, "settle": 5}


def stored() -> StoredScenario:
    return StoredScenario(json.dumps(mirrored(rate=5)), [])


def asked(**what: Any) -> list[dict[str, Any]]:
    return list(work.lines(stored(), json.dumps(what)))


def test_the_head_names_clusters_flows_and_times() -> None:
    head = work.head(stored())
    assert (head["clusters"], head["flows"]) == (["east", "west"], [["east", "west"]])
    assert head["times"]["lost"] == 60


def test_the_first_line_names_all_plans() -> None:
    lines = work.lines(stored(), json.dumps({"lose": "east", "to": "west", "times": SHORT}))
    assert [one["plan"] for one in next(lines)["plans"]] == ["swap", "identity", "rebuild", "dual-run"]


def test_setups_are_compared_when_asked_for() -> None:
    lines = work.lines(stored(), json.dumps({"compare": "setups", "lose": "east", "to": "west", "times": SHORT}))
    assert [one["plan"] for one in next(lines)["plans"]] == ["passive", "active", "unmirrored", "stretched"]


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ({"lose": "east", "to": "north"}, "there is no cluster 'north'. Allowed: east, west."),
        ({"lose": "east", "to": "west", "times": {"lost": True}}, "lost is no time (got true)"),
        ({"lose": "east", "to": "west", "times": {"lost": 7201}}, "whole seconds from 0 to 7200"),
        ({"lose": "east", "to": "west", "times": {"later": 1}}, "there is no time 'later'"),
        ({"lose": "east", "to": "west", "times": 5}, "the times are a map"),
        ({"compare": "prices", "lose": "east", "to": "west"}, "called 'prices'. Allowed: ways-back, setups."),
        ({"compare": ["setups"], "lose": "east", "to": "west"}, "Allowed: ways-back, setups."),
    ],
)
def test_what_cannot_be_asked_is_said(what: dict[str, Any], words: str) -> None:
    (line,) = asked(**what)
    assert words in line["error"]
