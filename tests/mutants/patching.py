"""Loads the interpreted engine with one mutant in it: a fragment of one module's source replaced, and a counter there.

The engine's own files hold no switch: the patched text exists only in the process that imports it.
"""

import ast
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from tests.mutants.mutant import Mutant, Patch

ROOT = Path(__file__).resolve().parent.parent.parent
COUNTER = "mutant_reached"


def path_of(module: str) -> Path:
    """The source file of a module of the engine."""
    return ROOT / (module.replace(".", "/") + ".py")


def patched(patches: Sequence[Patch]) -> tuple[str, list[int]]:
    """A module's source with all fragments replaced, and the lines they begin to differ in.

    Raises ValueError unless each fragment is there exactly once.
    """
    source = path_of(patches[0].module).read_text(encoding="utf-8")
    for patch in patches:
        found = source.count(patch.old)
        if found != 1:
            raise ValueError(f"{patch.module} has the fragment {found} times, 1 is needed: {patch.old!r}")
    text = ""
    lines: list[int] = []
    done = 0
    for patch in sorted(patches, key=lambda patch: source.index(patch.old)):
        at = source.index(patch.old)
        text += source[done:at]
        shorter = min(len(patch.old), len(patch.new))
        same = next((i for i in range(shorter) if patch.old[i] != patch.new[i]), shorter)
        while same < len(patch.new) and patch.new[same].isspace():
            same += 1
        lines.append(text.count("\n") + patch.new.count("\n", 0, same) + 1)
        text += patch.new
        done = at + len(patch.old)
    return text + source[done:], lines


class CounterPlacer(ast.NodeTransformer):
    """Puts ``mutant_reached[0] += 1`` before the innermost statement of a line."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.placed = False

    def visit(self, node: ast.AST) -> ast.AST:
        """Look into every list of statements, innermost first."""
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                self._place(statements)
        return node

    def _place(self, statements: list[ast.stmt]) -> None:
        for i, statement in enumerate(statements):
            if not statement.lineno <= self.line <= (statement.end_lineno or statement.lineno):
                continue
            self.visit(statement)
            if not self.placed and not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                count = ast.parse(f"{COUNTER}[0] += 1").body[0]
                statements.insert(i, ast.copy_location(count, statement))
                self.placed = True
            return


class MutantLoader(Loader):
    """Executes the patched source of one module."""

    def __init__(self, patches: Sequence[Patch], reached: list[int]) -> None:
        self.patches = patches
        self.reached = reached

    def exec_module(self, module: ModuleType) -> None:
        """Compile and run the patched text."""
        source, lines = patched(self.patches)
        tree = ast.parse(source)
        for line in lines:
            placer = CounterPlacer(line)
            placer.visit(tree)
            if not placer.placed:
                raise ValueError(f"no statement in a function of {module.__name__} at line {line}")
        module.__dict__[COUNTER] = self.reached
        code = compile(ast.fix_missing_locations(tree), str(path_of(module.__name__)), "exec")
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
