"""The price of a group's move to another cluster: the records that it reads again there, and those that it misses.

A group starts at its committed offset in the new cluster, else where auto.offset.reset says (CON-5). In a remote topic
it reads again what it had read in the old cluster, and misses what it had not read there. In another topic of the new
cluster a reset misses the records that were written since the first client moved.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from simengine.facts.decisive import ConsumerReset
from simengine.facts.kinds import RESET_COMMITTED
from simengine.facts.trace import Decisive
from simengine.words.phrases import listed, plural
from simengine.world.client_moves import ClientMove
from simengine.world.cluster_parts import ClusterParts
from simengine.world.failover_state import FailoverStart
from simengine.world.late_reads import LateReads
from simengine.world.mirrors.compare import position_in, remote_runs
from simengine.world.mirrors.counted import counted_copy

if TYPE_CHECKING:
    from simengine.world.cluster_run import ClusterRun
    from simengine.world.mirrors.process import RunningFlow

NAMES_MAX: Final = 3

Json = dict[str, Any]


class GroupPrice(NamedTuple):
    """The price of one group in one topic of its new cluster, in records."""

    group: str
    topic: str
    rereads: int
    missed: int
    late: int  # missed at the move, and read later


def group_prices(
    runs: "list[ClusterRun]", flows: "list[RunningFlow]", start: FailoverStart, moves: list[ClientMove]
) -> list[GroupPrice]:
    """The price of each group's first start in each topic; groups that pay nothing in a topic are left out."""
    here, there = moves[0].here, moves[0].there
    late = LateReads(runs, flows)
    flow = next((one for one in flows if (one.source, one.target) == (here.site, there.site)), None)
    found: dict[tuple[str, str], list[int]] = {}
    for place, reset in _first_starts(here.sim.trace.decisive, moves).items():
        group, p = place
        source_p = _source_of(flow, p)
        if source_p is None or flow is None:
            price = _of_own(start, reset)
        else:
            read = max((one.read.get(source_p, -1) for one in moves if one.group == group), default=-1)
            price = _of_remote(there, flow, reset, read)
        topic = there.cluster.topics[there.cluster.partition_names[p][0]].title
        missed = int(reset.new) - price[1], int(reset.new)
        sums = found.setdefault((group, topic), [0, 0, 0])
        sums[0] += price[0]
        sums[1] += price[1]
        sums[2] += late.of(group, p, missed) if price[1] else 0
    return [GroupPrice(*place, *sums) for place, sums in found.items() if any(sums)]


def _first_starts(facts: list[Decisive], moves: list[ClientMove]) -> dict[tuple[str, int], ConsumerReset]:
    """The first position of each moved group in each partition of its new cluster."""
    groups = {int(one.opened.number): one for one in moves if one.group}
    found: dict[tuple[str, int], ConsumerReset] = {}
    for fact in facts:
        if isinstance(fact, ConsumerReset) and int(fact.client) in groups:
            moved = groups[int(fact.client)]
            if fact.t >= moved.at_us:
                found.setdefault((moved.group, int(fact.p)), fact)
    return found


def _source_of(flow: "RunningFlow | None", p: int) -> int | None:
    """The source partition of a remote partition of the flow; None for another one."""
    pairs = [] if flow is None else flow.flow.partitions
    return next((int(pair.source_p) for pair in pairs if int(pair.p) == p), None)


def _of_own(start: FailoverStart, reset: ConsumerReset) -> tuple[int, int]:
    missed = 0 if reset.why == RESET_COMMITTED else int(reset.new) - start.ends.get(int(reset.p), 0)
    return 0, max(0, missed)


def _of_remote(there: ClusterParts, flow: "RunningFlow", reset: ConsumerReset, read: int) -> tuple[int, int]:
    """``read``: the source offset up to which the group had read; -1: it had read nothing."""
    pair = next(one for one in flow.flow.partitions if int(one.p) == int(reset.p))
    copy = counted_copy(there.cluster, int(reset.p))
    if copy is None or read < 0:
        return 0, 0
    clients = [int(producer.number) for producer in flow.flow.target.producers]
    true = position_in(remote_runs(copy.log, clients, pair.copied), read, int(copy.log.leo))
    missed = 0 if reset.why == RESET_COMMITTED else int(reset.new) - true  # else it has read them itself
    return max(0, true - int(reset.new)), max(0, missed)


def price_words(prices: list[GroupPrice]) -> str:
    """The prices in sentences, one a group; "" without one."""
    by_group: dict[str, list[GroupPrice]] = {}
    for one in prices:
        by_group.setdefault(one.group, []).append(one)
    told = [_of_group(group, costs) for group, costs in by_group.items()]
    rest = len(told) - NAMES_MAX
    return " ".join([*told[:NAMES_MAX], *([f"{rest:,} more groups paid such a price."] if rest > 0 else [])])


def _of_group(group: str, prices: list[GroupPrice]) -> str:
    again, missed = ([one for one in prices if getattr(one, key)] for key in ("rereads", "missed"))
    costs = []
    if again:
        records = plural(sum(one.rereads for one in again), "record", "records")
        costs.append(f"read {records} of {_topics(again)} again")
    if missed:
        count, late = sum(one.missed for one in missed), sum(one.late for one in missed)
        later = " and read them later" if late == count else f", and read {late:,} of them later" if late else ""
        costs.append(f"missed {plural(count, 'record', 'records')} of {_topics(missed)}{later}")
    return f"At its move {group} {listed(costs)}."


def _topics(prices: list[GroupPrice]) -> str:
    names = [one.topic for one in prices]
    return listed(names) if len(names) <= NAMES_MAX else f"{len(names):,} topics"
