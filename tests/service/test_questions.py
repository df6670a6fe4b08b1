"""The engine service: what somebody sends is read outside the web process, within a budget, and fairly."""

import asyncio
import contextlib
import json
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import psutil
import pytest

from playground.engine import kept as keeping
from playground.engine import once, works
from playground.engine import questions as asking_questions
from playground.engine.limits import IDLE_PROCESSES_MIN, MEMORY_BYTES_MAX, PASTE, QUICK
from playground.engine.pipe import LARGE, QUESTIONS, REFUSED, SMALL
from playground.engine.places import Places
from playground.engine.questions import WAITS, Questions
from playground.engine.refusals import NotAnswered, OverBudget, WorkFailed
from playground.engine.turns import Holder
from playground.engine.works import ServiceQuestion, Work
from playground.imports.work import built_of, preview_of
from playground.scenarios.work import checked
from tests.service.slow_work import fail, parts, sleep

DOCUMENT = b"format: 1\ncluster: {brokers: [1], controllers: [100]}\ntopics: [{name: t, assignment: [[1]]}]\n"
CHECK = checked.question(DOCUMENT)
ME, NEIGHBOUR, OTHER = Holder("a", "me"), Holder("a", "neighbour"), Holder("b", "other")
WITHIN_S = 30.0


@pytest.fixture(scope="module")
def service() -> Iterator[Questions]:
    found = Questions()
    yield found
    found.end()


@pytest.fixture
def asking(service: Questions) -> Questions:
    """The service, which keeps no answer yet."""
    service.kept.clear()
    return service


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WITHIN_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def ask(asking: Questions, question: ServiceQuestion[Any], holder: Holder) -> Any:
    """An answer, for a test that waits for it."""
    return json.loads(asyncio.run(asking.answer(question, holder)))


def busy(asking: Questions) -> list[int]:
    """The processes that work on a question."""
    return [engine.pid for engine in list(asking._busy)]


def is_running(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def in_thread(work_of: Callable[[], object]) -> threading.Thread:
    def work() -> None:
        with contextlib.suppress(NotAnswered):
            work_of()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_a_document_is_checked_and_its_problems_come_back(asking: Questions) -> None:
    assert ask(asking, CHECK, ME)["title"] == "Untitled cluster"
    assert ask(asking, checked.question(b"format: 2"), ME)["problems"]


@pytest.mark.parametrize("of", [preview_of, built_of])
@pytest.mark.parametrize("body", [b"", b"[", b"[]", b"{}", b'{"text": 5}', b'{"text": "\\ud800"}', b"[" * 100_000])
def test_any_body_has_an_answer_and_the_process_goes_on(
    asking: Questions, of: Work[[bytes], dict[str, Any]], body: bytes
) -> None:
    found = ask(asking, of.question(body), ME)
    assert found.keys() & {"error", "preview"}
    assert ask(asking, CHECK, ME)["text"]


def test_a_question_over_its_time_ends_in_words_and_the_next_is_answered(
    asking: Questions, monkeypatch: pytest.MonkeyPatch
) -> None:
    brief = replace(QUICK, seconds_max=0.05)
    monkeypatch.setattr(sleep, "budget", brief)
    with pytest.raises(OverBudget, match="is the limit") as refused:
        ask(asking, sleep.question(60), ME)
    assert refused.value.status == 413
    assert not busy(asking)
    assert ask(asking, CHECK, ME)["text"]


def test_the_time_of_a_question_begins_when_its_process_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = Questions()
    brief = replace(QUICK, seconds_max=0.2)  # no process starts within that
    monkeypatch.setattr(checked, "budget", brief)
    try:
        assert ask(fresh, CHECK, ME)["text"]
    finally:
        fresh.end()


def test_a_process_that_does_not_start_in_time_is_ended_and_told_in_its_own_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fresh = Questions()
    monkeypatch.setattr(asking_questions, "START_SECONDS_MAX", 0.01)
    try:
        with pytest.raises(NotAnswered, match="has not started within") as refused:
            ask(fresh, CHECK, ME)
        assert refused.value.status == 503
        assert not isinstance(refused.value, OverBudget)
        assert not busy(fresh)
        monkeypatch.undo()
        assert ask(fresh, CHECK, ME)["text"], "its place is free again"
    finally:
        fresh.end()


def test_a_process_that_is_killed_is_replaced(asking: Questions) -> None:
    thread = in_thread(lambda: ask(asking, sleep.question(60), ME))
    until(lambda: len(busy(asking)) == 1)
    os.kill(busy(asking)[0], signal.SIGKILL)
    thread.join(WITHIN_S)
    assert ask(asking, CHECK, ME)["text"]
    killed = list(asking._idle)  # they wait for the next question; another may start meanwhile
    for engine in killed:
        os.kill(engine.pid, signal.SIGKILL)
    until(lambda: all(engine.is_dead for engine in killed))
    assert ask(asking, CHECK, ME)["text"]


async def asked(asking: Questions, holders: list[Holder], waiting: int) -> list[asyncio.Task[bytes]]:
    """Questions without an end, once so many of them wait."""
    tasks = [asyncio.create_task(asking.answer(sleep.question(600.0), holder)) for holder in holders]
    await asyncio.to_thread(until, lambda: QUICK in asking._places and len(asking._places[QUICK].waiting) == waiting)
    return tasks


async def leave(asking: Questions, tasks: list[asyncio.Task[bytes]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    await asyncio.to_thread(until, lambda: not busy(asking) and asking._places[QUICK].is_empty())


async def test_one_browser_has_one_question_answered_at_a_time_and_few_that_wait(asking: Questions) -> None:
    tasks = await asked(asking, [ME] * QUICK.of_browser, QUICK.of_browser - 1)
    with pytest.raises(NotAnswered, match="still being worked on") as refused:
        await asking.answer(CHECK, ME)
    assert refused.value.status == 429
    assert b"Untitled" in await asking.answer(CHECK, OTHER)
    await leave(asking, tasks)


async def test_all_of_an_address_that_are_known_by_no_cookie_have_half_of_its_questions(asking: Questions) -> None:
    unknown, number = Holder("crowd", ""), QUICK.waiting_of_address // 2
    tasks = await asked(asking, [unknown] * number, number - 1)
    with pytest.raises(NotAnswered, match="from your address") as refused:
        await asking.answer(CHECK, unknown)
    assert refused.value.status == 429
    assert b"Untitled" in await asking.answer(CHECK, Holder("crowd", "known"))
    await leave(asking, tasks)


async def test_browsers_of_one_address_leave_a_place_for_another_address(asking: Questions) -> None:
    crowd = [Holder("crowd", f"cookie {i}") for i in range(6)]
    tasks = await asked(asking, crowd, len(crowd) - QUICK.places_of_address)
    assert b"Untitled" in await asking.answer(CHECK, OTHER)
    await leave(asking, tasks)


async def test_where_all_places_to_wait_are_taken_the_biggest_address_loses_one(
    asking: Questions, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = asking._places.setdefault(QUICK, Places(QUICK))
    monkeypatch.setattr(few, "budget", replace(QUICK, waiting=4))
    crowd = [Holder("crowd", f"cookie {i}") for i in range(QUICK.places_of_address + 4)]
    tasks = await asked(asking, crowd, 4)
    with pytest.raises(NotAnswered, match="Try again"):
        await asking.answer(CHECK, Holder("crowd", "one more"))
    assert b"Untitled" in await asking.answer(CHECK, OTHER)
    lost = [task for task in tasks if task.done()]
    assert [type(task.exception()) for task in lost] == [NotAnswered]
    await leave(asking, tasks)


async def test_the_parts_of_an_answer_come_as_they_are_known_and_are_kept(
    asking: Questions, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [part async for part in asking.parts(parts.question(3, 0.01), ME)] == [b"0", b"1", b"2"]
    monkeypatch.setattr(Questions, "_take", None)  # what is kept needs no process
    assert [part async for part in asking.parts(parts.question(3, 0.01), OTHER)] == [b"0", b"1", b"2"]
    assert await asking.answer(parts.question(3, -1), ME) == b'"found on the way"'


async def test_who_asks_the_same_meanwhile_shares_one_answer(asking: Questions) -> None:
    first = asking.parts(parts.question(5, 0.1), ME)
    assert await anext(first) == b"0"
    second = asking.parts(parts.question(5, 0.1), OTHER)
    assert await anext(second) == b"0"
    assert len(busy(asking)) == 1
    assert [part async for part in second] == [part async for part in first] == [b"1", b"2", b"3", b"4"]


async def test_a_question_that_must_wait_says_so(asking: Questions) -> None:
    first = asyncio.create_task(asking.answer(parts.question(4, 0.1), ME))
    await asyncio.to_thread(until, lambda: len(busy(asking)) == 1)
    assert [part async for part in asking.parts(parts.question(1, 0.1), ME)] == [WAITS, b"0"]
    await first


async def test_a_client_that_leaves_ends_its_question(asking: Questions) -> None:
    left = asking.parts(parts.question(1_000, 0.1), ME)
    await anext(left)
    pid = busy(asking)[0]
    await left.aclose()
    await asyncio.to_thread(until, lambda: not is_running(pid))
    task = asyncio.create_task(asking.answer(sleep.question(100.0), ME))
    await asyncio.to_thread(until, lambda: len(busy(asking)) == 1)
    await leave(asking, [task])
    assert await asking.answer(parts.question(1, 0), ME) == b"0", "the place is free again"


async def test_who_leaves_does_not_end_what_somebody_else_waits_for(asking: Questions) -> None:
    first, second = (asking.parts(parts.question(15, 0.1), who) for who in (ME, OTHER))
    assert (await anext(first), await anext(second)) == (b"0", b"0")
    await first.aclose()
    assert len([part async for part in second]) == 14


@pytest.mark.parametrize(
    ("what", "error", "words"),
    [
        ("memory", NotAnswered, "it needs too much memory"),
        ("nested", NotAnswered, "it is nested too deeply"),
        ("defect", WorkFailed, "RuntimeError: defect"),
    ],
)
def test_too_much_and_a_defect_are_told_apart(asking: Questions, what: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ask(asking, fail.question(what), ME)
    assert ask(asking, CHECK, ME)["text"]


def test_an_answer_has_only_so_many_bytes_all_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(once, "ANSWER_BYTES_MAX", 3)
    found = list(once.answers(parts.question(5, 0)))
    assert found[-1] == (REFUSED, "the answer is too long")


def test_a_process_that_answers_questions_has_so_much_memory(asking: Questions) -> None:
    ask(asking, CHECK, ME)
    assert asking._idle
    for engine in asking._idle:
        process = psutil.Process(engine.pid)
        if hasattr(process, "rlimit"):  # not every system bounds it
            assert process.rlimit(psutil.RLIMIT_AS)[0] <= MEMORY_BYTES_MAX


def test_kept_answers_have_so_many_bytes_together_and_the_oldest_go(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = keeping.AnswerCache()
    parts = {key: [os.urandom(1_000)] for key in "abcd"}
    monkeypatch.setattr(keeping, "KEPT_BYTES_MAX", 3_500)
    for key in "abc":
        answers.put(key, parts[key])
    assert answers.get("a") == parts["a"]
    answers.put("d", parts["d"])
    assert [key for key in "abcd" if answers.get(key)] == ["a", "c", "d"]
    answers.put("e", [os.urandom(4_000)])
    assert answers.get("e") is None and answers.get("a")
    assert 3_000 < answers.bytes < 3_500


def test_the_key_of_an_answer_tells_works_and_arguments_apart() -> None:
    known: list[ServiceQuestion[Any]] = [
        *(ServiceQuestion(sleep, arguments) for arguments in ((1,), ("1",), (b"1",), (1, 2), (12,), ([1, 2],))),
        ServiceQuestion(fail, (1,)),
    ]
    assert len({one.key() for one in known}) == len(known)


def test_a_question_has_the_same_key_on_both_sides_of_the_pipe_and_however_it_is_written() -> None:
    question = parts.question(3, 0.5)
    assert parts.question(pause_s=0.5, number=3) == pickle.loads(pickle.dumps(question)) == question
    assert pickle.loads(pickle.dumps(question)).key() == question.key()


def test_a_process_imports_first_the_modules_of_quick_works_and_of_runs() -> None:
    import_module("playground.urls")  # as a web process does
    assert {"playground.scenarios.work", "playground.imports.az_work"} <= works.IMPORTED_FIRST[QUESTIONS]
    assert works.IMPORTED_FIRST[SMALL] == works.IMPORTED_FIRST[LARGE] == {"playground.rooms.work"}


def test_a_short_question_beside_a_paste_waits_for_no_process_to_start(
    asking: Questions, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(asking, CHECK, ME)
    until(lambda: len(asking._idle) >= IDLE_PROCESSES_MIN and all(one.is_ready for one in asking._idle))
    waiting = {one.pid for one in asking._idle}
    monkeypatch.setattr(sleep, "budget", PASTE)
    pastes = [
        in_thread(lambda: ask(asking, sleep.question(2.0), ME)),
        in_thread(lambda: ask(asking, sleep.question(2.1), NEIGHBOUR)),
    ]
    until(lambda: bool(busy(asking)))
    began = time.monotonic()
    assert len(busy(asking)) == 1, "an address reads one paste at a time"
    assert ask(asking, CHECK, OTHER)["text"]
    assert time.monotonic() - began < 1.5 and set(busy(asking)) < waiting
    for paste in pastes:
        paste.join()
