import threading
from typing import Any

import pytest

from tests.lab.errors import LabError
from tests.lab.fault_script import LabStep
from tests.lab.record import LabClock

STOP = LabStep("stop", [1], {}, at=None, after=0.0, background=True)


def test_an_error_of_a_step_in_the_background_is_raised_at_the_end() -> None:
    threads: list[threading.Thread] = []

    def fail(_step: LabStep) -> None:
        threads.append(threading.current_thread())
        begun.set()
        raise LabError("broker 1 did not end")

    begun = threading.Event()
    clock = LabClock()
    rows: list[list[Any]] = []
    clock.do(STOP, fail, rows)
    assert [row[2:] for row in rows] == [["stop", {"args": [1], "background": True}]]
    assert begun.wait(60)
    threads[0].join()
    with pytest.raises(LabError, match="broker 1 did not end"):
        clock.check()


def test_a_step_in_the_background_that_is_done_raises_nothing() -> None:
    clock = LabClock()
    done = threading.Event()
    clock.do(STOP, lambda _step: done.set(), [])
    assert done.wait(60)
    clock.check()
