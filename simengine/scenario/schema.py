"""The published JSON Schema of format 1: for editors, and for anybody who writes documents by program.

It says the shape; what stands between the parts (references, initial states) only `load` can say.
"""

from typing import Any, Final

from simengine.scenario.limits import FORMAT
from simengine.scenario.model import Document

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
ID: Final = f"urn:highwater:scenario:{FORMAT}"


def json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a scenario document as it is written."""
    schema = _by_title(Document.model_json_schema(by_alias=True, mode="validation"))
    _allow_bare_ids(schema)
    schema["properties"]["profile"] = _profiles(schema["properties"]["profile"])
    del schema["required"]  # of several clusters `clusters` stands in place of `cluster`
    schema["oneOf"] = [{"required": ["format", "cluster"]}, {"required": ["format", "clusters"]}]
    part = schema["$defs"]["ClusterPart"]["properties"]
    part["profile"] = _profiles(part["profile"])
    cluster = schema["$defs"]["Cluster"]
    cluster["required"] = [key for key in cluster["required"] if key != "controllers"]
    return {"$schema": DIALECT, "$id": ID, **schema, "title": f"Highwater scenario document, format {FORMAT}"}


def _by_title(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with each definition under its title: the published names are not those of the classes."""
    titles = {f"#/$defs/{name}": part["title"] for name, part in schema["$defs"].items()}

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: f"#/$defs/{titles[it]}" if key == "$ref" else renamed(it) for key, it in value.items()}
        return [renamed(it) for it in value] if isinstance(value, list) else value

    parts = sorted(schema["$defs"].values(), key=lambda part: part["title"])
    return {key: renamed(value) for key, value in {**schema, "$defs": {part["title"]: part for part in parts}}.items()}


def _allow_bare_ids(schema: dict[str, Any]) -> None:
    """A broker or controller may be written as its id alone."""
    properties = schema["$defs"]["Cluster"]["properties"]
    for key in ("brokers", "controllers"):
        properties[key]["items"] = {"anyOf": [{"type": "integer", "minimum": 0}, properties[key]["items"]]}


def _profiles(schema: dict[str, Any]) -> dict[str, Any]:
    """YAML reads an unquoted version as a number."""
    names = [*schema["enum"], *(float(name) for name in schema["enum"] if name[0].isdigit())]
    return {**schema, "enum": names, "type": ["string", "number"]}
