"""The card of a group that has read at the source, and committed nothing yet."""

from typing import Any

import pytest

from simengine.scenario import load
from simengine.world.world import build
from tests.mirror.documents import QUIET, mirrored


def card(reset: str) -> Any:
    """Of a group that joins a log of 1,000 records within 3 s, 6 s after the start, and never commits."""
    plain = mirrored(QUIET, rate=20, until="6s", network={"latency": "5ms"})
    east = plain["clusters"]["east"]
    east["topics"][0]["initial"] = {"0": {"leader": 0, "isr": [0, 1, 2], "leo": 1000}}
    east["consumers"][0]["config"] = {"auto.offset.reset": reset, "enable.auto.commit": False}
    world = build(load(plain))
    world.run(6_000_000)
    flows: Any = world.verdict()["mirrors"]
    [group] = flows[0]["groups"]
    return group


def test_a_group_that_has_read_to_the_end_and_committed_nothing_starts_at_the_end() -> None:
    group = card("latest")
    assert group["source"] > 1000, "it has read what came since"
    assert group["starts"] == pytest.approx(group["true"], abs=2), "a record is under way"
    assert "no committed offset there: auto.offset.reset=latest" in group["sentence"]


def test_a_group_that_has_committed_nothing_reads_all_again_from_the_earliest() -> None:
    group = card("earliest")
    assert group["starts"] == 0
    assert group["rereads"] == group["true"] > 1000


def test_records_that_a_group_has_read_and_not_committed_are_not_skipped_records() -> None:
    """It commits each 5 s. Without an offset on the target it starts at the end: past what it has read, not more."""
    plain = mirrored(QUIET, rate=20, until="9s", network={"latency": "5ms"})
    plain["clusters"]["east"]["consumers"][0]["config"] = {}
    world = build(load(plain))
    world.run(9_000_000)
    flows: Any = world.verdict()["mirrors"]
    [group] = flows[0]["groups"]
    assert 40 < group["uncommitted"] < 100
    assert group["skips"] <= 2, "those under way"
    assert group["starts"] - group["true"] == group["uncommitted"] + group["skips"]
    assert f"it passes over {group['uncommitted']} records that it had read and not committed" in group["sentence"]
