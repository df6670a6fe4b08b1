"""The engine that computes a row: an executor runs the same one, in the same form, as the worker that plans.

What keeps an executor from that (its Python, its packages, its engine) is told in words.
"""

import re
import socket
from collections.abc import Callable
from functools import cache
from typing import Final

from playground.environment import SPARK_PYTHON
from playground.whatif.pipeline.archive import python_of
from simengine import engine_form
from simengine.form import engine_sources


class OtherEngine(Exception):
    """An executor has another engine than the worker; the message says which and what to do."""


@cache
def own_engine() -> str:
    """Form and sources of this process's engine, such as "compiled 0123456789abcdef"."""
    return f"{engine_form()} {engine_sources()}"


def must_be(wanted: str) -> None:
    """Refuse to compute rows with another engine than ``wanted``. Raises OtherEngine."""
    if own_engine() != wanted:
        raise OtherEngine(
            f"The executor on {socket.gethostname()} has the engine {own_engine()} ({python_of()}), Highwater has "
            f"{wanted}"
        )


_CURE: Final = (
    f"Every machine of the cluster needs Highwater's Python ({{python}}) with pyarrow and numpy; {SPARK_PYTHON} "
    "names it there"
)
_MISFITS: Final[tuple[tuple[str, Callable[[re.Match[str]], str]], ...]] = (
    (r"OtherEngine: (.+)", lambda found: found[1].strip()),
    (
        r"PYTHON_VERSION_MISMATCH\D+?(\d+\.\d+)\D+?(\d+\.\d+)",
        lambda found: f"The executors have Python {found[1]}, Highwater has {found[2]}",
    ),
    (r'Cannot run program "([^"]+)"', lambda found: f"The executors have no {found[1]}"),
    (
        r"No module named '([\w.]+)'",
        lambda found: f"The Python of the executors cannot import {found[1]}",
    ),
)


def misfit(problem: BaseException) -> str:
    """The reason why the executors cannot compute and the cure, found in Spark's error; "" for another error."""
    for pattern, words in _MISFITS:
        if found := re.search(pattern, str(problem)):
            return f"{words(found).rstrip('.')}. {_CURE.format(python=python_of())}"
    return ""
