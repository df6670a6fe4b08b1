"""The parts that people use import nothing of the tests: an image of Highwater has none."""

import ast
from collections.abc import Iterator
from pathlib import Path

from simengine.form import ROOT


def imported(path: Path) -> Iterator[str]:
    """The modules that a source imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_what_people_use_imports_nothing_of_the_tests() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for folder in ("simengine", "playground")
        for path in (ROOT / folder).rglob("*.py")
        for name in imported(path)
        if name.split(".")[0] == "tests"
    }
    assert not found
