"""The works that the engine service offers: the name of each, the function that does it, and its budget.

A function takes one plain argument (bytes, text, number, list, map) and returns plain data, or yields it in parts. It
reads no database. Features are named here by path: the service imports none of them before it is asked.
"""

import hashlib
from functools import cache
from typing import Any, Final, NamedTuple

from playground.engine.limits import LONG, PASTE, QUICK, TABLE, Budget
from playground.engine.pipe import packed
from simengine.form import engine_sources, form_of_next

CHECK: Final = "check"
TOLD: Final = "told"
SIZE: Final = "size"
ABOUT: Final = "about"
WRITTEN: Final = "written"
COPY: Final = "copy"
BRANCH: Final = "branch"
GROWN: Final = "grown"
UNDO: Final = "undo"
PREVIEW: Final = "preview"
BUILD: Final = "build"
MIRRORS: Final = "mirrors"
EXAMINE: Final = "examine"
COMPARE: Final = "compare"
REPORT: Final = "report"
METRIC: Final = "metric"
MEASURE: Final = "measure"
BUILDER: Final = "builder"
DRAFT: Final = "draft"
OUTLINE: Final = "outline"
REPLAY: Final = "replay"
AZ_HEAD: Final = "az head"
AZ_SITES: Final = "az sites"
AZ_SITE_RUN: Final = "az site run"
AZ_CHECK: Final = "az check"
AZ_ANSWER: Final = "az answer"
AZ_ROW: Final = "az row"
AZ_LIST: Final = "az list"
AZ_RUN: Final = "az run"
AZ_EDITED: Final = "az edited"
ASKED: Final = "asked"
PLANS_HEAD: Final = "plans head"
PLANS: Final = "plans"

RUN: Final = "playground.rooms.work:run_of"  # of live requests


class Work(NamedTuple):
    """``path``: module:function. ``is_kept``: the answer is kept for whoever asks the same."""

    path: str
    budget: Budget
    is_kept: bool


WORKS: Final = {
    CHECK: Work("playground.scenarios.documents:check", QUICK, is_kept=False),
    TOLD: Work("playground.scenarios.work:told", QUICK, is_kept=False),
    SIZE: Work("playground.scenarios.work:size", QUICK, is_kept=True),
    ABOUT: Work("playground.scenarios.work:about", QUICK, is_kept=True),
    WRITTEN: Work("playground.scenarios.work:written", QUICK, is_kept=True),
    COPY: Work("playground.scenarios.work:copied", QUICK, is_kept=False),
    BRANCH: Work("playground.scenarios.work:branched", QUICK, is_kept=False),
    GROWN: Work("playground.scenarios.work:branch_grown", QUICK, is_kept=False),
    UNDO: Work("playground.scenarios.work:undone", QUICK, is_kept=False),
    PREVIEW: Work("playground.imports.work:preview_of", PASTE, is_kept=True),
    BUILD: Work("playground.imports.work:built_of", PASTE, is_kept=False),
    MIRRORS: Work("playground.imports.work:mirrors_of", PASTE, is_kept=True),
    EXAMINE: Work("playground.rooms.work:examined", LONG, is_kept=True),
    COMPARE: Work("playground.rooms.work:compared", LONG, is_kept=True),
    REPORT: Work("playground.rooms.work:reported", LONG, is_kept=True),
    METRIC: Work("playground.rooms.work:metric", LONG, is_kept=True),
    MEASURE: Work("playground.whatif.pipeline.measure:measured", LONG, is_kept=True),
    BUILDER: Work("playground.whatif.work:started", QUICK, is_kept=False),
    DRAFT: Work("playground.whatif.work:drafted", QUICK, is_kept=True),
    OUTLINE: Work("playground.whatif.work:outlined", QUICK, is_kept=False),
    REPLAY: Work("playground.whatif.work:replayed", QUICK, is_kept=False),
    AZ_HEAD: Work("playground.imports.az_work:head", QUICK, is_kept=True),
    AZ_SITES: Work("playground.imports.az_work:site_lines", TABLE, is_kept=True),
    AZ_SITE_RUN: Work("playground.imports.az_work:site_run", QUICK, is_kept=False),
    AZ_CHECK: Work("playground.imports.az_work:checked", QUICK, is_kept=True),
    AZ_ANSWER: Work("playground.imports.az_work:lines", TABLE, is_kept=True),
    AZ_ROW: Work("playground.imports.az_work:row", LONG, is_kept=True),
    AZ_LIST: Work("playground.imports.az_work:listed", QUICK, is_kept=False),
    AZ_RUN: Work("playground.imports.az_work:run", QUICK, is_kept=False),
    AZ_EDITED: Work("playground.imports.az_work:edited", QUICK, is_kept=False),
    ASKED: Work("playground.library.work:asked", QUICK, is_kept=False),
    PLANS_HEAD: Work("playground.plans.work:head", QUICK, is_kept=True),
    PLANS: Work("playground.plans.work:lines", TABLE, is_kept=True),
}


def key_of(name: str, argument: Any) -> str:
    """The key of a kept answer: the engine (and its form: how fast it is, is an answer too), work and argument."""
    told = hashlib.sha256(f"{_sources()} {form_of_next()} {name} ".encode())
    told.update(packed(argument))
    return told.hexdigest()


@cache
def _sources() -> str:
    return engine_sources()
