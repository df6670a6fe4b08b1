"""The tree that a document belongs to: where it came from and what was branched off it."""

from dataclasses import dataclass, field
from typing import Final

from django.db.models import Q

from playground.scenarios.limits import LANES_MAX, LINEAGE_MAX
from playground.scenarios.models import Scenario

LONG: Final = ("body", "verdict", "told")  # columns that no tree says anything of


@dataclass
class LineageNode:
    """One document of the tree; ``change`` is what it changed against its parent.

    ``later`` says what it does with the parent's later actions, ``problems`` which of them can no longer be done there.
    """

    id: str
    title: str
    change: str
    cut_us: int | None
    is_this: bool
    is_deleted: bool
    later: str = ""
    problems: list[str] = field(default_factory=list)
    branches: list["LineageNode"] = field(default_factory=list)


@dataclass
class Lineage:
    """The tree, and whether it was cut off at LINEAGE_MAX documents."""

    root: LineageNode
    number: int
    is_cut: bool


def of(scenario: Scenario, reader: str) -> Lineage:
    """The tree around a document: its ancestors, their branches, its own branches.

    ``reader`` is the browser that looks: it sees the branches that are its own, the document's own line, and shared
    copies on it, but not what others made for themselves.
    """
    ancestors = _ancestors(scenario)
    line = [document.id for document in ancestors]
    root = _node(ancestors[-1], scenario)
    nodes = {root.id: root}
    waiting = [root.id]
    while waiting and len(nodes) < LINEAGE_MAX:
        seen = Q(id__in=line) | Q(owner=reader) if reader else Q(id__in=line)
        branches = Scenario.objects.filter(seen, parent_id__in=waiting).order_by("created").defer(*LONG)[:LINEAGE_MAX]
        waiting = []
        for branch in branches:
            if branch.id in nodes:
                continue
            node = nodes[branch.id] = _node(branch, scenario)
            nodes[str(branch.parent_id)].branches.append(node)
            waiting.append(node.id)
    return Lineage(root, len(nodes), len(nodes) >= LINEAGE_MAX)


def branches_of(scenario: Scenario, reader: str) -> list[Scenario]:
    """The branches that a browser made off a document, the first made first; LANES_MAX of them."""
    mine = Scenario.objects.filter(parent=scenario, owner=reader, deleted__isnull=True, cut_us__isnull=False)
    return list(mine.order_by("created").defer(*LONG)[:LANES_MAX]) if reader else []


def forks_by_others(scenario: Scenario, reader: str) -> int:
    """The number of branches of a document that belong to other browsers."""
    return Scenario.objects.filter(parent=scenario, deleted__isnull=True).exclude(owner=reader).count()


def _ancestors(scenario: Scenario) -> list[Scenario]:
    """The document, its parent, and so on up to the first one."""
    line = [scenario]
    while (parent := line[-1].parent) is not None and len(line) < LINEAGE_MAX:
        line.append(parent)
    return line


def _node(document: Scenario, this: Scenario) -> LineageNode:
    title = document.title if not document.is_deleted else "deleted"
    node = LineageNode(
        document.id, title, document.change, document.cut_us, document.id == this.id, document.is_deleted
    )
    if document.later:
        node.later, node.problems = document.later["brief"], document.later["problems"]
    return node
