from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from simengine.recordings.model import Recording
from simengine.recordings.reader import read
from tests.conformance.compare import compare
from tests.conformance.controls import CONTROLS
from tests.conformance.every import EVERY
from tests.conformance.recorded import Recorded

RECORDINGS = Path(__file__).parent / "recordings"
STEADY = ("s08", "s10", "s12", "f003", "f059", "f077")  # with a step, a consumer and many records each


@cache
def recorded(name: str) -> Recorded:
    return Recorded.of(read(RECORDINGS / f"{name}.json"))


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_a_recording_explains_itself(path: Path) -> None:
    real = recorded(path.stem)
    comparison = compare(real, [real.summary] * 3)
    assert comparison.is_explained, "\n".join(map(str, comparison.disagreements))
    assert comparison.fewest_matching == 3


@pytest.mark.parametrize(("name", "other"), [("s08", "s08-411"), ("s08-411", "s08")])
def test_runs_of_the_same_script_explain_each_other(name: str, other: str) -> None:
    comparison = compare(recorded(name), [recorded(other).summary] * 3)
    assert comparison.is_explained, "\n".join(map(str, comparison.disagreements))


@pytest.mark.parametrize("name", STEADY)
@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.__name__)
def test_a_recording_made_wrong_is_not_explained_by_the_true_one(
    name: str, control: Callable[[Recording], Recording]
) -> None:
    true = recorded(name)
    wrong = Recorded.of(control(true.recording))
    assert not compare(wrong, [true.summary] * 3).is_explained


def test_two_runs_are_too_few_to_match_a_history() -> None:
    true = recorded("s08")
    comparison = compare(true, [true.summary] * 2)
    assert [found.rule for found in comparison.disagreements] == [1]


def test_two_histories_that_no_run_has_together_part_at_a_moment() -> None:
    """ISR-8: each is there, but in different runs."""
    true = recorded("s17-v1v2")
    records = true.recording.metadata
    v1, v2 = (
        Recorded.of(replace(true.recording, metadata=tuple(r for r in records if r is not last))).summary
        for last in ([r for r in records if r.partition == name][-1] for name in ("v1-0", "v2-0"))
    )
    (found,) = (one for one in compare(true, [v1] * 3 + [v2] * 3).disagreements if one.rule == 1)
    assert (found.subject, found.t) == ("v1-0 and v2-0", true.summary.histories["v2-0"].steps[-1].first)
    assert str(found).startswith(
        "rule 1, v1-0 and v2-0: no run has the real history of both (ISR-8, LIVE-4, PROD-12); "
        f"in those with that of v1-0: at {found.t:.2f} s really leader"
    )
    assert "of 3 runs that agree until then 3 have no further step" in found.text


def test_one_percent_of_many_runs_must_match() -> None:
    true, other = recorded("s08"), recorded("s20")
    enough = [true.summary] * 4 + [other.summary] * 396
    too_few = [true.summary] * 3 + [other.summary] * 397
    assert compare(true, enough).is_explained
    assert not compare(true, too_few).is_explained


def test_the_first_disagreement_says_when_what_and_which_rules() -> None:
    true = recorded("s08")
    found = compare(Recorded.of(CONTROLS[0](true.recording)), [true.summary] * 3).disagreements[0]
    assert (found.rule, found.subject) == (2, "t-0")
    assert str(found) == (
        "rule 2, t-0: at 13.41 s really leader 1, epoch +1, ISR {1, 2} of [0, 1, 2]; "
        "in 3 matching runs between 17.41 and 17.41 s (ELEC-3, LIVE-3, SHUT-1, PREF-1)"
    )
