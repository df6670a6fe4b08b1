"""A paste as clean, numbered lines: encodings, line ends, escapes, HTML and quote marks are taken away here.

The numbers are those of the text as pasted, so that a report can point at them. Nothing in this file knows Kafka.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from simengine.importers.limits import KEYLESS_CHARS_MAX
from simengine.scenario.invisible import UNSEEN

_LINE_END = re.compile(r"\r\n|\n|\r|\x0b|\x0c|\x85|\u2028|\u2029")
_KEYED = re.compile("[:\uff1a{}\n\r\x0b\x0c\x85\u2028\u2029]")
_COLOUR_LOST: Final = r"\[(?:\d{1,3}(?:;\d{1,3}){0,4}m(?:\[K)?|m\[K)"
_ANSI = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0e-\x1f\x7f]|"
    r"(?:\u241b|\^\[|\\x1b|\\u001b|\\033|\\e)\[[0-9;]*[mK]|"  # its first byte spelled out
    + _COLOUR_LOST  # its first byte lost; grep ends each colour with an erase
)
_CONTROL = re.compile("[\\x00-\\x08\\x0e-\\x1f\\x7f]")
_COLOUR = re.compile(_COLOUR_LOST)
_ESCAPES_SPELLED: Final = ("\u241b[", "^[[", "\\x1b[", "\\u001b[", "\\033[", "\\e[")
_MACRO = re.compile(r"\{color(?::[^{}\n]{0,40})?\}", re.IGNORECASE)  # Jira's
_INVISIBLE = re.compile(f"[{UNSEEN}]")
_SURROGATE = re.compile("[\ud800-\udfff]")  # halves of a character: no file can hold them
_BLANK = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_FULL_WIDTH = str.maketrans("\uff1a\uff0c", ":,")  # what an East Asian keyboard types
_TAG_NAMES = frozenset(
    (
        "pre|code|p|br|hr|div|span|td|tr|th|table|tbody|thead|li|ul|ol|dl|dt|dd|a|b|i|u|em|strong|small|h1|h2|h3|h4|h5|h6|html|body|"
        "head|blockquote|font|tt|kbd|samp|sup|sub|img|section|article|figure|button|svg|path|label|script|style|details|summary"
    ).split("|")
)
_BREAKING_TAG = re.compile(r"<(?:br\s*+/?|/(?:p|div|li|tr|h[1-6]|dt|dd|pre))\s*+>", re.IGNORECASE)
_CELL_TAG = re.compile(r"</t[dh]\s*+>", re.IGNORECASE)
_TAG = re.compile(r"</?([A-Za-z][A-Za-z1-6]{0,9})(?:\s[^<>]*)?/?>")  # of any name
_ENTITY = re.compile(r"&(?:#\d{1,6}|#x[0-9a-f]{1,5}|nbsp|lt|gt|amp|quot|apos|ensp|emsp|Tab|NewLine|colon|comma);", re.I)
_SHOWN_END = re.compile(r"(?:\^M)?\$\s*$")
GAP_MAX = 400  # blanks and tabs in a row; more than that means nothing
_WIDE_GAP = re.compile(rf"(?<![ \t\u00a0\u3000])[ \t\u00a0\u3000]{{{GAP_MAX},}}")


class Line(NamedTuple):
    """A cleaned line; ``no`` is its number in the paste, from 1."""

    no: int
    text: str


class RemovedLine(NamedTuple):
    """A line that was taken out of a paste; ``is_noise``: it held no data."""

    line: Line
    reason: str
    is_noise: bool


@dataclass(slots=True)
class Paste:
    """The cleaned lines, and what had to be taken away to get them."""

    lines: list[Line] = field(default_factory=list)
    had_tags: bool = False
    had_escapes: bool = False
    notes: list[str] = field(default_factory=list)  # sentences about what was taken away around the lines
    left: list[RemovedLine] = field(default_factory=list)
    commands: list[tuple[int, int, str]] | None = None  # kept by commands_said.py
    described: list[Any] | None = None  # kept by commands_said.py
    json: dict[str, list[Any]] = field(default_factory=dict)  # kept by jsontext.py
    yaml: list[int] = field(default_factory=list)  # lines of the documents, kept by yamltext.py
    _joined: str | None = None

    def joined(self) -> str:
        """The clean text. It is joined once: do not change the lines after the first call."""
        if self._joined is None:
            self._joined = "\n".join(line.text for line in self.lines)
        return self._joined


def decode(data: bytes) -> str:
    """Bytes of a file as text: UTF-8, or UTF-16 (what PowerShell's ``>`` writes), or Windows' own code page."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if len(data) >= 4 and data[1:2] == b"\x00" and data[3:4] == b"\x00":
        return data.decode("utf-16-le", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def count_lines(text: str) -> int:
    """The number of lines in the text, whatever ends them."""
    return 1 + (text.count("\n") if _ends_plainly(text) else sum(1 for _ in _LINE_END.finditer(text)))


def keyless_line(text: str) -> int:
    """The number of a line that goes on for a whole block of characters without a key, 0 for none.

    Looks at blocks of ``KEYLESS_CHARS_MAX`` one after another: most end at their first characters.
    """
    size = KEYLESS_CHARS_MAX
    for start in range(0, len(text) - size + 1, size):
        if not _KEYED.search(text, start, start + size) and not _has_wide_gap(text[start : start + size]):
            return count_lines(text[:start])
    return 0


def _ends_plainly(text: str) -> bool:
    """True if nothing but a line feed ends its lines."""
    others = "\r\x0b\x0c" if text.isascii() else "\r\x0b\x0c\x85\u2028\u2029"
    return not any(end in text for end in others)


def clean(text: str) -> Paste:
    """Split a paste into numbered clean lines."""
    paste = Paste()
    text = text if text.isascii() else _SURROGATE.sub("\ufffd", text)
    text = _WIDE_GAP.sub(lambda gap: gap.group()[:GAP_MAX], text) if _has_wide_gap(text) else text
    paste.had_tags = _has_tag(text)
    marks = _Marks(text, paste.had_tags or bool(_ENTITY.search(text)))
    raw_lines = text.split("\n") if _ends_plainly(text) else _LINE_END.split(text)
    if marks.are_none:
        paste.lines = [Line(number, raw) for number, raw in enumerate(raw_lines, start=1)]
    else:
        paste.lines = [
            Line(number, part) for number, raw in enumerate(raw_lines, start=1) for part in _parts(raw, marks)
        ]
    if _may_show("$", text) and _shows_ends(paste.lines):
        paste.lines = [Line(line.no, _SHOWN_END.sub("", line.text)) for line in paste.lines]
    return paste


def _may_show(mark: str, text: str) -> bool:
    """True if a character is in the text, or may be spelled as an entity in it."""
    return mark in text or "&" in text


def _has_wide_gap(text: str) -> bool:
    """True if a gap is too wide: seen by kinds of blanks, which takes a tenth of the time of a search for any."""
    blanks = text.replace("\t", " ") if text.isascii() else re.sub("[\t\u00a0\u3000]", " ", text)
    return " " * GAP_MAX in blanks


def _shows_ends(lines: list[Line]) -> bool:
    """True if every line ends in a dollar sign, as ``cat -A`` draws a line end."""
    filled = [line.text for line in lines if line.text.strip()]
    return len(filled) > 1 and all(text.rstrip().endswith("$") for text in filled)


class _Marks:
    """The marks to remove from the lines of a text. Most texts have none, and then no line is searched.

    ``patterns``: in the order in which they are removed. Removing a match of one can create a match of the next.
    """

    def __init__(self, text: str, had_html: bool) -> None:
        is_ascii = text.isascii()
        order = (_ANSI, _INVISIBLE, _MACRO)
        tests = (_has_escapes, _has_invisible, _has_macro)
        first = next((at for at, test in enumerate(tests) if test(text)), len(order))
        self.patterns = order[first:]
        self.has_html = had_html
        self.has_blanks = had_html or not is_ascii and bool(_BLANK.search(text))
        self.has_full_width = had_html or not is_ascii and any(chr(code) in text for code in _FULL_WIDTH)
        self.are_none = not (had_html or self.patterns or self.has_blanks or self.has_full_width)


def _has_escapes(text: str) -> bool:
    """True if a terminal's escapes are in the text: none is without a control character or a bracket."""
    if _CONTROL.search(text):
        return True
    if "[" not in text:
        return False
    is_spelled = any(start in text for start in _ESCAPES_SPELLED)
    return bool(is_spelled and _ANSI.search(text) or _COLOUR.search(text))


def _has_invisible(text: str) -> bool:
    return not text.isascii() and _INVISIBLE.search(text) is not None


def _has_macro(text: str) -> bool:
    return "{" in text and _MACRO.search(text) is not None


def _parts(raw: str, marks: _Marks) -> Iterator[str]:
    """The clean pieces of one raw line: more than one where it holds ``<br>``."""
    line = raw
    for pattern in marks.patterns:
        line = pattern.sub("", line)
    if marks.has_html:
        line = _CELL_TAG.sub("\t", _BREAKING_TAG.sub("\n", line))
        line = html.unescape(_TAG.sub(_without_tag, line)) if "<" in line or "&" in line else line
    if marks.has_blanks:
        line = _BLANK.sub(" ", line)
    if marks.has_full_width:
        line = line.translate(_FULL_WIDTH)
    for part in line.split("\n"):
        yield part.rstrip("\r")


def _has_tag(text: str) -> bool:
    """True if an HTML tag is in the text."""
    return any(tag[1].lower() in _TAG_NAMES for tag in _TAG.finditer(text))


def _without_tag(tag: re.Match[str]) -> str:
    """Nothing in place of an HTML tag; what is none, such as ``<topic>``, stays."""
    return "" if tag[1].lower() in _TAG_NAMES else tag[0]
