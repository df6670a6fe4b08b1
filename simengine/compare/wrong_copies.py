"""The wrong copies of a run's flows as events: records copied twice, passed over, or no longer in the source (MM-9).

No fact states them: the verdict finds them by holding both logs against each other. The first copy made twice, or the
first one behind a gap, has the time at which the target appended it. Others are told at the moment compared.
"""

from itertools import pairwise
from typing import Any, Final, NamedTuple

from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.world.mirrors.compare import RemoteRun, remote_runs
from simengine.world.mirrors.counted import counted_copy
from simengine.world.mirrors.process import RunningFlow
from simengine.world.mirrors.words import wrong_words
from simengine.world.world import World

KINDS: Final = ("doubled", "skipped", "disagree")
Json = dict[str, Any]


class WrongCopies(NamedTuple):
    """Copies of a topic that are wrong in one way: since when, us, and the words on them."""

    t_us: int
    text: str


def wrong_copies(world: World, verdict: Json, until_us: int) -> list[WrongCopies]:
    """The wrong copies that the verdict at ``until_us`` counts, by flow, topic and kind."""
    return [
        WrongCopies(_since(world, flow, topic["topic"], kind, until_us), _words(flow.name, topic, kind))
        for flow, told in zip(world.mirrors.flows(), verdict.get("mirrors", ()), strict=True)
        for topic in told["topics"]
        for kind in KINDS
        if topic[kind]
    ]


def _words(flow: str, topic: Json, kind: str) -> str:
    """A flow begins with a name, which keeps its small letter."""
    return f"{flow}, {topic['topic']}:{wrong_words({**topic, **dict.fromkeys(KINDS, 0), kind: topic[kind]})}"


def _since(world: World, flow: RunningFlow, topic: str, kind: str, until_us: int) -> int:
    """The time (us) of the first copy that is wrong in this way; ``until_us`` where the target does not say it."""
    source = world.mirrors.clusters[flow.source.name].cluster
    pairs = [
        pair
        for pair in flow.flow.partitions
        if source.topics[source.partition_names[int(pair.source_p)][0]].title == topic
    ]
    times = [_first_jump(world, flow, pair, kind) for pair in pairs]
    return min((time for time in times if time is not None), default=until_us)


def _first_jump(world: World, flow: RunningFlow, pair: MirroredPartition, kind: str) -> int | None:
    """The time (us) at which copies of a partition went back in the source, or left records out; None if never."""
    remote = counted_copy(world.mirrors.clusters[flow.target.name].cluster, int(pair.p))
    if remote is None or kind == "disagree":
        return None
    clients = [int(producer.number) for producer in flow.flow.target.producers]
    runs = remote_runs(remote.log, clients, pair.copied)
    jump = next((run for last, run in pairwise(runs) if _jumps(last, run, kind)), None)
    if jump is None:
        return None
    batch = next(batch for batch in remote.log.batches if batch.end > jump.downstream)
    return int(batch.time_of(jump.downstream))


def _jumps(last: RemoteRun, run: RemoteRun, kind: str) -> bool:
    expected = last.upstream + last.count
    return run.upstream < expected if kind == "doubled" else run.upstream > expected
