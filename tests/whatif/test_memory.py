"""A worker gives back the memory of an ended experiment."""

import subprocess
import sys

import psutil
import pytest

from playground.environment import ROOT
from playground.whatif import memory

MIB = 1024 * 1024
FREED_MIB = 100
SCRIPT = f"""
import psutil
from playground.whatif import memory
held = [bytes(3_000 + number % 7) for number in range({FREED_MIB} * 350)]
last = bytes(5_000)  # above all that is freed: without a trim nothing below it goes back
del held
before = psutil.Process().memory_info().rss
memory.give_back()
print(before - psutil.Process().memory_info().rss)
"""


@pytest.mark.skipif(not psutil.LINUX or memory._trim() is None, reason="the C library cannot trim")
def test_what_an_experiment_has_freed_goes_back_to_the_system() -> None:
    found = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(found.stdout) > FREED_MIB / 2 * MIB
