"""Keys that a real cluster follows and this one does not are told beside every answer, by one module."""

import json
from pathlib import Path
from typing import Any

import pytest

from simengine.commands import check
from simengine.commands.run import verdict_lines
from simengine.questions.az.table import lines
from simengine.scenario import load
from simengine.scenario.config_known import KNOWN
from simengine.scenario.not_simulated import TOLD, not_simulated
from simengine.world.world import build

FLUSH = "without effect here: log.flush.interval.ms (a log is flushed by number of records only)"
STATIC = "without effect here: group.instance.id (members are dynamic: one that comes back is a new member)"


def plain(broker: dict[str, Any] | None = None, **configs: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": 1,
        "until": "5s",
        "cluster": {
            "brokers": [{"id": 1, "rack": "a"}, {"id": 2, "rack": "b"}],
            "controllers": [100],
            "config": broker or {},
        },
        "topics": [{"name": "t", "assignment": [[1, 2]], "config": configs.get("topic", {})}],
        "producers": [{"id": "P", "topic": "t", "rate": 5, "config": configs.get("producer", {})}],
        "consumers": [{"id": "C", "group": "g", "topics": ["t"], "config": configs.get("consumer", {})}],
    }


def told(**configs: dict[str, Any]) -> list[str]:
    return not_simulated(load(json.dumps(plain(**configs))))


def test_a_key_of_brokers_is_named_with_what_holds_instead() -> None:
    assert told(broker={"log.flush.interval.ms": 1}) == [FLUSH]


@pytest.mark.parametrize(
    ("where", "key", "value", "effect"),
    [
        ("consumer", "group.protocol", "consumer", "groups use the classic protocol"),
        ("consumer", "group.instance.id", "i1", "members are dynamic: one that comes back is a new member"),
        ("producer", "transactional.id", "x", "nothing is written in transactions"),
        ("producer", "buffer.memory", 1024, "a producer's buffer has no end"),
        ("topic", "flush.ms", 5, "a log is flushed by number of records only"),
    ],
)
def test_a_key_of_a_client_or_topic_alike(where: str, key: str, value: Any, effect: str) -> None:
    assert told(**{where: {key: value}}) == [f"without effect here: {key} ({effect})"]


def test_keys_of_one_effect_are_one_line() -> None:
    [line] = told(
        broker={"transaction.max.timeout.ms": 60_000},
        producer={"transactional.id": "x", "transaction.timeout.ms": 10_000},
    )
    names = "transaction.max.timeout.ms, transactional.id, transaction.timeout.ms"
    assert line == f"without effect here: {names} (nothing is written in transactions)"


@pytest.mark.parametrize(
    "configs",
    [
        {},
        {"consumer": {"group.protocol": "classic"}},
        {"broker": {"listeners": "PLAINTEXT://:9092", "num.io.threads": 8}},
        {"producer": {"ssl.protocol": "TLSv1.3", "enable.idempotence": True}},
    ],
)
def test_what_is_so_here_too_or_concerns_no_run_is_not_told(configs: dict[str, dict[str, Any]]) -> None:
    assert told(**configs) == []


def test_every_key_that_is_told_is_one_that_has_no_effect() -> None:
    known = {key for keys in KNOWN.values() for key in keys}
    assert set(TOLD) <= known


def test_run_check_and_the_az_answer_say_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = plain(broker={"log.flush.interval.ms": 1}, consumer={"group.instance.id": "i1"})
    doc = load(json.dumps(document))
    world = build(doc)
    world.run(1_000_000)
    of_run = verdict_lines(world)
    path = tmp_path / "document.json"
    path.write_text(json.dumps(document))
    assert check.main([str(path)]) == 0
    of_check = capsys.readouterr().out.splitlines()
    outline = next(line["outline"] for line in lines(doc) if "outline" in line)
    for line in (FLUSH, STATIC):
        assert line in of_run
        assert line in of_check
        assert line in outline["not_simulated"]


def test_of_several_clusters_each_is_looked_at() -> None:
    one = {key: value for key, value in plain().items() if key not in ("format", "until")}
    other = {key: value for key, value in plain(producer={"transactional.id": "x"}).items() if key in one}
    doc = load(json.dumps({"format": 1, "until": "5s", "clusters": {"east": one, "west": other}}))
    assert not_simulated(doc) == ["without effect here: transactional.id (nothing is written in transactions)"]


@pytest.mark.parametrize(
    ("action", "lines_"), [("start 1 empty", 1), ("start 1 wiped", 1), ("start 1", 0), ("start 2 empty", 0)]
)
def test_the_controller_of_a_broker_that_loses_its_disk_keeps_its_own(action: str, lines_: int) -> None:
    """QUO-10: in combined mode both are one process, and have one disk as a rule."""
    document = plain()
    document["cluster"]["controllers"] = [{"id": 100, "broker": 1, "rack": "a"}, 101, 102]
    document["timeline"] = [{"at": "1s", "do": "kill 1"}, {"at": "2s", "do": action}]
    kept = "controller 100 in its process keeps its metadata log (the loss of a controller's disk is not simulated)"
    assert not_simulated(load(json.dumps(document))) == [f"{action}: {kept}"] * lines_
