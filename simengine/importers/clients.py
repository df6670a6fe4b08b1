"""The producers and consumers of a pasted cluster: each topic's load, and groups that are as far behind as listed.

A run starts without commits, so a group that is behind begins at the start of its logs, and the log of each of its
partitions holds just the records that it is behind.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from simengine.importers.assumed import RATE_MAX, RECORDS_MAX, Assumed
from simengine.importers.evidence import Evidence, GroupLag
from simengine.importers.groups import DEFAULT_GROUP
from simengine.importers.model import Topic

_GROUP = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,200}")
GROUPS_MAX: Final = 20
BEHIND: Final = {"auto.offset.reset": "earliest"}


@dataclass(slots=True)
class Groups:
    """The groups of a paste. ``backlog``: (topic, partition) -> records that a group of it is behind."""

    lags: dict[str, list[GroupLag]] = field(default_factory=dict)
    backlog: dict[tuple[str, int], int] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    @property
    def behind(self) -> int:
        """Records that the groups are behind, as far as the run has them."""
        return sum(self.backlog.values())


def groups_of(evidence: Evidence, topics: Sequence[Topic]) -> Groups:
    """The groups that read listed topics; of a group's partition that is said twice the last row counts."""
    known = {(topic.name, number) for topic in topics for number in topic.rows}
    last = {(lag.group, lag.topic, lag.number): lag for lag in evidence.lags if (lag.topic, lag.number) in known}
    groups = Groups()
    left_out: dict[str, None] = {}
    for lag in last.values():
        if lag.group not in groups.lags and len(groups.lags) >= GROUPS_MAX:
            left_out[lag.group] = None
            continue
        groups.lags.setdefault(lag.group, []).append(lag)
    groups.left_out = list(left_out)
    if any(_behind(lag) for lags in groups.lags.values() for lag in lags):
        for lags in groups.lags.values():
            for lag in lags:
                place = lag.topic, lag.number
                groups.backlog[place] = max(groups.backlog.get(place, 0), _behind(lag))
    return groups


def _behind(lag: GroupLag) -> int:
    """Records between a group's commit and the end of the log; a group that has committed nothing is not behind."""
    return 0 if lag.offset is None else min(max(0, lag.log_end - lag.offset), RECORDS_MAX)


def rate_of(topic: Topic, evidence: Evidence, assumed: Assumed, busy: Mapping[str, None]) -> float:
    """Records/s of a topic: as given by hand, as the paste tells, as one of the busy topics, or as any."""
    if topic.name in assumed.rates:
        return assumed.rates[topic.name]
    if topic.name in evidence.rates:
        return min(float(evidence.rates[topic.name].value), RATE_MAX)
    return assumed.busy_records_per_s if topic.name in busy else assumed.records_per_s


def told_rates(topics: Sequence[Topic], evidence: Evidence, assumed: Assumed) -> list[tuple[str, float, str]]:
    """The topics whose rate is given or told: name, records/s as simulated, and who says so."""
    found = []
    for topic in topics:
        said = evidence.rates.get(topic.name)
        if topic.name in assumed.rates:
            found.append((topic.name, assumed.rates[topic.name], "set by hand"))
        elif said is not None:
            rate = float(said.value)
            most = f"; {RATE_MAX:,.0f} is the most that is simulated" if rate > RATE_MAX else ""
            found.append((topic.name, min(rate, RATE_MAX), f"{said.place()} says {rate:,g}{most}"))
    return found


def busy_topics(topics: Sequence[Topic], assumed: Assumed) -> dict[str, None]:
    """The share of the topics that carry the higher rate: those with most partitions."""
    count = round(len(topics) * assumed.busy_share / 100)
    by_size = sorted(topics, key=lambda topic: (-len(topic.rows), topic.name))
    return dict.fromkeys(topic.name for topic in by_size[:count])


def _shown(name: str, index: int, neutral: bool) -> str:
    """The name of a group in the document, where a group of a run can have it."""
    is_plain = _GROUP.fullmatch(name) is not None and not neutral
    return name if is_plain else f"group-{index}"


def lag_told(
    groups: Groups, evidence: Evidence, new_names: Mapping[str, str], neutral: bool
) -> list[tuple[str, int, str]]:
    """The groups that the paste shows behind, the one farthest behind first: name, records, and where they are."""
    shown = {name: _shown(name, index, neutral) for index, name in enumerate(groups.lags, start=1)}
    last = {(lag.group, lag.topic, lag.number): lag for lag in evidence.lags if lag.offset is not None}
    behind: dict[str, list[tuple[int, GroupLag]]] = {}
    for lag in last.values():
        records = lag.log_end - (lag.offset or 0)
        if records > 0:
            behind.setdefault(lag.group, []).append((records, lag))
    told = []
    for name, parts in behind.items():
        most, of = max(parts, key=lambda part: part[0])
        where = f"{new_names.get(of.topic, 'a topic that is not listed')}-{of.number}"
        count = f"{len(parts)} partition{'' if len(parts) == 1 else 's'}"
        label = shown.get(name) or _shown(name, len(shown) + 1, neutral)
        told.append((label, sum(records for records, _ in parts), f"in {count}, {most:,} of it in {where}"))
    return sorted(told, key=lambda one: -one[1])


def consumers(
    groups: Groups, topics: Sequence[Topic], new_names: Mapping[str, str], neutral: bool
) -> list[dict[str, Any]]:
    """A consumer for each group of the paste, and one for all topics that none of them reads."""
    read = dict.fromkeys(lag.topic for lags in groups.lags.values() for lag in lags)
    made: list[dict[str, Any]] = []
    for index, (name, lags) in enumerate(groups.lags.items(), start=1):
        subscribed = [new_names[topic] for topic in dict.fromkeys(lag.topic for lag in lags)]
        behind = {"config": dict(BEHIND)} if any(_behind(lag) for lag in lags) else {}
        made.append({"group": _shown(name, index, neutral), "topics": subscribed, **behind})
    rest = [new_names[topic.name] for topic in topics if topic.name not in read]
    if rest:
        made.append({"group": DEFAULT_GROUP, "topics": rest})
    return [{"id": f"consumer-{index}", **one} for index, one in enumerate(made, start=1)]
