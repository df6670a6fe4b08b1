"""Near misses: the word somebody most likely meant."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Final

CUTOFF: Final = 0.72  # share of equal characters from which a suggestion helps more than it confuses
WORD_MAX: Final = 200  # longer words are not compared


def nearest(word: str, candidates: Iterable[str]) -> str:
    """The candidate most like `word`, or "" where none is like it. Equal ones: the first in their order."""
    if not word or len(word) > WORD_MAX:
        return ""
    lowered = word.lower()
    best = ""
    best_ratio = CUTOFF
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(lowered)
    for candidate in candidates:
        matcher.set_seq1(candidate.lower())
        if matcher.real_quick_ratio() <= best_ratio or matcher.quick_ratio() <= best_ratio:
            continue
        ratio = matcher.ratio()
        if ratio > best_ratio:
            best, best_ratio = candidate, ratio
    return best
