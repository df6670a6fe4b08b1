"""Every scenario of the gallery tells, while it runs, what to notice at that moment."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from playground.library.scenario_files import files
from simengine.commands.expect import observe
from simengine.commands.shared.caption_moments import caption_moments
from simengine.facts.reading import field
from simengine.scenario import load
from simengine.scenario.expect.observed import Observation
from simengine.world.world import build

SCENARIOS: Final = files()
LETTERS_MAX: Final = 140  # of a caption: one line of the page


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_captions_come_in_their_order_and_each_fits_a_line(path: Path) -> None:
    document = load(path.read_bytes())
    told = caption_moments(document)
    assert told, "nothing says what to notice"
    times = [at for _, at in told if at is not None]
    assert len(times) == len(told), [caption.text for caption, at in told if at is None]
    assert times == sorted(times)
    assert times[-1] <= document.until_us
    assert [caption.text for caption, _ in told if len(caption.text) > LETTERS_MAX] == []


def seen(name: str) -> tuple[dict[int, str], Observation]:
    """The captions of a scenario by their moments in ms, and what its run shows."""
    document = load(next(path for path in SCENARIOS if path.stem == name).read_bytes())
    return {at // 1000: caption.text for caption, at in caption_moments(document) if at is not None}, observe(
        document, [document.until_us]
    )


def after_commit_ms(observed: Observation, start_us: int, end_us: int) -> list[float]:
    """The wait (ms) of each record of a window, from its commit at the leader, broker 0, until it was read."""
    marks = [row for row in observed.rows("HwMoved") if field(row, "HwMoved", "broker") == 0]
    waits: list[float] = []
    for row in observed.rows("Delivered", start_us, end_us):
        first, count = field(row, "Delivered", "offset"), field(row, "Delivered", "count")
        for offset in range(first, first + count):
            commit = next(mark[1] for mark in marks if field(mark, "HwMoved", "hw") > offset)
            waits.append((row[1] - commit) / 1000)
    return waits


def test_the_captions_of_a_read_from_a_follower_say_how_long_a_record_waited() -> None:
    told, observed = seen("s40-follower-read")
    for moment, start, end in ((5_000, 3, 19), (20_000, 21, 28), (29_100, 29, 29.9), (39_000, 44, 59)):
        waits = after_commit_ms(observed, round(start * 1e6), round(end * 1e6))
        mean = sum(waits) / len(waits)
        assert f" {mean:.0f} ms" in told[moment], mean
        assert max(waits) - min(waits) < 1.5, "each waited alike"


def test_the_captions_of_a_preferred_election_say_how_long_the_application_felt_it() -> None:
    told, observed = seen("s12-rolling-restart-with-a-preferred-tick")
    start, end = 39_900_000, 42_000_000
    made = {field(row, "CallsMade", "n"): row[1] for row in observed.rows("CallsMade", start, end)}
    waits = [
        row[1] - made[n]
        for row in observed.rows("CallsSettled", start, end)
        if (n := field(row, "CallsSettled", "n")) in made
    ]
    read = [row[1] for row in observed.rows("Delivered", start, end)]
    silent = max(after - before for before, after in pairwise(read))
    assert f"for {max(waits) / 1e6:.1f} s no acks=all write was answered" in told[41_100]
    assert abs(silent - max(waits)) < 100_000, "readers as long as writers, but for the time between two records"
    of_groups = [
        field(row, "VerdictChanged", "groups_down_us") for row in observed.rows("VerdictChanged", 0, 45_000_000)
    ]
    before = [field(row, "VerdictChanged", "groups_down_us") for row in observed.rows("VerdictChanged", 0, 39_000_000)]
    assert f"for {(max(of_groups) - max(before)) / 1e6:.1f} s no group could join or commit" in told[42_100]


OUTCOMES: Final = re.compile(
    r"(\d[\d,]*|Five) (?:acknowledged )?records? (are gone|again|a second time|\D* are copied)"
)
COUNTING: Final = [path for path in SCENARIOS if OUTCOMES.search(path.read_text().partition("captions:")[2])]


def counted(verdict: Any, outcome: str) -> set[int]:
    """A verdict's count of an outcome, by topic or group."""
    flows = verdict.get("mirrors", [])
    topics = [topic for flow in flows for topic in flow["topics"]]
    if outcome == "are gone":
        return {topic["lost"] for topic in verdict["topics"]}
    if outcome == "again":
        return {group["rereads"] for flow in flows for group in flow["groups"]}
    return {topic["doubled" if outcome == "a second time" else "mirrored"] for topic in topics}


@pytest.mark.parametrize("path", COUNTING, ids=lambda path: path.stem)
def test_a_caption_counts_of_an_outcome_what_the_verdict_counts(path: Path) -> None:
    """Of a stock the verdict of the caption's own moment; of what becomes of records that of the run's end."""
    document = load(path.read_bytes())
    for caption, at in caption_moments(document):
        found = OUTCOMES.search(caption.text)
        if found is None:
            continue
        world = build(document)
        world.run(at if found[2].endswith("copied") and at is not None else document.until_us)
        number = 5 if found[1] == "Five" else int(found[1].replace(",", ""))
        assert number in counted(world.verdict(), found[2]), caption.text


def test_captions_with_figures_of_outcomes_are_found() -> None:
    assert [path.stem for path in COUNTING] == ["s10-unreplicated-data", "s42-failover", "s56-mirror-killed"]
