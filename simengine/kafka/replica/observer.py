"""The hooks through which the verdict and the invariant checkers observe the protocol.

The protocol calls these hooks at the places named in the list of invariants, and reads nothing from them. The base
class does nothing.
"""

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simengine.kafka.log.log import Batch
from simengine.kafka.shared.metadata import Record

if TYPE_CHECKING:
    from simengine.kafka.replica.remote import FollowerState
    from simengine.kafka.replica.replica import Partition
    from simengine.kafka.replica.replica_host import ReplicaHost

GROUP_REBALANCED: Final = 0
GROUP_TAKEN_OVER: Final = 1  # by a coordinator that read of its members in its log
GROUP_MEMBER_DROPPED: Final = 2  # its session was over


class Observer:
    """Looks on and does nothing."""

    def process_changed(self, broker: "ReplicaHost") -> None:
        """The process of a broker is in another state."""

    def links_changed(self) -> None:
        """Links were cut or healed."""

    def heartbeat(self, broker: i64, now: i64) -> None:
        """The active controller noted a heartbeat."""

    def fencing_decided(self, broker: i64, now: i64) -> None:
        """The active controller decided to fence a silent broker."""

    def isr_changed(self, replica: "Partition") -> None:
        """A leader's committed or maximal ISR changed, or how many of it are wanted."""

    def committed(self, record: Record) -> None:
        """*commit*: the quorum committed a record."""

    def batch_committed(self, records: list[Record]) -> None:
        """All records of one write were committed."""

    def voters_changed(self, now: i64) -> None:
        """A voter of the quorum, or a link between voters, was lost or came back."""

    def controller_activated(self, now: i64) -> None:
        """A controller became active and gave fresh sessions (QUO-4)."""

    def answered(self, replica: "Partition", offset: i64, count: i64, acks: i64) -> None:
        """*client answer*: a leader acknowledges records."""

    def refused(self, replica: "Partition", leo: i64) -> None:
        """*client answer*: a leader whose log ended at ``leo`` refused records."""

    def end_answered(self, replica: "Partition", offset: i64) -> None:
        """*client answer*: a leader told where its log ends for consumers (ListOffsets of the latest)."""

    def served(self, replica: "Partition", batches: list[Batch]) -> None:
        """*client answer*: a replica gives records to a consumer."""

    def metadata_applied(self, broker: "ReplicaHost", records: list[Record]) -> None:
        """*apply*: a broker has applied committed metadata."""

    def fetch_sent(self, follower: i64, leader: i64, number: i64) -> None:
        """A follower sent its fetch number so and so to a leader."""

    def fetch_given_up(self, follower: i64, leader: i64) -> None:
        """A follower expects no answer any more: its connection broke, or it stops copying from a leader."""

    def fetch_answered(self, follower: i64, leader: i64, number: i64) -> None:
        """*resp*: a follower takes in the answer to its fetch number so and so."""

    def answer_taken(self, replica: "Partition", epoch: i64, offset: i64) -> None:
        """*resp*: a follower uses what was answered for a partition, asked for in ``epoch`` at ``offset``."""

    def proposal_answered(self, broker: i64, p: i64, error: i64) -> None:
        """The active controller answered a leader's AlterPartition for a partition (-1: for all of them)."""

    def fetch_refused(self, leader: i64, p: i64, error: i64) -> None:
        """A leader refused a follower's fetch of a partition."""

    def group_changed(self, what: i64) -> None:
        """A coordinator did something of the above with a consumer group (CON-6)."""

    def activated(self, replica: "Partition") -> None:
        """*apply*: a replica acts as leader in a new epoch."""

    def appended(self, replica: "Partition", batch: Batch) -> None:
        """*append*: a batch now stands in a replica's log."""

    def fetched(self, replica: "Partition", remote: "FollowerState") -> None:
        """*fetch*: a leader recorded a follower's progress."""

    def hw_moved(self, replica: "Partition", old: i64) -> None:
        """*hw*: a replica's high watermark moved."""

    def truncated(self, replica: "Partition", old: i64, seq: i64) -> None:
        """*trunc*: a replica cut its log from ``old``; the Truncated fact is ``seq``."""

    def expired(self, replica: "Partition") -> None:
        """Retention moved the start of a replica's log."""

    def dropped(self, replica: "Partition", seq: i64) -> None:
        """A broker deleted its copy, log and all (REA-4); the ReplicaGone fact is ``seq``."""

    def overtaken(self, replica: "Partition") -> None:
        """A change that a leader made pending ends, as the record of the one before it arrives (STATE-6)."""

    def proposed(self, replica: "Partition", state: i64) -> None:
        """A leader made a change of its ISR pending; ``state`` is what the partition was in before."""
