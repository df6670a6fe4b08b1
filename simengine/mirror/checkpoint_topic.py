"""The checkpoints topic on the target: what its records say, and which of them are written for good (MM-6)."""

from typing import final

from mypy_extensions import i64

from simengine.clients.producer.completion import PartitionCompletion
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.facts.errors import ERR_NONE
from simengine.mirror.checkpoint_store import Checkpoint, CheckpointStore
from simengine.mirror.flow_listener import FlowListener
from simengine.mirror.producer_leg import ProducerLeg


@final
class CheckpointTopic(PartitionCompletion):
    """Partition ``p`` of the topic. The contents of its records outlive the MirrorMaker process.

    Left out: a new task does not read the topic, but takes the checkpoints that were acknowledged.
    """

    __slots__ = ("_written", "contents", "flow", "latencies", "producer")

    def __init__(self, p: i64, producer: ProducerLeg) -> None:
        super().__init__(p)
        self.producer = producer
        self.contents: list[Checkpoint] = []  # by the number of the call
        self._written: list[Checkpoint] = []
        self.latencies: dict[str, dict[int, int]] = {}  # of a task's newest checkpoints, us: by group and partition
        self.flow: FlowListener = FlowListener()

    def emit(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint."""
        self.contents.append(checkpoint)
        self.producer.send(self, len(self.contents) - 1, 1)

    def keep(self, checkpoint: Checkpoint) -> None:
        """The checkpoint was written before the run."""
        self._written.append(checkpoint)

    def load(self, groups: list[str]) -> CheckpointStore:
        """The checkpoints that a new task for these groups reads."""
        store = CheckpointStore()
        for checkpoint in self._written:
            if checkpoint.group in groups:
                store.update(checkpoint)
        return store

    def settled(self, batch: ProducerBatch, acks: i64, error: i64, offset: i64, epoch: i64) -> None:
        if error != ERR_NONE:
            return
        for n in range(batch.n, batch.n + batch.count):
            checkpoint = self.contents[n]
            self._written.append(checkpoint)
            of_group = self.latencies.setdefault(checkpoint.group, {})
            of_group[checkpoint.p] = self.producer.sim.now - checkpoint.at
            self.flow.checkpoint_written(checkpoint)
