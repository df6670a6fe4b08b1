import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simengine.scenario import load, to_json, to_plain, to_yaml
from simengine.scenario.builtin import NAMES, builtin
from tests.documents.helpers import document, plain

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_a_built_in_document_survives_writing(name: str) -> None:
    assert load(to_yaml(builtin(name))) == builtin(name)
    assert load(to_json(builtin(name))) == builtin(name)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_survives_writing(path: Path) -> None:
    scenario = load(path.read_bytes())
    assert load(to_yaml(scenario)) == scenario
    assert load(to_json(scenario)) == scenario
    assert to_yaml(load(to_yaml(scenario))) == to_yaml(scenario)


def test_defaults_are_left_out_and_the_essentials_are_not() -> None:
    text = to_yaml(document())
    assert text.startswith('format: 1\ntitle: ""\nprofile: "4.2"\nseed: 1\nuntil: 1m\ncluster:\n  brokers:\n')
    assert "network" not in text
    assert "- 3\n" in text


@pytest.mark.parametrize(
    "text", ["1e3", "08", "010", "on", "null", "1:30", "2026-01-01", "~", "", "<<", "- a", "a: b", "0x1F", ".5", "1."]
)
def test_a_title_that_looks_like_something_else_stays_a_text(text: str) -> None:
    assert load(to_yaml(document(title=text))).title == text


def test_json_is_plain_json() -> None:
    assert json.loads(to_json(document())) == to_plain(document())


_name = st.text("abcxyz.-_", min_size=1, max_size=8).filter(lambda text: text not in (".", ".."))
_time = st.integers(0, 10**10).map(lambda us: f"{us}us")
_text = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=40)


_prose = st.text(st.sampled_from("ab \n\t:#-|>'\"{}[],&*!%@`\\é\u0085\u2028\x07\r~1."), max_size=30)


@given(_prose)
@settings(deadline=None)
def test_prose_of_any_kind_stays_as_it_is(text: str) -> None:
    scenario = document(title=text, about=text, captions=[{"at": "1s", "text": text + "x"}])
    assert load(to_yaml(scenario)) == scenario


def test_long_prose_is_written_as_a_block() -> None:
    assert "about: |\n  One line.\n\n  Another.\nprofile" in to_yaml(document(about="One line.\n\nAnother.\n"))


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Random valid documents as plain data."""
    ids = draw(st.lists(st.integers(0, 90), min_size=1, max_size=6, unique=True))
    names = draw(st.lists(_name, min_size=1, max_size=3, unique=True))
    factor = draw(st.integers(1, len(ids)))
    moments = sorted(draw(st.lists(st.integers(0, 10**9), max_size=5)))
    return plain(
        title=draw(_text),
        about=draw(_text),
        seed=draw(st.integers(0, 2**53 - 1)),
        elr=draw(st.booleans()),
        until=draw(_time),
        cluster={
            "brokers": [{"id": i, "rack": draw(st.sampled_from([None, "az-a", "az-b"]))} for i in ids],
            "config": {"replica.lag.time.max.ms": draw(st.integers(1, 10**6))},
        },
        topics=[
            {"name": name, "assignment": [draw(st.permutations(ids))[:factor] for _ in range(draw(st.integers(1, 3)))]}
            for name in names
        ],
        producers=[{"id": "P:1", "topic": names[0], "rate": draw(st.integers(0, 10**6)) / 1000}],
        consumers=[{"id": "C:1", "group": "g", "topics": names}],
        network={
            "latency": "2ms",
            "links": [{"between": [ids[0], "P:1"], "jitter": f"{draw(st.integers(0, 10**6))}us"}],
        },
        phases={"heartbeat": {str(ids[0]): draw(_time)}},
        timeline=[
            {"at": f"{us}us", "do": draw(st.sampled_from([f"kill {ids[0]}", "heal", f"acks {names[0]} 1"]))}
            for us in moments
        ],
    )


@given(documents())
@settings(max_examples=60, deadline=None)
def test_writing_loses_nothing(data: dict[str, Any]) -> None:
    scenario = load(data)
    assert load(to_yaml(scenario)) == scenario
    assert load(to_json(scenario)) == scenario
