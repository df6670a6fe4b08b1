"""What the engine service can be asked: the name of each work, the function that does it, and its budget.

A function takes one plain argument (bytes, text, number, list, map) and returns plain data, or yields it in parts. It
reads no database. Features are named here by path: the service imports none of them before it is asked.
"""

import hashlib
from functools import cache
from typing import Any, Final, NamedTuple

import msgpack

from playground.engine.limits import LONG, QUICK, TABLE, Budget
from simengine.form import engine_sources

CHECK: Final = "check"
PREVIEW: Final = "preview"
BUILD: Final = "build"
EXAMINE: Final = "examine"
MEASURE: Final = "measure"
AZ_ANSWER: Final = "az answer"
AZ_ROW: Final = "az row"

RUN: Final = "playground.rooms.run:Run"  # of live requests


class Work(NamedTuple):
    """``path``: module:function. ``is_kept``: the answer is kept for whoever asks the same."""

    path: str
    budget: Budget
    is_kept: bool


WORKS: Final = {
    CHECK: Work("playground.scenarios.documents:check", QUICK, is_kept=False),
    PREVIEW: Work("playground.imports.work:preview_of", QUICK, is_kept=True),
    BUILD: Work("playground.imports.work:built_of", QUICK, is_kept=False),
    EXAMINE: Work("playground.rooms.work:examined", LONG, is_kept=True),
    MEASURE: Work("playground.whatif.pipeline.measure:measured", LONG, is_kept=True),
    AZ_ANSWER: Work("playground.imports.work:az_lines", TABLE, is_kept=True),
    AZ_ROW: Work("playground.imports.work:az_row", LONG, is_kept=True),
}


def key_of(name: str, argument: Any) -> str:
    """What an answer is kept under: the engine, the work and the argument."""
    told = hashlib.sha256(f"{_engine()} {name} ".encode())
    told.update(msgpack.packb(argument))
    return told.hexdigest()


@cache
def _engine() -> str:
    return engine_sources()
