import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from playground.library import truth
from playground.scenarios.models import Scenario
from simengine.recordings import mirror_reader
from simengine.recordings.reader import read
from simengine.scenario import load
from tests.conformance.mirror_table import done_to_the_clusters, mirror_document
from tests.conformance.table import document

RECORDINGS = Path(__file__).parent / "recordings"


def row(name: str, explained: bool) -> dict[str, Any]:
    recording = read(RECORDINGS / f"{name}.json")
    return {
        "file": name,
        "name": recording.name,
        "title": recording.title,
        "kafka": recording.kafka,
        "explained": explained,
        "runs": 200,
        "matching": 150,
        "done": "kill 0; start 0",
        "why_not": "" if explained else "rule 2, t-0: too late",
        "known": "" if explained else "The clock of that machine stood still.",
        "document": document(recording),
    }


def mirror_row(name: str) -> dict[str, Any]:
    recording = mirror_reader.read(RECORDINGS / "mm" / f"{name}.json")
    return {
        **row("s08", True),
        "file": name,
        "title": recording.title,
        "done": done_to_the_clusters(recording),
        "document": mirror_document(recording),
    }


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "conformance.json"
    rows = {"rows": [row("s08", True), row("s10", False)], "mirror_rows": [mirror_row("mm06-mirror-killed")]}
    path.write_text(json.dumps({"engine": "0123", **rows}))
    monkeypatch.setattr(truth, "TABLE", path)


@pytest.mark.django_db
@pytest.mark.usefixtures("table")
def test_the_page_tells_the_score_and_why_a_recording_is_not_explained() -> None:
    text = Client().get("/truth").content.decode()
    assert "1 of 2" in text
    assert "0123" in text and "Another build" in text
    assert "rule 2, t-0: too late" in text
    assert "The clock of that machine stood still." in text
    assert text.index("truth-s10") < text.index("truth-s08")


@pytest.mark.django_db
@pytest.mark.usefixtures("table")
def test_the_page_gives_the_seven_rules_with_their_numbers() -> None:
    """As ``recordings/README.md`` has them."""
    text = Client().get("/truth").content.decode().replace("&nbsp;", " ")
    rules = text[text.index('data-testid="truth-rules"') :].partition("</ol>")[0].split("<li>")[1:]
    numbers = [
        ("1 %", "than 3,", "3 s apart", "35 s after a heal"),
        ("1.5 s", "31 s late", "35 s after a heal", "3 s within 25 s after a start"),
        ("as in rule 2",),
        ("25 %", "2 records"),
        ("3 s wider", "31 s more"),
        ("as in rule 4", "as in rule 5"),
        ("same epochs",),
    ]
    assert len(rules) == len(numbers)
    for rule, parts in zip(rules, numbers, strict=True):
        assert all(part in rule for part in parts), rule


@pytest.mark.django_db
@pytest.mark.usefixtures("table")
def test_a_row_opens_its_script_in_the_playground() -> None:
    answer = Client().post("/truth/s08/open")
    assert answer.status_code == 302
    scenario = Scenario.objects.get()
    assert answer["location"] == f"/s/{scenario.id}"
    assert scenario.title == "S08: Single broker failure"


@pytest.mark.django_db
@pytest.mark.usefixtures("table")
def test_recordings_of_two_clusters_have_a_score_and_rules_of_their_own() -> None:
    text = Client().get("/truth").content.decode().replace("&nbsp;", " ")
    assert "1 of 1</strong> recordings of two clusters with MirrorMaker 2 are explained" in text
    assert "kill mirror-maker; start mirror-maker" in text
    rules = text[text.index("truth-mirror-rules") :].partition("</ol>")[0].split("<li>")[1:]
    for rule, part in zip(rules, ("2 records", "1.5 s outside", "continues", "3 s wider"), strict=True):
        assert part in rule


@pytest.mark.django_db
@pytest.mark.usefixtures("table")
def test_the_script_of_two_clusters_opens_with_the_real_steps_of_both() -> None:
    assert Client().post("/truth/mm06-mirror-killed/open").status_code == 302
    document = load(Scenario.objects.get().body)
    assert [mirror.process for mirror in document.mirrors] == ["mirror-maker"]
    assert {caption.text.split(" ")[0] for caption in document.captions} == {"east"}
    assert {caption.kind for caption in document.captions} == {"real"}


@pytest.mark.django_db
@pytest.mark.usefixtures("table")
def test_an_unknown_recording_is_not_found() -> None:
    assert Client().post("/truth/s99/open").status_code == 404


@pytest.mark.django_db
def test_without_a_table_the_page_says_how_to_build_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truth, "TABLE", tmp_path / "none.json")
    assert "make conform" in Client().get("/truth").content.decode()


@pytest.mark.django_db
def test_the_page_tells_no_number_of_runs_but_those_of_its_table() -> None:
    """The table may come from fewer runs than `make conform` does by itself."""
    rules = Client().get("/truth").content.decode().partition("<summary>What")[2].partition("</details>")[0]
    assert "at first" not in rules
    assert "The column Runs says how many" in rules
