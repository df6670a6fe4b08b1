"""The parts of one run, real or simulated, that the seven rules compare; small enough to be sent between processes."""

from dataclasses import dataclass

from simengine.recordings.model import Recording
from simengine.recordings.values import Pair
from tests.conformance.consumers import Reading, exceptions, readings
from tests.conformance.endings import Ending, endings
from tests.conformance.fates import RecordedFates, fates
from tests.conformance.history import History, histories, told_by_list
from tests.conformance.liveness import Liveness, liveness
from tests.conformance.placement import Placement, placements


@dataclass(frozen=True, slots=True)
class Summary:
    """One run as the rules see it."""

    histories: dict[str, History]  # rules 1 and 2, by partition, or by replica list where the cluster drew it
    placements: dict[str, Placement]  # rule 1, by topic that the cluster placed
    liveness: dict[int, Liveness]  # rule 3, by broker
    fates: dict[Pair, RecordedFates]  # rules 4 and 5, by producer and partition
    readings: dict[Pair, Reading]  # rule 6, by consumer and partition
    exceptions: dict[str, dict[str, float]]  # rule 6, by consumer: classes, and when the first of each came
    endings: dict[str, Ending]  # rule 7, by partition


def summarise(recording: Recording, end: float) -> Summary:
    """The parts that the rules compare; waits that are still open count up to ``end`` (s), the end of the script."""
    placed = placements(recording)
    return Summary(
        histories=told_by_list(histories(recording), list(placed)),
        placements=placed,
        liveness=liveness(recording),
        fates=fates(recording, end),
        readings=readings(recording, end),
        exceptions=exceptions(recording),
        endings=endings(recording),
    )
