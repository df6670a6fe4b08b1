"""The book of one run: it listens to the clients and the protocol, and states what changes in the verdict."""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.clients.consumer.consumer import Consumer
from simengine.facts.decisive import ClusterVerdictChanged, SiteVerdictChanged, VerdictChanged
from simengine.facts.figures import AMOUNTS, figures_in
from simengine.facts.kinds import CLIENT_OPEN
from simengine.kafka.shared.metadata import Record
from simengine.kafka.shared.standing import OPEN
from simengine.kafka.wire.api import ACKS_ALL
from simengine.kernel.calendar import Event
from simengine.verdict import words
from simengine.verdict.account import PartitionCounters
from simengine.verdict.addend import Addend
from simengine.verdict.book_ledger import VerdictListener
from simengine.verdict.book_observer import BookObserver
from simengine.verdict.figures import SENTENCE, TopicFigures
from simengine.verdict.mode_stops import (
    mode_stops,
    past_us,
    reads_in_parts,
    stood_partitions,
    waits_before_leader,
    writes_before_leader,
    writes_in_parts,
)
from simengine.verdict.outage import NEVER, Closing
from simengine.verdict.read_again_words import read_again_words
from simengine.verdict.sentence import SentenceNames, sentence
from simengine.verdict.severity import severity_of
from simengine.verdict.skipped_words import skipped_words
from simengine.verdict.so_far import figures_so_far
from simengine.verdict.unread_words import unread_us, unread_words
from simengine.verdict.whole import TOLD_MAX, WholeFigures

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.replica.replica_host import ReplicaHost

TICK_US: Final = 1_000_000


@final
class VerdictCounters:
    """Keeps the accounts of one run."""

    __slots__ = (
        "_by_partition",
        "_dirty",
        "_is_set",
        "accounts",
        "closing",
        "cluster",
        "heartbeats",
        "ledger",
        "observer",
        "said",
        "topics",
    )

    def __init__(self) -> None:
        self.observer: BookObserver = BookObserver(self)
        self.ledger: VerdictListener = VerdictListener(self)
        self.cluster: Cluster | None = None
        self.accounts: list[PartitionCounters] = []  # of this cluster's partitions
        self._by_partition: list[PartitionCounters | None] = []
        self.topics: list[TopicFigures] = []
        self.heartbeats: dict[int, int] = {}
        self.closing: Closing = Closing()
        self._dirty: list[PartitionCounters] = []
        self._is_set: bool = False
        self.said: str = ""  # of the whole cluster

    def begin(self, cluster: "Cluster", closing_us: i64 = NEVER) -> None:
        """The run begins: every partition has its account. No time out counts after ``closing_us``."""
        self.cluster = cluster
        self.closing.us = closing_us
        self._open_accounts()
        for account in self.accounts:
            account.begin()
            self.touch(account.p)
        self._expect_readers(cluster)
        cluster.sim.after(TICK_US, Tick(self))

    def _expect_readers(self, cluster: "Cluster") -> None:
        """The consumers that are open from the start."""
        for node in cluster.net.nodes:
            if isinstance(node, Consumer) and node.state == CLIENT_OPEN and node.site is cluster.site:
                for position in node.reader().assignment.positions:
                    self.opened(node.number, position.p, node.reads_with())

    def opened(self, client: i64, p: i64, group: str) -> None:
        """A consumer begins that is to read a partition, by itself or with its group."""
        cluster = self.cluster
        if cluster is not None:
            account = self.account(p)
            self.topics[account.topic].is_read = True
            account.reading.opened(client, group, cluster.sim.now)

    def expect(self, topic: i64, client: i64, acks: i64) -> None:
        """A producer is about to write to a topic in this mode."""
        self.topics[topic].written(client, acks)

    def _open_accounts(self) -> None:
        cluster = self.cluster
        if cluster is None:
            return
        while len(self._by_partition) < len(cluster.partition_names):
            p = len(self._by_partition)
            account: PartitionCounters | None = None
            if cluster.has_partition(p):
                account = PartitionCounters(cluster, p, cluster.partition_names[p][0], self.closing)
                self.accounts.append(account)
            self._by_partition.append(account)
        while len(self.topics) < len(cluster.topics):
            self.topics.append(TopicFigures())

    def account(self, p: i64) -> PartitionCounters:
        """The account of a partition."""
        if p >= len(self._by_partition):
            self._open_accounts()
        account = self._by_partition[p]
        assert account is not None, "a partition of another cluster"
        return account

    def accounts_of(self, topic: i64) -> list[PartitionCounters]:
        """The accounts of a topic's partitions."""
        cluster = self.cluster
        assert cluster is not None, "a book that was not begun"
        return [self.account(p) for p in cluster.topics[topic].partitions]

    def touch(self, p: i64) -> None:
        """Something about a partition changed: look at it when the event that did it is over."""
        cluster = self.cluster
        if cluster is None:
            return
        account = self.account(p)
        if not account.is_dirty:
            account.is_dirty = True
            self._dirty.append(account)
        if not self._is_set:
            self._is_set = True
            cluster.sim.after(0, Reckoning(self))

    def topic_deleted(self, record: Record) -> None:
        """A topic goes, and all its partitions: brokers delete their logs later."""
        cluster = self.cluster
        assert cluster is not None, "topics are deleted by actions"
        for p in cluster.topics[record.topic].partitions:
            self.account(p).deleted(record.fact, cluster.sim.now)
            self.touch(p)

    def touch_broker(self, broker: "ReplicaHost") -> None:
        """Something about a broker changed: its process or its links."""
        for replica in broker.hosted:
            self.touch(replica.p)

    def touch_all(self) -> None:
        """Links changed. A partition that is not created yet has nothing to be looked at."""
        cluster = self.cluster
        if cluster is None:
            return
        for account in self.accounts:
            if cluster.quorum.image.partition(account.p) is not None:
                self.touch(account.p)

    def reckon(self) -> None:
        """Work out the state of all partitions that changed, and state what that does to their topics.

        After the closing no time counts any more, and figures are stated once a second (``tick``).
        """
        self._is_set = False
        cluster = self.cluster
        assert cluster is not None, "a book that was not begun"
        now = cluster.sim.now
        dirty = self._dirty
        self._dirty = []
        changed: list[int] = []
        for account in dirty:
            account.is_dirty = False
            account.restate(now)
            account.look_at_records(now)
            if account.topic not in changed:
                changed.append(int(account.topic))
        if now > self.closing.us:
            return
        has_news = False
        for topic in changed:
            has_news = self._state(topic, now) or has_news
        if has_news:
            self._state_cluster()

    def tick(self) -> None:
        """Once a second: figures that grow with time."""
        cluster = self.cluster
        assert cluster is not None, "a book that was not begun"
        now = cluster.sim.now
        for account in self.accounts:
            if not account.is_looked_at and account.losses.acked:
                account.look_at_records(now)
            if account.state == OPEN and account.has_stood(now):
                account.restate(now)
        has_news = False
        for topic in cluster.own_topics():
            has_news = self._state(topic.index, now) or has_news
        if has_news:
            self._state_cluster()

    def _state(self, topic: i64, now: i64) -> bool:
        """State the figures of a topic if they differ from those stated last; whether they do."""
        cluster = self.cluster
        assert cluster is not None, "a book that was not begun"
        found = self._amounts_of(topic, now)
        totals = self.topics[topic]
        is_all = totals.acks == ACKS_ALL
        before = totals.stated
        if before is not None:
            found.severity = before.severity  # it follows from the others
            if found.values == before.values:
                return False
        figures = figures_in(found)
        if before is None and not any(figures[key] for key in AMOUNTS):
            return False
        found.severity = severity_of(figures, is_all)
        figures["severity"] = int(found.severity)
        partitions = len(cluster.topics[topic].partitions)
        named = self.named(topic)
        found.sentence = sentence(figures, partitions, is_all, named)
        totals.stated = found
        totals.addend = Addend(figures, is_all, named)
        cluster.sim.trace.state(found)
        return True

    def _state_cluster(self) -> None:
        """State what all topics come to, where they are many and it is another sentence than the last."""
        cluster = self.cluster
        assert cluster is not None, "a book that was not begun"
        whole = WholeFigures()
        for topic in cluster.own_topics():
            if not topic.exists or topic.is_deleted:
                whole.deleted += topic.is_deleted
                continue
            if topic.index < len(self.topics):
                self._add_topic(topic.index, topic.is_made, whole)
            else:  # created a moment ago: nothing has happened to it yet
                whole.add({}, True, topic.is_made)
        whole.is_mirrored = whole.ended == 0 and self.is_mirrored()
        said = whole.told(cluster) if whole.topics > TOLD_MAX else ""
        if said != self.said:
            self.said = said
            if cluster.site.name:
                cluster.sim.trace.state(SiteVerdictChanged(0, cluster=cluster.site.index, sentence=said))
            else:
                cluster.sim.trace.state(ClusterVerdictChanged(0, sentence=said))

    def _add_topic(self, topic: i64, is_made: bool, whole: WholeFigures) -> None:
        """Add a topic's figures, as stated last, to those of all."""
        totals = self.topics[topic]
        is_all = totals.acks == ACKS_ALL
        addend = totals.addend
        if addend is None or addend.is_all != is_all:
            addend = Addend(stated_figures(totals), is_all, self.named(topic))
            totals.addend = addend
        whole.take(addend, is_made)
        if is_made:
            return
        if totals.is_read:
            cluster = self.cluster
            assert cluster is not None, "a book that was not begun"
            accounts = self.accounts_of(topic)
            us = unread_us(accounts, int(cluster.sim.now))
            if us > whole.unread_us:
                whole.unread, whole.unread_us = unread_words(cluster, accounts), us

    def figures_of(self, topic: i64, now: i64) -> VerdictChanged:
        """The figures of a topic now, as a fact that is not stated."""
        found = self._amounts_of(topic, now)
        found.severity = severity_of(figures_in(found), self.topics[topic].acks == ACKS_ALL)
        return found

    def _amounts_of(self, topic: i64, now: i64) -> VerdictChanged:
        """The figures of a topic now, without the severity that follows from them."""
        accounts = self.accounts_of(topic)  # first: it opens those of a new topic
        return figures_so_far(topic, self.topics[topic], accounts, now)

    def named(self, topic: i64) -> SentenceNames:
        """The names for the sentence on a topic: groups without their offsets, partitions that nobody may lead."""
        cluster = self.cluster
        assert cluster is not None, "a book that was not begun"
        groups: list[str] = []
        unled: list[str] = []
        accounts = self.accounts_of(topic)
        is_read = self.topics[int(topic)].is_read if topic < len(self.topics) else False
        for account in accounts:
            if account.commits is not None:
                groups += account.commits.lost
            if account.unled_by:
                unled.append(words.name_of(account.p, cluster.partition_names, cluster.topics))
        return SentenceNames(
            tuple(groups),
            tuple(unled),
            unread_words(cluster, accounts) if is_read else "",
            unread_us(accounts, int(cluster.sim.now)) if is_read else 0,
            any(account.deleted_by > 0 for account in accounts),
            sum([int(account.deleted_records()) for account in accounts]),
            sum([int(account.before.standing()) for account in accounts if account.deleted_by > 0]),
            f"{skipped_words(cluster, accounts)} {read_again_words(cluster, accounts)}".strip(),
            mode_stops(accounts, int(cluster.sim.now)),
            any(account.is_mirrored for account in accounts),
            stood_partitions(accounts, int(cluster.sim.now)),
            writes_in_parts(accounts, int(cluster.sim.now)),
            writes_before_leader(accounts, int(cluster.sim.now)),
            waits_before_leader(accounts, int(cluster.sim.now)),
            is_read and reads_in_parts(accounts, int(cluster.sim.now)),
            past_us(accounts, int(cluster.sim.now)),
        )

    def is_offset_gone(self, group: str) -> bool:
        """True if a group had committed offsets, and no log has them any more."""
        return any(one.commits is not None and group in one.commits.lost for one in self.accounts)

    def is_mirrored(self) -> bool:
        """True if MirrorMaker has written to any topic of the cluster."""
        return any(account.is_mirrored for account in self.accounts)

    # -- for the view

    def heartbeat_of(self, broker: int) -> int:
        """The time of the last heartbeat, or of a fresh session at a new controller (QUO-4); -1 before the first."""
        return self.heartbeats.get(broker, -1)

    def acked_runs(self, p: int) -> list[list[int]]:
        """The newest runs of acknowledged records: [base, count, epoch] each."""
        return self.account(p).losses.recent_acked.rows()

    def lost_runs(self, p: int) -> list[list[int]]:
        """The newest runs of records lost after their acknowledgement."""
        return self.account(p).losses.recent_lost.rows()

    def figures(self) -> dict[str, dict[str, object]]:
        """The last stated figures of each topic, and the sentence on them."""
        found: dict[str, dict[str, object]] = {}
        for i in range(len(self.topics)):
            stated = self.topics[i].stated
            if stated is not None:
                figures: dict[str, object] = dict(figures_in(stated))
                figures[SENTENCE] = stated.sentence
                found[str(i)] = figures
        return found


def stated_figures(totals: TopicFigures) -> dict[str, int]:
    """The figures of a topic that were stated last; none yet is an empty dictionary."""
    stated = totals.stated
    return {} if stated is None else figures_in(stated)


@final
class Reckoning(Event):
    """After an event that changed something: what does it mean for the verdict?"""

    __slots__ = ("_book",)

    def __init__(self, book: VerdictCounters) -> None:
        super().__init__()
        self._book = book

    def fire(self) -> None:
        self._book.reckon()


@final
class Tick(Event):
    """Once a second."""

    __slots__ = ("_book",)

    def __init__(self, book: VerdictCounters) -> None:
        super().__init__()
        self._book = book

    def fire(self) -> None:
        book = self._book
        book.tick()
        cluster = book.cluster
        if cluster is not None:
            cluster.sim.after(TICK_US, self)
