"""What the engine service does for rooms beside the live ones. It takes a run as it is stored."""

from typing import Any

from playground.scenarios import documents
from simengine.scenario import DocumentError
from simengine.why.examine import examine


def examined(argument: tuple[documents.Stored, int]) -> dict[str, Any]:
    """Verdict, checked decisions and chains of a run at a moment; or the ``problems`` of its document."""
    stored, until_us = argument
    try:
        document = documents.of_stored(stored)
    except DocumentError as error:
        return documents.problems_of(error)
    return examine(document, until_us)
