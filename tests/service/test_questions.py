"""The engine service: what somebody sends is read outside the web process, within a budget, and fairly."""

import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from playground.engine import questions as service
from playground.engine import worker
from playground.engine.limits import ASKS_OF_AN_OWNER_MAX
from playground.engine.pipe import FAILED, REFUSED
from playground.engine.questions import NotAnswered, Questions, WorkFailed
from playground.engine.works import BUILD, CHECK, PREVIEW, WORKS

DOCUMENT = b"format: 1\ncluster: {brokers: [1], controllers: [100]}\ntopics: [{name: t, assignment: [[1]]}]\n"
SLOW = json.dumps({"text": "Topic: orders Partition: 0 Leader: 1 Replicas: 1 Isr: 1\n" * 4_000}).encode()


@pytest.fixture(scope="module")
def asking() -> Iterator[Questions]:
    found = Questions()
    yield found
    found.end()


def test_a_document_is_checked_and_its_problems_come_back(asking: Questions) -> None:
    assert asking.ask(CHECK, DOCUMENT, "me")["title"] == "Untitled cluster"
    assert asking.ask(CHECK, b"format: 2", "me")["problems"]


@pytest.mark.parametrize("name", [PREVIEW, BUILD])
@pytest.mark.parametrize("body", [b"", b"[", b"[]", b"{}", b'{"text": 5}', b'{"text": "\\ud800"}', b"[" * 100_000])
def test_any_body_has_an_answer_and_the_process_goes_on(asking: Questions, name: str, body: bytes) -> None:
    found = asking.ask(name, body, "me")
    assert found.keys() & {"error", "preview"}
    assert asking.ask(CHECK, DOCUMENT, "me")["text"]


def test_a_question_over_its_time_ends_in_words_and_the_next_is_answered(
    asking: Questions, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking.ask(CHECK, DOCUMENT, "me")
    with monkeypatch.context() as patched:
        patched.setattr(service, "SECONDS_MAX", 0.05)
        with pytest.raises(NotAnswered, match="is the limit") as refused:
            asking.ask(PREVIEW, SLOW, "me")
        assert refused.value.status == 413
    assert asking.ask(CHECK, DOCUMENT, "me")["text"]


def test_a_process_that_is_killed_is_replaced(asking: Questions) -> None:
    asking.ask(CHECK, DOCUMENT, "me")
    for idle in asking._idle:
        os.kill(idle._process.pid, signal.SIGKILL)
    for _ in list(asking._idle):
        with pytest.raises(NotAnswered, match="Try again"):
            asking.ask(CHECK, DOCUMENT, "me")
    assert asking.ask(CHECK, DOCUMENT, "me")["text"]


def test_one_owner_who_sends_much_keeps_nobody_else_waiting(asking: Questions) -> None:
    greedy: list[float] = []

    def send() -> None:
        with contextlib.suppress(NotAnswered):  # a slow machine may not come to the last one
            asking.ask(PREVIEW, SLOW, "greedy")
        greedy.append(time.monotonic())

    threads = [threading.Thread(target=send) for _ in range(ASKS_OF_AN_OWNER_MAX)]
    for thread in threads:
        thread.start()
    while asking._asked["greedy"] < len(threads):
        time.sleep(0.01)
    with pytest.raises(NotAnswered, match="still being read") as refused:
        asking.ask(CHECK, DOCUMENT, "greedy")
    assert refused.value.status == 429
    assert asking.ask(CHECK, DOCUMENT, "honest")["text"]
    answered = time.monotonic()
    for thread in threads:
        thread.join()
    assert max(greedy) > answered


def test_too_much_memory_and_a_defect_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def hungry(argument: bytes) -> None:
        raise MemoryError

    monkeypatch.setattr("playground.scenarios.documents.check", hungry)
    assert worker.answer(CHECK, b"") == (REFUSED, "it needs too much memory")
    status, told = worker.answer("no such work", b"")
    assert status == FAILED and "no such work" in told
    assert issubclass(WorkFailed, Exception) and set(WORKS) == {CHECK, PREVIEW, BUILD}
