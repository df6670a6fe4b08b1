"""The Chromium of the browser tests: Playwright's own where it can be had, else the system's, else installed.

Debian's headless shell comes before its full browser: a page of its own costs a fifth of the processor time there.
HIGHWATER_BROWSER names another one. What was found is remembered in build/, so that it is looked for once.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
REMEMBERED: Final = ROOT / "build" / "browser"
NAMED: Final = "HIGHWATER_BROWSER"
PACKAGES: Final = ("chromium-headless-shell", "chromium")  # Debian's, named as their programs
NAMES: Final = (*PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable")
SYSTEM_FOLDERS: Final = ("/usr/bin", "/usr/local/bin", "/snap/bin")
DOWNLOAD_SECONDS_MAX: Final = 300
INSTALL_SECONDS_MAX: Final = 600
ARGUMENTS: Final = (
    # a test browser talks to our own pages only; never --use-angle=swiftshader: canvas drops below 30 fps with it
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)
CURE: Final = (
    "No browser for the browser tests. Let Playwright fetch one (.venv/bin/playwright install --with-deps chromium), "
    f"or install Chromium (Debian: apt-get install {PACKAGES[0]}), or name one: {NAMED}=/path/to/chromium make test"
)


class NoBrowser(Exception):
    """No Chromium is here and none could be had; the message is the cure."""


def launch_arguments() -> dict[str, Any]:
    """The arguments of Playwright's `chromium.launch`. Raises NoBrowser."""
    return {"executable_path": str(find()), "args": list(ARGUMENTS)}


def find() -> Path:
    """A Chromium that runs. May download or install one; raises NoBrowser."""
    if named := os.environ.get(NAMED):
        return _named(Path(named))
    if REMEMBERED.exists() and runs(kept := Path(REMEMBERED.read_text())):
        return kept
    for look in (_playwrights, _downloaded, _systems, _installed):
        found = look()
        if found is not None and runs(found):
            REMEMBERED.parent.mkdir(exist_ok=True)
            REMEMBERED.write_text(str(found))
            return found
    raise NoBrowser(CURE)


def _named(browser: Path) -> Path:
    if not runs(browser):
        raise NoBrowser(f"{NAMED} is {browser}, which does not run. {CURE}")
    return browser


def runs(browser: Path) -> bool:
    """True if the program starts and says its version (one that lacks a library does not)."""
    try:
        asked = subprocess.run([browser, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def _playwrights() -> Path | None:
    """The path of Playwright's own browser; None if it is not there."""
    ask = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as p: print(p.chromium.executable_path)"
    )
    # another process: Playwright leaves an event loop behind
    asked = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, timeout=60, check=False)
    place = Path(asked.stdout.strip() or "-")
    return place if place.is_file() else None


def _downloaded() -> Path | None:
    """Playwright's own, fetched now; where its downloads are closed that fails within seconds."""
    if not _succeeds([sys.executable, "-m", "playwright", "install", "chromium"], DOWNLOAD_SECONDS_MAX):
        return None
    return _playwrights()


def _systems() -> Path | None:
    """A Chromium or Chrome of this machine, on the path or where packages put it."""
    folders = os.pathsep.join((os.environ.get("PATH", ""), *SYSTEM_FOLDERS))
    for name in NAMES:
        if found := shutil.which(name, path=folders):
            return Path(found)
    return None


def _installed() -> Path | None:
    """One of Debian's packages, where we may install it."""
    apt = shutil.which("apt-get", path=os.pathsep.join((os.environ.get("PATH", ""), *SYSTEM_FOLDERS)))
    if apt is None or os.geteuid() != 0:
        return None
    print(f"installing Debian's {PACKAGES[0]} for the browser tests", flush=True)
    _succeeds([apt, "update", "-qq"], INSTALL_SECONDS_MAX)
    install = [apt, "install", "-y", "-qq", "--no-install-recommends"]
    is_done = any(_succeeds([*install, package], INSTALL_SECONDS_MAX) for package in PACKAGES)
    return _systems() if is_done else None


def _succeeds(command: list[str], seconds: int) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return (
            subprocess.run(command, capture_output=True, env=environment, timeout=seconds, check=False).returncode == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    print(find())
