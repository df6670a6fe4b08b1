"""Checks that no line of JavaScript or CSS is longer than 120 columns, strings and comments included."""

import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
COLUMNS_MAX: Final = 120
FOLDERS: Final = ("static/js", "static/css", "tests/js")


def long_lines(root: Path) -> list[str]:
    """The place and length of each line that is too long, in the files that git knows of."""
    listed = subprocess.run(["git", "ls-files", "-z", *FOLDERS], cwd=root, capture_output=True, text=True, check=True)
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        if name.endswith((".js", ".css")) and (root / name).exists():
            lines = (root / name).read_text(encoding="utf-8").splitlines()
            found += [f"{name}:{n}: {len(line)}" for n, line in enumerate(lines, 1) if len(line) > COLUMNS_MAX]
    return found


def main() -> int:
    """Print the lines that are too long; status 1 when there is one."""
    found = long_lines(ROOT)
    for place in found:
        print(f"{place} columns, allowed are {COLUMNS_MAX}")
    if not found:
        print(f"no line over {COLUMNS_MAX} columns")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
