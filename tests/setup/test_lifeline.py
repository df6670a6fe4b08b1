"""The children that the supervisor knows, on a machine where processes come and go."""

import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from playground.supervisor import lifeline


def test_a_process_that_has_ended_is_no_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "self").mkdir()
    (tmp_path / "12").mkdir()  # it ended after the folder was listed
    for pid, parent in ((7, 5), (8, 6)):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "stat").write_text(f"{pid} (a (b) c) S {parent} 1 1")
    monkeypatch.setattr(lifeline, "PROC", tmp_path)
    assert lifeline.children(5) == [7]


def test_looking_for_children_holds_while_processes_come_and_go() -> None:
    """The list of /proc and what it names are never of one moment."""
    is_over = threading.Event()

    def churn() -> None:
        while not is_over.is_set():
            subprocess.run(["true"], check=True)

    threads = [threading.Thread(target=churn) for _ in range(2)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        lifeline.children(os.getpid())
    is_over.set()
    for thread in threads:
        thread.join()
