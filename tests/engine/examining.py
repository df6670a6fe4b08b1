"""Scenarios and what their losses go back to, examined once for all tests."""

from functools import cache
from pathlib import Path
from typing import Any

from simengine.explain.examine import examine
from simengine.scenario import load
from simengine.scenario.model import Document

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def document(name: str) -> Document:
    return load((SCENARIOS / f"{name}.yaml").read_bytes())


@cache
def examined(name: str) -> dict[str, Any]:
    doc = document(name)
    return examine(doc, doc.until_us)
