r"""Opens strings of programs: lines that are quoted one by one, and outputs in one string with ``\n`` and ``\"`` in it.

Only what begins as a known output does is opened. A string that stands in a bare output, such as an annotation, stays.
"""

import re
from typing import Final

from simengine.importers.stripping.anchors import anchors, is_bare, with_output
from simengine.importers.stripping.found import StrippedLines, renumbered
from simengine.importers.text import Line
from simengine.importers.values import unescaped

_ONE = re.compile(
    r"\s*+(?:[+.(\[]\s*+)*+[$fbru]?(?P<quote>[\"'`])(?P<body>(?:(?!(?P=quote))[^\\]|\\.)*+)(?P=quote)[\s,;+)\\.\]]*$"
)
_LOGGED = re.compile(
    r"\"(?:log|message|msg|line|text|content|textPayload|output|stdout|body|StandardOutputContent|MESSAGE)\"\s*:\s*"
    r"\"(?P<body>(?:[^\"\\]|\\.)*+)\""
)
_WITHIN = re.compile(r"(?<!\\)\"((?:[^\"\\]|\\.)*+)(?:\"|$)|(?<!\\)'((?:[^'\\]|\\.)*+)(?:'|$)")
_END = re.compile(r"(?<!\\)[\"'][;,+\s]*$")
_BARE_QUOTE = re.compile(r"(?<!\\)\"")
_SPELLED: Final = {"n": "\n", "r": "", "t": "\t", "b": "", "f": ""}  # of JSON
BEGIN_CHARS: Final = 1_500  # of a string that tell whether it holds an output
ESCAPED_MAX: Final = 200  # lines with an output in one string
WITHIN_MAX: Final = 20  # strings of one line that are looked at


def without_strings(lines: list[Line]) -> StrippedLines | None:
    """The lines with the strings opened; None if no string in them holds an output."""
    if not any(mark in line.text for line in lines for mark in "\"'`\\"):
        return None
    opened = _logged(lines) or _listed(lines) or _single(lines)
    return StrippedLines(opened, has_escapes=True) if opened is not None else None


def _logged(lines: list[Line]) -> list[Line] | None:
    """Lines of a log in JSON, one object a line: what each of them logs."""
    bodies = {at: found["body"] for at, line in enumerate(lines) if (found := _logs(line.text))}
    if not bodies or len(bodies) < sum(bool(line.text.strip()) for line in lines) / 2:
        return None
    return _opened(lines, bodies)


def _logs(text: str) -> re.Match[str] | None:
    is_object = text.lstrip().startswith("{") and text.rstrip().endswith("}")
    return _LOGGED.search(text) if is_object else None


def _listed(lines: list[Line]) -> list[Line] | None:
    """Lines that are quoted one by one."""
    found = {at: match["body"] for at, line in enumerate(lines) if (match := _ONE.match(line.text))}
    beside = {at: body for at, body in found.items() if at - 1 in found or at + 1 in found}
    return _opened(lines, beside)


def _single(lines: list[Line]) -> list[Line] | None:
    """Outputs in one string of a line, or in a line that lost the quotes around it."""
    escaped = [at for at, line in enumerate(lines) if '\\"' in line.text or "\\n" in line.text][:ESCAPED_MAX]
    if not escaped or any(is_bare(one) and "\\" not in lines[one.at].text for one in anchors(lines)):
        return None
    return _opened(lines, {at: body for at in escaped if (body := _body(lines[at].text))})


def _body(text: str) -> str:
    """The escaped output in a line; "" if there is none."""
    bodies = [found[1] or found[2] or "" for found, _ in zip(_WITHIN.finditer(text), range(WITHIN_MAX), strict=False)]
    body = max((one for one in bodies if "\\" in one and _holds(one)), key=len, default="")
    bare = _END.sub("", text.strip().lstrip("$\"'"))
    is_bare = len(body) < len(bare) / 2 and not _BARE_QUOTE.search(bare)
    return bare if is_bare and _holds(bare) else body


def _holds(body: str) -> bool:
    return bool(with_output([Line(0, part) for part in unescaped(body[:BEGIN_CHARS], _SPELLED).split("\n")]))


def _opened(lines: list[Line], bodies: dict[int, str]) -> list[Line] | None:
    """The lines with the bodies in their places; None if none of the bodies begins an output."""
    texts = {at: unescaped(body, _SPELLED) for at, body in bodies.items()}
    if not with_output([Line(at, part) for at, text in texts.items() for part in text.split("\n")]):
        return None
    parts = [texts[at].removesuffix("\n").split("\n") if at in texts else [line.text] for at, line in enumerate(lines)]
    return renumbered([[Line(line.no, part) for part in group] for line, group in zip(lines, parts, strict=True)])
