"""The pages read facts by the names of their fields: only the modules of static/js/facts/ know positions in a row."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "static" / "js"
BY_POSITION = re.compile(r"\brow\[\d+\]|\[\s*,(?:\s*,){2,}")


def positions_in(text: str) -> list[str]:
    """The code that reads a row by position: ``row[4]``, or a pattern that begins with three or more holes."""
    return BY_POSITION.findall(text)


def test_no_module_of_the_pages_reads_a_row_by_position() -> None:
    modules = [path for path in PAGES.rglob("*.js") if path.parent != PAGES / "facts"]
    found = {str(path.relative_to(ROOT)): positions_in(path.read_text()) for path in modules}
    assert {name: places for name, places in found.items() if places} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("if (row[4] > t) return;", 1),
        ("const [, , , , p, leader] = row;", 1),
        ("rows.map(([, , kind]) => kind)", 0),
        ("const { p, leader } = readPartitionChanged(row);", 0),
    ],
)
def test_a_position_is_found(text: str, found: int) -> None:
    assert len(positions_in(text)) == found
