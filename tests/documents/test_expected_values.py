"""Values of every wrong type in every key of the expectations: refused in words where they are written, or judged."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

from simengine.commands.expect import observe
from simengine.scenario import DocumentError, Problem, load
from simengine.scenario.expect import Observation, failures, read_all
from simengine.scenario.expect.language import COMMON_KEYS, SUBJECTS, TIME_KEYS
from tests.documents.test_every_problem import PYTHON

DOCUMENT: Final[dict[str, Any]] = {
    "format": 1,
    "seed": 3,
    "until": "12s",
    "cluster": {"brokers": [1, 2, 3], "controllers": [100]},
    "topics": [{"name": "t", "assignment": [[1, 2, 3]]}],
    "producers": [{"id": "P", "topic": "t", "rate": 20}],
    "consumers": [{"id": "C", "topics": ["t"], "group": "g"}],
    "timeline": [{"at": "4s", "do": "create new 3 1"}, {"at": "5s", "do": "elect preferred t-0"}],
}
VALUES: Final[list[Any]] = [
    *(None, True, False, 0, 1, -1, 2, 3.5, 1e300, float("nan"), float("inf"), 10**18, 10**40, -(10**40)),
    *(
        "",
        "abc",
        "none",
        "1",
        "-1",
        "1.5s",
        "end",
        "10s+D",
        "-3s",
        "99h",
        "9" * 5000,
        "active",
        "NONE",
        "t-0",
        "t-9",
        "P",
        "new-0",
    ),
    *(
        [],
        [None],
        [None, None],
        [1],
        [1, 2],
        [2, 1],
        [1, None],
        [None, 3],
        ["1s", "2s"],
        ["2s", "1s"],
        [1, 2, 3],
        [1, 1],
    ),
    *([[0, 0]], [[0, 0], [1]], ["abc"], [True, False], [[]], [9], [-1], [3.5, 4], ["none", 1], [{}], ["6s", "end"]),
    *({}, {"1": 5}, {"1": "abc"}, {"9": 1}, {"t-0": 5}, {"t-0": "x"}, {"NONE": 1}, {"NONE": None}, {"abc": 1}),
    *(
        {"1": [[0, 0]]},
        {"1": "none"},
        {"earliest": [0, 1]},
        {"p": "t-0"},
        {"broker": 1},
        {"broker": "abc"},
        {"isr": [1, 2]},
    ),
    *(
        {"isr": 3},
        {"client": "nobody"},
        {"reason": "created"},
        {"reason": 4},
        {"leader": [1, None]},
        {"leader": [1, 2, 3]},
    ),
    *(
        {"a": {"b": [1]}},
        [[{"verdict": "t", "lost": "abc"}]],
        [[{"verdict": "t", "lost": 0}]],
        [{"verdict": "t", "lost": 0}],
    ),
]
SUBJECT_OF: Final[dict[str, Any]] = {
    "partition": "t-0",
    "broker": 1,
    "verdict": "t",
    "producer": "P",
    "consumer": "C",
    "counter": "IsrShrinks",
    "metric": "LeaderCount",
    "alert": "Offline partitions",
    "fact": "PartitionChanged",
    "mirror": "east->west",
    "any_of": [[{"verdict": "t", "lost": 0}]],
    "order": [{"fact": "PartitionCreated"}, {"fact": "Delivered"}],
}
BESIDE: Final[dict[str, dict[str, Any]]] = {
    "partition": {"epoch": 0},
    "broker": {"process": "running"},
    "verdict": {"lost": 0},
    "producer": {"acked": [1, None]},
    "consumer": {"again": 0},
    "counter": {"is": 0},
    "metric": {"is": 1},
    "alert": {"state": "firing"},
    "mirror": {"topic": "orders", "mirrored": 0},
}


def entries() -> Iterator[dict[str, Any]]:
    """Each key of each kind with each value, alone and beside a good one."""
    for kind, keys in SUBJECTS.items():
        for value in VALUES:
            yield {kind: value, **BESIDE.get(kind, {})}
            for key in (*keys, *TIME_KEYS, *COMMON_KEYS):
                yield {kind: SUBJECT_OF[kind], **BESIDE.get(kind, {}), key: value}
                yield {kind: SUBJECT_OF[kind], key: value}


def batches(size: int) -> Iterator[list[dict[str, Any]]]:
    """The entries, some at a time."""
    left = entries()
    while some := list(islice(left, size)):
        yield some


@cache
def observed() -> Observation:
    return observe(load(DOCUMENT), [1_000_000, 1_500_000, 12_000_000])


def held(*some: Any) -> list[str]:
    """The failures of accepted entries in the run; raises DocumentError if an entry was not accepted."""
    document = load({**DOCUMENT, "expect": list(some)})
    expectations, problems = read_all(document.expect)
    assert not problems
    return failures(expectations, observed())


def refusals(some: Sequence[Any]) -> dict[int, list[Problem]]:
    """The problems of entries of one document, by their index."""
    try:
        load({**DOCUMENT, "expect": list(some)})
    except DocumentError as error:
        found: dict[int, list[Problem]] = {}
        for problem in error.problems:
            place = re.match(r"expect\[(\d+)\]", problem.path)
            assert place, str(problem)
            found.setdefault(int(place[1]), []).append(problem)
        return found
    return {}


def test_no_value_of_any_type_ends_in_a_traceback() -> None:
    """Each document holds a hundred entries: they are refused one by one all the same."""
    accepted = refused = 0
    for some in batches(100):
        wrong = refusals(some)
        for at, problems in wrong.items():
            for problem in problems:
                assert problem.allowed or problem.near or "finite" in problem.message, (some[at], str(problem))
                assert not PYTHON.search(str(problem)), (some[at], str(problem))
        right = [entry for at, entry in enumerate(some) if at not in wrong]
        told = held(*right)
        assert all(re.match(r"expect\[\d+\] ", sentence) for sentence in told)
        refused += len(wrong)
        accepted += len(right)
    assert accepted > 400
    assert refused > 4000


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"verdict": "t", "lost": "abc"}, "expect[0].lost: not a whole number (got abc). Allowed: a whole number, or"),
        ({"verdict": "t", "lost": "3s"}, "expect[0].lost: not a whole number (got 3s)"),
        ({"verdict": "t", "lost": [5, 2]}, "expect[0].lost: the second bound is below the first (got [5, 2])"),
        ({"verdict": "t", "read_down_us": "soon"}, "expect[0].read_down_us: not a duration (got soon)"),
        ({"partition": "t-0", "isr": 3}, "expect[0].isr: not a list of brokers (got 3). Allowed: a list of broker ids"),
        ({"partition": "t-0", "leader": 9}, "expect[0].leader: there is no broker '9'"),
        ({"partition": "t-0", "hw": {"1": "x"}}, "expect[0].hw.1: not a whole number (got x)"),
        ({"partition": "t-0", "epochs": [[0]]}, "expect[0].epochs[0]: not an epoch and its first offset (got [0])"),
        ({"broker": 1, "process": "runing"}, "did you mean running?"),
        ({"producer": "P", "errors": {"TimeoutExeption": 1}}, "did you mean TimeoutException?"),
        ({"producer": "P", "offset": 3}, "offset is said of one call"),
        ({"producer": "P", "acked": 1, "never": ["1s", "2s"]}, "unknown key 'never'"),
        ({"consumer": "C", "position": {"t-9": 1}}, "expect[0].position.t-9: there is no partition 't-9'"),
        ({"counter": "IsrShrinks", "of": 1}, "a counter is a number"),
        (
            {"fact": "Truncated", "where": {"broker": "one"}},
            "expect[0].where.broker: not a whole number (got one)",
        ),
        ({"partition": "t-0", "epoch": 0, "at": "30s"}, "expect[0].at: later than the end of the run (got 30s)"),
        ({"any_of": [[{"verdict": "t", "lost": "x"}]]}, "expect[0].any_of[0][0].lost: not a whole number"),
        ({"any_of": [[{"verdict": "t", "lost": 0}]], "at": "3s"}, "unknown key 'at'"),
    ],
)
def test_a_wrong_value_is_told_with_its_place_and_what_is_allowed(entry: dict[str, Any], words: str) -> None:
    with pytest.raises(DocumentError) as refused:
        held(entry)
    assert words in str(refused.value)


def test_a_partition_that_is_created_later_holds_nothing_before() -> None:
    told = held({"partition": "new-0", "hw": 0, "at": "1s"})
    assert told == ["expect[0] partition new-0 hw 0 at 1s: it did not exist yet"]


def test_nobody_may_be_believed_to_lead() -> None:
    assert held({"partition": "t-0", "leader": ["none", 1], "believes": {"2": [1, "none"]}}) == []


@pytest.mark.parametrize("command", ["check", "expect"])
def test_the_commands_refuse_a_wrong_value_in_words(command: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("""
format: 1
cluster: {brokers: [1]}
topics: [{name: t, assignment: [[1]]}]
expect: [{verdict: t, lost: abc}]
""")
    said = subprocess.run(
        [sys.executable, "-m", "simengine", command, str(file)], capture_output=True, text=True, check=False
    )
    assert said.returncode != 0
    assert "Traceback" not in said.stderr
    assert "expect[0].lost: not a whole number (got abc)" in said.stdout + said.stderr
