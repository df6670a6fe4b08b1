"""A consumer learns that a topic has new partitions, was deleted, or was created again.

It learns so by a metadata refresh: once in ``metadata.max.age.ms``, or soon after an error. Who names topics reads
their new partitions, from where ``auto.offset.reset`` says: by ``latest`` it misses what came before it noticed. In a
group only the leader looks for changes (``ConsumerCoordinator.rejoinNeededOrPending``) and has it share out anew. Who
names partitions keeps its offset in the partition of that name, though the records there are others now. Left out:
before a rebalance Kafka tries to commit the position in a deleted partition.
"""

from typing import TYPE_CHECKING

from simengine.clients.position import FETCHING, NO_OFFSET, REVOKED, Position
from simengine.clients.settings import SUBSCRIBED
from simengine.facts.kinds import RESET_KEPT
from simengine.kafka.api import MetadataAnswer

if TYPE_CHECKING:
    from simengine.clients.reader import Reader


def take_note(reader: "Reader", answer: MetadataAnswer) -> bool:
    """Take up the partitions that an answer names, as far as this consumer reads them; whether anything changed."""
    is_news = False
    for found in answer.found:
        replaces = reader.assignment.has(found.replaces) if found.replaces >= 0 else False
        if not replaces and not (reader.settings.follows_topics and reader.assignment.has(found.beside)):
            continue
        reader.metadata.adopt(found)
        new = add(reader, int(found.p))
        if replaces and reader.settings.mode != SUBSCRIBED:
            keep_offset(reader, reader.assignment.of(found.replaces), new)
        is_news = True
    for p in answer.ended:
        if reader.assignment.has(p) and not reader.assignment.of(p).is_ended:
            end(reader, reader.assignment.of(p))
            is_news = True
    if is_news or has_lost(reader, answer.gone):
        reader.topics_seen += 1
        if reader.settings.mode == SUBSCRIBED:
            reader.membership.topics_changed()
    return is_news


def add(reader: "Reader", p: int) -> Position:
    """A partition that the consumer reads from now on, or may be given by its group."""
    position = reader.assignment.add(p)
    position.is_late = True
    if reader.settings.mode == SUBSCRIBED:
        position.state = REVOKED
    reader.consumer.wants(p)
    return position


def keep_offset(reader: "Reader", old: Position, new: Position) -> None:
    """The client knows the partition by its name: it goes on at the offset that it had."""
    if old.offset < 0 or old.state == REVOKED:
        return
    new.seek(old.offset, old.epoch)
    new.state = FETCHING
    reader.consumer.repositioned(new.p, NO_OFFSET, new.offset, RESET_KEPT)


def end(reader: "Reader", position: Position) -> None:
    """The partition is no longer there, another one has its name."""
    position.forget()
    position.state = REVOKED
    position.is_ended = True
    if position.stated >= 0:
        reader.consumer.moved(position.p, NO_OFFSET)
    else:
        reader.consumer.unassigned(position.p)
    reader.consumer.wants_no_more(position.p)


def has_lost(reader: "Reader", gone: list[int]) -> bool:
    """Whether partitions are gone that were there at the last look."""
    is_news = False
    for p in gone:
        if reader.assignment.has(p) and not reader.assignment.of(p).is_gone:
            reader.assignment.of(p).is_gone = True
            is_news = True
    return is_news
