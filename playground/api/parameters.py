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
    of = operation(request)
    if of is None:
        return None
    allowed = [part["name"] for part in map(resolved, of["parameters"]) if part["in"] == "query"]
    name = next((name for name in request.GET if name not in allowed), None)
    if name is None:
        return None
    told = ", ".join(allowed) or "no parameter"
    message = f"{name} is not a parameter of this address; allowed: {told}"
    return Problem(name, request.GET[name], message, told, nearest(name, allowed))


def operation(request: HttpRequest) -> Json | None:
    """The operation of a request as it is described, with the parameters of its path; None without one."""
    match = request.resolver_match
    return _operation(match.route if match else "", (request.method or "").lower())


@lru_cache(maxsize=64)
def _operation(route: str, method: str) -> Json | None:
    path = PART.sub("*", f"/{route}")
    paths: dict[str, Json] = description()["paths"]
    item = next((one for known, one in paths.items() if PART.sub("*", known) == path), Json())
    if method not in item:
        return None
    found: Json = item[method] | {"parameters": [*item.get("parameters", []), *item[method].get("parameters", [])]}
    return found
