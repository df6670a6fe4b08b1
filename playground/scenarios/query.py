"""Reads the query in the address of a request."""

from django.http import HttpRequest

from playground.scenarios.wrong_value import MissingValue, WrongValue
from simengine.scenario.fields import CLUSTER_ALLOWED, CLUSTER_NAME
from simengine.scenario.limits import TIME_US_MAX

WIDTH_ALLOWED = "whole pixels from 240 to 4000"
WIDTHS = range(240, 4001)
MOMENT_ALLOWED = f"whole microseconds from 0 to {TIME_US_MAX}"


def microseconds(request: HttpRequest, place: str, default: int | None = None) -> int:
    """A moment of the query. Raises WrongValue."""
    if place not in request.GET:
        if default is None:
            raise MissingValue(place, MOMENT_ALLOWED)
        return default
    value = request.GET[place]
    if not (value.isascii() and value.isdigit() and len(value) < 16 and int(value) <= TIME_US_MAX):
        raise WrongValue(place, value, MOMENT_ALLOWED)
    return int(value)


def pixels(request: HttpRequest) -> int | None:
    """The width in the query; None without one. Raises WrongValue."""
    value = request.GET.get("width")
    if value is None:
        return None
    if not (value.isascii() and value.isdigit() and len(value) < 5 and int(value) in WIDTHS):
        raise WrongValue("width", value, WIDTH_ALLOWED)
    return int(value)


def cluster_name(request: HttpRequest) -> str:
    """The name of a cluster in the query; "" without one. Raises WrongValue."""
    value = request.GET.get("cluster", "")
    if value and not CLUSTER_NAME.fullmatch(value):
        raise WrongValue("cluster", value, CLUSTER_ALLOWED)
    return value
