"""The titles of runs side by side: what they have in common, told once."""

import re
from collections import Counter
from itertools import accumulate
from typing import Final

from simengine.words.phrases import listed

MARKS: Final = ":,; "  # not shown at the end of a title
PHRASE: Final = re.compile(r".*?[?:,;] ")


def common_beginning(titles: list[str]) -> str:
    """The whole phrases that most of several titles begin with, such as the question of both runs; "" without one.

    At least two different titles do. Of beginnings that as many have it is the longest.
    """
    known = set(titles)
    counts = Counter(beginning for title in known for beginning in accumulate(PHRASE.findall(title)))
    shared = [(count, len(beginning), beginning) for beginning, count in counts.items() if count > 1]
    return max(shared)[2] if shared else ""


def short_title(titles: list[str]) -> str:
    """The title of a page of several runs: what theirs all have in common, else all of them."""
    return _of_all(titles).rstrip(MARKS) or listed(titles)


def title_of(titles: list[str]) -> str:
    """One title of several runs: "Who died? acks=1 or acks=all"."""
    apart = list(dict.fromkeys(titles))
    common = _of_all(apart)
    return common + " or ".join(title.removeprefix(common) for title in apart)


def _of_all(titles: list[str]) -> str:
    common = common_beginning(titles)
    return common if all(title.startswith(common) for title in titles) else ""
