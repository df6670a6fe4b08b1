import json
from pathlib import Path
from typing import Any

import pytest

from simengine.recordings.reader import recording_of
from simengine.recordings.script import script_of
from simengine.scenario.loading import load
from tests.lab.fault_script import LabScript, script_of_plain
from tests.lab.lab_grammar import RECORDED_AS
from tests.lab.random_faults import FAMILIES
from tests.lab.random_scripts import random_script, write_random

SEEDS = range(30)


def planned(script: LabScript) -> dict[str, Any]:
    """The script as a recording in which each step happened at its time; chosen nodes are the first controller."""
    actions = []
    for step in script.timeline:
        details = {"args": [100]} if step.verb in RECORDED_AS else step.plain()
        actions.append([step.at, step.at, RECORDED_AS.get(step.verb, step.verb), details])
    return {**script.given.given, "actions": actions}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_random_script_can_be_recorded_and_run_again(family: str) -> None:
    for seed in SEEDS:
        script = script_of_plain(random_script(family, seed), "4.2.1")
        load(script_of(recording_of(planned(script))).document)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_seed_always_gives_the_same_script(family: str) -> None:
    assert random_script(family, 7) == random_script(family, 7)
    assert random_script(family, 7)["timeline"] != random_script(family, 8)["timeline"]


def verbs(family: str) -> set[str]:
    return {step["do"] for seed in SEEDS for step in random_script(family, seed)["timeline"]}


def test_all_kinds_of_faults_are_drawn() -> None:
    drawn = {"kill", "stop", "start", "pause", "resume", "cut", "heal", "config", "elect", "kill_active_controller"}
    assert verbs("random") == verbs("wide") == {*drawn, "reassign", "rate", "brokers"}
    assert verbs("hard") == {*drawn, "rate", "brokers"}


def test_the_wide_family_has_racks_groups_and_cut_clients() -> None:
    texts = [json.dumps(random_script("wide", seed)) for seed in SEEDS]
    for word in ("RackAwareReplicaSelector", '"subscribe"', '["client"]', '"client.rack"', "delivery.timeout.ms"):
        assert any(word in text for text in texts), word


@pytest.mark.parametrize("family", FAMILIES)
def test_at_the_end_every_broker_runs_and_nothing_is_cut(family: str) -> None:
    for seed in SEEDS:
        down: set[int] = set()
        paused: set[int] = set()
        cut = False
        for step in random_script(family, seed)["timeline"]:
            match step["do"], step.get("args", []):
                case (("kill" | "stop"), args):
                    down |= set(args)
                case "start", args:
                    assert down >= set(args)
                    down -= set(args)
                case "pause", args:
                    paused |= set(args)
                case "resume", args:
                    paused -= set(args)
                case ("cut" | "heal") as verb, _:
                    cut = verb == "cut"
        assert not down
        assert not paused
        assert not cut


def test_a_batch_is_one_file_a_seed(tmp_path: Path) -> None:
    write_random(tmp_path / "batch", "wide", 20, 3)
    files = sorted((tmp_path / "batch").iterdir())
    assert [file.name for file in files] == ["w020.json", "w021.json", "w022.json"]
    assert json.loads(files[0].read_text()) == random_script("wide", 20)
