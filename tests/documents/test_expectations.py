"""The judge of scenarios: what it accepts, and what it must reject."""

from typing import Any

import pytest

from simengine.facts import kinds
from simengine.facts.errors import ERR_DELIVERY_TIMEOUT, ERR_NONE, ERR_NOT_ENOUGH_REPLICAS
from simengine.scenario.expect import Observation, failures, read_all, snapshot_times
from simengine.scenario.problems import Problem

SECOND = 1_000_000


def _copy(leo: int, hw: int, epochs: list[list[int]], leader: int = 1) -> dict[str, Any]:
    return {"leo": leo, "hw": hw, "epochs": epochs, "leader": leader}


def _view(isr: list[int], leader: int = 0, epoch: int = 0) -> dict[str, Any]:
    empty: dict[str, list[int]] = {"elr": [], "last_known": [], "adding": [], "removing": []}
    partition = {"leader": leader, "epoch": epoch, "isr": isr, "replicas": [0, 1, 2], **empty}
    copies = {
        "0": _copy(6, 5, [[0, 0], [1, 5]]),
        "1": _copy(6, 6, [[0, 0], [1, 5]]),
        "2": _copy(6, 5, [[0, 0], [1, 5]]),
    }
    return {
        "partitions": [{**partition, "copies": copies}],
        "brokers": {"0": {"registration": "active", "process": "running"}},
        "clients": [{"id": "P", "position": {}}, {"id": "C", "position": {"0": 6}}],
    }


def _partition(t: float, leader: int, epoch: int, isr: list[int], reason: int, election: int = 0) -> list[Any]:
    return [
        1,
        int(t * SECOND),
        kinds.PARTITION_CHANGED,
        0,
        0,
        leader,
        epoch,
        1,
        reason,
        election,
        [0, 1, 2],
        isr,
        [],
        [],
        [],
        [],
    ]


def _settled(t: float, n: int, count: int, offset: int, error: int) -> list[Any]:
    return [1, int(t * SECOND), kinds.CALLS_SETTLED, 0, 0, 0, n, count, offset, 0, error]


@pytest.fixture
def observed() -> Observation:
    """60 s of a small run: broker 0 is fenced at 18 s, returns at 40 s; one call fails at 50 s."""
    names = {"topics": ["t"], "partitions": [[0, 0]], "clients": [{"id": "P"}, {"id": "C"}]}
    seen = Observation(names, 60 * SECOND)
    seen.initial = _view([0, 1, 2])
    seen.snapshots = {30 * SECOND: _view([1, 2], 1, 1), 60 * SECOND: _view([0, 1, 2], 1, 1)}
    seen.verdict = {"topics": [{"topic": "t", "lost": 2, "acked": 9, "write_down_all_us": 8_500_000}]}
    seen.add(
        [
            _settled(1, 0, 5, 0, ERR_NONE),
            [1, 1_500_000, kinds.HW_MOVED, 0, 0, 0, 4],
            [1, 2 * SECOND, kinds.DELIVERED, 0, 1, 0, 0, 5, 0],
            [1, 18 * SECOND, kinds.BROKER_REGISTRATION, 0, 0, 7, kinds.REG_FENCED],
            _partition(18, 1, 1, [1, 2], kinds.REASON_FENCED, kinds.ELECTION_CLEAN),
            _settled(20, 5, 1, 5, ERR_NONE),
            [1, 21 * SECOND, kinds.FLIGHT, 0, kinds.MSG_PRODUCE_ANSWER, 1, -1, 0, 0, 1, ERR_NOT_ENOUGH_REPLICAS],
            [1, 40 * SECOND, kinds.BROKER_REGISTRATION, 0, 0, 9, kinds.REG_ACTIVE],
            [1, 41_500_000, kinds.HW_MOVED, 0, 1, 0, 6],
            [1, 41 * SECOND, kinds.TRUNCATED, 0, 0, 0, 7, 5, 5],
            _partition(42, 1, 1, [0, 1, 2], kinds.REASON_ALTER_PARTITION),
            _settled(50, 6, 1, -1, ERR_DELIVERY_TIMEOUT),
            [1, 51 * SECOND, kinds.CONSUMER_RESET, 0, 1, 0, 6, 4, kinds.RESET_TRUNCATION],
            [1, 52 * SECOND, kinds.DELIVERED, 0, 1, 0, 4, 2, 1],
        ]
    )
    return seen


def _failures(entry: dict[str, Any], observed: Observation) -> list[str]:
    expectations, problems = read_all([entry])
    assert not problems, problems
    return failures(expectations, observed)


RIGHT: list[dict[str, Any]] = [
    {"partition": "t-0", "leader": 1, "epoch": 1, "isr": [2, 1], "at": "30s"},
    {"partition": "t-0", "leader": 0, "isr": [0, 1, 2], "at": "0s"},
    {"partition": "t-0", "leader": [0, 1], "isr_size": [2, 3], "throughout": ["0s", "end"]},
    {"partition": "t-0", "leader": 1, "isr": [1, 2], "within": "10s+D"},
    {"partition": "t-0", "isr": [0, 1, 2], "within": ["40s", "45s"]},
    {"partition": "t-0", "isr": [0, 1, 2], "throughout": ["0s", "17s"]},
    {"partition": "t-0", "leader": "none", "never": ["0s", "end"]},
    {"partition": "t-0", "leo": 6, "hw": 6, "epochs": [[0, 0], [1, 5]], "logs": "equal"},
    {"partition": "t-0", "hw": {0: 5, 1: [5, 7]}, "believes": {0: 1}},
    {"broker": 0, "registration": "fenced", "within": ["17s", "19s"]},
    {"broker": 0, "registration": "active", "at": "end"},
    {"verdict": "t", "lost": 2, "acked": [9, None], "write_down_all_us": ["8s", "9s"]},
    {"producer": "P", "acked": 6, "failed": 1, "errors": {"TimeoutException": 1}},
    {"producer": "P", "answers": {"NOT_ENOUGH_REPLICAS": [1, None], "REQUEST_TIMED_OUT": 0}},
    {"producer": "P", "gap": ["18s", "20s"]},
    {"producer": "P", "call": 3, "offset": 3},
    {"producer": "P", "call": 6, "error": "TimeoutException", "within": ["45s", "55s"]},
    {"producer": "P", "acked": 1, "within": ["10s", "30s"], "on": "t-0"},
    {"consumer": "C", "delivered": 7, "again": 1, "resets": {"truncation detected": 1}, "position": {"t-0": 6}},
    {"consumer": "C", "gap": ["50s", "50s"], "errors": {"LogTruncationException": 0}},
    {"counter": "IsrExpands", "of": 1, "is": 1},
    {"counter": "IsrShrinks", "on": "t-0", "is": 0},
    {"counter": "UncleanElections", "is": 0},
    {"counter": "Truncations", "of": 0, "is": 1},
    {"fact": "Truncated", "where": {"partition": "t-0", "broker": 0, "new": [4, 5]}},
    {"fact": "PartitionChanged", "where": {"reason": "broker fenced", "isr": [2, 1]}, "count": 1},
    {"fact": "Flight", "where": {"msg": "Produce answer", "dst": "P"}},
    {"any_of": [[{"verdict": "t", "lost": 7}], [{"verdict": "t", "lost": 2}, {"verdict": "t", "acked": 9}]]},
    {"order": [{"fact": "Truncated"}, {"fact": "Delivered", "within": ["10s", "end"]}], "apart": ["11s", "11s"]},
    {"order": [{"fact": "Delivered"}, {"fact": "Truncated"}, {"fact": "ConsumerReset"}]},
    {"consumer": "C", "behind": "500ms", "within": ["0s", "30s"]},
    {"consumer": "C", "behind": ["9s", "10.5s"]},
]

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"partition": "t-0", "leader": 2, "at": "30s"}, "leader was 1, not 2"),
    ({"partition": "t-0", "isr": [1, 2], "within": ["10s", "12s"]}, "it came at 18s"),
    ({"partition": "t-0", "isr": [1, 2], "within": ["20s", "30s"]}, "already"),
    ({"partition": "t-0", "isr": [2], "within": ["20s", "30s"]}, "never came"),
    ({"partition": "t-0", "isr": [0, 1, 2], "throughout": ["0s", "end"]}, "at 18s isr was [1, 2]"),
    ({"partition": "t-0", "leader": 1, "never": ["0s", "end"]}, "it was so at 18s"),
    ({"partition": "t-0", "hw": 5}, "hw on broker 1 was 6"),
    ({"partition": "t-0", "epochs": {0: [[0, 0]]}}, "epochs on broker 0"),
    ({"partition": "t-0", "leo": {9: 6}}, "broker 9 holds no copy"),
    ({"broker": 0, "registration": "active", "throughout": ["0s", "end"]}, "at 18s registration was fenced"),
    ({"verdict": "t", "lost": 0}, "lost was 2, not 0"),
    ({"verdict": "t", "write_down_all_us": ["1s", "2s"]}, "8.5s"),
    ({"producer": "P", "acked": 7}, "acked was 6"),
    ({"producer": "P", "gap": ["0s", "5s"]}, "19s from 1s on"),
    ({"producer": "P", "call": 5, "offset": 6}, "got offset 5"),
    ({"producer": "P", "call": 6}, "TimeoutException at 50s"),
    ({"producer": "P", "call": 9}, "did not end"),
    ({"consumer": "C", "again": 0}, "again was 1"),
    ({"consumer": "C", "position": {"t-0": 5}}, "position in t-0 was 6"),
    ({"counter": "IsrExpands", "of": 2, "is": 1}, "it was 0"),
    ({"fact": "Truncated", "where": {"broker": 2}}, "0 such facts"),
    ({"fact": "Truncated", "where": {"borker": 2}}, "has no borker"),
    ({"fact": "Truncatd"}, "no kind of fact"),
    ({"any_of": [[{"verdict": "t", "lost": 7}], [{"verdict": "t", "lost": 8}]]}, "not outcome 2"),
    ({"order": [{"fact": "Truncated"}, {"fact": "Delivered"}]}, "came at 2s, before 41s"),
    ({"order": [{"fact": "Truncated"}, {"fact": "ConsumerReset"}], "apart": ["0s", "1s"]}, "came 10s later"),
    ({"order": [{"fact": "Truncated"}, {"fact": "RecordsLost"}]}, "there was no fact RecordsLost"),
    ({"consumer": "C", "behind": ["0s", "1s"]}, "offset 4 was delivered 10.5s after its commit"),
    ({"consumer": "C", "behind": ["0s", "1s"], "within": ["10s", "20s"]}, "nothing was delivered"),
]


@pytest.mark.parametrize("entry", RIGHT, ids=str)
def test_what_was_so_is_accepted(entry: dict[str, Any], observed: Observation) -> None:
    assert _failures(entry, observed) == []


@pytest.mark.parametrize(("entry", "words"), WRONG, ids=str)
def test_what_was_not_so_is_rejected_in_words(entry: dict[str, Any], words: str, observed: Observation) -> None:
    sentences = _failures(entry, observed)
    assert len(sentences) == 1
    assert words in sentences[0]


def test_equal_logs_disregard_an_epoch_without_records(observed: Observation) -> None:
    copies = observed.snapshots[60 * SECOND]["partitions"][0]["copies"]
    copies["1"]["epochs"] = [[0, 0], [1, 5], [4, 6]]
    assert _failures({"partition": "t-0", "logs": "equal"}, observed) == []
    copies["1"]["epochs"] = [[0, 0], [2, 5]]
    assert _failures({"partition": "t-0", "logs": "equal"}, observed)


def test_a_failure_names_rule_and_reason(observed: Observation) -> None:
    sentence = _failures({"verdict": "t", "lost": 0, "rules": ["HW-2"], "say": "none may go"}, observed)[0]
    assert sentence == "expect[0] verdict t lost 0 (HW-2) [none may go]: lost was 2, not 0"


def _problem(entry: object) -> Problem:
    entries: list[Any] = [entry]
    _, problems = read_all(entries)
    return problems[0]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("lost 0", "a map"),
        ({}, "not what it is about"),
        ({"partitoin": "t-0", "leader": 1}, "partition"),
        ({"partition": "t-0", "broker": 1, "leader": 1}, "two things"),
        ({"partition": "t-0"}, "expects nothing"),
        ({"partition": "t-0", "leadr": 1}, "did you mean leader?"),
        ({"partition": "t-0", "leader": 1, "at": "1s", "within": ["1s", "2s"]}, "two times"),
        ({"partition": "t-0", "leader": 1, "within": ["3s", "2s"]}, "ends before"),
        ({"partition": "t-0", "leader": 1, "within": "10s"}, "10s+D"),
        ({"partition": "t-0", "hw": 1, "within": ["1s", "2s"]}, "one moment"),
        ({"verdict": "t", "lost": 0, "at": "3s"}, "at the end"),
        ({"any_of": []}, "list of outcomes"),
        ({"any_of": [[{"verdict": "t", "lots": 0}]]}, "did you mean lost?"),
        ({"order": [{"fact": "Truncated"}]}, "two facts or more"),
        ({"order": [{"fact": "Truncated"}, {"verdict": "t", "lost": 0}]}, "not the first of some facts"),
        ({"order": [{"fact": "Truncated"}, {"fact": "Delivered", "count": 2}]}, "not the first of some facts"),
        ({"order": [{"fact": "Truncated"}, {"fact": "Delivered"}], "within": ["1s", "2s"]}, "unknown key"),
    ],
)
def test_an_expectation_that_says_nothing_is_refused(entry: object, words: str) -> None:
    assert words in str(_problem(entry))


def test_snapshots_are_taken_where_a_moment_is_looked_at() -> None:
    entries = [
        {"partition": "t-0", "hw": 1, "at": "30s"},
        {"any_of": [[{"partition": "t-0", "leo": 1, "at": "20s"}]]},
        {"producer": "P", "acked": 1},
    ]
    expectations, _ = read_all(entries)
    assert snapshot_times(expectations, 60 * SECOND) == [20 * SECOND, 30 * SECOND, 60 * SECOND]
