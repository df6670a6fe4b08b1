"""The Markdown of `docs/rules` as HTML, limited to what the chapters use.

Blocks: headings of level 2, paragraphs, lists of one level (with dots or numbers), tables. Inside a line: `code` and
**bold**. A rule id in running text becomes a link to its rule. Everything else is text and is escaped.
"""

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Final

ID: Final = re.compile(r"\b([A-Z]{2,6})-([0-9]+)(?:\.\.([0-9]+))?\b")
CODE: Final = re.compile(r"`([^`]+)`")
BOLD: Final = re.compile(r"\*\*([^*]+)\*\*")
RULE_OF_A_TABLE: Final = re.compile(r"\|[-| ]+\|")  # the line below the head

LISTS: Final = {"- ": "ul", "1. ": "ol"}  # how a list begins, and its element
ITEM: Final = re.compile(r"^(?:- |[0-9]+\. )", re.MULTILINE)

Known = Callable[[str], bool]  # True for the id of a rule


def ids_in(text: str) -> Iterator[str]:
    """The rule ids that a text cites, each of a range such as FET-1..3."""
    for found in ID.finditer(text):
        first, last = int(found[2]), int(found[3] or found[2])
        yield from (f"{found[1]}-{number}" for number in range(first, last + 1))


def blocks(lines: list[str]) -> list[list[str]]:
    """The lines between empty lines."""
    found: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [block for block in found if block]


def to_html(lines: list[str], known: Known) -> str:
    """The HTML of several blocks."""
    return "\n".join(_block(block, known) for block in blocks(lines))


def items(lines: list[str]) -> list[str]:
    """The items of all lists in the lines, each in one line."""
    found: list[str] = []
    for block in blocks(lines):
        if block[0].startswith(tuple(LISTS)):
            text = "\n".join(block)
            found += [" ".join(item.split()) for item in ITEM.split(text)[1:]]
    return found


def _block(block: list[str], known: Known) -> str:
    first = block[0]
    if first.startswith("## "):
        return f"<h3>{_inline(first[3:], known)}</h3>"
    if first.startswith("|"):
        return _table(block, known)
    for mark, tag in LISTS.items():
        if first.startswith(mark):
            return f"<{tag}>{''.join(f'<li>{_inline(item, known)}</li>' for item in items(block))}</{tag}>"
    return f"<p>{_inline(' '.join(block), known)}</p>"


def _table(block: list[str], known: Known) -> str:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block if not RULE_OF_A_TABLE.match(line)]
    head = "".join(f'<th scope="col">{_inline(cell, known)}</th>' for cell in rows[0])
    body = "".join(
        f'<tr><th scope="row">{_inline(cells[0], known)}</th>'
        f"{''.join(f'<td>{_inline(cell, known)}</td>' for cell in cells[1:])}</tr>"
        for cells in rows[1:]
    )
    table = f'<table class="table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="scroll" tabindex="0">{table}</div>'


def _inline(text: str, known: Known) -> str:
    parts = CODE.split(text)  # every second part is code
    return "".join(
        f"<code>{escape(part)}</code>" if index % 2 else _words(part, known) for index, part in enumerate(parts)
    )


def _words(text: str, known: Known) -> str:
    return ID.sub(lambda found: _linked(found, known), BOLD.sub(r"<strong>\1</strong>", escape(text)))


def _linked(found: re.Match[str], known: Known) -> str:
    rule = f"{found[1]}-{found[2]}"
    return f'<a href="#{rule}">{found[0]}</a>' if known(rule) else found[0]
