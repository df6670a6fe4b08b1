"""A producer learns that its topic has new partitions, or was deleted and created again.

It learns so by a metadata refresh: once in ``metadata.max.age.ms``, or soon after an error. Calls that name no
partition are shared out over all that it knows. What waits for a partition of a deleted topic goes to the partition of
the same number once there is one, with sequence numbers that go on, for the client knows partitions by name; until
then it waits, up to ``delivery.timeout.ms``. The new topic has partitions of its own here, so calls change accounts.
"""

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simengine.facts.kinds import CLIENT_OPEN
from simengine.facts.traffic import calls_moved
from simengine.kafka.wire.api import MetadataAnswer

if TYPE_CHECKING:
    from simengine.clients.producer.producer import Producer
    from simengine.clients.producer.producer_batch import ProducerBatch
    from simengine.clients.producer.sender import Sender


def take_up(producer: "Producer", sender: "Sender", answer: MetadataAnswer) -> bool:
    """Take up the partitions that an answer names, as far as the producer writes to them; whether there were any."""
    before = producer.spread
    after = [p for p in before if p not in answer.ended]
    is_taken = False
    for found in answer.found:
        replaces = found.replaces >= 0 and producer.has_calls_to(found.replaces)
        is_spread = found.beside in before
        if not replaces and not is_spread:
            continue
        sender.metadata.adopt(found)
        is_taken = True
        if is_spread:
            after.append(int(found.p))
        if replaces:
            follow(producer, found.replaces, found.p)
            sender.move(found.replaces, producer.calls_to(found.p))
            move_blocked(producer, found.replaces, found.p)
    if sender is producer.sender() and after != before:
        share_out(producer, before, sorted(after))
    return is_taken


def follow(producer: "Producer", old_p: i64, new_p: i64) -> None:
    """Calls to a partition of a deleted topic go on to the one that took its place, under the same numbers.

    Calls that have not ended are moved by the sender that holds them: while the acks change there are two.
    """
    if producer.has_calls_to(new_p):
        return
    old = producer.calls_to(old_p)
    new = producer.calls_to(new_p)
    old.is_over = True
    new.made = old.made
    rate = old.rate_milli
    old.start(0, 0)
    new.rate_milli = rate
    if rate > 0 and producer.state == CLIENT_OPEN:
        producer.begin(new, rate, True)


def move_blocked(producer: "Producer", old_p: i64, new_p: i64) -> None:
    """A call that waits for metadata of a deleted topic goes on with the one in its place."""
    blocked = producer.blocked
    if blocked is not None and blocked.calls.p == old_p:
        blocked.calls.moved(-1, 0)
        blocked.calls = producer.calls_to(new_p)
        blocked.calls.moved(1, 0)
        state_moved(producer, old_p, new_p, blocked.n, 1, producer.settings.acks)


def rebook(producer: "Producer", batch: "ProducerBatch", p: i64, acks: i64) -> None:
    """The calls of a batch, made in this mode of acks, belong to the partition that it will be sent to."""
    if batch.p != p:
        state_moved(producer, batch.p, p, batch.n, batch.count, acks)
        batch.p = p


def state_moved(producer: "Producer", old_p: i64, new_p: i64, n: i64, count: i64, acks: i64) -> None:
    """State that calls which have not ended go to another partition."""
    calls_moved(producer.sim.trace, client=producer.number, p=old_p, n=n, count=count, to=new_p)
    producer.ledger.moved(producer.number, old_p, new_p, n, count, acks)


def share_out(producer: "Producer", before: list[int], after: list[int]) -> None:
    """Calls that name no partition go to these partitions from now on, at the same rate in all."""
    producer.spread = after
    total: i64 = 0
    for p in before:
        if p not in after:
            calls = producer.calls_to(p)
            total += calls.rate_milli
            calls.start(0, 0)
    for p in after:
        total += producer.calls_to(p).rate_milli
    n: i64 = len(after)
    k: i64 = 0
    for p in after:
        share = total // n + (1 if k < total % n else 0)
        k += 1
        calls = producer.calls_to(p)
        if producer.state != CLIENT_OPEN:
            calls.rate_milli = share
        elif calls.rate_milli != share:
            producer.begin(calls, share, True)
