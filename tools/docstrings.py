"""Checks that no docstring begins with a question word: a docstring is a statement."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDERS: Final = ("simengine", "playground", "tests", "tools")
QUESTION: Final = re.compile(r"\s*(Whether|What|Which|How|Who|Whose|Where|When|Why|If)\b")


def questions(source: str) -> list[tuple[int, str]]:
    """The line and the first word of each such docstring: of a module, a class, a function or a constant."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            word = QUESTION.match(node.value.value)
            found += [(node.lineno, word[1])] if word else []
    return sorted(found)


def places(root: Path) -> list[str]:
    """The place and the first word of each such docstring, in the files that git knows of."""
    listed = subprocess.run(["git", "ls-files", "-z", *FOLDERS], cwd=root, capture_output=True, text=True, check=True)
    found = []
    for name in listed.stdout.split("\0"):
        if name.endswith(".py") and (root / name).exists():
            source = (root / name).read_text(encoding="utf-8")
            found += [f"{name}:{line}: {word}" for line, word in questions(source)]
    return found


def main() -> int:
    """Print the places; the status is 1 if there is any."""
    found = places(ROOT)
    for place in found:
        print(f"{place} begins a docstring, which should be a statement")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
