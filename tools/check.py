"""`make check`: every check that needs no server and no browser, one line each; all run, and any failure fails.

python tools/check.py            all of them
python tools/check.py types ...  only those named
"""

import subprocess
import sys
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
BIN: Final = Path(sys.executable).parent

CHECKS: Final[dict[str, list[str]]] = {
    "format": [f"{BIN}/ruff", "format", "--check", "--quiet", "."],
    "lint": [f"{BIN}/ruff", "check", "--quiet", "."],
    "types": [f"{BIN}/mypy"],
    "imports": [f"{BIN}/lint-imports"],
    "circles": [sys.executable, "tools/circles.py"],
    "files of a verb": [sys.executable, "tools/verb_files.py"],
    "facts": [sys.executable, "tools/facts_py.py", "--check"],
    "facts of the pages": [sys.executable, "tools/facts_js.py", "--check"],
    "verbs of the pages": [sys.executable, "tools/verbs_js.py", "--check"],
    "migrations": [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run", "--settings=tests.settings"],
    "javascript, css": [sys.executable, "tools/node.py", "style"],
    "line lengths": [sys.executable, "tools/line_lengths.py"],
    "docstrings": [sys.executable, "tools/docstrings.py"],
    "class names": [sys.executable, "tools/class_names.py"],
    "javascript types": [sys.executable, "tools/node.py", "tsc"],
    "javascript tests": [sys.executable, "tools/node.py", "test"],
    "vendored libraries": [sys.executable, "tools/vendor.py", "--check"],
    "compose file": [
        *(f"{BIN}/check-jsonschema", "--builtin-schema", "vendor.compose-spec"),
        "docker-compose.yml",
    ],
    "dockerfile": [f"{BIN}/hadolint", "Dockerfile"],
    "lock": [sys.executable, "tools/check_lock.py"],
}


TELLING: Final = ("circles", "files of a verb", "line lengths")  # told where all is well too


def run(name: str) -> bool:
    """Run one check, print its line, and what it said if it failed."""
    started = time.monotonic()
    done = subprocess.run(CHECKS[name], cwd=ROOT, capture_output=True, text=True, check=False)
    word = "ok" if done.returncode == 0 else "FAILED"
    told = f"  {done.stdout.strip()}" if name in TELLING and done.returncode == 0 else ""
    print(f"{name:<20} {word:<7} {time.monotonic() - started:5.1f} s{told}", flush=True)
    if done.returncode:
        print((done.stdout + done.stderr).rstrip(), flush=True)
    return done.returncode == 0


def main(argv: list[str]) -> int:
    """Run the checks named, or all; status 1 when one failed."""
    unknown = [name for name in argv if name not in CHECKS]
    if unknown:
        print(f"there is no check {unknown[0]!r}. Allowed: {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    failed = [name for name in (argv or CHECKS) if not run(name)]
    print(f"check: {'failed: ' + ', '.join(failed) if failed else 'all is well'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
