"""Memory and bytes on the disk of an instance while something happens: the most of each."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil

from tests.faults.matrix.instance import Instance
from tests.faults.soak.memory import MIB, memory_of

EVERY_S: Final = 0.5


class Sampler:
    """Looks twice a second. `memory` and `disk`: MiB more than at the beginning, at most."""

    def __init__(self, instance: Instance, temporary: Path) -> None:
        self._instance = instance
        self._folders = (instance.data, temporary)
        self._is_over = threading.Event()
        self._before = self._look()
        self.memory = 0.0
        self.disk = 0.0
        threading.Thread(target=self._sample, daemon=True).start()

    def stop(self) -> None:
        self._is_over.set()

    def _sample(self) -> None:
        while not self._is_over.wait(EVERY_S):
            memory, disk = self._look()
            self.memory = max(self.memory, (memory - self._before[0]) / MIB)
            self.disk = max(self.disk, (disk - self._before[1]) / MIB)

    def _look(self) -> tuple[int, int]:
        processes = _every(self._instance)
        files = [path for folder in self._folders for path in folder.rglob("*")]
        files += [link for process in processes for link in _open_files(process)]
        return sum(map(memory_of, processes)), sum(map(_size, files))


def _every(instance: Instance) -> list[psutil.Process]:
    try:
        top = instance.part("supervisor")[0]
        return [top, *top.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _open_files(process: psutil.Process) -> Iterator[Path]:
    """Files that only the process sees: they were removed, as temporary ones are."""
    try:
        for link in Path(f"/proc/{process.pid}/fd").iterdir():
            if str(link.readlink()).endswith("(deleted)"):
                yield link
    except OSError:
        return  # the process or the file was closed meanwhile


def _size(path: Path) -> int:
    try:
        return path.stat().st_blocks * 512
    except OSError:
        return 0
