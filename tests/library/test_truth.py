"""The page "How true is this?" and the table that `make conform` writes for it."""

import json
from pathlib import Path

import pytest
from django.test import Client

from playground.library import truth
from playground.library.rule_book import Chapter, Rule

ROW = {"file": "f001", "name": "F001", "title": "a script", "kafka": "4.2.1", "explained": True, "runs": 30}
ROW |= {"matching": 30, "done": "kill 2", "why_not": "", "document": {}}


@pytest.mark.django_db
@pytest.mark.parametrize("more", [{}, {"mirror_rows": [{**ROW, "file": "mm01"}]}], ids=["earlier", "today's"])
def test_a_table_is_shown_and_one_from_before_mirrors_were_compared_too(
    more: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "conformance.json"
    table.write_text(json.dumps({"engine": "0", "rows": [ROW], **more}))
    monkeypatch.setattr(truth, "TABLE", table)
    truth._read.cache_clear()
    page = Client().get("/truth")
    assert page.status_code == 200
    assert ("mm01" in page.content.decode()) == bool(more)
    truth._read.cache_clear()


def test_a_recording_counts_in_each_kind_of_its_script_and_misses_stand_first() -> None:
    def row(explained: bool, *actions: str) -> dict[str, object]:
        return {"explained": explained, "document": {"timeline": [{"at": "1s", "do": do} for do in actions]}}

    rows = [row(True, "kill 1", "cut 1|2"), row(True, "kill 2"), row(False, "pause 1"), row(True, "rate P 3")]
    told = [(kind["kind"], kind["total"], kind["missed"]) for kind in truth.kinds(rows)]
    assert told == [("pauses", 1, 1), ("kills", 2, 0), ("cuts", 1, 0), ("no fault", 1, 0)]


def test_a_rule_counts_the_recordings_it_names_and_the_misses_that_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"ISR-1": ("f001", "gone"), "ISR-2": (), "LOG-1": ("f003",)}
    rules = [Rule(rule, rule, (), files) for rule, files in named.items()]
    books = [Chapter(key, key, (), tuple(rule for rule in rules if rule.id[0] == key), ()) for key in "ILX"]
    monkeypatch.setattr(truth, "chapters", lambda: tuple(books))
    monkeypatch.setattr(truth, "all_rules", lambda: iter(rules))
    missed = {**ROW, "file": "f002", "explained": False, "why_not": "rule 1, a-0: too late (LOG-1, HW-1)"}
    told = truth.by_chapter([ROW, missed, {**ROW, "file": "f003"}])
    assert [(chapter.title, len(chapter.files), len(chapter.missed)) for chapter in told] == [("L", 2, 1), ("I", 1, 0)]
    assert [rule.id for rule in told[1].rules] == ["ISR-1"], "a rule without a recording is left out"


@pytest.mark.django_db
def test_the_rows_of_explained_recordings_stand_behind_a_closed_summary() -> None:
    page = Client().get("/truth").content.decode()
    parts = page.split('<details class="truth-part"')[1:]
    assert len(parts) == 3
    for part in parts:
        assert part.startswith(" open") == ('data-explained="0"' in part)
