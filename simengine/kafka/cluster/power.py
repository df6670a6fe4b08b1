"""Power loss: a host goes dark, and with it what its disks had not got yet (LOG-8, LOG-10, PC-7).

An ack says nothing of a disk: Kafka leaves the writing to the operating system, unless ``flush.messages`` forces it or
a clean stop writes everything (SHUT-3).
What the host had not written when its power failed is gone from the end of each of its logs, in whole batches, since
recovery keeps no torn batch. How much that is, is the operating system's affair: without a word of the document chance
decides, for each copy by itself, among the batches of the last half minute (Linux writes pages older than 30 s at the
next of its rounds every 5 s). High-watermark checkpoint and epoch cache are written through.

Nobody is reset: to its peers a host without power is silent (PC-7), until it is on again and answers with resets.
"""

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simengine.kernel.random import Stream

if TYPE_CHECKING:
    from simengine.kafka.broker.broker import Broker
    from simengine.kafka.replica.replica import Partition

WRITTEN_AFTER_US: Final = 35_000_000
AS_CHANCE_HAS_IT: Final = -1


def lose_power(broker: "Broker", records: i64, stream: Stream, cause: i64) -> None:
    """The host of a broker goes dark, its process with it, and each of its copies loses the end of its log.

    ``records``: at most so many records of each copy, as far as they were not flushed; AS_CHANCE_HAS_IT: any number,
    drawn from ``stream``.
    """
    broker.net.power_off(broker)
    if broker.up:
        broker.kill()
    for replica in broker.hosted:
        end = surviving_end(replica, records, stream)
        if end < replica.log.leo:
            replica.lose_tail(end, cause)
        replica.log.flushed = replica.log.leo  # what is left is what the disk has: it is lost no more


def surviving_end(replica: "Partition", records: i64, stream: Stream) -> i64:
    """The log end that the disk has: the end of some batch that was not certainly written."""
    batches = replica.log.batches
    safe = flushed_batches(replica, records == AS_CHANCE_HAS_IT)
    if records == AS_CHANCE_HAS_IT:
        kept = safe + stream.below(len(batches) - safe + 1)
    else:
        kept = len(batches)
        while kept > safe and batches[kept - 1].end > replica.log.leo - records:
            kept -= 1
    if kept == len(batches):
        return replica.log.leo
    return batches[kept].base


def flushed_batches(replica: "Partition", old_are_written: bool) -> i64:
    """The number of batches, from the start of the log, that are certainly on disk."""
    every = replica.broker.image.flush_messages(replica.topic())
    written_until = replica.broker.sim.now - WRITTEN_AFTER_US
    safe: i64 = 0
    unflushed: i64 = 0
    batches = replica.log.batches
    for i in range(len(batches)):
        batch = batches[i]
        unflushed += batch.count
        is_written = batch.client < 0 or batch.end <= replica.log.flushed
        if unflushed >= every or is_written or (old_are_written and batch.time <= written_until):
            safe = i + 1
            unflushed = 0
    return safe
