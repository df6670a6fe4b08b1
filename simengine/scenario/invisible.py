"""Characters that nobody sees, and those that change the order in which others are seen: not in names, � in texts.

They are Unicode's format and control characters, and what stands for nothing (fillers, variation selectors, tags).
"""

import re
from typing import Final

SHOWN: Final = "\ufffd"
UNSEEN: Final = (
    r"\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0"
    r"\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff"
)  # as a part of a class of a regular expression
NOT_IN_NAMES: Final = rf"\x00-\x1f\x7f-\x9f{UNSEEN}"  # control characters neither

_INVISIBLE: Final = re.compile(f"[{NOT_IN_NAMES}]")
_JOINED: Final = rf"[^\x00-\x7f{NOT_IN_NAMES}][\u200c\u200d\ufe0e\ufe0f]{{1,2}}"  # as emoji and Persian need it
_KEYCAP: Final = r"[0-9#*]\ufe0f\u20e3"
_IN_TEXTS: Final = re.compile(rf"({_JOINED}|{_KEYCAP}|[\n\r\t\x00\ud800-\udfff])|[{NOT_IN_NAMES}]")


def invisible_in(text: str) -> str:
    """The first character of a name that cannot be seen, as U+202E; "" without one."""
    found = _INVISIBLE.search(text)
    return code_point(found.group()) if found else ""


def made_visible(text: str) -> str:
    """A text of a person in which each character that cannot be seen is �; the length stays.

    Line ends and tabs stay, and so do joiners where writing needs them. NUL and halves of surrogate pairs stay too:
    no text may hold them, which is said elsewhere.
    """
    return _IN_TEXTS.sub(lambda found: found.group(1) or SHOWN, text) if _INVISIBLE.search(text) else text


def spelled_out(text: str) -> str:
    """A text for an error: each character that cannot be seen is spelled as <U+202E>."""
    return _INVISIBLE.sub(lambda found: f"<{code_point(found.group())}>", text)


def code_point(character: str) -> str:
    """U+202E."""
    return f"U+{ord(character):04X}"
