"""One look finds all that is wrong, shapes and references together, and nothing that only follows from an error."""

import copy
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simengine.scenario import DocumentError, Problem, load
from simengine.scenario.loading import read_plain
from tests.documents.helpers import plain, problem, problems

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))
PLACES = 12  # tried in each document
UNREADABLE: dict[str, Any] = {"zz": [None]}
WRONG: list[Any] = [None, True, 3.5, "zz zz", [], {}, -1, 10**20, [None], [{"x": 1}], {"zz": []}, ""]
PYTHON = re.compile(r"\b(None|True|False|dict|NoneType|Input should|pydantic|object)\b|\(\(|'[^']*':")

Loc = tuple[Any, ...]


def test_shapes_and_references_are_told_in_one_go() -> None:
    """Seven errors, of which three come to light only where the others are passed over."""
    source = """
format: 1
cluster: {brokers: [{id: 1, rack: az-a}, {id: 2}, {id: 3}], controllers: [100]}
topics: [{name: orders, assignment: [[1, 2, 3]], config: {min.isnync.replicas: 2}}]
producers: [{id: P, topic: ordres, rate: 10, acks: al}]
timeline: [{at: 5, do: kil 2}, {at: 9s, do: kill 9}, {at: 3s, do: kill 1}]
"""
    assert [found.path for found in problems(source)] == [
        "topics[0].config.min.isnync.replicas",
        "producers[0].acks",
        "producers[0].topic",
        "timeline[0].at",
        "timeline[0].do",
        "timeline[1].do",
        "timeline[2].at",
    ]


def test_a_part_that_is_left_out_moves_no_other() -> None:
    timeline = [{"at": "1s", "do": "kill 9"}]
    topics = [{"name": "a", "assignment": "all"}, {"name": "b", "assignment": [[1, 7]]}]
    found = problems(plain(topics=topics, producers=None, consumers=None, timeline=timeline))
    assert [item.path for item in found] == ["topics[0].assignment", "topics[1].assignment[0][1]", "timeline[0].do"]


@pytest.mark.parametrize(
    "changes",
    [
        {"topics": [{"name": "orders", "assignment": "all"}]},
        {"profile": "4", "cluster": {"brokers": [1, {"id": 2, "config": {"min.insync.replicas": 2}}, 3]}},
        {"until": "soon", "captions": [{"at": "5m", "text": "late"}]},
        {"producers": [{"id": "P", "topic": "orders", "acks": "one", "config": {"retries": 0}}]},
        {"topics": [{"name": "orders", "assignment": [[1]], "initial": {"0": {"leader": 1, "isr": "1"}}}]},
        {"timeline": [{"at": "1s", "do": "creat new 3 1"}, {"at": "2s", "do": "elect preferred new-0"}]},
        {"timeline": [{"at": "1s", "do": "create new 9 1"}, {"at": "2s", "do": "elect preferred new-0"}]},
        {"timeline": [{"at": "soon", "do": "kill 1"}, {"at": "2s", "do": "start 1"}]},
        {"cluster": {"brokers": [1, 2, 3], "config": {"broker.session.timeout.ms": "x"}}},
    ],
)
def test_nothing_is_told_that_only_follows_from_another_error(changes: dict[str, Any]) -> None:
    assert problem(**changes)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_one_unreadable_place_makes_no_other_place_wrong(path: Path) -> None:
    document = read_plain(path.read_bytes())
    for loc in sample(document, path.stem):
        for found in told(put(document, loc, UNREADABLE)):
            mine = path_of(document, loc)
            assert found.path.startswith(mine) or mine.startswith(found.path), str(found)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_error_names_its_place_and_what_is_allowed_in_no_words_of_python(path: Path) -> None:
    document = read_plain(path.read_bytes())
    values = random.Random(path.stem)
    for loc in sample(document, path.stem):
        for found in told(put(document, loc, values.choice(WRONG))):
            assert found.path and (found.allowed or found.near or "at most" in found.message), str(found)
            assert not PYTHON.search(str(found)), str(found)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", "document: is empty. Allowed: a map of keys and values with at least format: 1 and cluster."),
        ("# nothing yet\n", "document: is empty."),
        ("[1, null]", "document: not a map of keys and values (got [1, null])."),
        ("format: 1\ncluster: {brokers: [1]}\nseed: abc", "seed: not a whole number (got abc). Allowed: a whole"),
        ("format: 1\ncluster: {brokers: [1]}\nelr: ~x", "elr: not true or false (got ~x). Allowed: true, false."),
        ("format: 1\ncluster: {brokers: [-4]}", "brokers[0].id: out of range (got -4). Allowed: a whole"),
        (
            "format: 1\ncluster: {brokers: [1]}\ntopics: [{name: t, assignment: [[1]], config: {retention.ms: '--1'}}]",
            "topics[0].config.retention.ms: not a whole number (got --1).",
        ),
        ("format: 1\ncluster: null", "cluster: not a map of keys and values (got null). Allowed: a map of brokers,"),
        ("format: 1\ncluster: {brokers: [1]}\nexpect: [{verdict: t, lost: 0, rules: 3}]", "Allowed: a list of ids"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_place_value_and_what_is_allowed(source: str, text: str) -> None:
    assert text in str(problems(source)[0])


def told(document: Any) -> list[Problem]:
    try:
        load(document)
    except DocumentError as error:
        return error.problems
    return []


def sample(document: Any, seed: str) -> list[Loc]:
    found = list(places(document, ()))
    return random.Random(seed).sample(found, min(len(found), PLACES))


def places(value: Any, loc: Loc) -> Iterator[Loc]:
    if loc:
        yield loc
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*loc, key))


def put(document: Any, loc: Loc, value: Any) -> Any:
    changed = place = copy.deepcopy(document)
    for part in loc[:-1]:
        place = place[part]
    place[loc[-1]] = value
    return changed


def path_of(document: Any, loc: Loc) -> str:
    path, place = "", document
    for part in loc:
        path += f"[{part}]" if isinstance(place, list) else f".{part}"
        place = place[part]
    return path.removeprefix(".")
