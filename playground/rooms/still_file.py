"""The picture of a still as a file: the page's drawing with its style inside, and the pictures of clusters in a column.

The rules are those of `still.css`, the colours those of `tokens.css`, both read once.
"""

import re
from functools import cache
from typing import Any, Final

from django.conf import settings

CSS: Final = settings.BASE_DIR / "static" / "css"
RULE: Final = re.compile(r"(?:^\.still [^{}]*,\s*)*^\.still [^{}]*\{[^{}]*\}", re.MULTILINE)
TOKEN: Final = re.compile(r"^\s*--([\w-]+):\s*([^;]+);", re.MULTILINE)
USE: Final = re.compile(r"var\(--([\w-]+)\)")
BOTH: Final = re.compile(r"light-dark\((#\w+), (#\w+)\)")
THEMES: Final = ("light", "dark")
MARGIN: Final = 16
NARROW_MARGIN: Final = 6  # of a picture that is drawn for a narrow place
HEAD_HEIGHT: Final = 56
NAME_HEIGHT: Final = 24  # above a picture that has a name
TITLE_WIDTH: Final = 9.5  # of a letter of the title, at most
TOLD_WIDTH: Final = 6.8  # of the sentence below it

Json = dict[str, Any]


@cache
def still_style(theme: str) -> str:
    """The style of the drawing in a theme, with every colour written out."""
    tokens = dict(TOKEN.findall((CSS / "tokens.css").read_text(encoding="utf-8")))
    values = {name: _in_theme(" ".join(value.split()), theme) for name, value in tokens.items()}
    rules = "\n".join(RULE.findall((CSS / "still.css").read_text(encoding="utf-8")))
    own = (
        ".still { font: 12px var(--sans); } .paper-of-all { fill: var(--surface); } .title { fill: var(--ink); "
        "font: 600 17px var(--sans); } .told { fill: var(--ink-2); font: 13px var(--sans); }"
    )
    return USE.sub(lambda found: values[found[1]], f"{rules}\n{own}")


def _in_theme(value: str, theme: str) -> str:
    return BOTH.sub(lambda found: found[1 + THEMES.index(theme)], value)


def stacked(stills: list[Json]) -> Json:
    """The pictures one below the other: `width` and `height` of all, their `margin`, `rows` of (y, picture).

    `letters`: of the `title` and of the sentence `told` below it.
    """
    margin = NARROW_MARGIN if any(still["lifted"] for still in stills) else MARGIN
    y, rows = HEAD_HEIGHT, []
    for still in stills:
        y += NAME_HEIGHT if still["name"] else 0
        rows.append((y, still))
        y += still["height"] + MARGIN
    width = max(still["width"] for still in stills) + 2 * margin
    letters = {"title": int(width / TITLE_WIDTH), "told": int(width / TOLD_WIDTH)}
    return {"width": width, "height": y, "margin": margin, "rows": rows, "letters": letters}
