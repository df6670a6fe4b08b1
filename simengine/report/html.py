"""Elements of an HTML page. A plain text is escaped; what is an element already is not."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import final


@final
class Html(str):
    """HTML that is safe to stand in a page."""

    __slots__ = ()


def element(tag: str, *parts: str, **attributes: str) -> Html:
    """One element with its parts in a row. An attribute that Python reserves ends in an underscore."""
    told = "".join(f' {name.rstrip("_")}="{escape(value)}"' for name, value in attributes.items())
    return Html(f"<{tag}{told}>{joined(parts)}</{tag}>")


def joined(parts: Iterable[str]) -> Html:
    """Several parts in a row."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))


def section(title: str, *parts: str) -> Html:
    """A section with its heading; nothing where it has no parts."""
    shown = [part for part in parts if part]
    return element("section", element("h2", title), *shown) if shown else Html()


def items(lines: Iterable[str]) -> Html:
    """A list; nothing for no lines."""
    shown = [element("li", line) for line in lines]
    return element("ul", *shown) if shown else Html()


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """A table whose rows begin with their heading; nothing for no rows."""
    body = [
        element("tr", element("th", row[0], scope="row"), *(element("td", cell) for cell in row[1:])) for row in rows
    ]
    if not body:
        return Html()
    top = element("thead", element("tr", *(element("th", cell, scope="col") for cell in head)))
    return element("div", element("table", top, element("tbody", *body)), class_="wide", tabindex="0")
