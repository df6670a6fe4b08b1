"""The titles of runs side by side: what they have in common, told once."""

import re
from itertools import takewhile
from typing import Final

from simengine.words.phrases import listed

MARKS: Final = ":,; "  # not shown at the end of a title
PHRASE: Final = re.compile(r".*?[?:,;] ")


def common_beginning(titles: list[str]) -> str:
    """The whole phrases that several titles all begin with, such as the question of both runs; "" without one."""
    phrases = zip(*map(PHRASE.findall, titles), strict=False)
    common = "".join(each[0] for each in takewhile(lambda each: len(set(each)) == 1, phrases))
    return common if len(titles) > 1 else ""


def short_title(titles: list[str]) -> str:
    """The title of a page of several runs: what theirs have in common, else all of them."""
    return common_beginning(titles).rstrip(MARKS) or listed(titles)


def title_of(titles: list[str]) -> str:
    """One title of several runs: "Who died? acks=1 or acks=all"."""
    apart = list(dict.fromkeys(titles))
    common = common_beginning(apart)
    return common + " or ".join(title.removeprefix(common) for title in apart)
