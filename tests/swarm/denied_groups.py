"""Groups without their committed offsets that the verdict does not name: a recount of acknowledged commits from facts.

A group whose commit was acknowledged, and of which no log has a commit any more, has lost its offsets. It did so with
the fact that took the last of them, so that what its loss goes back to is not later.
"""

from collections.abc import Mapping
from typing import Any

from simengine.facts.traffic import OffsetCommitted
from simengine.kafka.group.coordinator import NO_CLIENT
from simengine.verdict.commits import OFFSETS_TOPIC
from simengine.world.world import World
from tests.recount.pieces import Pieces

Json = dict[str, Any]


class DeniedGroups:
    """Reads the commits of a run from its facts. ``gone_since``: groups without a commit in any log, and since when."""

    def __init__(self, world: World, logs: Mapping[tuple[int, int], Pieces]) -> None:
        self._commits = world.cluster.commits
        names: Any = world.names()
        self._groups = [str(client.get("group") or "") for client in names["clients"]]
        self._logs = logs  # by partition and broker
        self._partitions = [int(p) for t in world.cluster.topics if t.name == OFFSETS_TOPIC for p in t.partitions]
        self._committed: set[str] = set()
        self.gone_since: dict[str, int] = {}

    def committed(self, fact: OffsetCommitted) -> None:
        """A commit was acknowledged."""
        group = self._groups[fact.client]
        if group not in self._committed:
            self._committed.add(group)
            self._look(fact.t)

    def log_shrank(self, p: int, t: int) -> None:
        """A log lost records, or was deleted."""
        if p in self._partitions:
            self._look(t)

    def _look(self, t: int) -> None:
        held = self._held()
        gone = [group for group in sorted(self._committed) if group not in held]
        self.gone_since = {group: self.gone_since.get(group, t) for group in gone}

    def _held(self) -> set[str]:
        """The groups of which some log has a commit."""
        if self._commits is None:
            return set()
        found: set[str] = set()
        for (p, _), log in self._logs.items():
            for base, end, _, client, n in log.pieces if p in self._partitions else ():
                if client == NO_CLIENT:
                    requests = self._commits.requests[n : n + end - base]
                    found.update(request.group for request in requests if request is not None)
        return found

    def unnamed(self, topic: Json) -> list[str]:
        """The groups whose offsets are gone now, and which the verdict on the offsets' topic does not name."""
        self._drop_those_back()
        return [group for group in sorted(self.gone_since) if group not in topic["groups_lost_names"]]

    def late_us(self, topic: Json) -> int:
        """The time by which the cause in the verdict is later than the newest of these losses; 0: it is not."""
        named, deciding = topic["groups_lost_names"], topic["deciding"]
        if deciding is None or not named or any(group not in self.gone_since for group in named):
            return 0
        return max(0, int(deciding["t"]) - max(self.gone_since[group] for group in named))

    def _drop_those_back(self) -> None:
        """A group that has committed anew has offsets in a log again."""
        held = self._held()
        self.gone_since = {group: t for group, t in self.gone_since.items() if group not in held}
