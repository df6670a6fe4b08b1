"""The problems of a document as they travel between processes, and the number of those left out."""

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
