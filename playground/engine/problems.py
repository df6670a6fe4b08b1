"""What is wrong with a document, as it travels between processes: the problems, and how many more there are."""

from typing import Any

from simengine.scenario import DocumentError, Problem

KEY = "problems"
Plain = dict[str, Any]


def problems_of(error: DocumentError) -> Plain:
    """``problems`` and how many more there are: ``left_out``."""
    return {KEY: error.problems, "left_out": error.left_out}


def without_problems(found: Any) -> Any:
    """An answer of an engine process. Raises the DocumentError in it."""
    if not isinstance(found, dict) or "left_out" not in found or KEY not in found:
        return found
    told = [Problem(*one) for one in found[KEY]]
    raise DocumentError([*told, *told[:1] * found["left_out"]])  # those left out are counted, and no more
