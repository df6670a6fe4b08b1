"""The way out: a document as canonical plain data, JSON and YAML. ``load(dump_yaml(d)) == d``, also for JSON."""

import json
from typing import Any, Final

import yaml

from simengine.scenario.model import Document
from simengine.scenario.yaml_scalars import SCALARS

ALWAYS: Final = (
    "format",
    "title",
    "profile",
    "seed",
    "until",
)  # written even where they are the default
YAML_WIDTH: Final = 110


def to_plain(doc: Document) -> dict[str, Any]:
    """The document as lists, maps, texts, numbers and booleans, in a fixed order; defaults are left out."""
    full = doc.model_dump(mode="json", by_alias=True)
    short = doc.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    plain = {key: short.get(key, full[key]) for key in full if key in short or key in ALWAYS}
    cluster = plain["cluster"]
    for key in ("brokers", "controllers"):
        cluster[key] = [node["id"] if len(node) == 1 else node for node in cluster[key]]
    return plain


def to_json(doc: Document, indent: int | None = None) -> str:
    """Canonical JSON."""
    separators = None if indent else (",", ":")
    return json.dumps(to_plain(doc), ensure_ascii=False, indent=indent, separators=separators)


class _Dumper(yaml.SafeDumper):
    """YAML as people write it: short maps and lists on one line, long texts in blocks."""

    def ignore_aliases(self, data: Any) -> bool:
        """Equal parts are written out each time."""
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text.strip() else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _is_short(data: Any) -> bool:
    return len(json.dumps(data, ensure_ascii=False)) <= YAML_WIDTH - 10


def _represent_map(dumper: yaml.SafeDumper, data: dict[Any, Any]) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=_is_short(data))


def _represent_list(dumper: yaml.SafeDumper, data: list[Any]) -> yaml.Node:
    flat = all(not isinstance(item, dict) for item in data)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=flat and _is_short(data))


# a text that either version of YAML would take for something else is quoted
for _tag, _pattern, _first in SCALARS:
    _Dumper.add_implicit_resolver(_tag, _pattern, list(_first))
_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(dict, _represent_map)
_Dumper.add_representer(list, _represent_list)


def to_yaml(doc: Document) -> str:
    """Canonical YAML: a key of the document or an entry of its lists on each line, where that is short enough."""
    plain = to_plain(doc)
    plain["cluster"] = _Block(plain["cluster"])
    return str(yaml.dump(_Block(plain), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=YAML_WIDTH))


class _Block(dict[Any, Any]):
    """A map that is written over several lines however short it is."""


def _represent_block(dumper: yaml.SafeDumper, data: _Block) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=False)


_Dumper.add_representer(_Block, _represent_block)
