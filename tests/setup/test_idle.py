"""A supervisor whose parts are up sleeps, and wakes every few seconds to ask them.

What a whole instance uses at rest: test_play.py.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil
import pytest

from tests.setup.processes import Instance

SWITCHES_MAX: Final = 5  # of a supervisor in two seconds; it would be 40 at each tick

SUPERVISED: Final = """
import sys
from playground.supervisor.service_processes import answering_part
from playground.supervisor.supervisor import Supervisor
sleep = "import time; from playground.supervisor import answering; answering.answer_from_now_on(); time.sleep(600)"
part = answering_part("sleeper", [sys.executable, "-c", sleep], {})
one = Supervisor([part], None, lambda name, text: print(name, text, flush=True))
try:
    one.start()
    one.run()
finally:
    one.stop()
"""


@pytest.fixture
def supervised(tmp_path: Path) -> Iterator[Instance]:
    instance = Instance(["-c", SUPERVISED], tmp_path)
    try:
        instance.line_with("up after")
        yield instance
    finally:
        instance.end()


def test_a_supervisor_sleeps_until_something_happens(supervised: Instance) -> None:
    process = psutil.Process(supervised.process.pid)
    time.sleep(0.5)
    before = process.num_ctx_switches().voluntary
    time.sleep(2.0)
    assert process.num_ctx_switches().voluntary - before <= SWITCHES_MAX


def test_a_supervisor_that_sleeps_notices_a_death_and_a_wish_to_stop(supervised: Instance) -> None:
    supervised.part("sleep").kill()
    supervised.line_with("killed by SIGKILL; starting it again", 30)
    supervised.line_with("up after")
    assert supervised.end() == 0
