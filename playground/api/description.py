"""The description of the API (OpenAPI 3.1): `openapi.yaml`, with the schemas that the code itself reads by."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import yaml

from playground.whatif.stored_result import StoredResult
from simengine.scenario.schema import json_schema

Json = dict[str, Any]
FILE: Final = Path(__file__).with_name("openapi.yaml")


@lru_cache(maxsize=1)
def description() -> Json:
    """The whole description."""
    told: Json = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    schemas = {"Document": json_schema(), "Result": StoredResult.model_json_schema()}
    for name, schema in schemas.items():
        told["components"]["schemas"] |= _parts(name, schema)
    return told


def _parts(name: str, schema: Json) -> Json:
    """A schema and its definitions as components, under names that begin with its own."""
    text = json.dumps(schema).replace('"#/$defs/', f'"#/components/schemas/{name}.')
    whole: Json = json.loads(text)
    parts = {f"{name}.{part}": definition for part, definition in whole.pop("$defs").items()}
    return {name: {key: value for key, value in whole.items() if not key.startswith("$")}} | parts


def resolved(part: Json) -> Json:
    """A part of the description, or the one that it refers to."""
    if "$ref" not in part:
        return part
    found = description()
    for key in part["$ref"].split("/")[1:]:
        found = found[key]
    return found
