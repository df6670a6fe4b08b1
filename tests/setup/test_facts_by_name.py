"""Only ``simengine.facts`` knows the places of fields: everything else reads a fact by the names of its fields."""

import ast
from collections.abc import Iterator
from typing import Final

import pytest

from tests.setup.processes import ROOT

ROWS: Final = ("row", "fact")  # variables that hold the row of a fact, or a fact
HEAD: Final = 4  # places of a row that have no name: number, time, kind, cause
OWN: Final = ("simengine/facts/", "tests/engine/test_facts_table.py")  # where places are known
SOURCES: Final = [path for top in ("simengine", "playground", "tests") for path in sorted((ROOT / top).rglob("*.py"))]


def by_place(text: str) -> list[int]:
    """The lines of a source that read a field of a fact by its place."""
    found: list[int] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Subscript) and (is_row(node.value) or is_fields(node.value)):
            least = HEAD if is_row(node.value) else 0
            found += [node.lineno] * any(number >= least for number in numbers_in(node.slice))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            names = len(node.targets[0].elts)
            found += [node.lineno] * (is_fields(node.value) or (is_row(node.value) and names > HEAD))
    return sorted(found)


def is_row(node: ast.expr) -> bool:
    """True if an expression has a name that the row of a fact has."""
    return isinstance(node, ast.Name) and node.id in ROWS


def is_fields(node: ast.expr) -> bool:
    """True if an expression is the integers or the lists of a fact in their order."""
    return isinstance(node, ast.Attribute) and node.attr in ("values", "lists")


def numbers_in(place: ast.expr) -> Iterator[int]:
    """The integers in a subscript: of an index, a slice, or a sum."""
    for node in ast.walk(place):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            yield node.value


def test_no_source_reads_a_field_of_a_fact_by_its_place() -> None:
    found: list[str] = []
    for path in SOURCES:
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(OWN):
            found += [f"{name}:{line}" for line in by_place(path.read_text())]
    assert found == [], "use the classes of simengine.facts.decisive and simengine.facts.traffic"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("row[4]", [1]),
        ("row[0], row[3], row[-1], words[5]", []),
        ("row[4 + FIGURES.index('lost')]", [1]),
        ("a = 1\nrow[4:8]", [2]),
        ("fact.values[0]\nfact.lists[1]", [1, 2]),
        ("found.values['P', 't-0']", []),
        ("seq, t, kind, cause = row", []),
        ("_, _, _, _, broker, p = row", [1]),
        ("broker, p = fact.values", [1]),
    ],
)
def test_a_place_is_found_in_the_syntax_tree(text: str, lines: list[int]) -> None:
    assert by_place(text) == lines
