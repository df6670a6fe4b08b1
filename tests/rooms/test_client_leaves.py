"""A client that closes its connection ends its question: the process that works on it is gone soon after."""

import contextlib
import http.client
import time
from collections.abc import Callable

import psutil

from playground.engine.limits import LINGER_SECONDS
from tests.rooms.site import Browser, Site

LONG_RUN = b"""
format: 1
title: An hour of many records
until: 3600s
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics: [{name: orders, assignment: [[1, 2, 3], [2, 3, 1], [3, 1, 2]]}]
producers: [{id: writer, topic: orders, rate: 500, acks: all}]
"""
GONE_S = LINGER_SECONDS + 1.0
BUSY_S = 60.0  # until a process works on the question, on a busy machine
WORKING_S = 1.0  # of processor time since it was asked: it is no longer starting


def _questions(site: Site) -> dict[psutil.Process, float]:
    """The processes that answer questions, and the processor time that each has used in seconds.

    A process that ends while it is asked is left out: another one takes its place.
    """
    assert site.process is not None
    found = {}
    for one in psutil.Process(site.process.pid).children():
        with contextlib.suppress(psutil.NoSuchProcess):  # a zombie is one of these too
            command = one.cmdline()
            if "playground.engine.process" in command and "questions" in command:
                times = one.cpu_times()
                found[one] = float(times.user + times.system)
    return found


def _until(is_so: Callable[[], bool], seconds: float, words: str) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, words
        time.sleep(0.02)


def test_a_client_that_closes_its_connection_ends_its_question(own_site: Site) -> None:
    person = Browser(own_site).ready()
    run_id = person.make(LONG_RUN)  # a process that reads documents waits for the next question from here on
    before = _questions(own_site)
    assert before
    connection = http.client.HTTPConnection("127.0.0.1", own_site.port)
    connection.request("GET", f"/s/{run_id}/why?at_us=3600000000", headers={"Accept": "application/json"})

    def working() -> list[psutil.Process]:
        return [one for one, used in _questions(own_site).items() if used > before.get(one, 0.0) + WORKING_S]

    _until(lambda: bool(working()), BUSY_S, "no process works on the question")
    (process,) = working()
    connection.close()
    _until(lambda: process not in _questions(own_site), GONE_S, "the process still works for a client that has left")
    assert person.get("/alive").status == 200
    assert person.get(f"/s/{run_id}/about").status == 200, "the next question is answered"
