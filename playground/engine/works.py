"""The works that the engine service offers: functions of the features, each with its budget.

A feature writes ``@work(QUICK)`` above a function and asks ``function.question(arguments)``, which travels to an engine
process. The function gives plain data, or yields it in parts. It reads no database.
"""

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final, Generic, ParamSpec, TypeVar

from playground.engine.limits import QUICK, Budget
from playground.engine.pipe import LARGE, QUESTIONS, SMALL, packed
from simengine.form import engine_sources, form_of_next

P = ParamSpec("P")
R = TypeVar("R")
IMPORTED_FIRST: Final[dict[str, set[str]]] = {QUESTIONS: set(), SMALL: set(), LARGE: set()}
"""The modules that a process of a kind imports before its first request."""


@dataclass
class Work(Generic[P, R]):
    """``is_kept``: the answer is kept for the next who asks the same."""

    function: Callable[P, R]
    budget: Budget
    is_kept: bool

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        return self.function(*arguments, **named)

    def __reduce__(self) -> tuple[Callable[[str, str], Any], tuple[str, str]]:
        return _found, self.name

    @property
    def name(self) -> tuple[str, str]:
        """Module and function."""
        return self.function.__module__, self.function.__name__

    def question(self, *arguments: P.args, **named: P.kwargs) -> "ServiceQuestion[R]":
        """The work with its arguments, as `Questions` takes it."""
        return ServiceQuestion(self, inspect.signature(self.function).bind(*arguments, **named).args)


@dataclass(frozen=True)
class ServiceQuestion(Generic[R]):
    """A work to do. ``R``: of its answer."""

    work: Work[..., R]
    arguments: tuple[Any, ...]

    def key(self) -> str:
        """The key of a kept answer: the engine (its form too: how fast it is, is an answer), work and arguments."""
        told = hashlib.sha256(f"{_sources()} {form_of_next()} {self.work.name} ".encode())
        told.update(packed(self.arguments))
        return told.hexdigest()


def work(budget: Budget, *, is_kept: bool = False) -> Callable[[Callable[P, R]], Work[P, R]]:
    """Makes a function of a module a work of the service."""

    def of(function: Callable[P, R]) -> Work[P, R]:
        if budget is QUICK:
            IMPORTED_FIRST[QUESTIONS].add(function.__module__)
        return Work(function, budget, is_kept)

    return of


def builds_runs(function: Callable[P, R]) -> Callable[P, R]:
    """Makes a function the one that builds the runs of live rooms."""
    for kind in (SMALL, LARGE):
        IMPORTED_FIRST[kind].add(function.__module__)
    return function


def _found(module: str, function: str) -> Any:
    """The work of a name."""
    return getattr(import_module(module), function)


@cache
def _sources() -> str:
    return engine_sources()
