"""Rows for the tests of what is kept: small ones, and a place to keep them."""

from pathlib import Path
from typing import Any

from playground.whatif.pipeline.blocks import Block
from playground.whatif.pipeline.results import Results, encoded
from playground.whatif.pipeline.schema import NAMES


def row_of(index: int, variants: str = "AB") -> dict[str, Any]:
    """A row of run `index`, with its number among its figures."""
    found: dict[str, Any] = dict.fromkeys(NAMES)
    letter = variants[index % len(variants)]
    return {**found, "variant": letter, "seed": 1 + index // len(variants), "lost": index}


def rows_of(first: int, last: int) -> bytes:
    return encoded([row_of(index) for index in range(first, last)])


def results_in(folder: Path, *blocks: tuple[int, int]) -> Results:
    """A place in a folder that keeps these blocks."""
    made = Results(folder.as_uri(), "one")
    made.prepare()
    for first, last in blocks:
        made.put(Block(first, last), rows_of(first, last))
    return made


def numbers(results: Results, first: int, last: int) -> list[int]:
    """The numbers of the runs that are read back."""
    return [number for table in results.tables([Block(first, last)]) for number in table["lost"].to_pylist()]
