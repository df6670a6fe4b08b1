"""The way out: a document as canonical plain data, JSON and YAML. ``load(dump_yaml(d)) == d``, also for JSON."""

import json
from typing import Any, Final

from simengine.scenario.model import Document
from simengine.scenario.yaml_writing import write_yaml

ALWAYS: Final = (
    "format",
    "title",
    "profile",
    "seed",
    "until",
)  # written even where they are the default


def to_plain(doc: Document) -> dict[str, Any]:
    """The document as lists, maps, texts, numbers and booleans, in a fixed order; defaults are left out."""
    full = doc.model_dump(mode="json", by_alias=True)
    short = doc.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    plain = {key: short.get(key, full[key]) for key in full if key in short or key in ALWAYS}
    if doc.clusters:
        del plain["cluster"], plain["profile"]
        parts = plain["clusters"]
        plain["clusters"] = {name: {"profile": full["clusters"][name]["profile"], **parts[name]} for name in parts}
    for part in plain.get("clusters", {"": plain}).values():
        for key in ("brokers", "controllers"):
            part["cluster"][key] = [node["id"] if len(node) == 1 else node for node in part["cluster"][key]]
    return plain


def to_json(doc: Document, indent: int | None = None) -> str:
    """Canonical JSON."""
    separators = None if indent else (",", ":")
    return json.dumps(to_plain(doc), ensure_ascii=False, indent=indent, separators=separators)


def to_yaml(doc: Document) -> str:
    """Canonical YAML: a key of the document or an entry of its lists on each line, where that is short enough."""
    return write_yaml(to_plain(doc), spread=("cluster",))
