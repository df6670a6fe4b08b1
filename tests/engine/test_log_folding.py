"""Old batches become runs: every record stays what it was, and hours do not grow the memory."""

import random

import pytest

from simengine.kafka.log.log import Batch, Log
from simengine.scenario import load
from simengine.world.world import build
from tests.bench.engine import document

MINUTE_US = 60_000_000
Told = tuple[int, int, int, int]  # epoch, client, call, sequence of one record


def told(batches: list[Batch]) -> list[Told]:
    return [(b.epoch, b.client, b.n + k, b.seq + k) for b in batches for k in range(b.count)]


def grown(seed: int) -> tuple[Log, list[Told]]:
    """A log after random appends, folds and truncations, and the records it should hold."""
    chance = random.Random(seed)
    log, twin = Log(), list[Told]()
    n = epoch = 0
    for t in range(chance.randint(1, 80)):
        count = chance.randint(1, 5)
        epoch += chance.random() < 0.1
        n += 3 * (chance.random() < 0.1)
        batch = Batch(log.leo, count, epoch, 0 if chance.random() < 0.9 else -1, n, 5, 0, n, t)
        log.append(batch)
        twin += told([batch])
        n += count
        if chance.random() < 0.2:
            log.fold(chance.randint(0, int(log.leo)), t - chance.randint(0, 20))
        if chance.random() < 0.05:
            end = chance.randint(0, int(log.leo))
            log.truncate(end)
            del twin[end:]
    return log, twin


@pytest.mark.parametrize("seed", range(60))
def test_a_folded_log_holds_the_same_records(seed: int) -> None:
    log, twin = grown(seed)
    assert told(log.batches) == twin
    assert all(one.end == next_one.base for one, next_one in zip(log.batches, log.batches[1:], strict=False))


@pytest.mark.parametrize("seed", range(60))
def test_a_read_of_a_folded_log_gives_records_in_order_and_not_too_many(seed: int) -> None:
    log, twin = grown(seed)
    for offset in range(int(log.leo)):
        found = log.read(offset, log.leo, 10)
        assert found
        skipped = max(0, offset - found[0].base)
        assert told(found)[skipped:] == twin[offset : offset + sum(b.count for b in found) - skipped]
        assert sum(b.count for b in found) <= 10 + 5


def test_a_log_of_the_reference_workload_folds_into_runs_and_goes_on() -> None:
    content = document()
    del content["faults"]
    world = build(load({**content, "until": "1h"}))
    replica = world.cluster.brokers[0].hosted[0]
    world.run(MINUTE_US // 2)
    before = len(replica.log.batches)
    assert before == int(replica.log.leo)
    replica.log.fold(replica.hw, world.sim.now)
    assert len(replica.log.batches) < before // 100
    assert sum(b.count for b in replica.log.batches) == before
    world.run(MINUTE_US)
    assert int(replica.log.leo) > before
    assert world.verdict()["topics"][0]["lost"] == 0  # type: ignore[index]
