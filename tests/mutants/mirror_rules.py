"""Mutants of MirrorMaker's rules."""

from tests.mutants.mutant import Mutant, mutant, together

MIRRORS: list[Mutant] = [
    together(
        "M69",
        "MM-5: a position is translated by the newest sync at or after it",
        mutant(
            "M69a",
            "the choice of the sync",
            "mirror.sync_array",
            "    for sync in syncs:\n        if sync.upstream <= upstream:\n            return sync\n"
            "    return syncs[SLOTS - 1]",
            "    for sync in reversed(syncs):\n        if sync.upstream >= upstream:\n            return sync\n"
            "    return syncs[0]",
        ),
        mutant(
            "M69b",
            "a later sync is no reason not to translate",
            "mirror.offset_sync_store",
            "        if sync.upstream > upstream:\n            return TOO_OLD\n        return sync.downstream if",
            "        return sync.downstream if",
        ),
        killers="mm_never_ahead",
        scenarios="s42",
        tables="translation_vector",
    ),
    mutant(
        "M70",
        "MM-3: a topic that came from the target is copied back",
        "mirror.source_topics",
        "        if came_from is None or came_from == self.target:\n            return came_from is not None\n",
        "        if came_from is None or came_from == self.target:\n            return False\n",
        killers="mm_never_ahead",
        scenarios="s43",
    ),
]
