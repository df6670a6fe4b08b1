"""The silence of a part: counted while it was asked and the supervisor ran, until it answers."""

import socket
from collections.abc import Iterator

import pytest

from playground.supervisor import answering, asking
from playground.supervisor.asking import ASK_SECONDS, STEP_SECONDS_MAX, LivenessQuery, PolledProcess, connection_to

HOUR = 3_600.0


class Clock:
    """The monotonic clock of the supervisor."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(asking, "time", clock)
    return clock


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.settimeout(5)
        yield listener


def asked_at(listener: socket.socket) -> PolledProcess:
    port = listener.getsockname()[1]
    asked = PolledProcess(LivenessQuery(lambda: connection_to("127.0.0.1", port), b"how are you\n", b"well"))
    asked.ask_in(0.0)
    return asked


def pass_seconds(asked: PolledProcess, clock: Clock, seconds: int) -> list[bytes]:
    """Look once a second; the answers."""
    answers = []
    for _ in range(seconds):
        clock.now += 1.0
        if (answer := asked.look()) is not None:
            answers.append(answer)
    return answers


def test_a_part_that_takes_a_connection_and_says_nothing_is_silent_for_as_long(
    listener: socket.socket, clock: Clock
) -> None:
    asked = asked_at(listener)
    assert pass_seconds(asked, clock, 29) == []
    assert asked.silent_seconds == 29.0


def test_an_answer_that_comes_late_is_an_answer(listener: socket.socket, clock: Clock) -> None:
    asked = asked_at(listener)
    assert pass_seconds(asked, clock, 25) == []
    part, _ = listener.accept()
    assert part.recv(64) == b"how are you\n"
    part.sendall(b"well, thank you\n")
    assert pass_seconds(asked, clock, 1) == [b"well, thank you\n"]
    asked.ask_in(ASK_SECONDS)
    assert asked.silent_seconds == 0.0
    part.close()


@pytest.mark.parametrize("is_reset", [False, True])
def test_a_connection_that_the_part_closes_is_an_answer(
    listener: socket.socket, clock: Clock, *, is_reset: bool
) -> None:
    """A web process at its limit of connections closes them at once. With the request unread that is a reset."""
    asked = asked_at(listener)
    assert pass_seconds(asked, clock, 1) == []
    part, _ = listener.accept()
    if not is_reset:
        part.recv(64)
    part.close()
    assert pass_seconds(asked, clock, 1) == [b""]
    assert not asked.question.is_up(b"")


def test_a_part_that_does_not_listen_yet_is_asked_again_at_each_look(listener: socket.socket, clock: Clock) -> None:
    host, port = listener.getsockname()
    listener.close()
    asked = PolledProcess(LivenessQuery(lambda: connection_to(host, port), b"?", b"!"))
    asked.ask_in(0.0)
    assert pass_seconds(asked, clock, 3) == []
    assert asked.silent_seconds == 3.0
    with socket.socket() as late:
        late.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        late.bind((host, port))
        late.listen()
        late.settimeout(5)
        assert pass_seconds(asked, clock, 1) == []
        part, _ = late.accept()
        part.sendall(b"!")
        assert pass_seconds(asked, clock, 1) == [b"!"]
        part.close()


def test_time_in_which_the_supervisor_did_not_run_is_no_silence(listener: socket.socket, clock: Clock) -> None:
    """A lid closed for an hour, twice: while a question was on its way, and between two questions."""
    asked = asked_at(listener)
    pass_seconds(asked, clock, 3)
    clock.now += HOUR
    assert asked.look() is None
    assert asked.silent_seconds == 3.0 + STEP_SECONDS_MAX
    asked.ask_in(ASK_SECONDS)
    clock.now += HOUR
    assert asked.look() is None
    assert asked.silent_seconds == STEP_SECONDS_MAX


def test_between_an_answer_and_the_next_question_nobody_is_silent(listener: socket.socket, clock: Clock) -> None:
    asked = asked_at(listener)
    pass_seconds(asked, clock, 3)
    asked.ask_in(ASK_SECONDS)
    pass_seconds(asked, clock, int(ASK_SECONDS) - 1)
    assert asked.silent_seconds == 0.0
    pass_seconds(asked, clock, 3)
    assert asked.silent_seconds == 2.0  # asked one second after the first of these looks


def test_a_supervisor_that_has_no_socket_left_does_not_count_silence(clock: Clock) -> None:
    def none_left() -> socket.socket:
        raise OSError(24, "Too many open files")

    asked = PolledProcess(LivenessQuery(none_left, b"?", b"!"))
    asked.ask_in(0.0)
    assert pass_seconds(asked, clock, 60) == []
    assert asked.silent_seconds == 0.0


def test_what_an_earlier_process_answered_is_not_the_answer_of_the_next(clock: Clock) -> None:
    question, part = answering.pair()
    asked = PolledProcess(question)
    asked.ask_in(0.0)
    assert pass_seconds(asked, clock, 1) == []
    part.sendall(part.recv(8))  # and dies before anybody looks
    asked.ask_in(0.0)
    assert pass_seconds(asked, clock, 3) == []
    part.sendall(part.recv(8))
    assert pass_seconds(asked, clock, 1) == [answering.REQUEST]
    part.close()
