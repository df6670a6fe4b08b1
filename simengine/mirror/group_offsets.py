"""Which translated positions a group gets on the target (MM-7)."""


def offsets_to_sync(translated: dict[int, int], committed: dict[int, int] | None) -> dict[int, int]:
    """The offsets to commit on the target, by remote partition.

    ``translated``: the group's newest checkpoints. ``committed``: its positions on the target when it was last seen
    there without members; None if it was not. Such a group gets all positions: the commit of one that has members is
    refused by its coordinator. A position never goes back.
    """
    if committed is None:
        return dict(translated)
    return {p: offset for p, offset in translated.items() if p not in committed or committed[p] < offset}
