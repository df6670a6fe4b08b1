"""Documents that come with the engine, by name."""

from functools import cache
from importlib.resources import files
from typing import Final

from simengine.scenario.loading import load
from simengine.scenario.model import Document

NAMES: Final = ("sandbox", "reference")


def builtin_text(name: str) -> str:
    """The text of the document called `name`; raises KeyError with the names there are."""
    if name not in NAMES:
        raise KeyError(f"no document is called {name!r}; there are {', '.join(NAMES)}")
    return files(__name__).joinpath(f"{name}.yaml").read_text(encoding="utf-8")


@cache
def builtin(name: str) -> Document:
    """The document called `name`; raises KeyError."""
    return load(builtin_text(name))
