"""The invariants of mirrors, checked during a run: mm_never_ahead and mm_catches_up.

A translated position is never beyond a record that the group has not read. The copies of the records at and after
source offset g begin at some remote offset; ``translate(g)`` is at most this offset. When MirrorMaker copies records
again, the newest copies count, since all records after them are copied again too. A remote partition that has lost
copies (unclean election, lost disk) is not checked: older syncs point too far there, as Kafka's do.

A later position is translated to no earlier offset, unless a task that the worker had given up wrote a sync late. Such
a task still waits for its last flush while the next one copies again, then emits a sync of its older copies (MM-4).
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from simengine.facts.kinds import OFFSET_SYNCED, PROCESS_RUNNING, RECORDS_COPIED
from simengine.facts.traffic import OffsetSynced, RecordsCopied
from simengine.kafka.shared.standing import is_below_min
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.mirror.offset_sync import OffsetSync
from simengine.mirror.offset_sync_store import OffsetSyncStore
from simengine.world.mirrors.verdict import mirror_verdicts
from tests.invariants.violation import demand

if TYPE_CHECKING:
    from simengine.world.mirrors.process import RunningFlow
    from simengine.world.world import World

NEVER_AHEAD: Final = "mm_never_ahead"
CATCHES_UP: Final = "mm_catches_up"


@dataclass(slots=True)
class _Run:
    """Copies of source records from ``upstream`` on, at remote offsets from ``downstream`` on."""

    upstream: int
    downstream: int
    count: int


@dataclass(slots=True)
class _Copies:
    """The acknowledged copies of one source partition; ``lives``: the runs of each time that copying started again."""

    lives: list[list[_Run]] = field(default_factory=list)
    end: int = 0  # remote offset after the newest copy
    has_lost: bool = False  # the remote partition has lost copies

    def add(self, upstream: int, downstream: int, count: int) -> None:
        if downstream < self.end:
            self.has_lost = True
        self.end = downstream + count
        last = self.lives[-1][-1] if self.lives else None
        if last is None or upstream < last.upstream + last.count:
            self.lives.append([_Run(upstream, downstream, count)])
        elif (upstream, downstream) == (last.upstream + last.count, last.downstream + last.count):
            last.count += count
        else:
            self.lives[-1].append(_Run(upstream, downstream, count))

    def first_at(self, upstream: int) -> int:
        """The remote offset at which the newest copies of the records at and after ``upstream`` begin."""
        for life in reversed(self.lives):
            if life[-1].upstream + life[-1].count <= upstream:
                break  # its newest copy is still to come, after all others
            if life[0].upstream <= upstream:
                run = next(run for run in life if run.upstream + run.count > upstream)
                return run.downstream + max(0, upstream - run.upstream)
        return self.end

    def is_of_former_life(self, upstream: int, downstream: int) -> bool:
        """True if the copy of ``upstream`` at ``downstream`` was made before copying started again."""
        former = (run for life in self.lives[:-1] for run in life)
        return any(
            run.upstream <= upstream < run.upstream + run.count
            and downstream - run.downstream == upstream - run.upstream
            for run in former
        )


class MirrorWatch:
    """Follows the flows of a world by their facts; keeps an offset sync store for each source partition."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._copies: dict[tuple[int, int], _Copies] = {}
        self._stores: dict[tuple[int, int], OffsetSyncStore] = {}
        self._late: set[tuple[int, int]] = set()  # source partitions with a sync of a task that was given up

    def look(self) -> None:
        """Read the newest facts, and check all translations against the copies."""
        rows: list[Any] = self._world.trace.take().rows()
        for row in rows:
            if row[2] == RECORDS_COPIED:
                self._copied(RecordsCopied.read(row))
            elif row[2] == OFFSET_SYNCED:
                self._synced(OffsetSynced.read(row))
        for (index, p), store in self._stores.items():
            self._check(index, p, store)
        self.check_provenance()

    def _copied(self, fact: RecordsCopied) -> None:
        copies = self._copies.setdefault((fact.flow, fact.p), _Copies())
        copies.add(fact.upstream, fact.downstream, fact.count)

    def _synced(self, fact: OffsetSynced) -> None:
        store = self._stores.get((fact.flow, fact.p))
        if store is None:
            store = self._stores[fact.flow, fact.p] = OffsetSyncStore(True)
            store.read_to_end()
        self._note_late(store, fact)
        store.handle_record(OffsetSync(fact.p, fact.upstream, fact.downstream))

    def _note_late(self, store: OffsetSyncStore, fact: OffsetSynced) -> None:
        """Note a sync of a former life behind one of the newest life; one that goes back upstream voids the others."""
        kept, key = store.kept(fact.p), (fact.flow, fact.p)
        if not kept:
            return
        if fact.upstream < kept[0].upstream:
            self._late.discard(key)
        elif fact.downstream < kept[0].downstream:
            if self._copies[key].is_of_former_life(fact.upstream, fact.downstream):
                self._late.add(key)

    def _check(self, index: int, p: int, store: OffsetSyncStore) -> None:
        copies = self._copies.get((index, p), _Copies())
        if copies.has_lost:
            return
        where, before = f"mirrors[{index}], source partition {p}", -1
        known = [int(sync.upstream) for sync in store.kept(p)]
        for upstream in sorted({offset for u in known for offset in (u - 1, u, u + 1, u + 2) if offset >= 0}):
            translated, first = int(store.translate_downstream(p, upstream)), copies.first_at(upstream)
            said = f"position {upstream} is translated to {translated}"
            demand(translated <= first, NEVER_AHEAD, where, f"{said}; what follows it stands from {first} on")
            is_ordered = translated >= before or (index, p) in self._late
            demand(is_ordered, NEVER_AHEAD, where, f"{said}; one before it to {before}")
            before = max(before, translated)

    def check_provenance(self) -> None:
        """No record is copied back to the cluster in which it was written (MM-3)."""
        flows = self._world.mirrors.flows()
        clients = self._world.net.clients
        pairs = {
            (int(producer.number), int(pair.p)): pair
            for running in flows
            for producer in running.flow.target.producers
            for pair in running.flow.partitions
        }
        for running in flows:
            for pair in running.flow.partitions:
                for run in pair.copied.runs:
                    origin = first_writer(int(run.origin), int(run.origin_n), int(pair.source_p), pairs)
                    if 0 <= origin < len(clients):
                        came_from = clients[origin].site
                        story = f"source partition {int(pair.source_p)} has records of {came_from.name}"
                        is_back = int(came_from.index) == int(running.target.index)
                        demand(not is_back, NEVER_AHEAD, running.name, f"{story}, which are copied back to it")

    def check_caught_up(self) -> None:
        """Every record below the source's high watermark is copied or skipped, unless the flow is excused."""
        for verdict, running in zip(mirror_verdicts(self._world.mirrors), self._world.mirrors.flows(), strict=True):
            if self._is_excused(running):
                continue
            for topic in verdict["topics"]:
                left = topic["not_mirrored"]
                demand(not left, CATCHES_UP, running.name, f"{topic['topic']}: {left} records are still to be copied")

    def _is_excused(self, running: "RunningFlow") -> bool:
        """True if its task has failed, its process does not run, or a partition of its clusters cannot be written."""
        process = next(one for one in self._world.mirrors.processes if running in one.flows)
        if process.state != PROCESS_RUNNING or any(task.has_failed for task in running.flow.tasks):
            return True
        return any(self._is_stuck(int(site.index)) for site in (running.source, running.target))

    def _is_stuck(self, cluster: int) -> bool:
        """True if some partition has no leader or too few in-sync replicas."""
        parts = self._world.cluster_runs[cluster].cluster
        for p in range(len(parts.partition_names)):
            registration = parts.quorum.image.partition(p)
            if registration is None or not registration.replicas:
                continue
            broker = next((one for one in parts.brokers if one.id == registration.leader), None)
            replica = None if broker is None else broker.replica(p)
            is_up = broker is not None and broker.process == PROCESS_RUNNING
            if not is_up or replica is None or is_below_min(len(registration.isr), replica.min_isr):
                return True
        return False


def first_writer(client: int, n: int, p: int, pairs: dict[tuple[int, int], MirroredPartition]) -> int:
    """The client that wrote a record first: call ``n`` of ``client`` to partition ``p``, or what that call copies.

    ``pairs``: by the number of a producer of MirrorMaker, and the partition that it writes to.
    """
    while (client, p) in pairs:
        pair = pairs[client, p]
        run = pair.copied.run_of(n)
        client, n, p = int(run.origin), int(run.origin_n) + n - int(run.n), int(pair.source_p)
    return client
