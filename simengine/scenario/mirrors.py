"""One entry of `mirrors:`: what MirrorMaker 2 copies from one cluster to another, and how it is configured."""

from typing import Annotated, Final, Literal

from pydantic import Field

from simengine.scenario.fields import MirrorConfig, Name, TimeUs
from simengine.scenario.part import Part
from simengine.scenario.pattern_cost import STEPS_MAX, steps, why_not_compiled
from simengine.scenario.problems import Problem

PATTERN_LISTS: Final = ("topics", "topics.exclude", "groups", "groups.exclude", "config.properties.exclude")
PATTERN_CHARS_MAX: Final = 20_000  # of a list; to compile them takes a tenth of a second
EXACTLY_ONCE: Final = ("exactly.once.source.support", "exactly.once.support")
FACTOR_SUFFIX: Final = "replication.factor"


class MirrorPhases(Part):
    """Moments at which the mirror's periodic work happens first; what is not pinned here is drawn from the seed.

    Each is named after the key of its interval: `offset_flush_us` after offset.flush.interval.ms, and so on.
    """

    offset_flush_us: TimeUs | None = Field(default=None, alias="offset-flush")
    emit_checkpoints_us: TimeUs | None = Field(default=None, alias="emit-checkpoints")
    sync_group_offsets_us: TimeUs | None = Field(default=None, alias="sync-group-offsets")
    refresh_topics_us: TimeUs | None = Field(default=None, alias="refresh-topics")
    refresh_groups_us: TimeUs | None = Field(default=None, alias="refresh-groups")
    sync_topic_configs_us: TimeUs | None = Field(default=None, alias="sync-topic-configs")


class Mirror(Part):
    """One flow of MirrorMaker 2, from the cluster `source` to the cluster `target`.

    `config`: Kafka's keys of the connectors and of the flow's Connect worker, without a prefix. `process`: the
    MirrorMaker process that runs the flow; flows of one process start and end together. `state` at t=0.
    `history`: the flow ran before t=0, so what its remote topics hold then are copies.
    """

    source: Name
    target: Name
    process: Name = "mirror-maker"
    config: MirrorConfig = Field(default_factory=dict)
    phases: MirrorPhases = Field(default_factory=MirrorPhases)
    state: Literal["running", "down"] = "running"
    history: Annotated[bool, Field(strict=True)] = False


def patterns(text: str) -> list[str]:
    """The regular expressions of a comma-separated list, as MirrorMaker splits it. An empty list matches nothing."""
    return [part.strip() for part in text.split(",")] if text.strip() else []


def mirror_problems(mirror: Mirror, names: int = 1) -> list[Problem]:
    """The settings that MirrorMaker would refuse at its start, or the engine cannot do; paths start at the mirror.

    ``names``: how many topics the source has. The patterns are matched with each name.
    """
    problems = []
    if mirror.source == mirror.target:
        problems.append(Problem("target", mirror.target, "the source itself", "another cluster than the source"))
    for key in PATTERN_LISTS:
        problems += _pattern_problems(f"config.{key}", patterns(str(mirror.config.get(key, ""))), max(1, names))
    for key, value in mirror.config.items():
        if key.endswith(FACTOR_SUFFIX) and value == 0:
            allowed = "-1 (the default of the cluster's brokers), or a whole number from 1 to 32767"
            problems.append(Problem(f"config.{key}", "0", "a topic has at least one replica", allowed))
    for key in EXACTLY_ONCE:
        value = str(mirror.config.get(key, ""))
        if value in ("enabled", "preparing", "required"):
            wrong = "copies in transactions are not simulated: a flow copies at least once"
            problems.append(Problem(f"config.{key}", value, wrong, "disabled, requested"))
    return problems


def _pattern_problems(path: str, listed: list[str], names: int) -> list[Problem]:
    """The problems of a list of patterns: each one, all joined by ``|`` as in MirrorMaker, and the time to match."""
    allowed = "names and regular expressions, by commas"
    whole = "|".join(listed)
    if len(whole) > PATTERN_CHARS_MAX:
        return [Problem(path, f"{len(whole):,} characters", "too long", f"at most {PATTERN_CHARS_MAX:,} characters")]
    for pattern in dict.fromkeys((*listed, whole)):
        if why := why_not_compiled(pattern):
            return [Problem(path, pattern, f"not a regular expression: {why}", allowed)]
    if names * steps(whole) > STEPS_MAX:
        wrong = f"matching this with {names:,} topic{'' if names == 1 else 's'} can take for ever"
        return [Problem(path, whole, wrong, "fewer repeats in one expression, and none inside another")]
    return []
