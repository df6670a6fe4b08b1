"""Checks that no more than ``MOST`` modules import each other in a circle; imports for types alone count.

``MOST`` only ever gets smaller. ``python tools/circles.py --list`` names the modules of each circle, small ones too.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).resolve().parent.parent
MOST: Final = 4  # a circle of so many modules can be held in the head
PACKAGES: Final = ("simengine", "playground")


def imports(packages: tuple[str, ...]) -> dict[str, set[str]]:
    """The modules that each module imports."""
    sys.path.insert(0, str(ROOT))
    graph = grimp.build_graph(*packages, cache_dir=None)
    return {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The modules that reach each other, the largest circle first (Tarjan's algorithm, without recursion)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for root in graph:
        if root in order:
            continue
        path: list[tuple[str, Iterator[str]]] = []
        enter(root, graph, order, low, stack, path)
        while path:
            module, rest = path[-1]
            for other in rest:
                if other not in order:
                    enter(other, graph, order, low, stack, path)
                    break
                if other in stack:
                    low[module] = min(low[module], order[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[module])
                if low[module] == order[module]:
                    at = stack.index(module)
                    found.append(sorted(stack[at:]))
                    del stack[at:]
    return sorted((one for one in found if len(one) > 1), key=len, reverse=True)


def enter(
    module: str,
    graph: dict[str, set[str]],
    order: dict[str, int],
    low: dict[str, int],
    stack: list[str],
    path: list[tuple[str, Iterator[str]]],
) -> None:
    """Begin with a module: it is numbered, and what it imports is to be looked at."""
    order[module] = low[module] = len(order)
    stack.append(module)
    path.append((module, iter(sorted(graph[module] & graph.keys()))))


def main(words: list[str]) -> int:
    """Print how large the circles are; status 1 where one is too large."""
    found = circles(imports(PACKAGES))
    large = [one for one in found if len(one) > MOST]
    for one in found if "--list" in words else large:
        print(f"{len(one)}: {', '.join(one)}")
    sizes = ", ".join(str(len(one)) for one in found)
    print(f"circles of {sizes} modules" + (f"; allowed are {MOST}: break the larger ones" if large else ""))
    return int(bool(large))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
