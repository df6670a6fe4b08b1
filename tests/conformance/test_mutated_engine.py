"""The control that the README of the recordings asks for: runs of an engine with a wrong rule explain no recording."""

import json
import os
import subprocess
import sys

import pytest

from tests.mutants.patching import ROOT

RUNS = 12  # enough for the engine as it is (test_engine_explains.py)
HELD = """
import json, sys
from pathlib import Path
from tests.mutants.patching import install
from tests.mutants.table import MUTANTS

name, ident, runs = sys.argv[1:]
reached = install(next(mutant for mutant in MUTANTS if mutant.id == ident)) if ident else {}

from tests.conformance.compare import compare
from tests.conformance.conform import summaries
from simengine.recordings.reader import read
from tests.conformance.recorded import Recorded

path = Path("tests/conformance/recordings") / f"{name}.json"
comparison = compare(Recorded.of(read(path)), summaries(str(path), 1, int(runs)))
rules = sorted({found.rule for found in comparison.disagreements})
print(json.dumps({"rules": rules, "reached": [count[0] for count in reached.values()]}))
"""


def held(name: str, mutant: str) -> dict[str, list[int]]:
    """The rules that runs of a mutated engine break, and how often the wrong lines were executed."""
    environment = {**os.environ, "HIGHWATER_ENGINE": "interpreted"}  # a mutant is put into the source
    command = [sys.executable, "-c", HELD, name, mutant, str(RUNS)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, list[int]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("name", "mutant", "rule"),
    [("s12b-elr0", "M09", 1), ("s12b-elr0", "M03", 7), ("s24-m2", "M54", 4)],
)
def test_a_mutated_engine_does_not_explain_what_the_real_cluster_did(name: str, mutant: str, rule: int) -> None:
    found = held(name, mutant)
    assert all(found["reached"])
    assert rule in found["rules"]


def test_the_engine_as_it_is_does_explain_it() -> None:
    assert held("s12b-elr0", "") == {"rules": [], "reached": []}
