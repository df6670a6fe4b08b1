"""The process that a Reader belongs to: an application that consumes, or a task of MirrorMaker."""

from mypy_extensions import i64

from simengine.clients.network.client_node import ClientNode
from simengine.kafka.log.log import Batch


class ReadingClient(ClientNode):
    """The receiver of a Reader's reports. The base class ignores them."""

    __slots__ = ()

    def polled(self, p: i64, offset: i64, batches: list[Batch], hw: i64) -> None:
        """``poll`` returns these batches from ``offset`` on, all below ``hw``; the first may begin before ``offset``.

        ``delivered`` follows.
        """

    def delivered(self, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        """``poll`` returned records of one leader epoch."""

    def unserved(self, p: i64, since: i64, has_response: bool) -> None:
        """Fetches had no response since then, for longer than one may take; now there is one, or one is given up."""

    def moved(self, p: i64, position: i64) -> None:
        """The position after a delivery; -1: the group took the partition away."""

    def repositioned(self, p: i64, old: i64, new: i64, why: i64) -> None:
        """The position jumped (RESET_*)."""

    def threw(self, p: i64, error: i64) -> None:
        """``poll`` (or a commit) threw an exception."""

    def committed(self, p: i64, offset: i64) -> None:
        """An offset was committed."""

    def commits_changed(self) -> None:
        """A group request ended."""

    def wants(self, p: i64) -> None:
        """A partition that is new belongs to those that it reads."""

    def wants_no_more(self, p: i64) -> None:
        """A partition that it read was deleted."""

    def unassigned(self, p: i64) -> None:
        """It reads a partition no more, of which it has stated no position."""

    def missed(self, p: i64, first: i64, end: i64) -> None:
        """A reset passed over the records first .. end-1."""
