"""The form of the engine that runs: compiled by mypyc, or the same sources interpreted.

Compiled modules live in `build/engine/<hash>/`, named by the hash of their sources (and of the sources whose constants
they take in), so an edited engine never runs stale code: its hash finds no folder and the interpreted form runs until
`make engine` has built it again. HIGHWATER_ENGINE=interpreted|compiled chooses; without it, compiled where it is built.
A build can end while a process runs: that one keeps its form, and `form_of_next` tells the form of one started now.

This file and `tools/build_engine.py` are the only ones that know about the two forms.
"""

import fcntl
import hashlib
import importlib.machinery
import importlib.util
import os
import sys
import sysconfig
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BUILDS = ROOT / "build" / "engine"
BUILD_LOCK = BUILDS.parent / "engine.lock"  # held while a build runs
CHOICE = "HIGHWATER_ENGINE"
FORMS = ("compiled", "interpreted")
GROUP = "simengine"  # mypyc puts the code of all modules into one library, <group>__mypyc, and a shim beside each
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))


class CompilePlan(NamedTuple):
    """The modules to compile, from `[tool.highwater.engine]` of pyproject.toml."""

    compiled: list[str]  # paths from the root, sorted
    beside: list[str]  # those of them that tests alone use: no part of the product
    read: list[str]  # paths of modules that stay interpreted, but whose constants compiled code takes in
    opt_level: str  # of the C compiler: "0" builds in seconds, "3" runs fast
    folder: Path  # where the compiled modules of exactly these sources live

    @property
    def modules(self) -> list[str]:
        """Dotted names of the compiled modules."""
        return [path.removesuffix(".py").replace("/", ".") for path in self.compiled]


def plan() -> CompilePlan:
    """Read the list, expand its patterns and hash the sources as they are now."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["highwater"]["engine"]
    beside = _expand(options["beside"])
    compiled = sorted([*_expand(options["compiled"]), *beside])
    read = _expand(options["read"])
    level = str(options["opt_level"])
    python = f"{SUFFIX} {level}"  # the suffix names the minor version: a build runs under each patch of it
    return CompilePlan(compiled, beside, read, level, BUILDS / source_hash(compiled + read, python))


def engine_sources() -> str:
    """16 hex digits that name the engine, whatever Python it runs on and in whatever form."""
    wanted = plan()
    return source_hash([path for path in wanted.compiled if path not in wanted.beside] + wanted.read)


def _expand(patterns: list[str]) -> list[str]:
    found = {path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)}
    # a package's __init__ stays interpreted: it holds a docstring, at most names handed on
    return sorted(path for path in found if not path.endswith("__init__.py"))


def source_hash(paths: list[str], python: str = "") -> str:
    """16 hex digits over names and texts of the sources and, for a build, the Python and C level it is made for."""
    digest = hashlib.sha256(python.encode())
    for path in paths:
        text = (ROOT / path).read_bytes()
        digest.update(f"\n{path} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()[:16]


class CompiledFinder:
    """Finds the compiled modules of one build before Python looks for their sources."""

    def __init__(self, folder: Path, modules: list[str]) -> None:
        self.found = {name: folder / (name.replace(".", "/") + SUFFIX) for name in modules}
        library = f"{GROUP}__mypyc"
        self.found[library] = folder / (library + SUFFIX)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a compiled module, None for all others (`importlib.abc.MetaPathFinder`)."""
        file = self.found.get(name)
        if file is None:
            return None
        return importlib.util.spec_from_file_location(name, file, loader=ExtensionFileLoader(name, str(file)))


def _install() -> str:
    """Choose the form and make its modules the ones that are imported; returns the form."""
    choice = os.environ.get(CHOICE, "")
    if choice not in ("", *FORMS):
        raise ImportError(f"{CHOICE} is {choice!r}: allowed are {', '.join(FORMS)}, or nothing for what is built")
    if choice == "interpreted":
        return "interpreted"
    wanted = plan()
    if not wanted.folder.is_dir():
        if choice == "compiled":
            raise ImportError(f"{CHOICE}=compiled, but these sources are not compiled: run `make engine`")
        return "interpreted"
    sys.meta_path.insert(0, CompiledFinder(wanted.folder, wanted.modules))
    return "compiled"


_form = _install()


def engine_form() -> str:
    """The form that runs in this process: "compiled" or "interpreted"."""
    return _form


def form_of_next() -> str:
    """The form that a process started now would have."""
    return os.environ.get(CHOICE) or ("compiled" if _own_folder().is_dir() else "interpreted")


def is_being_built() -> bool:
    """True if a build runs now, on this machine."""
    try:
        with BUILD_LOCK.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # none has ever run here
        return False
    return False


@cache
def _own_folder() -> Path:
    """The folder in which the compiled modules of this process's sources lie, or will."""
    return plan().folder
