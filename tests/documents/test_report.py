"""The report of a run or a comparison: what the engine says, in one file that needs nothing else."""

import json
from html import unescape
from pathlib import Path

import pytest

from simengine.commands import report as command
from simengine.compare.comparison import compare
from simengine.compare.titles import title_of
from simengine.explain.examine import examine
from simengine.explain.lines import untold_losses
from simengine.form import engine_sources
from simengine.report.page import STYLE, report
from simengine.report.recovery import modes_without_calls
from simengine.scenario import Document, load
from tests.documents.helpers import plain
from tests.engine.test_chance import killed, lucky_moment

SCENARIOS = Path("tests/scenarios")
LOSS = SCENARIOS / "s10-unreplicated-data.yaml"
KEPT = SCENARIOS / "s11a-the-same-with-acks-all.yaml"
VANISHED = SCENARIOS / "s05-acks-0-to-a-former-leader.yaml"
MIRRORED = SCENARIOS / "mirrors" / "s42-failover.yaml"


def document(path: Path) -> Document:
    return load(path.read_bytes())


def told(*paths: Path, link: str = "") -> str:
    documents = [document(path) for path in paths]
    return unescape(report(documents, max(doc.until_us for doc in documents), link))


@pytest.fixture(scope="module")
def of_loss() -> str:
    return told(LOSS, link="http://here/s/abc")


def test_a_report_has_what_the_engine_says_of_the_run(of_loss: str) -> None:
    doc = document(LOSS)
    found = examine(doc, doc.until_us)
    assert f"<h1>{doc.title}</h1>" in of_loss
    assert found["verdict"]["sentence"] in of_loss
    for incident in found["incidents"]:
        assert all(line in of_loss for line in incident["words"])
    for link in found["chains"][0]["links"]:
        assert link["text"] in of_loss
        assert ", ".join(link["rules"]) in of_loss


def test_it_says_what_was_done_and_what_it_was_done_to(of_loss: str) -> None:
    assert "<td>Broker 0 is killed.</td>" in of_loss
    assert "<li>3 brokers, 3 controllers</li>" in of_loss, "none of them has a rack"
    assert "<li>2 producers, 1 consumer, 7 actions</li>" in of_loss
    assert "Network: 1 ms one way, jitter 200 us." in of_loss


def test_a_recovery_time_stands_in_its_parts(of_loss: str) -> None:
    head = '<th scope="col">Recovery time</th><th scope="col">detect</th>'
    row = '<tr><th scope="row"><span class="name">t-0</span></th><td>all</td><td>10.0 s</td><td>8.2 s</td>'
    assert head in of_loss
    assert row in of_loss


def test_a_fault_has_its_cost_by_topic_and_mode(of_loss: str) -> None:
    head = '<th scope="col">Topic</th><th scope="col">acks</th><th scope="col">Records lost</th>'
    assert head in of_loss
    killed = of_loss.partition("Broker 0 is killed</h3>")[2]
    assert (
        '<tr><th scope="row">t</th><td>all</td><td>0</td><td>10.0 s</td><td><span class="name">t-0</span></td></tr>'
        in killed
    )
    assert '<tr><th scope="row">t</th><td>1</td><td>5</td><td>–</td><td>–</td></tr>' in killed


def test_a_mode_without_a_recovery_time_says_why() -> None:
    both = told(LOSS).partition("Broker 0 is killed</h3>")[2]
    assert "RTO acks=1: no call with acks=1 after this fault to a partition that it touched" in both
    kept = told(KEPT)
    assert "RTO acks=1: no call with acks=1 in this run" in kept
    assert "acks=all: no call" not in kept
    changed = load(json.dumps(plain(timeline=[{"at": "1s", "do": "acks orders 1"}])))
    assert list(modes_without_calls(changed, {"all": {}, "1": {}})) == []


def test_a_partition_that_takes_no_call_again_stands_in_the_tables() -> None:
    page = told(SCENARIOS / "s33-no-rack-awareness.yaml").partition("Recovery point")[2].partition("</section>")[0]
    assert "<td>not so far</td>" in page


def test_it_says_what_vanished_and_what_the_pager_did() -> None:
    doc = document(VANISHED)
    page = told(VANISHED)
    assert examine(doc, doc.until_us)["stops"]["t"]["words"] in page
    assert "<p>Your pager did not ring.</p>" in page


def test_it_says_what_was_kept_by_luck() -> None:
    at_us = lucky_moment()
    doc = killed(at_us)
    until_us = at_us + 15_000_000
    [offer] = examine(doc, until_us)["luck"]
    assert f"<p>{offer['words']}</p>" in report([doc], until_us)


def test_losses_without_a_chain_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simengine.explain.examine.CHAINS_MAX", 0)
    doc = document(LOSS)
    found = examine(doc, doc.until_us)
    assert f"<p>{untold_losses(found)}</p>" in told(LOSS)


def test_it_names_engine_profile_and_link(of_loss: str) -> None:
    assert "This run: <a" in of_loss
    assert f"engine {engine_sources()[:12]}, Kafka 4.2." in of_loss
    assert '<a href="http://here/s/abc">http://here/s/abc</a>' in of_loss


def test_nothing_is_fetched_and_nothing_runs(of_loss: str) -> None:
    outside = of_loss.replace(STYLE, "")
    assert "<script" not in outside
    assert " src=" not in outside
    assert "<link" not in outside
    assert "url(" not in STYLE
    assert "@import" not in STYLE


def test_names_of_a_document_are_text() -> None:
    page = report([load(json.dumps(plain(title="<script>alert(1)</script>")))], 1_000_000)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_a_comparison_begins_with_what_differs() -> None:
    page = told(LOSS, KEPT, link="http://here/compare/a..b")
    documents = [document(LOSS), document(KEPT)]
    found = compare(documents, max(doc.until_us for doc in documents))
    lost = found["sides"][0]["lost"], found["sides"][1]["lost"]
    assert lost[0] != lost[1]
    assert f'<tr><th scope="row">Lost</th><td>{lost[0]}</td><td>{lost[1]}</td></tr>' in page
    assert found["parting"] in page
    assert "<td>topic t, rate 0, acks 1, record-bytes 100, resend 0, state open</td><td>–</td>" in page
    title = title_of([doc.title for doc in documents])
    assert f"<title>{title}</title>" in page
    assert f"<h1>{title}</h1>" in page
    assert "These runs: <a" in page
    assert page.index("Side by side") < page.index(f"<h1>A: {documents[0].title}</h1>")


def test_a_run_of_several_clusters_has_its_verdict() -> None:
    page = told(MIRRORED)
    assert "A site is lost, and a group goes on at the other" in page
    assert "Verdict at 120.000 s" in page
    assert "Recovery point" not in page


def test_the_command_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.html"
    assert command.main([str(LOSS), "-o", str(out), "--until", "20s"]) == 0
    assert "Verdict at 20.000 s" in out.read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""
    assert command.main([str(LOSS), "-o", str(tmp_path)]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert command.main([str(LOSS)] * 5) == 1
    assert "1 to 4 documents" in capsys.readouterr().err
    assert command.main([str(tmp_path / "none.yaml")]) == 1
