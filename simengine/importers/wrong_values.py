"""The errors in labelled values: what is wrong in a value, and what is allowed."""

import re
from typing import Final

from simengine.importers.fields import ID_LISTS
from simengine.importers.limits import BROKER_ID_MAX

SHOWN_MAX: Final = 40  # characters of a wrong value that the clause repeats
DIGITS_MAX: Final = len(str(BROKER_ID_MAX))
_LONG = re.compile(rf"\d{{{DIGITS_MAX},}}")


def why_wrong(name: str, value: str) -> str:
    """A clause on a value that its label does not take; ``name`` is the field's."""
    if name in ID_LISTS:
        return why_wrong_ids(value)
    if name == "leader":
        return _beyond(value) or "neither a broker id nor a word for no leader"
    if name == "topic":
        return "no legal topic name, which has 1 to 249 letters, digits, dots, underscores and hyphens"
    return "no whole number from 0 to 999,999,999"


def why_wrong_ids(value: str) -> str:
    """A clause on a list of broker ids that is none."""
    beyond = _beyond(value)
    if beyond:
        return beyond
    parts = [part.strip(" []*_`") for part in value.split(",")]
    strange = next((part for part in parts if not part.isdecimal()), None)
    if strange is not None:
        return f"{strange[:SHOWN_MAX]!r} is no broker id" if strange else "a broker id is missing"
    once: dict[str, bool] = {}
    for part in parts:
        if part in once:
            return f"broker {part} stands twice"
        once[part] = True
    return "no list of broker ids"


def _beyond(value: str) -> str:
    """That a number is too large for a broker id; "" where none is."""
    for digits in _LONG.findall(value):
        number = digits.lstrip("0")
        if len(number) > DIGITS_MAX or len(number) == DIGITS_MAX and int(number) > BROKER_ID_MAX:
            told = number if len(number) <= SHOWN_MAX else f"a number of {len(number):,} digits"
            return f"{told} is beyond {BROKER_ID_MAX:,}, the largest broker id that is taken"
    return ""
