"""Executors that reach the place of the rows write them there; the driver gets their figures only."""

import io
import pickle
from pathlib import Path

import pyarrow.parquet as pq

from playground.whatif.pipeline.arrivals import Arrivals
from playground.whatif.pipeline.blocks import Block
from playground.whatif.pipeline.results import SharedResults, figures_of
from playground.whatif.pipeline.schema import FIGURES
from tests.whatif.kept import numbers, results_in, rows_of

FIRST = Block(0, 4)


def test_an_executor_that_reaches_the_place_writes_its_rows_there(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    there: SharedResults = pickle.loads(pickle.dumps(SharedResults(results)))
    assert there.keep(FIRST, rows_of(0, 4))
    assert numbers(results, 0, 4) == [0, 1, 2, 3]
    assert there.keep(FIRST, rows_of(0, 4)), "a second copy of its task"
    assert results.blocks() == [FIRST]


def test_a_folder_of_the_same_path_on_another_machine_keeps_nothing(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    shared = SharedResults(results)
    results.remove()
    results.prepare()
    assert not shared.keep(FIRST, rows_of(0, 4))
    assert results.blocks() == []


def test_a_place_that_takes_no_file_leaves_the_rows_to_the_driver(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    shared = SharedResults(results)
    (tmp_path / "one" / "runs-000000000-000000004.parquet").mkdir()  # no file can have its name
    assert not shared.keep(FIRST, rows_of(0, 4))


def test_the_driver_takes_figures_for_rows_that_are_there_and_for_no_others(tmp_path: Path) -> None:
    results, figures = results_in(tmp_path), figures_of(rows_of(0, 4))
    assert pq.read_schema(io.BytesIO(figures)).names == list(FIGURES)
    arrivals = Arrivals(results)
    arrivals.addInPlace([], [(FIRST, figures, 1.0)])
    assert arrivals.settle(FIRST) == [FIRST], "no rows were written"
    assert SharedResults(results).keep(FIRST, rows_of(0, 4))
    arrivals.addInPlace([], [(FIRST, figures, 1.0)])
    assert arrivals.settle(FIRST) == []
    assert arrivals.figures([FIRST]).num_rows == 4
    arrivals.close()
