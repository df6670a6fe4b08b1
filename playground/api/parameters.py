"""Finds the parameters of a request that the description does not know: they are refused, not ignored."""

import re
from functools import lru_cache
from typing import Final

from django.http import HttpRequest

from playground.api.description import Json, description, resolved
from simengine.scenario import Problem
from simengine.scenario.near import nearest

PART: Final = re.compile(r"<[^>]+>|\{[^}]+\}")  # a variable of a path, as Django or the description writes it


def unknown(request: HttpRequest) -> Problem | None:
    """The first unknown parameter of a request; None if there is none, or if the address does not take the method."""
    match = request.resolver_match
    allowed = _allowed(match.route if match else "", (request.method or "").lower())
    if allowed is None:
        return None
    name = next((name for name in request.GET if name not in allowed), None)
    if name is None:
        return None
    told = ", ".join(allowed) or "no parameter"
    message = f"{name} is not a parameter of this address; allowed: {told}"
    return Problem(name, request.GET[name], message, told, nearest(name, allowed))


@lru_cache(maxsize=64)
def _allowed(route: str, method: str) -> tuple[str, ...] | None:
    """The parameters of the query of an operation, in the order of the description; None without such an operation."""
    path = PART.sub("*", f"/{route}")
    paths: dict[str, Json] = description()["paths"]
    item = next((one for known, one in paths.items() if PART.sub("*", known) == path), Json())
    if method not in item:
        return None
    parts = [resolved(one) for one in (*item.get("parameters", []), *item.get(method, {}).get("parameters", []))]
    return tuple(part["name"] for part in parts if part["in"] == "query")
