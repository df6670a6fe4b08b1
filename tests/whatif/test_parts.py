"""What is kept of a shard whose computing was ended: the seeds that all variants have."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from playground.whatif.pipeline import job
from playground.whatif.pipeline.schema import NAMES
from playground.whatif.pipeline.shards import MARKER, RowsMissing, Shard, commit, draft, keep_parts, parts, put, rows
from tests.whatif.plans import plan

SHARD = Shard(0, 0, 8)
CLAIM = "a1"


class Sent:
    """What Spark hands to a task: a broadcast text, and a counter."""

    def __init__(self, value: Any = 0) -> None:
        self.value = value

    def add(self, number: int) -> None:
        self.value += number


def row_of(_: Any, index: int) -> dict[str, Any]:
    found: dict[str, Any] = dict.fromkeys(NAMES)
    return {**found, "variant": "AB"[index % 2], "seed": 1 + index // 2, "lost": index}


def numbers(first: int, last: int) -> Any:
    return iter([pa.RecordBatch.from_arrays([pa.array(range(first, last), pa.int64())], names=["id"])])


@pytest.fixture
def ended_early(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder in which two tasks of a shard were ended after three runs and after two."""
    monkeypatch.setattr(job, "plan_row", row_of)
    monkeypatch.setattr(job, "PART_SECONDS", 0.0)
    run: Any = job.runner(Sent(plan().to_json()), Sent(), parts(tmp_path, SHARD, CLAIM))  # type: ignore[arg-type]
    for first, done in ((0, 3), (4, 2)):
        task = run(numbers(first, first + 4))
        for _ in range(done):
            next(task)
        task.close()
    return tmp_path


def seeds(folder: Path) -> list[tuple[str, int]]:
    kept = rows(folder, [SHARD])
    return list(zip(kept["variant"].to_pylist(), kept["seed"].to_pylist(), strict=True))


def test_whole_seeds_of_a_shard_that_was_ended_are_kept(ended_early: Path) -> None:
    assert seeds(ended_early) == []
    keep_parts(ended_early, plan(), SHARD)
    assert seeds(ended_early) == [("A", 1), ("A", 3), ("B", 1), ("B", 3)]
    assert not parts(ended_early, SHARD, CLAIM).exists()


def test_a_row_that_was_put_twice_makes_no_seed_whole(ended_early: Path) -> None:
    put(parts(ended_early, SHARD, CLAIM) / "to-00000099.parquet", [row_of(None, 2)])
    keep_parts(ended_early, plan(), SHARD)
    assert seeds(ended_early) == [("A", 1), ("A", 3), ("B", 1), ("B", 3)]


def test_a_task_that_comes_to_its_end_has_put_every_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(job, "plan_row", row_of)
    done = Sent()
    run: Any = job.runner(Sent(plan().to_json()), done, parts(tmp_path, SHARD, CLAIM))  # type: ignore[arg-type]
    assert sum(batch.num_rows for batch in run(numbers(0, 8))) == done.value == 8
    assert len(list(parts(tmp_path, SHARD, CLAIM).iterdir())) == 1  # quick runs are put together
    keep_parts(tmp_path, plan(), SHARD)
    assert len(seeds(tmp_path)) == 8


def test_nothing_put_is_nothing_kept(tmp_path: Path) -> None:
    keep_parts(tmp_path, plan(), SHARD)
    assert seeds(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def written(folder: Path, claim: str, rows_of_it: int = 8) -> None:
    """What Spark leaves of a shard for a claim."""
    begun = draft(folder, SHARD, claim)
    put(begun / "part.parquet", [row_of(None, index) for index in range(rows_of_it)])
    (begun / MARKER).touch()


def test_of_two_workers_that_computed_a_shard_in_turn_one_s_rows_count_once(tmp_path: Path) -> None:
    written(tmp_path, "frozen")
    written(tmp_path, "second")
    commit(tmp_path, SHARD, "second")
    assert len(seeds(tmp_path)) == 8
    written(tmp_path, "frozen")  # it goes on where it was stopped
    commit(tmp_path, SHARD, "frozen")
    assert len(seeds(tmp_path)) == 8
    assert [place.name for place in tmp_path.iterdir()] == [SHARD.name]


def test_a_shard_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    written(tmp_path, "first", 7)
    with pytest.raises(RowsMissing, match="7 of the 8 rows"):
        commit(tmp_path, SHARD, "first")
    assert seeds(tmp_path) == []
    assert list(tmp_path.iterdir()) == []
