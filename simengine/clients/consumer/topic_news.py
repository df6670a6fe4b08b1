"""A consumer learns that a topic has new partitions, was deleted, or was created again.

It learns so by a metadata refresh: once in ``metadata.max.age.ms``, or soon after an error. Who names topics reads
their new partitions, from where ``auto.offset.reset`` says: by ``latest`` it misses what came before it noticed. In a
group only the leader looks for changes (``ConsumerCoordinator.rejoinNeededOrPending``) and has it share out anew. A
leader with ``client.rack`` also counts a change of the replicas' racks: up to 4.3 a broker that is down has none. Who
names partitions keeps its offset in the partition of that name, though the records there are others now. Left out:
before a rebalance Kafka tries to commit the position in a deleted partition.
"""

from typing import final

from mypy_extensions import i64

from simengine.clients.consumer.position import FETCHING, NO_OFFSET, REVOKED, Assignment, Position
from simengine.clients.consumer.reading_client import ReadingClient
from simengine.clients.network.metadata import ClientMetadata
from simengine.clients.network.settings import SUBSCRIBED, ConsumerSettings
from simengine.facts.kinds import RESET_KEPT
from simengine.kafka.wire.api import MetadataAnswer


@final
class TopicNews:
    """Takes up what metadata refreshes say of the topics of one consumer; ``seen``: how often they have changed."""

    __slots__ = ("_assignment", "_consumer", "_metadata", "_racks", "_settings", "seen")

    def __init__(
        self, metadata: ClientMetadata, consumer: ReadingClient, assignment: Assignment, settings: ConsumerSettings
    ) -> None:
        self._metadata = metadata
        self._consumer = consumer
        self._assignment = assignment
        self._settings = settings
        self._racks: dict[int, str] = {}  # by partition: the racks of its replicas at the last look
        self.seen: i64 = 0

    def take_note(self, answer: MetadataAnswer) -> bool:
        """Take up the partitions that an answer names, as far as this consumer reads them; whether anything changed."""
        is_news = False
        for found in answer.found:
            replaces = self._assignment.has(found.replaces) if found.replaces >= 0 else False
            if not replaces and not (self._settings.follows_topics and self._assignment.has(found.beside)):
                continue
            self._metadata.adopt(found)
            new = self.add(int(found.p))
            if replaces and self._settings.mode != SUBSCRIBED:
                self._keep_offset(self._assignment.of(found.replaces), new)
            is_news = True
        for p in answer.ended:
            if self._assignment.has(p) and not self._assignment.of(p).is_ended:
                self._end(self._assignment.of(p))
                is_news = True
        racks_changed = self._note_racks(answer)
        if is_news or racks_changed or self._has_lost(answer.gone):
            self.seen += 1
        return is_news

    def _note_racks(self, answer: MetadataAnswer) -> bool:
        """CON-12: keep the racks that an answer names; True if those of a partition have changed since."""
        changed = False
        for i in range(len(answer.racks)):
            p = answer.partitions[i]
            if self._assignment.has(p):
                changed = changed or self._racks.get(p, answer.racks[i]) != answer.racks[i]
                self._racks[p] = answer.racks[i]
        return changed

    def add(self, p: int) -> Position:
        """A partition that the consumer reads from now on, or may be given by its group."""
        position = self._assignment.add(p)
        position.is_late = True
        if self._settings.mode == SUBSCRIBED:
            position.state = REVOKED
        self._consumer.wants(p)
        return position

    def _keep_offset(self, old: Position, new: Position) -> None:
        """The client knows the partition by its name: it goes on at the offset that it had."""
        if old.offset < 0 or old.state == REVOKED:
            return
        new.seek(old.offset, old.epoch)
        new.state = FETCHING
        self._consumer.repositioned(new.p, NO_OFFSET, new.offset, RESET_KEPT)

    def _end(self, position: Position) -> None:
        """The partition is no longer there, another one has its name."""
        position.forget()
        position.state = REVOKED
        position.is_ended = True
        if position.stated >= 0:
            self._consumer.moved(position.p, NO_OFFSET)
        else:
            self._consumer.unassigned(position.p)
        self._consumer.wants_no_more(position.p)

    def _has_lost(self, gone: list[int]) -> bool:
        """Mark the partitions that are gone; True if one of them was there at the last look."""
        is_news = False
        for p in gone:
            if self._assignment.has(p) and not self._assignment.of(p).is_gone:
                self._assignment.of(p).is_gone = True
                is_news = True
        return is_news
