"""The values that a place of the document takes, in words: read off the JSON Schema, so that both say the same."""

from functools import cache
from typing import Any, Final

from simengine.scenario.schema import json_schema

KEYS_SHOWN_MAX: Final = 20
_KINDS: Final = {"boolean": "true, false", "null": "null", "number": "a number"}

Schema = dict[str, Any]


def allowed_at(loc: tuple[int | str, ...]) -> str:
    """The values allowed at `loc` (a pydantic location), in words; "" where the schema does not say."""
    place = _place(loc)
    return "" if place is None else _words(place)


@cache
def _schema() -> Schema:
    return json_schema()


def _place(loc: tuple[int | str, ...]) -> Schema | None:
    place: Schema = _schema()
    for part in loc:
        inner = next((found for one in _ways(place) if (found := _inside(one, part)) is not None), None)
        if inner is None:
            return None
        place = inner
    return place


def _ways(schema: Schema) -> list[Schema]:
    """The schema itself, or what it stands for: a definition, or several ways to write the place."""
    if "$ref" in schema:
        return _ways(_schema()["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return [way for one in schema["anyOf"] for way in _ways(one)]
    return [schema]


def _inside(schema: Schema, part: int | str) -> Schema | None:
    found: Schema | None = schema.get("properties", {}).get(part)
    if found is None and isinstance(part, int) and "prefixItems" in schema:
        found = dict(enumerate(schema["prefixItems"])).get(part)
    if found is None and isinstance(part, int) and "items" in schema:
        found = schema["items"]
    if found is None and isinstance(schema.get("additionalProperties"), dict):
        found = schema["additionalProperties"]
    return found


def _words(schema: Schema) -> str:
    ways = [words for way in _ways(schema) if (words := _one_way(way)) and words != "null"]
    return ", or ".join(dict.fromkeys(ways))


def _one_way(schema: Schema) -> str:
    kind = schema.get("type")
    if "description" in schema and "properties" not in schema:
        return str(schema["description"])
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return ", ".join(dict.fromkeys(map(str, schema["enum"])))
    if kind == "integer":
        most = schema.get("maximum")
        low = schema.get("minimum", 0)
        return f"a whole number from {low}" + ("" if most is None else f" to {most}")
    if kind == "string":
        return _text(schema)
    if kind == "array":
        return _list(schema)
    if kind == "object":
        return _map(schema)
    return _KINDS.get(str(kind), "")


def _text(schema: Schema) -> str:
    most = schema.get("maxLength")
    return (
        "a text" if most is None else f"a text of {'1 to' if schema.get('minLength') else 'at most'} {most} characters"
    )


def _list(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"a list of {len(schema['prefixItems'])}: {'; '.join(map(_words, schema['prefixItems']))}"
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    count = f"{least} or more" if most is None else f"{least} to {most}"
    return f"a list of {count}"


def _map(schema: Schema) -> str:
    keys = list(schema.get("properties", {}))
    if not keys:
        return "a map of keys and values"
    required = schema.get("required", [])
    shown = [*required, *(key for key in keys if key not in required)][:KEYS_SHOWN_MAX]
    return f"a map with {', '.join(shown)}" if len(keys) > len(shown) else f"a map of {', '.join(shown)}"
