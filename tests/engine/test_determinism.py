"""replay_identical (section 1.5): one digest over every fact, however and in whatever form a document runs."""

import os
import subprocess
import sys
from pathlib import Path

from simengine.form import engine_form
from simengine.scenario import load
from simengine.world import build
from tests.engine.digests import RANDOM_DOCUMENTS, SCENARIOS

ROOT = Path(__file__).parent.parent.parent
TIMEOUT_S = 1_800


def _start(mode: str, hash_seed: str, form: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "HIGHWATER_ENGINE": form}
    command = [sys.executable, "-m", "tests.engine.digests", mode]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def _lines(process: "subprocess.Popen[str]") -> list[str]:
    output, _ = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0
    return output.splitlines()


def test_replay_identical_in_two_processes_hash_seeds_and_forms_in_one_go_and_in_slices() -> None:
    form = engine_form()
    whole = _start("straight", "1", form)
    parts = _start("broken", "2", "interpreted")
    try:
        straight, broken = _lines(whole), _lines(parts)
    finally:
        whole.kill()
        parts.kill()
    assert len(straight) == len(SCENARIOS) + RANDOM_DOCUMENTS
    different = [f"{one}  |  {other}" for one, other in zip(straight, broken, strict=True) if one != other]
    assert not different, "\n".join(different)


def test_a_seed_changes_the_digest() -> None:
    digests = []
    for seed in (1, 2):
        document = load(SCENARIOS[0].read_bytes()).model_copy(update={"seed": seed})
        world = build(document)
        world.run(document.until_us)
        digests.append(world.digest())
    assert digests[0] != digests[1]
