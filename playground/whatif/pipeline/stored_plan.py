"""The shape of a stored plan. A row may be damaged, or written by another version.

Of the document only what is read without loading it is looked at: whoever runs it loads it, and hears its problems.
"""

import json
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from playground.whatif.pipeline.outages import OUTAGES
from simengine.scenario.durations import parse_duration
from simengine.scenario.problems import DocumentError, Problem, shown
from simengine.scenario.profiles import PROFILES

STRICT: Final = ConfigDict(strict=True, extra="forbid")
OPEN: Final = ConfigDict(strict=True, extra="ignore")


def _known_profile(name: Any) -> Any:
    if not isinstance(name, str) or name not in PROFILES:
        raise ValueError(f"not a Kafka version; there are {', '.join(PROFILES)}")
    return name


def _duration(text: Any) -> Any:
    parse_duration(text)
    return text


def _known_outage(name: Any) -> Any:
    if not isinstance(name, str) or name not in OUTAGES:
        raise ValueError(f"not a kind of failure; there are {', '.join(OUTAGES)}")
    return name


Profile = Annotated[str, BeforeValidator(_known_profile)]
How = Annotated[str, BeforeValidator(_known_outage)]
Duration = Annotated[str, BeforeValidator(_duration)]


class _AsIs(BaseModel):
    model_config = STRICT
    kind: Literal["as-is"]


class _Rates(BaseModel):
    model_config = STRICT
    kind: Literal["rates"]
    mttf_us: int
    mttr_us: int


class _Moment(BaseModel):
    model_config = STRICT
    from_us: int
    to_us: int
    back_us: int | None


class _Rack(_Moment):
    kind: Literal["rack"]
    rack: str
    how: How = "kill"


class _Broker(_Moment):
    kind: Literal["broker"]
    broker: str
    how: How = "kill"


class _Roll(_Moment):
    kind: Literal["roll"]


class _Site(_Moment):
    kind: Literal["site"]
    site: str


AsInRun = Literal["as-is"]


class _Settings(BaseModel):
    model_config = STRICT
    acks: Literal["0", "1", "all"] | AsInRun = "all"
    min_isr: int | AsInRun = 1
    unclean: bool | AsInRun = False
    rf: int | AsInRun = 1
    lag_ms: int | AsInRun = 1
    kafka: AsInRun | Profile = "as-is"
    load: float | int | AsInRun = 1
    wan_us: int | AsInRun = 1
    checkpoints_s: int | AsInRun = 1
    group_sync_s: int | AsInRun = 1
    offset_lag: int | AsInRun = 0
    flush_ms: int | AsInRun = 1
    fault: _AsIs | _Rates | _Rack | _Broker | _Roll | _Site = Field(default=_AsIs(kind="as-is"), discriminator="kind")


class _Variant(BaseModel):
    model_config = STRICT
    letter: Annotated[str, Field(min_length=1, max_length=1)]
    settings: _Settings
    also: list[_Settings] = []
    as_in_run: bool = False


class _Cluster(BaseModel):
    model_config = OPEN
    brokers: list[dict[str, Any] | int]


class _Topic(BaseModel):
    model_config = OPEN
    name: str
    assignment: list[list[int]]


class _Entry(BaseModel):
    model_config = OPEN
    at: Duration
    do: str


class _Part(BaseModel):
    model_config = OPEN
    profile: Profile
    cluster: _Cluster
    topics: list[_Topic] = []


class _Run(BaseModel):
    model_config = OPEN
    until: Duration
    title: str = ""
    timeline: list[_Entry] = []


class _Document(_Run, _Part):
    """A document of one cluster."""


class _Several(_Run):
    clusters: dict[str, _Part]
    network: dict[str, Any] = {}
    mirrors: list[dict[str, Any]] = []


class _Plan(BaseModel):
    model_config = STRICT
    document: _Document
    variants: Annotated[list[_Variant], Field(min_length=1)]
    topics: list[str]
    first_seed: int
    seeds: Annotated[int, Field(ge=1)]
    horizon_us: int


class _PlanOfSeveral(_Plan):
    document: _Several  # type: ignore[assignment]  # clusters by name in place of one


class _Outlined(BaseModel):
    model_config = STRICT
    title: str
    profile: Profile | Literal[""]
    profiles: list[Profile] = []


class _Outline(_Plan):
    document: _Outlined  # type: ignore[assignment]  # title and versions are all that an outline has of it


def is_outline(plain: Any) -> bool:
    """True if plain data have the form that ``ExperimentPlan.outline`` gives."""
    try:
        _Outline.model_validate(plain)
        json.dumps(plain, ensure_ascii=False).encode()
    except (ValidationError, ValueError, RecursionError):
        return False
    return _settings_differ(plain) is None


def _settings_differ(plain: dict[str, Any]) -> Problem | None:
    named = [set(variant["settings"]) for variant in plain["variants"]]
    named += [set(also) for variant in plain["variants"] for also in variant.get("also", ())]
    if all(names == named[0] for names in named):
        return None
    return Problem("plan.variants", "", "not the same settings in each of them")


def _is_of_several(plain: Any) -> bool:
    document = plain.get("document") if isinstance(plain, dict) else None
    return isinstance(document, dict) and bool(document.get("clusters"))


def read(text: str) -> dict[str, Any]:
    """The plan as plain data. Raises DocumentError that names the first wrong place, its value, and what is wrong."""
    try:
        plain: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError):
        raise DocumentError([Problem("plan", "", "not JSON: it is damaged")]) from None
    try:
        (_PlanOfSeveral if _is_of_several(plain) else _Plan).model_validate(plain)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        path = ".".join(map(str, ("plan", *first["loc"])))
        raise DocumentError([Problem(path, shown(first["input"]), first["msg"])]) from None
    if (problem := _settings_differ(plain)) is not None:
        raise DocumentError([problem])
    return plain
