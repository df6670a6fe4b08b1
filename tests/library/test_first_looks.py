"""First looks on the page "How true is this?": batches held against the engine before anything was changed."""

import json
from pathlib import Path

import pytest
from django.test import Client

from playground.library import truth
from playground.library.first_looks import FAMILIES, FirstLook, first_looks, unexplained_at_most
from tests.library.test_truth import ROW


@pytest.mark.parametrize(
    ("missed", "total", "share"),
    [(0, 264, 0.0113), (5, 264, 0.0394), (1, 20, 0.2161), (7, 20, 0.5580), (20, 20, 1.0), (0, 0, 1.0)],
)
def test_the_bound_of_the_unexplained_share_is_that_of_clopper_and_pearson(
    missed: int, total: int, share: float
) -> None:
    """The values are those of `scipy.stats.binomtest(missed, total, alternative="less").proportion_ci().high`."""
    assert unexplained_at_most(missed, total) == pytest.approx(share, abs=0.0001)


def test_a_batch_without_a_miss_bounds_the_share_at_three_over_its_number() -> None:
    assert unexplained_at_most(0, 300) == pytest.approx(3 / 300, rel=0.01)


def test_each_batch_agrees_with_itself_and_the_newest_stands_first() -> None:
    looks = first_looks()
    assert [look.date for look in looks] == sorted((look.date for look in looks), reverse=True)
    for look in looks:
        assert look.kind in FAMILIES
        assert 0 <= look.explained <= look.total
        if look.missed:
            assert len(look.missed) == look.total - look.explained
        if look.seeds:
            assert look.seeds[1] - look.seeds[0] + 1 == look.total and look.kafka


def test_a_batch_names_the_command_that_records_its_scripts_again() -> None:
    look = FirstLook("2026-12-01", "two clusters", 5, 6, kafka="4.2.1", seeds=(41, 46))
    assert look.command == "make record KAFKA=4.2.1 BATCH=6 SEED=41 FAMILY=mirror OUT=batch"
    assert FirstLook("2026-12-01", "wide", 13, 20).command == ""


@pytest.mark.django_db
def test_the_page_tells_each_batch_and_the_score_of_all_with_its_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "conformance.json"
    missed = {**ROW, "file": "f002", "explained": False, "why_not": "rule 2"}
    table.write_text(json.dumps({"engine": "0", "rows": [ROW] * 18, "mirror_rows": [ROW, missed]}))
    monkeypatch.setattr(truth, "TABLE", table)
    look = FirstLook("2026-12-01", "wide", 18, 20, "4.2.1", (401, 420), (200, 2000), ("w402", "w409"))
    monkeypatch.setattr(truth, "first_looks", lambda: (look, FirstLook("2026-11-29", "random", 30, 33)))
    page = Client().get("/truth").content.decode()
    text = page.partition('data-testid="first-looks"')[2].partition("</section>")[0]
    assert text.index("18 of 20") < text.index("30 of 33")
    assert "1 December 2026" in text and "401 to 420" in text and "200 to 2,000" in text
    assert 'href="#w402"' in text and 'href="#w409"' in text
    assert "make record KAFKA=4.2.1 BATCH=20 SEED=401 FAMILY=wide OUT=batch" in text
    assert text.count("not noted") == 3, "an older note tells neither the version nor the seeds nor the runs"
    assert "48 of 53 recordings of 2 batches" in text
    bound = page.partition('data-testid="truth-all"')[2].partition("</p>")[0]
    assert "19 of 20" in bound and "21.6 %" in bound
