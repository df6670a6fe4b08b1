"""Finds the members of a request's body that the description does not know: they are refused, not ignored."""

import json
from typing import Any, Final

from django.http import HttpRequest

from playground.api.description import Json, resolved
from playground.api.parameters import operation
from simengine.scenario import Problem
from simengine.scenario.near import nearest
from simengine.scenario.problems import shown

READ_BYTES_MAX: Final = 1024 * 1024
"""A longer body is a paste of that length, and is read by the engine service alone."""
DOCUMENT: Final = "#/components/schemas/Document"  # its own reader names every unknown key


def unknown_member(request: HttpRequest) -> Problem | None:
    """The first unknown member of a JSON body; None if there is none, or if another reader says what is wrong."""
    of = operation(request)
    if of is None or not 0 < len(request.body) <= READ_BYTES_MAX:
        return None
    try:
        body: Any = json.loads(request.body)
    except (ValueError, RecursionError):
        return None
    content = of.get("requestBody", {}).get("content", {})
    return _unknown(content.get("application/json", {}).get("schema", {"type": "object", "properties": {}}), body, "")


def _unknown(schema: Json, value: Any, path: str) -> Problem | None:
    if schema.get("$ref") == DOCUMENT:
        return None
    schema = resolved(schema)
    if isinstance(value, list) and "items" in schema:
        found = (_unknown(schema["items"], one, f"{path}[{i}]") for i, one in enumerate(value))
        return next((problem for problem in found if problem), None)
    properties = _properties(schema, value) if isinstance(value, dict) else None
    if properties is None:
        return None
    for name, one in value.items():
        place = f"{path}.{name}" if path else name
        if name not in properties:
            told = ", ".join(properties) or "no member"
            message = f"{place} is not a member of this request; allowed: {told}"
            return Problem(place, shown(one), message, told, nearest(name, list(properties)))
        if problem := _unknown(properties[name], one, place):
            return problem
    return None


def _properties(schema: Json, value: Json) -> Json | None:
    """The members that a map may have; None where any may stand."""
    schema = resolved(schema)
    if "oneOf" in schema:
        kinds = [resolved(one) for one in schema["oneOf"]]
        schema = next((one for one in kinds if set(one.get("required", ())) <= value.keys()), kinds[0])
    parts = [_properties(one, value) for one in schema.get("allOf", ())]
    own = schema.get("properties")
    known = [one for one in (*parts, own) if one is not None]
    if not known or "additionalProperties" in schema:
        return None
    return {name: one for part in known for name, one in part.items()}
