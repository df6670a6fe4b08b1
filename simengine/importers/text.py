"""A paste as clean, numbered lines: encodings, line ends, escapes, HTML and quote marks are taken away here.

The numbers are those of the text as pasted, so that a report can point at them. Nothing in this file knows Kafka,
except for the labels that decide whether a literal backslash-t is a tab or part of a Windows path.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, NamedTuple

from simengine.scenario.invisible import UNSEEN

_LINE_END = re.compile(r"\r\n|\n|\r|\x0b|\x0c|\x85|\u2028|\u2029")
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
_LABEL_AHEAD = (
    r"(?:Topic|TopicId|Partition|PartitionCount|ReplicationFactor|Leader|Replicas|Isr|Elr|LastKnownElr|Configs|"
    r"Adding Replicas|Removing Replicas|Offline|Observers|LiveObservers|MarkedForDeletion)\s*:"
)
_LITERAL_NEWLINE = re.compile(
    rf"(?<!\\)\\{{1,4}}(?:r\\{{1,4}})?n(?=(?:\\{{1,4}}t|\s){{0,20}}{_LABEL_AHEAD})", re.IGNORECASE
)
_LITERAL_END = re.compile(r"(?<!\\)\\{1,4}(?:r\\{1,4})?n")  # any, once another one is known to stand for a line end
_LITERAL_TAB = re.compile(rf"(?<!\\)\\{{1,4}}t(?=\s{{0,20}}{_LABEL_AHEAD})", re.IGNORECASE)
_SHOWN_TAB = re.compile(
    rf"(?:\^I|[\u2192\u21a6\u21e5\u25b8\u00bb\u2409])(?=(?:\^I|\s){{0,20}}{_LABEL_AHEAD})", re.IGNORECASE
)  # as editors and cat -A draw it
_MAIL_TAB = re.compile(
    rf"=09(?=(?:=09|\s){{0,20}}{_LABEL_AHEAD})", re.IGNORECASE
)  # quoted-printable, as mails are stored
_SHOWN_MARKS: Final = ("\\", "^I", "^i", "=09", *"\u2192\u21a6\u21e5\u25b8\u00bb\u2409")  # one of them in each of these
_SHOWN_END = re.compile(r"(?:\^M)?\$\s*$")
_QUOTE = re.compile(r"^\s*(?:(?:&gt;|[>|\u2502\u2503])\s?)+")
_QUOTE_MARK = re.compile(r"^\s*(?:&gt;|[>|\u2502\u2503])")  # the first of them: of a line of marks alone, it is enough


_QUOTE_MARKS: Final = ">|\u2502\u2503"


_NUMBER = re.compile(r"\s{0,8}\d{1,6}\s*", re.ASCII)
_NUMBER_CHARS: Final = 14  # blanks and digits of a number

_IN_FRONT = re.compile(r"^\s{0,8}(\d{1,6})(?:\t|$)", re.ASCII)

GAP_MAX = 400  # blanks and tabs in a row; more than that means nothing
_WIDE_GAP = re.compile(rf"(?<![ \t\u00a0\u3000])[ \t\u00a0\u3000]{{{GAP_MAX},}}")
QUOTED_SHARE = 0.9
PROMPTS_MAX = 3  # lines above the numbered ones: a prompt with the command
PROMPT_MAX = 300
NUMBERED_MIN = 3


class Line(NamedTuple):
    """A cleaned line; ``no`` is its number in the paste, from 1."""

    no: int
    text: str


@dataclass(slots=True)
class Paste:
    """The cleaned lines, and what had to be taken away to get them."""

    lines: list[Line] = field(default_factory=list)
    had_html: bool = False
    had_escapes: bool = False
    had_numbers: bool = False
    commands: list[tuple[int, int, str]] | None = None  # kept by commands_said.py
    described: list[Any] | None = None  # kept by commands_said.py
    json: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)  # kept by jsontext.py
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
    """How many lines the text has, whatever ends them."""
    return 1 + (text.count("\n") if _ends_plainly(text) else sum(1 for _ in _LINE_END.finditer(text)))


def _ends_plainly(text: str) -> bool:
    """Whether nothing but a line feed ends its lines."""
    others = "\r\x0b\x0c" if text.isascii() else "\r\x0b\x0c\x85\u2028\u2029"
    return not any(end in text for end in others)


def clean(text: str) -> Paste:
    """Split a paste into numbered clean lines."""
    paste = Paste()
    text = text if text.isascii() else _SURROGATE.sub("\ufffd", text)
    text = _WIDE_GAP.sub(lambda gap: gap.group()[:GAP_MAX], text) if _has_wide_gap(text) else text
    paste.had_html = _has_tag(text) or bool(_ENTITY.search(text))
    marks = _Marks(text, paste.had_html)
    raw_lines = text.split("\n") if _ends_plainly(text) else _LINE_END.split(text)
    if marks.are_none:
        paste.lines = [Line(number, raw) for number, raw in enumerate(raw_lines, start=1)]
    else:
        paste.lines = [
            Line(number, part) for number, raw in enumerate(raw_lines, start=1) for part in _parts(raw, paste, marks)
        ]
    if _may_show("$", text) and _shows_ends(paste.lines):
        paste.lines = [Line(line.no, _SHOWN_END.sub("", line.text)) for line in paste.lines]
    if any(_may_show(mark, text) for mark in _QUOTE_MARKS) and _is_quoted(paste.lines):
        paste.lines = [Line(line.no, _QUOTE.sub("", line.text)) for line in paste.lines]
    if _is_numbered(paste.lines):
        paste.had_numbers = True
        paste.lines = [Line(line.no, _IN_FRONT.sub("", line.text)) for line in paste.lines]
        return paste
    numbers = _line_numbers(paste.lines)
    paste.had_numbers = bool(numbers)
    paste.lines = [line for line in paste.lines if line.no not in numbers]
    return paste


def _may_show(mark: str, text: str) -> bool:
    """Whether a character stands in the text, or may be spelled as an entity in it."""
    return mark in text or "&" in text


def _has_wide_gap(text: str) -> bool:
    """Whether a gap is too wide: seen by kinds of blanks, which takes a tenth of the time of a search for any."""
    blanks = text.replace("\t", " ") if text.isascii() else re.sub("[\t\u00a0\u3000]", " ", text)
    return " " * GAP_MAX in blanks


def _is_numbered(lines: list[Line]) -> bool:
    """Whether a number that grows by one and a tab stand in front of every line, as ``cat -n`` writes them."""
    filled = [line.text for line in lines if line.text.strip()]
    while filled and not _IN_FRONT.match(filled[0]):
        filled = filled[1:] if len(filled[0]) < PROMPT_MAX else []
        if len(lines) - len(filled) > PROMPTS_MAX:
            return False
    marks = [_IN_FRONT.match(text) for text in filled]
    numbers = [int(mark.group(1)) for mark in marks if mark]
    return len(numbers) == len(marks) >= NUMBERED_MIN and all(
        after == before + 1 for before, after in pairwise(numbers)
    )


def _line_numbers(lines: list[Line]) -> dict[int, bool]:
    """The lines that only number the next one, as pages with code in a table are copied: 1, 2, 3 without a gap."""
    numbers = {line.no: int(line.text) for line in lines if _is_number(line.text)}
    follow_on = all(after == before + 1 for before, after in pairwise(numbers.values()))
    apart = all(after > before + 1 for before, after in pairwise(numbers))
    return dict.fromkeys(numbers, True) if len(numbers) >= NUMBERED_MIN and follow_on and apart else {}


def _is_number(text: str) -> bool:
    """Whether a line is a number; most are none by their first characters."""
    return text[:_NUMBER_CHARS].strip().isdigit() and _NUMBER.fullmatch(text) is not None


def _is_quoted(lines: list[Line]) -> bool:
    """Whether nearly every line carries a quote mark, as a forwarded mail does: then it is no part of the text."""
    marked = sum(bool(_QUOTE_MARK.match(line.text)) for line in lines)
    filled = sum(bool(line.text.strip()) for line in lines)
    return marked > 1 and marked >= QUOTED_SHARE * filled


def _shows_ends(lines: list[Line]) -> bool:
    """Whether every line ends in a dollar sign, as ``cat -A`` draws a line end."""
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
        self.has_blanks = had_html or not is_ascii and bool(_BLANK.search(text))
        self.has_full_width = had_html or not is_ascii and any(chr(code) in text for code in _FULL_WIDTH)
        self.has_shown = had_html or bool(self.patterns) or any(mark in text for mark in _SHOWN_MARKS)
        self.are_none = not (had_html or self.patterns or self.has_blanks or self.has_full_width or self.has_shown)


def _has_escapes(text: str) -> bool:
    """Whether a terminal's escapes stand in the text: none does without a control character or a bracket."""
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


def _parts(raw: str, paste: Paste, marks: _Marks) -> Iterator[str]:
    """The clean pieces of one raw line: more than one where it holds ``<br>`` or a literal backslash-n."""
    line = raw
    for pattern in marks.patterns:
        line = pattern.sub("", line)
    if paste.had_html:
        line = _CELL_TAG.sub("\t", _BREAKING_TAG.sub("\n", line))
        line = html.unescape(_TAG.sub(_without_tag, line)) if "<" in line or "&" in line else line
    if marks.has_blanks:
        line = _BLANK.sub(" ", line)
    if marks.has_full_width:
        line = line.translate(_FULL_WIDTH)
    if marks.has_shown and ":" in line:
        line = _without_shown_marks(line, paste)
    for part in line.split("\n"):
        yield part.rstrip("\r")


def _without_shown_marks(line: str, paste: Paste) -> str:
    """Tabs and line ends that are spelled out in front of a label, as what they stand for."""
    if "^" in line or not line.isascii():
        line = _SHOWN_TAB.sub("\t", line)
    if "=09" in line and _MAIL_TAB.search(line):
        line = re.sub(r"=20\s*$", "", _MAIL_TAB.sub("\t", line)).replace("=3D", "=")
    if "\\" in line:
        opened = _LITERAL_NEWLINE.sub("\n", line)
        opened = _LITERAL_TAB.sub("\t", _LITERAL_END.sub("\n", opened) if opened != line else opened)
        paste.had_escapes = paste.had_escapes or opened != line
        line = opened
    return line


def _has_tag(text: str) -> bool:
    """Whether an HTML tag stands in the text."""
    return any(tag[1].lower() in _TAG_NAMES for tag in _TAG.finditer(text))


def _without_tag(tag: re.Match[str]) -> str:
    """Nothing in place of an HTML tag; what is none, such as ``<topic>``, stays."""
    return "" if tag[1].lower() in _TAG_NAMES else tag[0]


def unquote(line: str) -> str:
    """A line without the quote marks (``>``) and box bars (``|``) in front of it."""
    return _QUOTE.sub("", line)
