"""Tabs and line ends that are spelled out in front of a label of ``kafka-topics.sh --describe``.

The labels decide whether a literal backslash-t is a tab or part of a Windows path.
"""

import re
from typing import Final

from simengine.importers.stripping.found import StrippedLines, renumbered
from simengine.importers.text import Line

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


def without_spelled(lines: list[Line]) -> StrippedLines | None:
    """The lines with such marks as what they stand for; None if there are none."""
    if not any(mark in line.text for line in lines for mark in _SHOWN_MARKS):
        return None
    texts = [_spelled(line.text) if ":" in line.text else line.text for line in lines]
    if all(text == line.text for text, line in zip(texts, lines, strict=True)):
        return None
    has_escapes = any("\\" in line.text and text != line.text for text, line in zip(texts, lines, strict=True))
    parts = [[Line(line.no, part) for part in text.split("\n")] for text, line in zip(texts, lines, strict=True)]
    return StrippedLines(renumbered(parts), has_escapes=has_escapes)


def _spelled(line: str) -> str:
    if "^" in line or not line.isascii():
        line = _SHOWN_TAB.sub("\t", line)
    if "=09" in line and _MAIL_TAB.search(line):
        line = re.sub(r"=20\s*$", "", _MAIL_TAB.sub("\t", line)).replace("=3D", "=")
    if "\\" in line:
        opened = _LITERAL_NEWLINE.sub("\n", line)
        line = _LITERAL_TAB.sub("\t", _LITERAL_END.sub("\n", opened) if opened != line else opened)
    return line
