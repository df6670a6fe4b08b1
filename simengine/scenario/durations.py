"""Durations as people write them (250ms, 12s, 1.5s, 5m) and as the engine counts them: integer microseconds.

Kafka's own ISO 8601 durations (PT1H30M, P2DT0.5S) are read as Java's ``Duration.parse`` reads them.
"""

import re
from decimal import Decimal
from typing import Final

from simengine.scenario.problems import FieldError

US: Final = 1
MS: Final = 1_000
SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE

UNITS: Final[dict[str, int]] = {
    "us": US,
    "µs": US,
    "ms": MS,
    "s": SECOND,
    "m": MINUTE,
    "min": MINUTE,
    "h": HOUR,
}
ALLOWED: Final = "a number and a unit of us, ms, s, m, h, such as 250ms, 1.5s or 5m"
ISO_ALLOWED: Final = "PnDTnHnMn.nS, such as P1D, PT1H30M or PT0.5S"
ISO_MAX: Final = 1 << 60
_ISO_NUMBER: Final = r"([-+]?[0-9]{1,18})"
_ISO_PATTERN: Final = re.compile(
    rf"([-+]?)P(?:{_ISO_NUMBER}D)?"
    rf"(?:T(?=[-+0-9])(?:{_ISO_NUMBER}H)?(?:{_ISO_NUMBER}M)?(?:([-+]?[0-9]{{1,18}}(?:[.,][0-9]{{0,9}})?)S)?)?"
)
_PATTERN: Final = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)\s*([a-zµ]+)")


def parse_duration(value: object) -> int:
    """Microseconds of a written duration; a bare 0 is allowed. Raises FieldError, also below one microsecond."""
    if value == 0 and not isinstance(value, bool):
        return 0
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise FieldError("a duration needs a unit", value, ALLOWED, f"{value}s")
    if not isinstance(value, str):
        raise FieldError("not a duration", value, ALLOWED)
    text = value.strip()
    if text == "0":
        return 0
    match = _PATTERN.fullmatch(text)
    if match is None or match[2] not in UNITS:
        near = f"{text}s" if re.fullmatch(r"[0-9.]+", text) else ""
        raise FieldError("not a duration", value, ALLOWED, near)
    exact = Decimal(match[1]) * UNITS[match[2]]
    whole = int(exact)
    if whole != exact:
        raise FieldError("finer than a microsecond", value, ALLOWED)
    return whole


def parse_iso_duration(text: str) -> int:
    """Microseconds (rounded down, at most `ISO_MAX`) of an ISO 8601 duration, which must not be negative in Kafka."""
    match = _ISO_PATTERN.fullmatch(text.upper())
    parts = match.groups() if match is not None else ()
    if not any(parts[1:]):
        raise FieldError("not an ISO 8601 duration", text, ISO_ALLOWED)
    sign, days, hours, minutes, seconds = parts
    whole = Decimal(days or 0) * 24 * HOUR + Decimal(hours or 0) * HOUR + Decimal(minutes or 0) * MINUTE
    exact = whole + Decimal((seconds or "0").replace(",", ".")) * SECOND
    if sign == "-":
        exact = -exact
    if exact < 0:
        raise FieldError("a negative duration", text, ISO_ALLOWED)
    return min(int(exact), ISO_MAX)


def format_duration(us: int) -> str:
    """The shortest text that `parse_duration` reads back as `us`: 1500000 is "1.5s"."""
    if us == 0:
        return "0s"
    if us % MS and us < 100 * MS:
        return f"{us}us" if us < MS else f"{_decimal(us, MS)}ms"
    if us < SECOND:
        return f"{_decimal(us, MS)}ms"
    if us % MINUTE == 0:
        return f"{us // MINUTE}m" if us % HOUR else f"{us // HOUR}h"
    return f"{_decimal(us, SECOND)}s"


def duration_words(us: int) -> str:
    """A duration as prose has it, the unit after a space: "1.5 s", "5 min"."""
    text = format_duration(us)
    number = text.rstrip("ushm")
    unit = text[len(number) :]
    return f"{number} {'min' if unit == 'm' else unit}"


def _decimal(us: int, unit: int) -> str:
    """`us` in `unit`, with no more digits than needed."""
    whole, rest = divmod(us, unit)
    if rest == 0:
        return str(whole)
    digits = str(unit + rest)[1:].rstrip("0")
    return f"{whole}.{digits}"
