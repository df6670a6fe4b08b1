"""The commits and other facts by which a topic's records were lost, the gravest first.

A commit that elects leaders of several partitions is one cause. Its first fact with most records stands for it.
"""

from mypy_extensions import i64

from simengine.facts.decisive import PartitionChanged
from simengine.facts.trace import Decisive
from simengine.verdict.together import numbered


def lost_by(by_fact: dict[int, int], facts: list[Decisive]) -> list[tuple[int, int]]:
    """Records lost, and the fact by which; ``by_fact``: records lost by each single fact."""
    found: dict[tuple[int, int], list[int]] = {}  # moment and cause of a commit -> records lost, fact, lost by that one
    for seq in sorted(by_fact):
        if by_fact[seq] > 0:
            fact = numbered(facts, seq)
            is_commit = isinstance(fact, PartitionChanged) and fact.cause > 0
            commit = (int(fact.t), int(fact.cause)) if fact is not None and is_commit else (-1, seq)
            count, first, most = found.get(commit, [0, seq, 0])
            if by_fact[seq] > most:
                first, most = seq, by_fact[seq]
            found[commit] = [count + by_fact[seq], first, most]
    ranked = sorted([(-count, first) for count, first, _ in found.values()])
    return [(-count, first) for count, first in ranked]


def gravest_of(by_fact: dict[int, int], facts: list[Decisive]) -> tuple[i64, i64]:
    """The fact by which most records were lost, and how many were lost by its commit; 0 and 0 for none."""
    ranked = lost_by(by_fact, facts)
    return (ranked[0][1], ranked[0][0]) if ranked else (0, 0)
