"""Reads the query in the address of a request."""

from django.http import HttpRequest

from simengine.scenario.limits import TIME_US_MAX


def microseconds(request: HttpRequest, place: str, default: int | None = None) -> int:
    """A moment of the query. Raises ValueError in words."""
    value = request.GET.get(place, "" if default is None else str(default))
    if not (value.isascii() and value.isdigit() and len(value) < 16 and int(value) <= TIME_US_MAX):
        raise ValueError(f"{place} is {value[:40]!r}; allowed are whole microseconds from 0 to {TIME_US_MAX}")
    return int(value)
