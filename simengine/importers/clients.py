"""The producers and consumers of a pasted cluster: each topic's load, and groups that stand where they are listed.

Logs end where the paste says, and committed offsets are those of the paste. A log that ends beyond `RECORDS_MAX` is
moved by whole millions: a run's log begins at 0, and holds at least what its groups are behind.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from simengine.importers.assumed import RATE_MAX, RECORDS_MAX, AssumedValues
from simengine.importers.evidence import GroupLag, PastedEvidence
from simengine.importers.groups import DEFAULT_GROUP
from simengine.importers.model import PastedTopic

_GROUP = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,200}")
GROUPS_MAX: Final = 20


@dataclass(slots=True)
class PastedGroups:
    """The groups of a paste. ``ends``: log ends in the run, by topic and partition; ``moved``: what was taken off."""

    lags: dict[str, list[GroupLag]] = field(default_factory=dict)
    ends: dict[tuple[str, int], int] = field(default_factory=dict)
    moved: dict[tuple[str, int], int] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def committed(self, lag: GroupLag) -> int:
        """The committed offset of a row, in the run; one that the run's log does not reach back to is 0."""
        return max(0, (lag.offset or 0) - self.moved.get((lag.topic, lag.number), 0))


def groups_of(evidence: PastedEvidence, topics: Sequence[PastedTopic]) -> PastedGroups:
    """The groups that read listed topics; of a group's partition that is said twice the last row counts."""
    known = {(topic.name, number) for topic in topics for number in topic.rows}
    last = {(lag.group, lag.topic, lag.number): lag for lag in evidence.lags if (lag.topic, lag.number) in known}
    groups = PastedGroups()
    left_out: dict[str, None] = {}
    for lag in last.values():
        if lag.group not in groups.lags and len(groups.lags) >= GROUPS_MAX:
            left_out[lag.group] = None
            continue
        groups.lags.setdefault(lag.group, []).append(lag)
    groups.left_out = list(left_out)
    _place_ends(groups)
    return groups


def _place_ends(groups: PastedGroups) -> None:
    """The end of each log in the run: the greatest that its rows tell, without as many millions as can be left out."""
    of_place: dict[tuple[str, int], list[GroupLag]] = {}
    for lags in groups.lags.values():
        for lag in lags:
            of_place.setdefault((lag.topic, lag.number), []).append(lag)
    for place, rows in of_place.items():
        end = max(row.log_end for row in rows)
        behind = max((end - row.offset for row in rows if row.offset is not None), default=0)
        moved = max(0, end - max(0, min(behind, RECORDS_MAX))) // RECORDS_MAX * RECORDS_MAX
        groups.ends[place] = end - moved
        if moved:
            groups.moved[place] = moved


def rate_of(topic: PastedTopic, evidence: PastedEvidence, assumed: AssumedValues, busy: Mapping[str, None]) -> float:
    """Records/s of a topic: as given by hand, as the paste tells, as one of the busy topics, or as any."""
    if topic.name in assumed.rates:
        return assumed.rates[topic.name]
    if topic.name in evidence.rates:
        return min(float(evidence.rates[topic.name].value), RATE_MAX)
    return assumed.busy_records_per_s if topic.name in busy else assumed.records_per_s


def told_rates(
    topics: Sequence[PastedTopic], evidence: PastedEvidence, assumed: AssumedValues
) -> list[tuple[str, float, str]]:
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


def busy_topics(topics: Sequence[PastedTopic], assumed: AssumedValues) -> dict[str, None]:
    """The share of the topics that carry the higher rate: those with most partitions."""
    count = round(len(topics) * assumed.busy_share / 100)
    by_size = sorted(topics, key=lambda topic: (-len(topic.rows), topic.name))
    return dict.fromkeys(topic.name for topic in by_size[:count])


def _shown(name: str, index: int, neutral: bool) -> str:
    """The name of a group in the document, where a group of a run can have it."""
    is_plain = _GROUP.fullmatch(name) is not None and not neutral
    return name if is_plain else f"group-{index}"


def lag_told(
    groups: PastedGroups, evidence: PastedEvidence, new_names: Mapping[str, str], neutral: bool
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


def _stands(groups: PastedGroups, lags: list[GroupLag], new_names: Mapping[str, str]) -> dict[str, Any]:
    """The offsets that a group has committed, and whether it has members."""
    rows = [lag for lag in lags if lag.offset is not None]
    committed = [[new_names[lag.topic], lag.number, groups.committed(lag)] for lag in rows]
    told = {"committed": committed} if committed else {}
    return told if any(lag.has_member for lag in lags) else {**told, "state": "closed"}


def consumers(
    groups: PastedGroups, topics: Sequence[PastedTopic], new_names: Mapping[str, str], neutral: bool
) -> list[dict[str, Any]]:
    """A consumer for each group of the paste, and one for all topics that none of them reads."""
    read = dict.fromkeys(lag.topic for lags in groups.lags.values() for lag in lags)
    made: list[dict[str, Any]] = []
    for index, (name, lags) in enumerate(groups.lags.items(), start=1):
        subscribed = [new_names[topic] for topic in dict.fromkeys(lag.topic for lag in lags)]
        made.append({"group": _shown(name, index, neutral), "topics": subscribed, **_stands(groups, lags, new_names)})
    rest = [new_names[topic.name] for topic in topics if topic.name not in read]
    if rest:
        made.append({"group": DEFAULT_GROUP, "topics": rest})
    return [{"id": f"consumer-{index}", **one} for index, one in enumerate(made, start=1)]


def told_ends(part: dict[str, Any]) -> set[tuple[str, str]]:
    """The partitions of a document, as topic and number, whose log end a group of the paste tells."""
    return {(topic, str(number)) for one in part.get("consumers", []) for topic, number, _ in one.get("committed", [])}
