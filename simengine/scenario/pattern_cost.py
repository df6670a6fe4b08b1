"""An upper bound for the time that a regular expression of a document takes: Python's matcher tries every choice.

Anybody can send a document, and to match ``(a|a)*b`` with a name of sixty letters takes years.
"""

import re
from math import comb
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final

NAME_CHARS_MAX: Final = 249  # of a topic
STEPS_MAX: Final = 30_000_000  # about a second, for all names together
POWER_MAX: Final = 32  # a choice that comes more often is beyond the limit anyway
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


def why_not_compiled(pattern: str) -> str:
    """The reason why a text is no regular expression; "" if it is one."""
    try:
        re.compile(pattern)
    except RecursionError:
        return "nested too deep"
    except (re.error, OverflowError, ValueError) as error:
        return str(error)
    return ""


def steps(pattern: str) -> int:
    """An upper bound for the ways in which a name can be matched; at most STEPS_MAX + 1. Raises re.error."""
    return _of_sequence(_parser.parse(pattern), is_whole=True)


def _of_sequence(items: Any, is_whole: bool = False) -> int:
    """The ways of one item after another: repeats share the characters of the name among them."""
    ways, repeats = 1, 0
    for place, (code, value) in enumerate(items):
        name = str(code)
        if name in _REPEATS:
            low, high, body = value
            times = min(int(high), NAME_CHARS_MAX)
            inside = _of_sequence(body)
            takes_the_rest = is_whole and place == len(items) - 1 and [str(one) for one, _ in body] == ["ANY"]
            repeats += times - low > 1 and not takes_the_rest
            ways *= (2 if times - low == 1 else 1) * _bounded(inside ** min(times, POWER_MAX))
        else:
            ways *= _of_choice(name, value)
        ways = _bounded(ways)
    return _bounded(ways * comb(NAME_CHARS_MAX + repeats, min(repeats, POWER_MAX)))


def _of_choice(name: str, value: Any) -> int:
    """The ways of an item that is no repeat."""
    if name == "BRANCH":
        return sum(map(_of_sequence, value[1]))
    if name == "SUBPATTERN":
        return _of_sequence(value[3])
    if name in ("ASSERT", "ASSERT_NOT"):
        return _of_sequence(value[1])
    if name == "ATOMIC_GROUP":
        return _of_sequence(value)
    if name == "GROUPREF_EXISTS":
        return sum(_of_sequence(one) for one in value[1:] if one is not None)
    return 1


def _bounded(ways: int) -> int:
    return min(ways, STEPS_MAX + 1)
