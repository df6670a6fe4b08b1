"""A part that hangs is ended and replaced, and the terminal says so; a part that only was not asked is left alone."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil
import pytest

from tests.setup.processes import Instance, all_gone
from tests.setup.test_play import address, answers

SILENT_SECONDS_MAX: Final = 5.0
FOUND_SECONDS_MAX: Final = 40.0  # asked within 5 s, silent for as long; the rest is for a busy machine
CTRL_C_SECONDS_MAX: Final = 10.0

IMPATIENT: Final = f"""
import functools, os
from django.core.management import execute_from_command_line
os.environ["DJANGO_SETTINGS_MODULE"] = "playground.settings"
from playground.management.commands import play
play.Supervisor = functools.partial(play.Supervisor, silent_seconds_max={SILENT_SECONDS_MAX})
execute_from_command_line(["manage.py", "play", "--port", "0"])
"""

ONE_PART: Final = """
import sys
from playground.supervisor.service_processes import answering_part
from playground.supervisor.supervisor import Supervisor
part = answering_part("part", [sys.executable, "-c", {program!r}], {{}})
one = Supervisor([part], None, lambda name, text: print(name, text, flush=True), silent_seconds_max={seconds})
try:
    one.start()
    one.run()
finally:
    one.stop()
"""
ANSWERS: Final = "from playground.supervisor import answering; answering.answer_from_now_on(); "


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    instance = Instance(["-c", IMPATIENT], tmp_path_factory.mktemp("hangs"))
    try:
        instance.line_with("Highwater is at")
        yield instance
    finally:
        instance.end()


PARTS: Final = [("web", "playground.serve"), ("worker", "celery"), ("valkey", "valkey")]


@pytest.mark.parametrize(("part", "word"), PARTS)
def test_a_frozen_part_is_ended_and_replaced_and_the_terminal_says_so(running: Instance, part: str, word: str) -> None:
    frozen = running.part(word)
    below = [frozen, *frozen.children(recursive=True)]
    frozen.suspend()
    said = running.line_with("hangs", FOUND_SECONDS_MAX)
    name, _, words = said.strip().partition(" ")
    assert name == part
    silent = float(words.removesuffix("\n").split("no answer for ")[1].split(" s:")[0])
    assert words.endswith("s: it hangs and is ended; another one starts")
    assert SILENT_SECONDS_MAX <= silent <= SILENT_SECONDS_MAX + 2.0
    assert all_gone(below) == []
    assert running.line_with("up after").split()[0] == part
    assert running.part(word).pid != frozen.pid
    assert answers(address(running))


def test_ctrl_c_ends_everything_within_ten_seconds_while_all_parts_hang(running: Instance) -> None:
    below = running.below()
    for _, word in PARTS:
        running.part(word).suspend()
    time.sleep(6.0)  # all of them have been asked by now
    began = time.monotonic()
    assert running.end() == 0
    assert time.monotonic() - began < CTRL_C_SECONDS_MAX
    assert all_gone(below, 1.0) == []


def one_part(program: str, seconds: float, data: Path) -> Instance:
    instance = Instance(["-c", ONE_PART.format(program=program, seconds=seconds)], data)
    instance.line_with("up after", 30)
    return instance


def no_line_with(words: str, instance: Instance, seconds: float) -> bool:
    try:
        instance.line_with(words, seconds)
    except AssertionError:
        return True
    return False


def test_a_machine_that_was_suspended_keeps_its_parts(tmp_path: Path) -> None:
    """The supervisor and the part stop together for longer than a part may be silent, and go on one after the other."""
    instance = one_part(ANSWERS + "import time; time.sleep(600)", 4.0, tmp_path)
    supervisor, part = psutil.Process(instance.process.pid), instance.part("answering")
    part.suspend()
    time.sleep(6.0)  # it has been asked
    supervisor.suspend()
    time.sleep(6.0)
    supervisor.resume()
    time.sleep(0.5)
    part.resume()
    assert no_line_with("hangs", instance, 8.0)
    assert instance.part("answering").pid == part.pid
    assert instance.end() == 0


def test_a_part_that_is_slow_to_start_is_not_taken_for_one_that_hangs(tmp_path: Path) -> None:
    instance = one_part("import time; time.sleep(4.0); " + ANSWERS + "time.sleep(600)", 1.0, tmp_path)
    assert [line for line in instance.lines if "hangs" in line] == []
    assert instance.end() == 0


def test_a_part_that_hangs_before_it_is_up_is_ended_too(tmp_path: Path) -> None:
    impatient = "import playground.supervisor.supervisor as module; module.UP_SECONDS_MAX = 1.0\n"
    program = ONE_PART.format(program="import time; time.sleep(600)", seconds=1.0)
    instance = Instance(["-c", impatient + program], tmp_path)
    instance.line_with("part not up after 1 s, and is ended", 30)
    instance.line_with("part killed by SIGKILL; starting it again in 0.5 s", 10)
    assert instance.end() == 0


def test_a_part_whose_threads_never_get_a_turn_is_replaced(tmp_path: Path) -> None:
    """Not stopped, but in one call that holds the interpreter's lock for ever."""
    stuck = ANSWERS + "import time; time.sleep(1.0); print('stuck', flush=True); sum(range(10**15))"
    instance = one_part(stuck, 3.0, tmp_path)
    instance.line_with("part no answer for 3 s: it hangs and is ended; another one starts", FOUND_SECONDS_MAX)
    assert instance.end() == 0
