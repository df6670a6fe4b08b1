"""Blocks: ranges of consecutive runs of a plan. What a task computes, what a file holds, and what is missing still.

A shard is a block of whole seeds that is computed as one Spark job, in tasks of smaller blocks. Blocks that are kept
may overlap, where two workers held an experiment in turn: their rows are the same, and each counts once.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from playground.whatif.pipeline.plan import ExperimentPlan

SHARD_SECONDS: Final = 10.0
"""The seconds that a shard should take on all processes together."""

SHARDS_MIN: Final = 10
"""An experiment is cut into at least this many shards, where it has that many seeds."""

TASK_SECONDS: Final = 2.0
"""The seconds that a task should take on its process: a cancel or a killed process loses at most so much of it."""


class Block(NamedTuple):
    """Runs `first` .. `last`-1 of a plan."""

    first: int
    last: int

    @property
    def runs(self) -> int:
        """The number of its runs."""
        return self.last - self.first


@dataclass(frozen=True)
class Shard:
    """A block of whole seeds, computed as one job."""

    number: int
    block: Block


def seeds_per_shard(seeds: int, variants: int, seconds_per_run: float, processes: int) -> int:
    """The number of seeds in a shard, from the measured time of one run on one process (seconds)."""
    seconds_per_seed = max(seconds_per_run, 1e-6) * variants / max(processes, 1)
    return max(1, min(math.ceil(seeds / SHARDS_MIN), math.ceil(SHARD_SECONDS / seconds_per_seed)))


def runs_a_task(runs: int, seconds_per_run: float, processes: int) -> int:
    """Of so many runs as many as take about `TASK_SECONDS`, but no more than leave a task to each process."""
    fair = -(-runs // processes)
    return max(1, min(fair, round(TASK_SECONDS / seconds_per_run)) if seconds_per_run > 0 else fair)


def shards(plan: ExperimentPlan, seeds_each: int) -> list[Shard]:
    """All shards of a plan."""
    every = cut([Block(0, plan.runs)], seeds_each * len(plan.variants))
    return [Shard(number, block) for number, block in enumerate(every)]


def cut(blocks: Iterable[Block], runs_max: int) -> list[Block]:
    """The same runs in blocks of at most so many."""
    return [
        Block(first, min(first + runs_max, block.last))
        for block in blocks
        for first in range(block.first, block.last, runs_max)
    ]


def joined(blocks: Iterable[Block]) -> list[Block]:
    """The runs of some blocks as few blocks that neither overlap nor touch, in order."""
    found: list[Block] = []
    for block in sorted(blocks):
        if found and block.first <= found[-1].last:
            found[-1] = Block(found[-1].first, max(found[-1].last, block.last))
        elif block.runs:
            found.append(block)
    return found


def missing(wanted: Block, kept: Iterable[Block]) -> list[Block]:
    """The runs of a block that no kept block has, in order."""
    found, first = [], wanted.first
    for block in joined(kept):
        if block.last <= first or block.first >= wanted.last:
            continue
        if block.first > first:
            found.append(Block(first, block.first))
        first = block.last
    return [*found, Block(first, wanted.last)] if first < wanted.last else found


def whole_seeds(kept: Iterable[Block], variants: int) -> list[Block]:
    """Of kept blocks the runs of those seeds that every variant has: what can be paired."""
    trimmed = (
        Block(-(-block.first // variants) * variants, block.last // variants * variants) for block in joined(kept)
    )
    return [block for block in trimmed if block.runs > 0]


def pieces(kept: Iterable[Block], wanted: Iterable[Block]) -> list[tuple[Block, Block]]:
    """The runs to take from each kept block, so that each wanted run that is kept is there once, in order."""
    left = joined(wanted)
    found: list[tuple[Block, Block]] = []
    for block in sorted(kept, key=lambda one: (one.first, -one.last)):
        rest: list[Block] = []
        for one in left:
            common = Block(max(one.first, block.first), min(one.last, block.last))
            if common.runs > 0:
                found.append((block, common))
                rest += [part for part in (Block(one.first, common.first), Block(common.last, one.last)) if part.runs]
            else:
                rest.append(one)
        left = rest
    return found
