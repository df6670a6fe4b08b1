"""The unquoted YAML scalars that are something other than a text, by YAML 1.2's rules.

PyYAML by itself follows YAML 1.1, where `on` is true, 1:30 is ninety and 2026-01-01 a date; nobody means that here.
"""

import re
from typing import Final

_INT: Final = re.compile(r"[-+]?[0-9]+")
_FLOAT: Final = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?")
_WORDS: Final[dict[str, bool | None]] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# texts that a reader of YAML 1.1 would take for something else; they are quoted for its sake
_OLD: Final = re.compile(
    r"(?i:yes|no|on|off|y|n|=|<<)|[-+]?0[xob][0-9a-fA-F_]+|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*|[-+]?\.(?i:inf|nan)|[-+]?[0-9][0-9_.,]*"
)


def scalar(text: str) -> int | float | bool | str | None:
    """The value of an unquoted scalar. Raises ValueError for a whole number of thousands of digits."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def needs_quotes(text: str) -> bool:
    """True if `text`, written without quotes, would be read as something other than itself."""
    return text in _WORDS or bool(_INT.fullmatch(text) or _FLOAT.fullmatch(text) or _OLD.fullmatch(text))
