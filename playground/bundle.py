"""A module of a page in one piece with all that it imports, so that a page asks for one module in place of 160.

Each module becomes a function that returns its exports, in the order in which the browser would run them. Modules must
be written for this: they import names, or the default export of a library; they export constants, functions and
classes; and no two import each other.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# import name from "…";   import { a, b as c } from "…";
_IMPORT: Final = re.compile(r'^import (?:(\w+)|\{([^}]*)\}) from "([^"]+)";$', re.M)
_EXPORT: Final = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) ([\w$]+))", re.M)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.M)


class Bundle:
    """A module and all that it imports.

    ``root``: the folder of all modules. ``shared``: modules that each page loads as scripts of their own.
    """

    def __init__(self, root: Path, entry: Path, shared: frozenset[str]) -> None:
        self.root = root
        self.entry = entry
        self.shared = shared
        self._names: dict[Path, str] = {}  # of what holds the exports of a module
        self._libraries: dict[str, str] = {}  # the same, by address
        self._under_way: list[Path] = []

    def text(self) -> str:
        """The module in one piece. Raises ValueError for a module that is not written for this."""
        parts = [*self._needed(self.entry), self._body(self.entry)]
        imports = (f'import * as {name} from "{address}";\n' for address, name in self._libraries.items())
        return "".join((*imports, *parts))

    def _needed(self, module: Path) -> Iterator[str]:
        """The functions of all that a module imports, each after what it needs itself."""
        self._under_way.append(module)
        for match in _IMPORT.finditer(module.read_text(encoding="utf-8")):
            path = self._path(module, match[3])
            if path in self._under_way:
                raise ValueError(f"{module} and {path} import each other")
            if path is not None and path not in self._names:
                yield from self._needed(path)
                yield self._function(path)
        self._under_way.pop()

    def _function(self, module: Path) -> str:
        body = self._body(module)
        exports = ", ".join(_EXPORT.findall(body))
        body = _EXPORT.sub("", body)
        if left := _LEFT.search(body):
            raise ValueError(f"{module}: {left[0]}")
        name = self._names[module] = f"$module{len(self._names)}"
        return (
            f"// {module.relative_to(self.root)}\nconst {name} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();\n"
        )

    def _body(self, module: Path) -> str:
        """A module in which constants stand for its imports."""

        def constants(match: re.Match[str]) -> str:
            taken = f"default: {match[1]}" if match[1] else re.sub(r"\bas\b", ":", match[2])
            path = self._path(module, match[3])
            return f"const {{ {taken} }} = {self._names[path] if path else self._library(module, match[3])};"

        return _IMPORT.sub(constants, module.read_text(encoding="utf-8"))

    def _path(self, module: Path, address: str) -> Path | None:
        """The file of an imported module; None for a library or a shared module."""
        if not address.startswith("."):
            return None
        path = (module.parent / address).resolve()
        return None if str(path.relative_to(self.root)) in self.shared else path

    def _library(self, module: Path, address: str) -> str:
        """The name of what holds the exports of a library or a shared module."""
        if address.startswith("."):
            found = os.path.relpath(module.parent / address, self.entry.parent)
            address = found if found.startswith(".") else f"./{found}"
        return self._libraries.setdefault(address, f"$library{len(self._libraries)}")
