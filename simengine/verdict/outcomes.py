"""What became of each producer's calls, kept as runs of equal outcome (section 5 of the list of invariants)."""

from typing import Final, final

from mypy_extensions import i64

from simengine.verdict.latency import Waits

ACKED: Final = 1
HANDED_OVER: Final = 2
REFUSED: Final = 3
UNKNOWN: Final = 4


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
        """Whether a call run that begins so is this one's continuation."""
        if self.outcome != outcome or self.n + self.count != n or self.acks != acks:
            return False
        if outcome != ACKED:
            return True
        return self.offset + self.count == offset and self.epoch == epoch


@final
class Calls:
    """All calls of one producer to one partition."""

    __slots__ = ("client", "made", "runs", "settled", "waits")

    def __init__(self, client: i64) -> None:
        self.client: i64 = client
        self.made: i64 = 0
        self.settled: i64 = 0
        self.runs: list[CallRun] = []
        self.waits: Waits = Waits()

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


@final
class Run:
    """Records base .. base+count-1 of one leader epoch, of one producer, acknowledged in one mode."""

    __slots__ = ("acks", "base", "client", "count", "epoch")

    def __init__(self, base: i64, count: i64, epoch: i64, acks: i64, client: i64) -> None:
        self.base: i64 = base
        self.count: i64 = count
        self.epoch: i64 = epoch
        self.acks: i64 = acks
        self.client: i64 = client

    def part(self, start: i64, end: i64) -> "Run":
        """The records start .. end-1 of these."""
        return Run(start, end - start, self.epoch, self.acks, self.client)


@final
class Recent:
    """The newest runs, as the screen keeps them: [base, count, epoch]; see ``addRun`` of the page's fold."""

    __slots__ = ("runs",)

    KEPT: Final = 64

    def __init__(self) -> None:
        self.runs: list[list[int]] = []

    def add(self, base: i64, count: i64, epoch: i64) -> None:
        """Add a run, joined with the last one where it continues it."""
        runs = self.runs
        if runs:
            last = runs[-1]
            if last[2] == epoch and last[0] + last[1] == base:
                last[1] += int(count)
                return
        runs.append([int(base), int(count), int(epoch)])
        if len(runs) > 64:
            runs.pop(0)

    def remove(self, base: i64, count: i64, epoch: i64) -> None:
        """Take records out of the runs."""
        end = int(base + count)
        kept: list[list[int]] = []
        for run in self.runs:
            start, n, of = run
            if of != epoch or start >= end or start + n <= base:
                kept.append(run)
                continue
            if start < base:
                kept.append([start, int(base) - start, of])
            if start + n > end:
                kept.append([end, start + n - end, of])
        self.runs = kept
