"""A disk so small that a test can fill it: a file system of its own below the data folder.

Without root it is a tmpfs in a new user and mount namespace (`unshare -r -m`), which the whole program enters; root
needs no user namespace. Where both are forbidden, it is a small file system that exists already, such as /dev/shm in a
container.
"""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Final, Protocol

from tests.rooms.full_site import FULL
from tests.rooms.site import Site
from tests.rooms.test_full_disk import fill

SIZE_MIB: Final = 96
ENTERED: Final = "HIGHWATER_FAULTS_NAMESPACE"
NAMESPACES: Final = (("unshare", "-r", "-m"), ("unshare", "-m"))
SMALL_BYTES_MAX: Final = 512 * 1024 * 1024
SHARED_MEMORY: Final = Path("/dev/shm")
REFILL_SECONDS: Final = 0.05


def enter_namespace() -> None:
    """Start this program anew where it may mount a file system, if there is such a place."""
    if os.environ.get(ENTERED):
        return
    for words in NAMESPACES:
        tried = [*words, "sh", "-c", 'mount -t tmpfs none "$0"', tempfile.gettempdir()]
        if shutil.which(words[0]) and not subprocess.run(tried, capture_output=True, check=False).returncode:
            os.environ[ENTERED] = " ".join(words)
            os.execvp(words[0], [*words, *sys.orig_argv])


class Disk(Protocol):
    """A disk that can be filled."""

    means: str

    def fill(self) -> None: ...

    def make_space(self) -> None: ...


class SmallDisk:
    """An empty folder on a file system that can be filled; `means` says how it was made; "" if there is none."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.means = _made(folder)
        self._filler = self.folder / "filler"
        self._must_stay_full = threading.Event()
        self._thread: threading.Thread | None = None

    def fill(self) -> None:
        """Fill every byte, also those that are freed later, until `make_space`."""
        assert self.means, "this disk cannot be filled"
        self._must_stay_full.set()
        self._take_all()
        self._thread = threading.Thread(target=self._stay_full, daemon=True)
        self._thread.start()

    def make_space(self) -> None:
        """Give all of it back."""
        self._must_stay_full.clear()
        if self._thread is not None:
            self._thread.join()
        self._filler.unlink(missing_ok=True)

    def _stay_full(self) -> None:
        while self._must_stay_full.is_set():
            self._take_all()
            threading.Event().wait(REFILL_SECONDS)

    def _take_all(self) -> None:
        with self._filler.open("ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while file.write(b"\0" * size):
                        pass
                except OSError as full:
                    if full.errno != errno.ENOSPC:
                        raise

    def remove(self) -> None:
        """Unmount and delete it."""
        self.make_space()
        if os.environ.get(ENTERED):
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def _made(folder: Path) -> tuple[Path, str]:
    if means := os.environ.get(ENTERED, ""):
        options = ["-o", f"size={SIZE_MIB}m,mode=0700"]
        subprocess.run(["mount", "-t", "tmpfs", *options, "none", str(folder)], check=True)
        return folder, f"a tmpfs of {SIZE_MIB} MiB, mounted in `{means}`"
    if os.access(SHARED_MEMORY, os.W_OK) and shutil.disk_usage(SHARED_MEMORY).total <= SMALL_BYTES_MAX:
        return Path(tempfile.mkdtemp(dir=SHARED_MEMORY)), f"{SHARED_MEMORY}, which is small here"
    return folder, ""


class FullDatabase:
    """The stand-in for a small disk: the web process of `tests.rooms.full_site`, whose database takes no more pages.

    SQLite gives the error that it has for a full disk. All else on the disk goes on.
    """

    means = "the limit of SQLite's pages, since no small file system can be made here"

    def __init__(self, site: Site) -> None:
        self._site = site

    def fill(self) -> None:
        """Use up the space inside the pages too."""
        fill(self._site)

    def make_space(self) -> None:
        (self._site.data / FULL).unlink()
