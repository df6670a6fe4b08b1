"""Works for tests of the engine service: how long, how much and in which parts they answer is the test's choice."""

import time
from collections.abc import Iterator
from typing import Any

from playground.engine.limits import LONG, QUICK
from playground.engine.once import AnswerPart
from playground.engine.works import work


@work(LONG, is_kept=True)
def parts(number: int, pause_s: float) -> Iterator[Any]:
    yield AnswerPart(parts.question(number, -1), "found on the way")
    for part in range(number):
        yield part
        time.sleep(pause_s)


@work(QUICK)
def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return time.monotonic()


@work(QUICK)
def fail(text: str) -> None:
    raise {"memory": MemoryError, "nested": RecursionError}.get(text, RuntimeError)(text)
