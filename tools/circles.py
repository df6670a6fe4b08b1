"""Checks that the circles of modules which import each other do not grow; imports for types alone count.

``MOST`` only ever gets smaller. ``python tools/circles.py --list`` names the modules of each circle.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).resolve().parent.parent
MOST: Final = (6, 5)  # modules of the largest circles, the largest first
SMALL: Final = 4  # a circle of so many modules can be held in the head
PACKAGES: Final = ("simengine", "playground")


def imports(packages: tuple[str, ...]) -> dict[str, set[str]]:
    """What each module imports."""
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
    """Print how large the circles are; status 1 where one has grown, or a new one has come."""
    large = [one for one in circles(imports(PACKAGES)) if len(one) > SMALL]
    if "--list" in words:
        for one in large:
            print(f"{len(one)}: {', '.join(one)}")
    sizes = [len(one) for one in large]
    has_grown = any(size > most for size, most in zip_longest(sizes, MOST, fillvalue=0))
    allowed = f"; allowed are {told(MOST)}: break the new one, `--list` names its modules" if has_grown else ""
    print(f"circles of {told(sizes)} modules{allowed}")
    return int(has_grown)


def told(sizes: Sequence[int]) -> str:
    """``41, 9, 6``; "no" for none."""
    return ", ".join(map(str, sizes)) or "no"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
