"""`python -m simengine COMMAND ...`: finds the command's module in `simengine.commands` and hands the rest over.

A module whose name ends in an underscore is a command whose name Python reserves (`import_` is `import`).
"""

import ast
import difflib
import importlib
import os
import pkgutil
import sys
from collections.abc import Callable
from pathlib import Path

from simengine import commands

USAGE_STATUS = 2  # exit status of a wrong command line, as argparse has it
READER_LEFT_STATUS = 128 + 13  # as a shell shows a process that SIGPIPE ended


def command_modules() -> dict[str, str]:
    """Command name -> module name, in alphabetical order."""
    found = sorted(module.name for module in pkgutil.iter_modules(commands.__path__) if not module.ispkg)
    return {name.rstrip("_"): name for name in found}


def _first_line(module_name: str) -> str:
    """The first line of a command's docstring, without importing it."""
    source = (Path(commands.__path__[0]) / f"{module_name}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


def usage() -> str:
    """The list of commands, one line each."""
    lines = ["usage: python -m simengine COMMAND ...", ""]
    lines += [f"  {name:<10} {_first_line(module)}" for name, module in command_modules().items()]
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """Run one command; returns its exit status."""
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(usage())
        return 0 if argv else USAGE_STATUS
    modules = command_modules()
    name = argv[0]
    if name not in modules:
        near = difflib.get_close_matches(name, modules, n=1)
        hint = f": did you mean {near[0]}?" if near else f". Allowed: {', '.join(modules)}"
        print(f"there is no command {name!r}{hint}", file=sys.stderr)
        return USAGE_STATUS
    status: int = importlib.import_module(f"{commands.__name__}.{modules[name]}").main(argv[1:])
    return status


def piped(argv: list[str], main: Callable[[list[str]], int] = main) -> int:
    """Run one command whose reader may leave before the end (``| head``): that ends it without a word."""
    try:
        status = main(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the interpreter's own last flush goes there
        return READER_LEFT_STATUS
    return status


if __name__ == "__main__":
    sys.exit(piped(sys.argv[1:]))
