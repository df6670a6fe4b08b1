"""Reads the query in the address of a request; a wrong value of a request."""

import json

from django.http import HttpRequest

from simengine.scenario.fields import CLUSTER_ALLOWED, CLUSTER_NAME
from simengine.scenario.limits import TIME_US_MAX

MOMENT_ALLOWED = f"whole microseconds from 0 to {TIME_US_MAX}"


class WrongValue(ValueError):
    """A value of a request that cannot be used: its place, the value as JSON, and what is allowed."""

    def __init__(self, place: str, value: object, allowed: str) -> None:
        shown = json.dumps(value, default=str)[:80]
        super().__init__(f"{place} is {shown}; allowed: {allowed}")
        self.place = place
        self.value = shown
        self.allowed = allowed


def microseconds(request: HttpRequest, place: str, default: int | None = None) -> int:
    """A moment of the query. Raises WrongValue."""
    value = request.GET.get(place, "" if default is None else str(default))
    if not (value.isascii() and value.isdigit() and len(value) < 16 and int(value) <= TIME_US_MAX):
        raise WrongValue(place, value, MOMENT_ALLOWED)
    return int(value)


def cluster_name(request: HttpRequest) -> str:
    """The name of a cluster in the query; "" without one. Raises WrongValue."""
    value = request.GET.get("cluster", "")
    if value and not CLUSTER_NAME.fullmatch(value):
        raise WrongValue("cluster", value, CLUSTER_ALLOWED)
    return value
