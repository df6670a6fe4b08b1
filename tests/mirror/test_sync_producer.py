"""The producer of offset syncs is an ordinary one: it does not wait for each response, as Connect's own do (MM-4)."""

from itertools import pairwise

from simengine.facts.traffic import OffsetSynced
from simengine.scenario import load
from simengine.world.world import build
from tests.mirror.documents import QUIET, mirrored

ROUND_TRIP_US = 40_000


def test_syncs_of_a_burst_over_a_wan_are_under_way_together() -> None:
    plain = mirrored({**QUIET, "offset.lag.max": 30}, rate=0, until="10s", network={"latency": "20ms"})
    plain["clusters"]["east"]["producers"][0]["record-bytes"] = 1000  # 16 records a batch: many small steps
    plain["timeline"] = [{"at": "5s", "do": "send east/P east/orders-0 1000"}]
    doc = load(plain)
    world = build(doc)
    world.trace.keep_traffic = True
    world.run(doc.until_us)
    facts = map(OffsetSynced.read, (row for row in world.trace.take().rows() if row[2] == OffsetSynced.KIND))
    times = sorted({fact.t for fact in facts})
    assert min(after - before for before, after in pairwise(times)) < ROUND_TRIP_US // 2
