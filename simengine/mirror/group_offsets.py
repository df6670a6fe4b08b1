"""The translated positions that a group gets on the target (MM-7)."""


def offsets_to_sync(translated: dict[int, int], committed: dict[int, int]) -> dict[int, int]:
    """The offsets to commit on the target, by remote partition: those ahead of what the group has there.

    ``translated``: the group's newest checkpoints; ``committed``: its positions on the target. A partition without a
    position there gets one; a position never goes back.
    """
    return {p: offset for p, offset in translated.items() if p not in committed or committed[p] < offset}
