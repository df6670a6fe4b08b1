"""True if a set of runs explains a recording: the seven rules of ``tests/conformance/recordings/README.md``."""

from typing import Final, NamedTuple

from tests.conformance import rules
from tests.conformance.disagreement import Disagreement
from tests.conformance.matching import match
from tests.conformance.recorded import Recorded
from tests.conformance.summary import Summary

HOPELESS_RUNS: Final = 600  # a history of 1 % of the runs is missing in so many by chance once in 400 times


class Comparison(NamedTuple):
    """The disagreements (none: explained), and the fewest matching runs of a partition.

    They come in the order of the rules, but mere numbers out of range last: all others name a moment.
    """

    runs: int
    fewest_matching: int
    disagreements: tuple[Disagreement, ...]

    @property
    def is_explained(self) -> bool:
        """True if all seven rules hold."""
        return not self.disagreements

    @property
    def is_hopeless(self) -> bool:
        """True if more runs can hardly help: some partition has a history that none of so many runs had."""
        return self.fewest_matching == 0 and self.runs >= HOPELESS_RUNS


def compare(recorded: Recorded, runs: list[Summary]) -> Comparison:
    """Hold all seven rules against the runs of the same script. Needs at least one run."""
    assert runs, "a comparison needs runs"
    matching = match(recorded.recording, recorded.summary, runs)

    def matching_runs(partition: str) -> list[Summary]:
        indices = matching.runs.get(partition)
        return [runs[i] for i in indices] if indices else runs

    found = [
        *matching.missing,
        *rules.times(recorded, matching_runs),
        *rules.fencing(recorded, runs),
        *rules.fates(recorded, matching_runs),
        *rules.waits(recorded, matching_runs),
        *rules.consumers(recorded, matching_runs, runs),
        *rules.logs(recorded, matching_runs),
    ]
    return Comparison(len(runs), matching.fewest, tuple(sorted(found, key=lambda one: one.is_count)))
