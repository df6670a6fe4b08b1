"""The waits of the reader that got nothing for longest: for its position, for the servers, or for a response."""

from typing import Final

from simengine.explain.fact_index import FactIndex
from simengine.explain.longest_stop import READER, SLOW, PartitionStop, StopParts
from simengine.explain.phases import BACK, DETECT, ELECT, ISR, NOBODY, SETTLE
from simengine.verdict.account import PartitionCounters
from simengine.verdict.presence import Spans, cut_out, length
from simengine.words.phrases import listed, seconds
from simengine.world.world import World

SHOWN_US: Final = 50_000  # what is shorter is 0.0 s
POSITION: Final = "position"
WAITED: Final = {
    POSITION: "for its position",
    DETECT: "for the fault to be found out",
    NOBODY: "for a replica that may lead",
    ELECT: "for a new leader",
    BACK: "for a broker that was back before anybody noticed",
    ISR: "for enough in-sync replicas",
    SETTLE: "for the high watermark",
    SLOW: "for a slow broker",
    READER: "to get through to a broker that serves it",
}


def reader_words(world: World, past: FactIndex, p: int) -> str:
    """``it waited 5.0 s for a new leader and 3.6 s for its position``: the worst reader of a partition; "" for none."""
    waits = reader_waits(world, past, world.book.account(p))
    told = [f"{seconds(us)} {WAITED[name]}" for name, us in waits.items() if us >= SHOWN_US]
    return f"it waited {listed(told)}" if told else ""


def reader_waits(world: World, past: FactIndex, account: PartitionCounters) -> dict[str, int]:
    """The time (us) that the worst reader of a partition waited, by what it waited for."""
    reads, now = account.reading, world.now_us
    readers = [(reads.starved(reader, now), reads.unread.spans_of(reader.client, now)) for reader in reads.readers]
    without = [want.all_spans(min(now, int(account.closing.us))) for want in reads.unread.wants]
    spans, no_position = max(
        [*readers, *((one, one) for one in without)], key=lambda one: length(one[0]), default=([], [])
    )
    found = {POSITION: length(no_position)}
    for since, until in with_position(spans, no_position):
        stop = PartitionStop(int(account.p), True, True, since, until, False)
        for part in StopParts(world, past, stop).told():
            found[part["name"]] = found.get(part["name"], 0) + int(part["us"])
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def with_position(spans: Spans, no_position: Spans) -> Spans:
    """The parts of some spans without the times in which the reader had no position."""
    for since, until in no_position:
        spans = cut_out(spans, since, until)
    return spans
