"""Compiled code takes in constants of what it imports: each such module must be part of the hash."""

import ast
from pathlib import Path

from simengine import form

OUTSIDE = {"simengine", "simengine.form"}  # names no constant of the rules


def engine_imports(source: str) -> list[str]:
    """Modules of the engine that a source imports, wherever in it."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            found.append(node.module)
            found += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return [name for name in found if name.split(".")[0] in ("simengine", "tests") and name not in OUTSIDE]


def sources_of(name: str) -> list[str]:
    """The files behind a module's name: its own, or a package's __init__; none for a name inside a module."""
    base = Path(name.replace(".", "/"))
    return [path.as_posix() for path in (base.with_suffix(".py"), base / "__init__.py") if (form.ROOT / path).exists()]


def test_every_source_that_compiled_code_imports_is_hashed() -> None:
    plan = form.plan()
    hashed = {*plan.compiled, *plan.read}
    unhashed = {
        (path, source)
        for path in plan.compiled
        for name in engine_imports((form.ROOT / path).read_text())
        for source in sources_of(name)
        if source not in hashed and not source.endswith("__init__.py")
    }
    assert not unhashed


def test_a_packages_init_beside_compiled_modules_holds_no_constant() -> None:
    packages = {str(Path(path).parent) for path in form.plan().compiled} - {"simengine"}
    for package in sorted(packages):
        tree = ast.parse((form.ROOT / package / "__init__.py").read_text())
        assert not [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)], package
