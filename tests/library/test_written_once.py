"""A page that is the same for everybody is written once, however many ask for it first."""

import threading
from concurrent.futures import ThreadPoolExecutor

from playground.library.written_once import written_once


def test_readers_that_come_while_it_is_written_wait_for_that_text() -> None:
    began, may_end = threading.Event(), threading.Event()
    written: list[int] = []

    @written_once
    def page(version: int) -> str:
        written.append(version)
        began.set()
        may_end.wait()
        return f"page {version}"

    with ThreadPoolExecutor(4) as readers:
        first = readers.submit(page, 1)
        began.wait()
        others = [readers.submit(page, 1) for _ in range(3)]
        may_end.set()
        assert [one.result() for one in (first, *others)] == ["page 1"] * 4
    assert (page(2), written) == ("page 2", [1, 2])
