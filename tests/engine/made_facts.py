"""Facts made by hand, for what reads the past of a run."""

from typing import Any

from simengine.facts.reading import READERS
from simengine.facts.schema import BY_NUMBER


def made(
    seq: int, t: int, kind: int, cause: int, values: list[int], lists: list[list[int]] | None = None, text: str = ""
) -> Any:
    """A decisive fact; what a test leaves out behind its values and lists is 0 and empty."""
    fact = BY_NUMBER[kind]
    given = lists or []
    ints = [*values, *[0] * (len(fact.ints) - len(values))]
    return READERS[kind]([seq, t, kind, cause, *ints, *given, *[[]] * (len(fact.lists) - len(given)), text])
