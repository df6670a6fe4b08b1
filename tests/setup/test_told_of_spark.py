"""The lines of a start on a Spark cluster and on a place for its results: each says whether it can be used."""

import socket
from pathlib import Path

import pytest

from playground import environment
from playground.management.commands.play import told_of_spark


def test_nothing_is_said_where_all_is_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(environment.RESULTS, raising=False)
    assert not [*told_of_spark("local[*]", "file:///anywhere")]


def test_a_master_that_answers_is_named_and_one_that_does_not_is_told_with_the_cure() -> None:
    with socket.create_server(("127.0.0.1", 0)) as master:
        place = f"127.0.0.1:{master.getsockname()[1]}"
        assert [*told_of_spark(f"spark://{place}", "")] == [("spark", f"spark://{place}")]
    [(step, text)] = told_of_spark(f"spark://{place}", "")
    assert step == "spark"
    assert text.startswith(f"nobody answers at {place} (Connection refused): experiments fail until HIGHWATER_SPARK_")


def test_a_place_for_results_is_tried_and_left_as_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    url = (tmp_path / "rows").as_uri()
    monkeypatch.setenv(environment.RESULTS, url)
    assert [*told_of_spark("local[*]", url)] == [("results", "HIGHWATER_RESULTS can be written")]
    assert not [*(tmp_path / "rows").iterdir()]
    (tmp_path / "file").touch()
    [(_, text)] = told_of_spark("local[*]", f"{tmp_path.as_uri()}/file")
    assert "cannot be written" in text and "HIGHWATER_RESULTS names where the rows of experiments are kept" in text
