"""The newest checkpoint of each group and partition, and which new ones are written (MM-6)."""

from typing import final

from mypy_extensions import i64


@final
class Checkpoint:
    """A group at ``upstream`` in a source partition continues at ``downstream`` in remote partition ``p``."""

    __slots__ = ("at", "downstream", "group", "p", "upstream")

    def __init__(self, group: str, p: i64, upstream: i64, downstream: i64, at: i64 = 0) -> None:
        self.at: i64 = at  # when the position was read
        self.group = group
        self.p: i64 = p
        self.upstream: i64 = upstream
        self.downstream: i64 = downstream


@final
class CheckpointStore:
    """The checkpoints that a task knows of its groups: read from the checkpoints topic at its start, then its own."""

    __slots__ = ("_by_group",)

    def __init__(self) -> None:
        self._by_group: dict[str, dict[int, Checkpoint]] = {}

    def update(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint as the newest of its group and partition."""
        of_group = self._by_group.get(checkpoint.group)
        if of_group is None:
            of_group = {}
            self._by_group[checkpoint.group] = of_group
        of_group[checkpoint.p] = checkpoint

    def is_news(self, checkpoint: Checkpoint) -> bool:
        """True if it is to be written: the group went back at the source, or its translation advanced."""
        of_group = self._by_group.get(checkpoint.group)
        last = None if of_group is None else of_group.get(checkpoint.p)
        return last is None or checkpoint.upstream < last.upstream or checkpoint.downstream > last.downstream

    def groups(self) -> list[str]:
        """The groups that have a checkpoint, in the order of their first one."""
        return list(self._by_group)

    def translated(self, group: str) -> dict[int, int]:
        """The remote offsets at which a group continues, by remote partition."""
        of_group = self._by_group.get(group)
        if of_group is None:
            return {}
        return {p: int(checkpoint.downstream) for p, checkpoint in of_group.items()}
