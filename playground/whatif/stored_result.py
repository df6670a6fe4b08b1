"""The shape of a stored result as far as the server reads it: the comparison and its answer. A row may be damaged."""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, StrictInt, ValidationError

from playground.scenarios.stored_json import Text

OPEN: Final = ConfigDict(extra="ignore")
Triple = tuple[float | None, float | None, float | None]


class _Runs(BaseModel):
    model_config = OPEN
    runs: StrictInt


class _Part(BaseModel):
    model_config = OPEN
    kind: Text
    of: Text
    figure: Text
    median: Triple


class _Pager(BaseModel):
    model_config = OPEN
    losing: StrictInt
    in_time: StrictInt
    silent: StrictInt
    warned: Triple
    warning: Triple
    curve: list[tuple[float, float | None, float | None, float | None]]


class _Figures(BaseModel):
    model_config = OPEN
    letter: Text
    name: Text
    detail: Text
    runs: StrictInt
    losing: StrictInt
    loses: Triple
    loses_least: list[_Runs]
    lost_mean: float | None
    lost_median: Triple
    heaviest: _Runs | None
    handed_over: StrictInt
    vanished_in_all: StrictInt
    down: Triple
    down_p95: Triple
    down_servers: Triple
    read_down: Triple
    latency_p50: Triple
    latency_p99: Triple
    worst: dict[Text, float | None] | None
    sites: dict[Text, Triple | StrictInt] | None = None
    parts: list[_Part] = []
    pager: _Pager | None = None  # an earlier version did not tell it


class _Paired(BaseModel):
    model_config = OPEN
    more: StrictInt
    fewer: StrictInt
    p: float | None
    difference: Triple


class _Pair(BaseModel):
    model_config = OPEN
    letter: Text
    loses: _Paired
    lost: _Paired
    down: _Paired


class _Answer(BaseModel):
    model_config = OPEN
    title: Text
    text: Text
    points: list[Text] = []


class StoredResult(BaseModel):
    """A result: its configurations, each pair of them, and the answer."""

    model_config = OPEN
    variants: list[_Figures]
    pairs: list[_Pair]
    baseline: Text
    answer: _Answer
    basis: list[tuple[Text, Text]]


def is_whole(result: Any) -> bool:
    """True if a stored result has everything that the pages and the CSV show."""
    try:
        StoredResult.model_validate(result)
    except (ValidationError, RecursionError):
        return False
    return True
