"""`python -m simengine run`: the verdict or the facts of a document, as text and as JSON lines."""

import io
import json
from pathlib import Path

import pytest

from simengine.commands.run import main
from simengine.facts.schema import FACTS
from simengine.scenario import load
from simengine.world.world import build

DOCUMENT = """
format: 1
title: Two brokers
until: 12s
cluster: {brokers: [1, 2], controllers: [100]}
topics: [{name: orders, assignment: [[1, 2]]}]
producers: [{id: writer, topic: orders, rate: 5}]
timeline: [{at: 1s, do: kill 1}]
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The document in a file."""
    path = tmp_path / "document.yaml"
    path.write_text(DOCUMENT)
    return str(path)


def test_the_verdict_is_told_in_words_with_the_digest(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([file]) == 0
    told = capsys.readouterr().out.splitlines()
    world = build(load(DOCUMENT))
    world.run(12_000_000)
    assert told[0] == world.verdict()["sentence"]
    servers = "  by the servers: not writable "
    assert any(line.startswith(servers) and "(acks=all)" in line and "(acks=1)" in line for line in told)
    assert any(line.startswith("  no response for ") and "with acks=all" in line for line in told)
    assert any(line.endswith("longer than θ = 1.0 s together") for line in told)
    assert told[-1] == f"{world.events} events, 12.000 s simulated, digest {world.digest()}"


def test_the_outcome_is_one_json_object(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([file, "--json", "--until", "2s"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["t"] == 2_000_000
    assert [topic["topic"] for topic in outcome["verdict"]["topics"]] == ["orders"]


def test_facts_come_a_line_each_with_names(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([file, "--facts", "--json"]) == 0
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    done = next(fact for fact in facts if fact["kind"] == "ActionDone")
    assert (done["t"], done["text"]) == (1_000_000, "kill 1")
    assert {fact["kind"] for fact in facts} <= {kind.name for kind in FACTS}
    assert [fact["seq"] for fact in facts] == sorted(fact["seq"] for fact in facts)


def test_all_facts_are_more_than_the_decisive_ones(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([file, "--facts"])
    decisive = capsys.readouterr().out.splitlines()
    main([file, "--facts", "all"])
    everything = capsys.readouterr().out.splitlines()
    assert set(decisive) < set(everything)
    assert any("VerdictChanged" in line for line in everything)
    assert decisive[0].split()[2] == "#1"
    assert any("ActionDone" in line and 'text="kill 1"' in line for line in decisive)


def test_facts_of_several_clusters_have_the_partitions_that_came_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = "{cluster: {brokers: [1, 2]}, topics: [{name: orders, assignment: [[1, 2]]}]}"
    path = tmp_path / "two.yaml"
    path.write_text(
        f"{{format: 1, until: 8s, clusters: {{east: {part}, west: {part}}}, "
        "timeline: [{at: 1s, do: partitions east/orders 3}]}"
    )
    assert main([str(path), "--facts"]) == 0
    assert "east:     1." in capsys.readouterr().out


def test_the_end_is_told_as_kafka_topics_describes_it(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([file, "--describe"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1].startswith("\tTopic: orders\tPartition: 0\tLeader: 2\tReplicas: 1,2\tIsr: 2\t")


def test_a_wrong_document_is_refused_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(DOCUMENT.replace("kill 1", "kil 1"))
    assert main([str(path)]) == 1
    assert "timeline[0]" in capsys.readouterr().err


def test_a_missing_file_and_a_wrong_duration_are_refused(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-file.yaml"]) == 1
    assert "cannot be read" in capsys.readouterr().err
    assert main([file, "--until", "12"]) == 1
    assert "12s" in capsys.readouterr().err


def test_a_document_comes_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(DOCUMENT.encode())))
    assert main(["-", "--until", "1s"]) == 0
    assert "1.000 s simulated" in capsys.readouterr().out


def test_the_metrics_of_a_run_with_a_group_say_how_many_partitions_of_its_offsets_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """MET-1, MET-6: Kafka makes fifty; a document may name its own, and JSON is only readings."""
    path = tmp_path / "group.yaml"
    group = "consumers: [{id: C, group: g, topics: [orders]}]\n"
    own = "topics: [{name: orders, assignment: [[1, 2]]}, {name: __consumer_offsets, assignment: [[1], [2]]}]"
    for text, is_told in (
        (DOCUMENT, False),
        (DOCUMENT + group, True),
        (DOCUMENT.replace("topics: [{name: orders, assignment: [[1, 2]]}]", own) + group, False),
    ):
        path.write_text(text)
        assert main([str(path), "--until", "1s", "--metrics", "PartitionCount"]) == 0
        assert ("where Kafka makes 50" in capsys.readouterr().out) is is_told
    path.write_text(DOCUMENT + group)
    assert main([str(path), "--until", "1s", "--metrics", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_facts_have_kafkas_numbers_and_names_of_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "refused.yaml"
    path.write_text(DOCUMENT.replace("kill 1", "reassign orders-0 cancel"))
    main([str(path), "--facts"])
    [line] = [line for line in capsys.readouterr().out.splitlines() if "RequestRefused" in line]
    assert "error=85" in line
    assert line.endswith("(NO_REASSIGNMENT_IN_PROGRESS)")
    main([str(path), "--facts", "--json"])
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [fact] = [fact for fact in facts if fact["kind"] == "RequestRefused"]
    assert (fact["error"], fact["error_name"]) == (85, "NO_REASSIGNMENT_IN_PROGRESS")


def test_the_figures_of_the_verdict_are_printed_when_they_are_asked_for(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([file, "--facts"])
    assert "VerdictChanged" not in capsys.readouterr().out
    main([file, "--facts", "verdicts"])
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all("VerdictChanged" in line for line in lines)
