"""The producer of offset syncs is an ordinary one: it does not wait for each response, as Connect's own do (MM-4)."""

from itertools import pairwise
from typing import Any

from simengine.facts.traffic import OffsetSynced, RecordsCopied
from simengine.scenario import load
from simengine.world.world import build
from tests.mirror.documents import QUIET, mirrored

ROUND_TRIP_US = 40_000


def burst_over_a_wan() -> list[list[Any]]:
    """The traffic of a burst of 1,000 records, of a task that has copied nothing yet. The target is near."""
    plain = mirrored({**QUIET, "offset.lag.max": 30}, rate=0, until="10s", network={"latency": "20ms"})
    plain["clusters"]["east"]["producers"][0]["record-bytes"] = 1000  # 16 records a batch: many small steps
    plain["timeline"] = [{"at": "5s", "do": "send east/P east/orders-0 1000"}]
    doc = load(plain)
    world = build(doc)
    world.trace.keep_traffic = True
    world.run(doc.until_us)
    return [list(row) for row in world.trace.take().rows()]


def test_syncs_of_a_burst_over_a_wan_are_under_way_together() -> None:
    facts = [OffsetSynced.read(row) for row in burst_over_a_wan() if row[2] == OffsetSynced.KIND]
    times = sorted({fact.t for fact in facts})
    assert min(after - before for before, after in pairwise(times)) < ROUND_TRIP_US // 2
    synced = sorted(fact.upstream for fact in facts)
    assert max(after - before for before, after in pairwise(synced)) == 31, "none is left out"


def test_copying_stands_still_while_the_first_sync_waits_for_metadata_of_the_source() -> None:
    """The callback of the first copy sends it, in the thread of the copies' producer (PC-14): connect and ask."""
    copied = [RecordsCopied.read(row).t for row in burst_over_a_wan() if row[2] == RecordsCopied.KIND]
    waits = [after - before for before, after in pairwise(sorted(copied))]
    assert 2 * ROUND_TRIP_US <= waits[0] < 3 * ROUND_TRIP_US
    assert max(waits[1:]) < ROUND_TRIP_US // 2
