"""docs/invariants.md lists the named properties: those that checkers raise, and no other."""

import ast
import re
from collections.abc import Iterator

from tests.setup.processes import ROOT

LISTED = re.compile(r"^\| ([a-z_0-9]+) \|", re.MULTILINE)
RAISES = {"demand": 1, "Violation": 0}  # which argument of the call is the name
TOLD_OTHERWISE = {  # held by tests or by whole runs, not by a checker that raises them
    "incremental_equals_full",
    "mm_catches_up",
    "metrics_recomputed",
    "observer_free",
    "replay_identical",
}


def names_in(tree: ast.Module) -> Iterator[str]:
    """The names with which a module calls a checker, and its own NAME."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISES:
            name = node.args[RAISES[node.func.id]]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "NAME":
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                yield node.value.value


def test_the_list_has_every_property_that_is_raised_and_no_other() -> None:
    sources = [
        path.read_text(encoding="utf-8") for top in ("simengine", "tests") for path in (ROOT / top).rglob("*.py")
    ]
    texts = [text for text in sources if "demand(" in text or "Violation(" in text]
    raised = {name for text in texts for name in names_in(ast.parse(text)) if "_" in name}
    listed = set(LISTED.findall((ROOT / "docs" / "invariants.md").read_text(encoding="utf-8")))
    assert raised - listed == set()
    assert listed - raised - TOLD_OTHERWISE == set()
