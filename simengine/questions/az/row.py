"""A row of the table with both of its cells, and how bad it is."""

from dataclasses import dataclass, replace

from simengine.questions.az import figures
from simengine.questions.az.cell import AzCell, AzLoss
from simengine.questions.az.figures import Tally, groups, reads, writes


@dataclass(frozen=True, slots=True)
class AzRow:
    """A loss with both of its cells."""

    loss: AzLoss
    safe: AzCell  # acks=all
    fast: AzCell  # acks=1

    @property
    def rank(self) -> tuple[int, ...]:
        """The harm that lasts: its step on the scale of the table, so that no cell of another row looks worse.

        Then: lost by rule (acks=all, then 1), offline, not writable, groups stopped, not readable, no quorum.
        """
        safe, fast = self.safe, self.fast
        step = max(*figures.steps(safe), *figures.steps(fast))
        doubled = sum(part.duplicated for part in safe.parts)
        return (
            step if step > figures.SECONDS else figures.NOTHING,
            figures.lost_records(safe) + figures.lost_before(safe) + doubled,
            len(figures.gone_logs(safe)),
            figures.lost_records(fast) + figures.lost_before(fast),
            writes(fast).until_back,
            writes(safe).until_back,
            groups(safe).until_back,
            max(reads(fast).until_back, reads(safe).until_back),
            int(not self.loss.has_quorum),
        )

    @property
    def only_fast(self) -> Tally:
        """The stops of acks=1 writes where acks=all was out before the loss."""
        out = {part.place: True for part in self.safe.parts if part.was_out}
        return writes(replace(self.fast, parts=tuple(part for part in self.fast.parts if part.place in out)))

    @property
    def reads(self) -> Tally:
        """The partitions whose readers get nothing, in the cell in which one waits longest: readers know no acks."""
        return max(reads(self.safe), reads(self.fast), key=lambda one: one.us)

    @property
    def harm(self) -> tuple[int, ...]:
        """The rank; where something lasts, with all that the cells tell: rows with the same harm are as bad."""
        return (*self.rank, self._steps) if any(self.rank) else self.rank

    @property
    def fine_rank(self) -> tuple[int, ...]:
        """The harm, then the longest stop; where nothing lasts, the longer stop is the worse."""
        us = max(writes(self.safe).us, groups(self.safe).us, self.reads.us)
        return (*self.harm, us) if any(self.rank) else (*self.harm, us, self._steps)

    @property
    def _steps(self) -> int:
        """The steps of all figures of both cells."""
        return sum(sum(figures.steps(cell)) for cell in (self.safe, self.fast))
