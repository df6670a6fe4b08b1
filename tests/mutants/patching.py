"""Loads the interpreted engine with one mutant in it: a place of a module's syntax tree replaced, and a counter there.

A place is found by its function and its code, not by its text: it survives another layout and moves within the
function. The engine's own files hold no switch: the patched tree exists only in the process that imports it.
"""

import ast
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from tests.mutants.mutant import Mutant, Patch

ROOT: Final = Path(__file__).resolve().parent.parent.parent
COUNTER: Final = "mutant_reached"
BLOCKS: Final = ("body", "orelse", "finalbody")  # the fields of a node that hold statements in a row


class Place(NamedTuple):
    """The place of a patch: the statements ``at`` to ``end - 1`` of a block, or an expression of that one statement."""

    block: list[ast.stmt]
    at: int
    end: int
    expression: ast.expr | None


def path_of(module: str) -> Path:
    """The source file of a module of the engine."""
    return ROOT / (module.replace(".", "/") + ".py")


def patched(patches: Sequence[Patch]) -> ast.Module:
    """The tree of one module with its patches and a counter before each.

    Raises ValueError unless each place is there exactly once.
    """
    tree = ast.parse(path_of(patches[0].module).read_text(encoding="utf-8"))
    for patch in patches:
        function = _function(tree, patch)
        old, new = ast.parse(patch.old).body, ast.parse(patch.new).body
        places = list(_places(function, old, _lone(old) if _lone(new) else None))
        if len(places) != 1:
            raise ValueError(
                f"{patch.module}:{patch.function} holds the code {len(places)} times, 1 is needed: {patch.old!r}"
            )
        _replace(places[0], new)
    return ast.fix_missing_locations(tree)


def _function(tree: ast.Module, patch: Patch) -> ast.stmt:
    """The function that a patch names."""
    found: ast.stmt | ast.Module = tree
    for name in patch.function.split("."):
        inside = [node for node in _statements(found) if getattr(node, "name", None) == name]
        if len(inside) != 1:
            raise ValueError(f"{patch.module} has no function {patch.function}")
        found = inside[0]
    assert isinstance(found, ast.stmt)
    return found


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements in a node's blocks, those of nested blocks included, but not of functions and classes in it."""
    for block in _blocks(node):
        for statement in block:
            yield statement
            if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                yield from _statements(statement)


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in BLOCKS:
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from _blocks(part)


def _lone(code: list[ast.stmt]) -> ast.expr | None:
    """The expression that some code is; None for statements."""
    return code[0].value if len(code) == 1 and isinstance(code[0], ast.Expr) else None


def _places(function: ast.stmt, old: list[ast.stmt], alone: ast.expr | None) -> Iterator[Place]:
    """The places where a function holds some statements, or the expression ``alone`` if there is one."""
    wanted = [ast.dump(statement) for statement in old]
    for block in _all_blocks(function):
        for at, statement in enumerate(block):
            if alone is not None:
                same = (part for part in _own_parts(statement) if ast.dump(part) == ast.dump(alone))
                yield from (Place(block, at, at + 1, part) for part in same)
            elif [ast.dump(one) for one in block[at : at + len(old)]] == wanted:
                yield Place(block, at, at + len(old), None)


def _all_blocks(function: ast.stmt) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(function):
        if isinstance(node, ast.stmt):
            yield from _blocks(node)


def _own_parts(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a statement, without those of the statements inside it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            continue
        if isinstance(child, ast.expr):
            yield child
        yield from _own_parts(child)


def _replace(place: Place, new: list[ast.stmt]) -> None:
    """Put the new code there, and before it ``mutant_reached[0] += 1``."""
    if place.expression is not None:
        instead = _lone(new)
        assert instead is not None
        statement = _Exchange(place.expression, instead).visit(place.block[place.at])
        assert isinstance(statement, ast.stmt)
        new = [statement]
    place.block[place.at : place.end] = [*ast.parse(f"{COUNTER}[0] += 1").body, *new]


class _Exchange(ast.NodeTransformer):
    """Replaces one node by another."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old = old
        self.new = new

    def visit(self, node: ast.AST) -> ast.AST:
        """The new node for the old one."""
        return self.new if node is self.old else self.generic_visit(node)


class MutantLoader(Loader):
    """Executes the patched tree of one module."""

    def __init__(self, patches: Sequence[Patch], reached: list[int]) -> None:
        self.patches = patches
        self.reached = reached

    def exec_module(self, module: ModuleType) -> None:
        """Compile and run the patched tree."""
        module.__dict__[COUNTER] = self.reached
        code = compile(patched(self.patches), str(path_of(module.__name__)), "exec")
        exec(code, module.__dict__)  # the module's own code, as any loader would run it


class MutantFinder(MetaPathFinder):
    """Finds the patched modules before Python finds the plain ones."""

    def __init__(self, mutant: Mutant, reached: dict[str, list[int]]) -> None:
        self.mutant = mutant
        self.reached = reached

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a patched module."""
        patches = [patch for patch in self.mutant.patches if patch.module == name]
        if not patches:
            return None
        loader = MutantLoader(patches, self.reached.setdefault(name, [0]))
        return importlib.util.spec_from_file_location(name, path_of(name), loader=loader)


def install(mutant: Mutant) -> dict[str, list[int]]:
    """Let the engine be imported with the mutant in it; returns the counters, by module."""
    loaded = [patch.module for patch in mutant.patches if patch.module in sys.modules]
    if loaded:
        raise ValueError(f"already imported without the mutant: {', '.join(loaded)}")
    reached: dict[str, list[int]] = {patch.module: [0] for patch in mutant.patches}
    sys.meta_path.insert(0, MutantFinder(mutant, reached))
    return reached
