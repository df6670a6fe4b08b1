"""A disk without a byte left, under a real web process: refused in words, nothing acknowledged lost, and it goes on."""

import json
import subprocess
import sys
from typing import Any

import pytest

from playground import storage_trouble
from playground.environment import ROOT
from tests.faults.matrix.visitors import LIGHT, Idler

SITUATIONS = [kind.situation for kind in LIGHT]
WRITING = [situation for situation in SITUATIONS if situation != Idler.situation]


@pytest.fixture(scope="module")
def cells() -> dict[str, dict[str, Any]]:
    """The result in each situation."""
    command = [sys.executable, "-m", "tests.faults.full_disk"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    print(f"the disk: {found['means']}")
    return {cell["situation"]: cell for cell in found["cells"]}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_nothing_acknowledged_is_lost_and_all_goes_on_when_there_is_space(
    cells: dict[str, dict[str, Any]], situation: str
) -> None:
    assert cells[situation]["wrong"] == []


@pytest.mark.parametrize("situation", WRITING)
def test_who_writes_is_told_that_the_disk_is_full(cells: dict[str, dict[str, Any]], situation: str) -> None:
    refused = cells[situation]["refused"]
    assert any(words.startswith(storage_trouble.FULL) for words in refused), refused
