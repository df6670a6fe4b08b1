"""The retries of failed batches, and their back-off (PC-4, IDEM-5)."""

from typing import final

from mypy_extensions import i64

from simengine.clients.network.settings import ProducerSettings
from simengine.clients.producer.accumulator import PartitionQueue
from simengine.clients.producer.produce_errors import is_retriable
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.clients.producer.sequences import Sequences
from simengine.facts.errors import ERR_OUT_OF_ORDER_SEQUENCE_NUMBER
from simengine.kernel.random import Stream
from simengine.kernel.sim import Sim


@final
class Retries:
    """Judges the failed batches of one sender, and queues them again behind a back-off."""

    __slots__ = ("_sequences", "_settings", "_sim", "_stream")

    def __init__(self, sim: Sim, sequences: Sequences, stream: Stream) -> None:
        self._sim = sim
        self._sequences = sequences
        self._stream = stream
        self._settings: ProducerSettings = ProducerSettings()

    def start(self, settings: ProducerSettings) -> None:
        """A new producer."""
        self._settings = settings

    def may_retry(self, queue: PartitionQueue, batch: ProducerBatch, error: i64) -> bool:
        """True if a batch that failed with this error has another attempt."""
        settings = self._settings
        if batch.attempts >= settings.retries or self._sim.now - batch.created_at >= settings.delivery_timeout_us:
            return False
        if error == ERR_OUT_OF_ORDER_SEQUENCE_NUMBER and self._sequences.is_on:
            self._sequences.retries_out_of_order(queue, batch)
            return True
        return is_retriable(error)

    def put_back(self, queue: PartitionQueue, batch: ProducerBatch) -> None:
        """Queue a batch for its next attempt, ready after the back-off."""
        settings = self._settings
        batch.attempts += 1
        pause = settings.backoff_us(batch.attempts)
        # PC-4 as measured: 1.0 .. 1.2 times the nominal pause, never above the limit
        pause = min(self._stream.between(pause, pause + pause // 5), settings.retry_backoff_max_us)
        batch.retry_at = self._sim.now + pause
        queue.put_back(batch)
        queue.list_up()
