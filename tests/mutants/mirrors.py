"""Mutants of MirrorMaker."""

from tests.mutants.mutant import Mutant, mutant

MIRRORS: list[Mutant] = [
    mutant(
        "M70",
        "MM-3: a topic that came from the target is copied back",
        "mirror.source_topics:SourceTopics.is_cycle",
        "came_from is not None",
        "False",
        killers="mm_never_ahead",
        scenarios="s43",
        tables="where_the_filter_admits_it",
    ),
]
