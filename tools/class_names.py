"""Checks that no public class name stands twice in the engine and the playground: a name leads to one class."""

import ast
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDERS: Final = ("simengine", "playground")
DJANGO: Final = frozenset({"Command", "Meta", "Migration"})
"""Names that Django asks for: of each management command, of each model's options, of each migration."""


def class_names(source: str) -> list[tuple[str, int]]:
    """The name and line of each public class, those inside other classes and functions included."""
    nodes = ast.walk(ast.parse(source))
    return [(node.name, node.lineno) for node in nodes if isinstance(node, ast.ClassDef) and node.name[0] != "_"]


def repeated(root: Path) -> dict[str, list[str]]:
    """The places of each name that stands twice or more, in the files that git knows of."""
    listed = subprocess.run(["git", "ls-files", "-z", *FOLDERS], cwd=root, capture_output=True, text=True, check=True)
    places = defaultdict(list)
    for file in sorted(set(filter(None, listed.stdout.split("\0")))):
        if file.endswith(".py") and (root / file).exists():
            for name, line in class_names((root / file).read_text(encoding="utf-8")):
                if name not in DJANGO:
                    places[name].append(f"{file}:{line}")
    return {name: found for name, found in sorted(places.items()) if len(found) > 1}


def main() -> int:
    """Print the names that stand twice, with their places; status 1 when there is one."""
    found = repeated(ROOT)
    for name, places in found.items():
        print(f"class {name} stands {len(places)} times: {', '.join(places)}")
    if not found:
        print("no public class name stands twice")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
