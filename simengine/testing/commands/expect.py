"""Run documents with every invariant checked at every event, and hold them against what they expect."""

from simengine.commands import expect
from simengine.testing.checked import checked


def main(argv: list[str]) -> int:
    """As `python -m simengine expect`; a broken invariant raises Violation."""
    return expect.main(argv, checked, "python -m simengine.testing expect")
