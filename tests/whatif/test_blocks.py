"""Blocks of runs: how an experiment is cut, what is missing of it, and which rows count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.whatif.pipeline.blocks import (
    TASK_SECONDS,
    Block,
    cut,
    joined,
    missing,
    pieces,
    runs_a_task,
    seeds_per_shard,
    shards,
    whole_seeds,
)
from tests.whatif.plans import plan

RUNS = 30
BLOCKS = st.lists(
    st.tuples(st.integers(0, RUNS), st.integers(0, RUNS)).map(lambda ends: Block(min(ends), max(ends))), max_size=6
)


def numbers(blocks: list[Block]) -> list[int]:
    return [index for block in blocks for index in range(block.first, block.last)]


def test_an_experiment_is_cut_into_blocks_of_seeds_that_hold_every_variant() -> None:
    experiment = plan(seeds=25)
    each = seeds_per_shard(25, 2, 0.01, 2)
    found = shards(experiment, each)
    assert each == 3
    assert [shard.number for shard in found] == list(range(9))
    assert numbers([shard.block for shard in found]) == list(range(50))
    for shard in found:
        runs = [experiment.run(index) for index in range(*shard.block)]
        assert len({seed for _, seed in runs}) * 2 == len(runs)


def test_long_runs_make_small_shards() -> None:
    assert seeds_per_shard(400, 2, 20.0, 2) == 1


@pytest.mark.parametrize(
    ("runs", "seconds", "each"),
    [(1_000, TASK_SECONDS / 10, 10), (1_000, TASK_SECONDS * 10, 1), (1_000, 1e-9, 250), (3, 1e-9, 1), (9, 0.0, 3)],
)
def test_a_task_takes_its_seconds_and_leaves_work_to_each_process(runs: int, seconds: float, each: int) -> None:
    assert runs_a_task(runs, seconds, 4) == each


@given(BLOCKS, st.integers(1, 7))
def test_a_cut_keeps_every_run_in_its_order(blocks: list[Block], most: int) -> None:
    found = cut(blocks, most)
    assert numbers(found) == numbers(blocks)
    assert all(0 < block.runs <= most for block in found)


@given(BLOCKS, BLOCKS)
def test_missing_and_kept_make_the_whole_and_each_kept_run_is_taken_once(
    kept: list[Block], wanted: list[Block]
) -> None:
    have = set(numbers(kept))
    assert numbers(joined(kept)) == sorted(have)
    assert numbers(missing(Block(3, RUNS - 3), kept)) == [i for i in range(3, RUNS - 3) if i not in have]
    taken = pieces([block for block in kept if block.runs], wanted)
    assert sorted(numbers([part for _, part in taken])) == sorted(have & set(numbers(wanted)))
    assert all(block.first <= part.first and part.last <= block.last for block, part in taken)


@pytest.mark.parametrize(
    ("kept", "whole"),
    [
        ([Block(0, 5)], [Block(0, 3)]),
        ([Block(1, 3), Block(3, 9)], [Block(3, 9)]),  # seeds 1 and 2; of seed 0 the first variant is missing
        ([Block(4, 8)], []),
    ],
)
def test_only_seeds_that_every_variant_has_can_be_paired(kept: list[Block], whole: list[Block]) -> None:
    assert whole_seeds(kept, 3) == whole
