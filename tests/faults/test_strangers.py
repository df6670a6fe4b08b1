"""The table of strangers: what is measured, and what is told of it. `make strangers` makes the real one."""

import os
import subprocess
import sys
import threading
import time

import pytest

from playground.environment import ROOT
from tests.faults.strangers import table
from tests.faults.strangers.attacks import ATTACKS, HEAVY
from tests.faults.strangers.measure import Seen
from tests.faults.strangers.waits import Waits


def seen(number: int = 0, **more: object) -> Seen:
    usual = {"frame_s": 0.1, "click_s": 0.2, "click": "share", "memory": 1.0, "disk": 0.0, "before_s": 0.0}
    rest = {"experiment_s": 0.0, "refused": {}, "wrong": [], "got": {"403": 1200}}
    return Seen(ATTACKS[number], **{**usual, **rest, **more})  # type: ignore[arg-type]


def test_the_longest_wait_of_a_kind_counts_and_one_that_is_not_over_counts_up_to_now() -> None:
    waits = Waits()
    for seconds in (0.05, 0.0):
        with waits.of("page"):
            time.sleep(seconds)
    longest, kind = waits.longest("act", "page")
    assert (kind, waits.under_way("act", "page")) == ("page", 0.0)
    assert longest >= 0.05
    waits.begin("act")
    time.sleep(0.1 + longest)
    assert waits.longest("act", "page")[1] == "act"
    assert waits.under_way("act", "page") > longest


def test_what_is_under_way_when_the_measure_begins_began_then() -> None:
    waits = Waits()
    waits.begin("frame")
    time.sleep(0.2)
    waits.forget()
    assert waits.longest("frame")[0] < 0.1
    threading.Event().wait(0.15)
    assert waits.longest("frame")[0] > 0.1


def test_each_attack_has_a_name_and_an_address_of_its_own() -> None:
    assert len({row.name for row in ATTACKS}) == len(ATTACKS) < 255
    assert len({row.words for row in ATTACKS}) == len(ATTACKS)


def test_what_is_within_the_measure_and_what_is_not() -> None:
    assert seen().faults == []
    assert seen(frame_s=1.5).faults == ["her picture stood 1.5 s"]
    assert seen(click_s=2.0).faults == ["share took 2.0 s"]
    assert seen(before_s=None).faults == ["not as before after 45 s"]
    assert seen(experiment_s=31.0).faults == ["her 20 runs took 31 s"]
    assert seen(refused={"share: 429": 3}).faults == ["3 x refused: share: 429"]
    assert seen(wrong=["her clock went"]).faults == ["her clock went"]


def test_new_lines_of_some_attacks_replace_theirs_and_the_others_stay() -> None:
    before = table.page([seen(0), seen(1, frame_s=1.5), seen(3, click_s=3.0)])
    assert table.merged(before, []) == before
    after = table.merged(before, [seen(1), seen(4, frame_s=2.5)])
    assert after == table.page([seen(0), seen(1), seen(3, click_s=3.0), seen(4, frame_s=2.5)])


def test_the_attacks_of_the_matrix_of_failures_are_there() -> None:
    assert set(HEAVY) <= {row.name for row in ATTACKS}


@pytest.mark.parametrize("module", ["matrix", "strangers"])
def test_the_command_starts_without_settings(module: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-m", f"tests.faults.{module}", "--help"]
    told = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    assert b"strangers" in told.stdout


def test_the_page_has_a_line_for_each_attack_and_a_sentence_for_each_fault() -> None:
    page = table.page([seen(0), seen(1, frame_s=1.5, before_s=None)])
    assert "| nothing | 0.10 | 0.20 (share) | 1 | 0 | 0.0 | 403 × 1,200 | yes |" in page
    assert page.count("| not run |") == len(ATTACKS) - 2
    assert "her picture stood 1.5 s; not as before after 45 s." in page
    assert "Not within the measure" not in table.page([seen()])
