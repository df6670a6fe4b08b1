"""One entry of `mirrors:`: what MirrorMaker 2 copies from one cluster to another, and how it is configured."""

import re
from typing import Final, Literal

from pydantic import Field

from simengine.scenario.fields import MirrorConfig, Name, TimeUs
from simengine.scenario.part import Part
from simengine.scenario.problems import Problem

PATTERN_LISTS: Final = ("topics", "topics.exclude", "groups", "groups.exclude", "config.properties.exclude")
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
    """

    source: Name
    target: Name
    process: Name = "mirror-maker"
    config: MirrorConfig = Field(default_factory=dict)
    phases: MirrorPhases = Field(default_factory=MirrorPhases)
    state: Literal["running", "down"] = "running"


def patterns(text: str) -> list[str]:
    """The regular expressions of a comma-separated list, as MirrorMaker splits it. An empty list matches nothing."""
    return re.split(r"\s*,\s*", text.strip()) if text.strip() else []


def mirror_problems(mirror: Mirror) -> list[Problem]:
    """What MirrorMaker itself would refuse when it starts; paths are relative to the mirror."""
    problems = []
    if mirror.source == mirror.target:
        problems.append(Problem("target", mirror.target, "the source itself", "another cluster than the source"))
    for key in PATTERN_LISTS:
        for pattern in patterns(str(mirror.config.get(key, ""))):
            try:
                re.compile(pattern)
            except re.error as error:
                message = f"not a regular expression: {error}"
                problems.append(Problem(f"config.{key}", pattern, message, "names and regular expressions, by commas"))
    for key, value in mirror.config.items():
        if key.endswith(FACTOR_SUFFIX) and value == 0:
            allowed = "-1 (the default of the cluster's brokers), or a whole number from 1 to 32767"
            problems.append(Problem(f"config.{key}", "0", "a topic has at least one replica", allowed))
    return problems
