"""The invariant replay_identical: one digest over every fact, however and in whatever form a document runs."""

import os
import subprocess
import sys
from pathlib import Path

from simengine.form import engine_form
from simengine.scenario import load
from simengine.world.world import build
from tests.engine.digests import RANDOM_DOCUMENTS, SCENARIOS
from tests.long_form import runs

ROOT = Path(__file__).parent.parent.parent
TIMEOUT_S = 1_800
INTERPRETED_STEP = runs("the interpreted engine repeats one document in")  # it takes thirty times as long


def _start(mode: str, hash_seed: str, form: str, step: int = 1) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "HIGHWATER_ENGINE": form}
    command = [sys.executable, "-m", "tests.engine.digests", mode, str(step)]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def _lines(process: "subprocess.Popen[str]") -> list[str]:
    output, _ = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0
    return output.splitlines()


def test_replay_identical_in_two_processes_hash_seeds_and_forms_in_one_go_and_in_slices() -> None:
    form = engine_form()
    started = [
        _start("straight", "1", form),
        _start("broken", "2", form),
        _start("broken", "3", "interpreted", INTERPRETED_STEP),
    ]
    try:
        straight, broken, interpreted = map(_lines, started)
    finally:
        for process in started:
            process.kill()
    assert len(straight) == len(SCENARIOS) + RANDOM_DOCUMENTS
    pairs = [*zip(straight, broken, strict=True), *zip(straight[::INTERPRETED_STEP], interpreted, strict=True)]
    different = [f"{one}  |  {other}" for one, other in pairs if one != other]
    assert not different, "\n".join(different)


def test_a_seed_changes_the_digest() -> None:
    digests = []
    for seed in (1, 2):
        document = load(SCENARIOS[0].read_bytes()).model_copy(update={"seed": seed})
        world = build(document)
        world.run(document.until_us)
        digests.append(world.digest())
    assert digests[0] != digests[1]
