"""The source partitions of a flow, by name: a topic that is deleted and created again keeps its remote topic (MM-2)."""

from typing import final

from mypy_extensions import i64

from simengine.mirror.mirrored_partition import MirroredPartition


@final
class MirroredPartitions:
    """Every partition that the flow has copied, or is to copy. They outlive the MirrorMaker process."""

    __slots__ = ("_by_name", "_by_source", "pairs")

    def __init__(self) -> None:
        self.pairs: list[MirroredPartition] = []
        self._by_name: dict[tuple[str, int], MirroredPartition] = {}
        self._by_source: dict[int, MirroredPartition] = {}  # by each index that the source partition ever had

    def add(self, topic: str, number: i64, source_p: i64, remote_p: i64) -> MirroredPartition:
        """The pair of this name, made if there is none; its partitions have these indices from now on."""
        found = self._by_name.get((topic, int(number)))
        if found is None:
            found = MirroredPartition(source_p, remote_p, len(self.pairs))
            self._by_name[topic, int(number)] = found
            self.pairs.append(found)
        found.source_p = source_p
        found.p = remote_p
        self._by_source[int(source_p)] = found
        return found

    def of_source(self, p: i64) -> MirroredPartition | None:
        """The pair that a source partition belongs to, or belonged to before its topic was deleted."""
        return self._by_source.get(int(p))

    def sources(self) -> list[int]:
        """The source partitions as they are now."""
        return [int(pair.source_p) for pair in self.pairs]
