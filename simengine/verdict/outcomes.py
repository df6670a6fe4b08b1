"""The outcome of every ``send()`` call, run-length encoded (FATE-2)."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.verdict.handed_over import UnackedRecords
from simengine.verdict.latency import Waits
from simengine.verdict.no_response import NoResponse
from simengine.verdict.outage import Closing

ACKED: Final = 1
HANDED_OVER: Final = 2
REFUSED: Final = 3
UNKNOWN: Final = 4
OPEN_CALLS: Final = 5  # nobody knows their end yet


@mypyc_attr(acyclic=True)
@final
class CallRun:
    """Calls n .. n+count-1 of one producer to one partition, with one outcome.

    Acknowledged calls stand at ``offset`` on, in leader epoch ``epoch``, under ``acks``; others have offset -1.
    """

    __slots__ = ("acks", "client", "count", "epoch", "n", "offset", "outcome")

    def __init__(self, client: i64, n: i64, count: i64, outcome: i64, offset: i64, epoch: i64, acks: i64) -> None:
        self.client: i64 = client
        self.n: i64 = n
        self.count: i64 = count
        self.outcome: i64 = outcome
        self.offset: i64 = offset
        self.epoch: i64 = epoch
        self.acks: i64 = acks

    def is_continued_by(self, n: i64, outcome: i64, offset: i64, epoch: i64, acks: i64) -> bool:
        """True if a call run that begins with these values continues this one."""
        if self.outcome != outcome or self.n + self.count != n or self.acks != acks:
            return False
        if outcome != ACKED:
            return True
        return self.offset + self.count == offset and self.epoch == epoch


@mypyc_attr(acyclic=True)
@final
class RepeatedCalls:
    """Calls n .. n+count-1 that send the records of calls ``of`` .. of+count-1 again."""

    __slots__ = ("count", "n", "of")

    def __init__(self, n: i64, count: i64, of: i64) -> None:
        self.n: i64 = n
        self.count: i64 = count
        self.of: i64 = of


@mypyc_attr(acyclic=True)
@final
class CallOutcomes:
    """All calls of one producer to one partition."""

    __slots__ = ("again", "client", "closing", "handed_over", "made", "modes", "runs", "settled", "waits")

    def __init__(self, client: i64, closing: Closing) -> None:
        self.client: i64 = client
        self.made: i64 = 0
        self.settled: i64 = 0
        self.runs: list[CallRun] = []
        self.again: tuple[RepeatedCalls, ...] = ()
        self.closing = closing
        self.waits: Waits = Waits(closing)
        self.modes: list[NoResponse] = []  # one for each mode of acks in which it made calls
        self.handed_over: UnackedRecords = UnackedRecords()

    def in_mode(self, acks: i64) -> NoResponse:
        """The time without a response to the calls made in a mode."""
        for mode in self.modes:
            if mode.acks == acks:
                return mode
        mode = NoResponse(acks, self.closing)
        self.modes.append(mode)
        return mode

    def no_response_us(self, now: i64) -> i64:
        """The producer's time without a response, whichever its mode was."""
        total: i64 = 0
        for mode in self.modes:
            total += mode.us(now)
        return total

    def held(self, now: i64) -> i64:
        """Calls that it made in this time."""
        total: i64 = 0
        for mode in self.modes:
            total += mode.held(now)
        return total

    def vain_us(self) -> i64:
        """The longest time of a mode in which every response was of a record that was lost already."""
        longest: i64 = 0
        for mode in self.modes:
            longest = max(longest, mode.vain_us())
        return longest

    def silence(self, now: i64) -> tuple[i64, i64]:
        """Its longest stretch without a response: since when and for how long (µs); (-1, 0) if there is none."""
        longest: i64 = 0
        since: i64 = -1
        for mode in self.modes:
            us = mode.stretch_us(now)
            if us > longest:
                longest, since = us, mode.longest_since(now)
        return since, longest

    def resent(self, n: i64, count: i64, of: i64) -> None:
        """The application has sent records again."""
        if self.again:
            last = self.again[-1]
            if last.n + last.count == n and last.of + last.count == of:
                last.count += count
                return
        self.again += (RepeatedCalls(n, count, of),)

    def add(self, n: i64, count: i64, outcome: i64, offset: i64, epoch: i64, acks: i64) -> CallRun:
        """Note how calls ended; returns the run they now belong to."""
        self.settled += count
        if self.runs:
            last = self.runs[-1]
            if last.is_continued_by(n, outcome, offset, epoch, acks):
                last.count += count
                return last
        run = CallRun(self.client, n, count, outcome, offset, epoch, acks)
        self.runs.append(run)
        return run

    def open_runs(self) -> list[CallRun]:
        """The calls that have not ended."""
        return [CallRun(self.client, n, count, OPEN_CALLS, -1, -1, 0) for n, count in self.waits.open()]


@mypyc_attr(acyclic=True)
@final
class RecordRange:
    """Records base .. base+count-1 of one leader epoch, of one producer, acknowledged in one mode.

    ``cause``: of lost ones, the fact that their loss goes back to.
    """

    __slots__ = ("acks", "base", "cause", "client", "count", "epoch")

    def __init__(self, base: i64, count: i64, epoch: i64, acks: i64, client: i64, cause: i64 = 0) -> None:
        self.base: i64 = base
        self.count: i64 = count
        self.epoch: i64 = epoch
        self.acks: i64 = acks
        self.client: i64 = client
        self.cause: i64 = cause

    def part(self, start: i64, end: i64) -> "RecordRange":
        """The records start .. end-1 of these."""
        return RecordRange(start, end - start, self.epoch, self.acks, self.client, self.cause)


@mypyc_attr(acyclic=True)
@final
class RecentRun:
    """Records base .. base+count-1 of one leader epoch."""

    __slots__ = ("base", "count", "epoch")

    def __init__(self, base: i64, count: i64, epoch: i64) -> None:
        self.base: i64 = base
        self.count: i64 = count
        self.epoch: i64 = epoch


@mypyc_attr(acyclic=True)
@final
class Recent:
    """The newest runs, as the screen keeps them: [base, count, epoch]; see ``addRun`` of the page's fold."""

    __slots__ = ("_runs",)

    KEPT: Final = 64

    def __init__(self) -> None:
        self._runs: list[RecentRun] = []

    def add(self, base: i64, count: i64, epoch: i64) -> None:
        """Add a run, joined with the last one where it continues it."""
        runs = self._runs
        if runs:
            last = runs[-1]
            if last.epoch == epoch and last.base + last.count == base:
                last.count += count
                return
        runs.append(RecentRun(base, count, epoch))
        if len(runs) > self.KEPT:
            runs.pop(0)

    def rows(self) -> list[list[int]]:
        """[base, count, epoch] each, oldest first."""
        return [[run.base, run.count, run.epoch] for run in self._runs]

    def remove(self, base: i64, count: i64, epoch: i64) -> None:
        """Take records out of the runs."""
        end = base + count
        kept: list[RecentRun] = []
        for run in self._runs:
            if run.epoch != epoch or run.base >= end or run.base + run.count <= base:
                kept.append(run)
                continue
            if run.base < base:
                kept.append(RecentRun(run.base, base - run.base, epoch))
            if run.base + run.count > end:
                kept.append(RecentRun(end, run.base + run.count - end, epoch))
        self._runs = kept
