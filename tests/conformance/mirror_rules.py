"""Rules 8 to 11: whether runs of two clusters with MirrorMaker 2 explain a recording of them.

They stand in ``tests/conformance/recordings/mm/README.md``. Rules 1 to 7 hold for each cluster beside them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from simengine.recordings.mirror_model import MirrorRecording
from simengine.recordings.tolerances import COUNT_WIDER, COUNT_WIDER_PART, STILL_WIDER_S, SYNC_WIDER_S
from tests.conformance.cases import span
from tests.conformance.compare import Comparison, compare
from tests.conformance.disagreement import Disagreement
from tests.conformance.mirror_summary import MirrorSummary, Reader, Remote, is_disturbed, summarise_mirror
from tests.conformance.recorded import Recorded

NOTHING: Final = Remote(0, 0, 0, 0)
RULES: Final = {8: "MM-1", 9: "MM-4", 10: "MM-5, MM-7", 11: "MM-1"}  # where a disagreement leads


def compare_mirror(recording: MirrorRecording, runs: list[MirrorSummary]) -> Comparison:
    """Hold all eleven rules against the runs of the same script. Needs at least one run."""
    real = summarise_mirror(recording)
    found: list[Disagreement] = []
    fewest = len(runs)
    for name, cluster in recording.clusters.items():
        alone = compare(Recorded.of(cluster), [run.clusters[name] for run in runs])
        fewest = min(fewest, alone.fewest_matching)
        found += [one._replace(subject=f"{name} {one.subject}") for one in alone.disagreements]
    disturbed = is_disturbed(recording)
    found += [
        *remote_logs(real, runs),
        *(number_of_syncs(real, runs) if disturbed else spaced_syncs(real, runs)),
        *wrong_checkpoints(runs),
        *positions(real, runs),
        *standstills(real, runs),
    ]
    return Comparison(len(runs), fewest, tuple(sorted(found, key=lambda one: one.is_count)))


def remote_logs(real: MirrorSummary, runs: list[MirrorSummary]) -> Iterator[Disagreement]:
    """Rule 8: records of each remote partition kept, doubled, missing and out of order; none stays none."""
    for place, counts in real.remote.items():
        for key, number in counts._asdict().items():
            seen = [getattr(run.remote.get(place, NOTHING), key) for run in runs]
            if not _is_explained(number, seen):
                text = f"really {number} records {key}, in the runs {span(seen, 'd')} ({RULES[8]})"
                yield Disagreement(8, _name(place), None, text, is_count=True)


def number_of_syncs(real: MirrorSummary, runs: list[MirrorSummary]) -> Iterator[Disagreement]:
    """Rule 9, where something was killed, cut or paused: how many syncs there are."""
    seen = [run.syncs for run in runs]
    if not _is_explained(real.syncs, seen):
        yield Disagreement(9, "syncs", None, f"really {real.syncs}, in the runs {span(seen, 'd')} ({RULES[9]})", True)


def spaced_syncs(real: MirrorSummary, runs: list[MirrorSummary]) -> Iterator[Disagreement]:
    """Rule 9, where nothing was done: the same syncs in the same order, at times of some run.

    Syncs of a task's commit are left out: their moment is luck.
    """
    for place, syncs in real.spaced.items():
        theirs = [run.spaced[place] for run in runs if place in run.spaced]
        same = [other.times for other in theirs if other.pairs == syncs.pairs]
        if not same:
            usual = Counter(other.pairs for other in theirs).most_common(1)
            text = f"really {_pairs(syncs.pairs)}, in no run; most have {_pairs(usual[0][0]) if usual else 'none'}"
            yield Disagreement(9, _name(place), syncs.times[0], f"{text} ({RULES[9]})")
            continue
        for i, t in enumerate(syncs.times):
            seen = [times[i] for times in same]
            if not min(seen) - SYNC_WIDER_S <= t <= max(seen) + SYNC_WIDER_S:
                text = f"sync of offset {syncs.pairs[i][0]} really at {t:.2f} s, in {len(seen)} runs at {span(seen)} s"
                yield Disagreement(9, _name(place), t, f"{text} ({RULES[9]})")
                break


def wrong_checkpoints(runs: list[MirrorSummary]) -> Iterator[Disagreement]:
    """Rule 9: every checkpoint of a run is right for some sync of that run."""
    wrong = [checkpoint for run in runs for checkpoint in run.wrong]
    if wrong:
        first = wrong[0]
        text = f"{len(wrong)} checkpoints of the runs fit no sync, such as {first.up} translated to {first.down} (MM-5)"
        yield Disagreement(9, f"{first.group} on {first.cluster} {first.partition}", first.t, text)


def positions(real: MirrorSummary, runs: list[MirrorSummary]) -> Iterator[Disagreement]:
    """Rule 10: where each group stands on the target, and where each consumer goes on."""
    yield from _offsets(real.positions, [run.positions for run in runs], "stands at")
    yield from _offsets(real.continued, [run.continued for run in runs], "goes on at")
    for place in runs[0].positions:
        if place not in real.positions and all(place in run.positions for run in runs):
            seen = [run.positions[place] for run in runs]
            text = f"has no position really, in every run one ({span(seen, 'd')}) ({RULES[10]})"
            yield Disagreement(10, _name(place), None, text)


def _offsets(real: Mapping[Reader, int], runs: list[dict[Reader, int]], what: str) -> Iterator[Disagreement]:
    for place, offset in real.items():
        seen = [run[place] for run in runs if place in run]
        if not seen or not min(seen) <= offset <= max(seen):
            theirs = span(seen, "d") if seen else "nowhere"
            yield Disagreement(10, _name(place), None, f"really {what} {offset}, in the runs {theirs} ({RULES[10]})")


def standstills(real: MirrorSummary, runs: list[MirrorSummary]) -> Iterator[Disagreement]:
    """Rule 11: the longest time in which a remote partition did not grow although the source had more."""
    for place, seconds in real.standstill.items():
        seen = [run.standstill.get(place, 0.0) for run in runs]
        if not min(seen) - STILL_WIDER_S <= seconds <= max(seen) + STILL_WIDER_S:
            text = f"stood still for {seconds:.1f} s really, in the runs {span(seen, '.1f')} s ({RULES[11]})"
            yield Disagreement(11, _name(place), None, text)


def _is_explained(number: int, seen: list[int]) -> bool:
    """In the range, 2 or a quarter wider; none stays none."""
    if (min(seen) > 0) if number == 0 else (max(seen) == 0):
        return False
    wider = max(COUNT_WIDER, COUNT_WIDER_PART * number)
    return min(seen) - wider <= number <= max(seen) + wider


def _name(place: tuple[str, ...]) -> str:
    return " ".join(place)


def _pairs(pairs: tuple[Any, ...], most: int = 6) -> str:
    shown = ", ".join(f"{up} to {down}" for up, down in pairs[:most])
    return f"{shown}…" if len(pairs) > most else shown
