"""The logs of an instance: bounded while it runs, long lines cut, and nothing unsaid when their disk is full."""

import logging
import sys
from pathlib import Path

import pytest

from playground.log_line import LINE_MAX, CutLine
from playground.supervisor import log_file
from playground.supervisor.log_file import LINE_BYTES_MAX, LogFile
from playground.supervisor.service_processes import answering_part
from playground.supervisor.supervisor import Supervisor
from tests.setup.processes import eventually


@pytest.fixture
def log(tmp_path: Path) -> LogFile:
    return LogFile(tmp_path / "web.log")


def test_two_files_of_bounded_size_hold_the_newest_lines(
    log: LogFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_file, "LOG_BYTES_MAX", 10_000)
    for number in range(5_000):
        log.take(f"line {number}\n".encode())
    sizes = {entry.name: entry.stat().st_size for entry in tmp_path.iterdir()}
    assert set(sizes) == {"web.log", "web.previous.log"}
    assert max(sizes.values()) <= 10_000
    assert log.tail(2) == ["line 4998", "line 4999"]


def test_a_long_line_is_cut_however_it_comes(log: LogFile) -> None:
    for piece in [b"GET /", *[b"a" * 1_000] * 60, b"\nshort\n"]:
        log.take(piece)
    long, short = log.tail(10)
    assert long.startswith("GET /aaa") and long.endswith("(cut)") and len(long) == LINE_BYTES_MAX
    assert short == "short"


def test_the_web_process_cuts_the_paths_that_it_logs_itself() -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, "Not Found: %s", ("/" + "a" * 60_000,), None)
    line = CutLine("{levelname} {message}", style="{").format(record)
    assert line.startswith("WARNING Not Found: /aaa") and line.endswith("(cut)") and len(line) == LINE_MAX


def test_the_last_line_of_a_part_that_ends_is_kept(log: LogFile) -> None:
    log.take(b"first\nlast words")
    assert log.tail(5) == ["first"]
    log.end()
    assert log.tail(5) == ["first", "last words"]


def test_lines_go_to_standard_error_while_the_disk_is_full(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "web.log"
    path.symlink_to("/dev/full")  # a device on which every write fails as on a full disk
    log = LogFile(path)
    log.take(b"one\n")
    log.take(b"two\n")
    said = capfdbinary.readouterr().err.decode()
    assert said.count("cannot be written (No space left on device)") == 1
    assert said.endswith("one\ntwo\n")
    log.close()
    path.unlink()
    log.take(b"three\n")
    assert log.tail(5) == ["three"]


def test_a_part_that_writes_much_is_bounded_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "LOG_BYTES_MAX", 200_000)
    writes = "import sys, time\nfor n in range(20_000): print('x' * 100, n)\nsys.stdout.flush()\n"
    answers = "from playground.supervisor import answering\nanswering.answer_from_now_on()\ntime.sleep(60)"
    part = answering_part("writer", [sys.executable, "-c", writes + answers], {})
    supervisor = Supervisor([part], tmp_path, lambda step, text: None)
    try:
        supervisor.start()
        assert eventually(lambda: _wrote_all(supervisor), 30)
        assert sum(entry.stat().st_size for entry in tmp_path.iterdir()) <= 400_000
    finally:
        supervisor.stop()


def _wrote_all(supervisor: Supervisor) -> bool:
    supervisor._tick()
    log = supervisor.running[0].log
    assert log is not None
    return log.tail(1) == ["x" * 100 + " 19999"]
