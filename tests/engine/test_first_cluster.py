"""No module takes the first cluster of a run for the only one, but those that put a run together."""

import ast
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent.parent
TOGETHER: Final = {"simengine/world/world.py", "simengine/world/ground.py"}  # they hold the list of clusters
OF_CLUSTERS: Final = {"cluster_runs", "runs", "clusters", "sites"}
FIRST_OF_OTHERS: Final = {  # not a cluster for all, but an example in words, or one of several runs of a recording
    ("simengine/scenario/sites.py", "sites[0]"),
    ("simengine/scenario/cluster_checks.py", "next(iter(doc.clusters))"),
}


def firsts_in(text: str) -> list[str]:
    """Each place that takes the first of some clusters: ``runs[0]``, ``next(iter(doc.clusters))``."""
    return [ast.unparse(node) for node in ast.walk(ast.parse(text)) if _is_first(node)]


def _is_first(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        return _name(node.value) in OF_CLUSTERS and isinstance(node.slice, ast.Constant) and node.slice.value == 0
    if isinstance(node, ast.Call) and _name(node.func) == "next" and node.args:
        inner = node.args[0]
        return isinstance(inner, ast.Call) and _name(inner.func) == "iter" and _name(inner.args[0]) in OF_CLUSTERS
    return False


def _name(node: ast.AST) -> str:
    """The last name of an expression: ``clusters`` of ``self.doc.clusters.values()``."""
    if isinstance(node, ast.Call):
        return _name(node.func)
    if isinstance(node, ast.Attribute):
        return _name(node.value) if node.attr in ("values", "keys", "items") else node.attr
    return node.id if isinstance(node, ast.Name) else ""


def test_no_module_takes_the_first_cluster_for_the_only_one() -> None:
    found = {
        (str(path.relative_to(ROOT)), place)
        for folder in ("simengine", "playground")
        for path in (ROOT / folder).rglob("*.py")
        for place in firsts_in(path.read_text())
        if str(path.relative_to(ROOT)) not in TOGETHER
    }
    assert found == FIRST_OF_OTHERS


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("book = self.runs[0].book", 1),
        ("name = next(iter(doc.clusters.values()))", 1),
        ("last = runs[-1]", 0),
        ("world.only.book", 0),  # this raises where there are several
    ],
)
def test_a_first_cluster_is_found(text: str, found: int) -> None:
    assert len(firsts_in(text)) == found
