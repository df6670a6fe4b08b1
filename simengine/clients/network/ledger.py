"""The reports of the clients to the verdict: an interface whose methods do nothing.

Clients are named by their index, partitions by their index in the run, calls by their number per client and partition.
"""

from mypy_extensions import i64


class ClientListener:
    """Told of every call, of how it ended, and of every delivery. The base class listens to nothing."""

    __slots__ = ()

    def called(self, client: i64, p: i64, n: i64, count: i64, acks: i64) -> None:
        """The application called ``send`` for records n .. n+count-1, of a producer that writes in mode ``acks``."""

    def resent(self, client: i64, p: i64, n: i64, count: i64, of: i64) -> None:
        """The calls n .. n+count-1, just made, send the records of calls of .. of+count-1 again."""

    def moved(self, client: i64, p: i64, to: i64, n: i64, count: i64, acks: i64) -> None:
        """Calls n .. n+count-1, made to p and not ended, go to another partition: p's topic was created again."""

    def settled(
        self,
        client: i64,
        p: i64,
        n: i64,
        count: i64,
        acks: i64,
        offset: i64,
        epoch: i64,
        error: i64,
        may_be_written: bool,
    ) -> None:
        """Calls n .. n+count-1 ended.

        ERR_NONE with offset >= 0: acknowledged under ``acks``; ERR_NONE with offset -1: handed over (acks=0, PC-9).
        Else failed: ``may_be_written`` says whether any attempt may have been appended (PC-11).
        """

    def abandoned(self, client: i64, p: i64, n: i64, count: i64, acks: i64, may_be_written: bool) -> None:
        """The process died before calls n .. n+count-1 ended; nobody will ever tell it."""

    def delivered(self, client: i64, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        """A poll handed records offset .. offset+count-1, written in leader epoch ``epoch``, to the application."""

    def unserved(self, client: i64, p: i64, since: i64, has_response: bool) -> None:
        """Fetches of a partition had no response since then, longer than one may take; now one has, or is given up."""

    def position_moved(self, client: i64, p: i64, old: i64, new: i64, why: i64) -> None:
        """A consumer's position went from old to new without delivery; why: RESET_*."""

    def missed(self, client: i64, p: i64, start: i64, end: i64) -> None:
        """A reset took a consumer's position over records, or past those from before it noticed a new partition."""

    def wants(self, client: i64, p: i64, group: str) -> None:
        """A consumer begins that is to read a partition; ``group``: of those who subscribe, "" for one by itself."""

    def wants_no_more(self, client: i64, p: i64, is_dead: bool) -> None:
        """A consumer that was to read a partition is closed, or dead."""

    def unassigned(self, client: i64, p: i64) -> None:
        """A consumer reads a partition no more: its group took it away, or it is closed or dead."""
