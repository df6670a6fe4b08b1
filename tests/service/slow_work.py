"""Works for tests of the engine service: how long, how much and in which parts they answer is the test's choice."""

import time
from collections.abc import Iterator
from typing import Any

from playground.engine.limits import LONG, QUICK
from playground.engine.once import AnswerPart
from playground.engine.works import Work

PARTS = "test parts"
SLEEP = "test sleep"
FAIL = "test fail"
WORKS = {
    PARTS: Work("tests.service.slow_work:parts", LONG, is_kept=True),
    SLEEP: Work("tests.service.slow_work:sleep", QUICK, is_kept=False),
    FAIL: Work("tests.service.slow_work:fail", QUICK, is_kept=False),
}


def parts(argument: Any) -> Iterator[Any]:
    number, pause_s = argument
    yield AnswerPart(PARTS, [number, -1], "found on the way")
    for part in range(number):
        yield part
        time.sleep(pause_s)


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return time.monotonic()


def fail(argument: str) -> None:
    raise {"memory": MemoryError, "nested": RecursionError}.get(argument, RuntimeError)(argument)
