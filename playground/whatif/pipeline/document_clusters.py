"""The clusters of a plain document: its only one, or several by name. Names say their cluster: ``east/orders``."""

from typing import Any

Json = dict[str, Any]


def parts_of(document: Json) -> list[tuple[str, Json]]:
    """Each cluster's part of a document after what stands before its names: "", or ``east/``."""
    clusters: dict[str, Json] = document.get("clusters") or {}
    return [(f"{name}/", part) for name, part in clusters.items()] or [("", document)]


def topics_of(document: Json) -> list[tuple[str, Json]]:
    """The topics of all clusters by their names."""
    return [
        (prefix + topic["name"], topic) for prefix, part in parts_of(document) for topic in part.get("topics") or []
    ]


def broker_names(document: Json) -> list[str]:
    """The brokers as actions name them: ``2``, ``east/2``."""
    return [f"{prefix}{_id(node)}" for prefix, part in parts_of(document) for node in part["cluster"]["brokers"]]


def racks_of(document: Json) -> list[str]:
    """The racks of the brokers as actions name them, in their order."""
    named = [
        prefix + node["rack"]
        for prefix, part in parts_of(document)
        for node in part["cluster"]["brokers"]
        if isinstance(node, dict) and node.get("rack")
    ]
    return list(dict.fromkeys(named))


def _id(node: Json | int) -> int:
    return int(node["id"]) if isinstance(node, dict) else node


def node_names(document: Json, one: str) -> list[str]:
    """The brokers and controllers of the cluster of a node or rack, without those of the rack."""
    prefix, part = next((p, q) for p, q in parts_of(document) if one.startswith(p))
    nodes = [*part["cluster"]["brokers"], *part["cluster"].get("controllers", ())]
    return [f"{prefix}{_id(node)}" for node in nodes if prefix + str(_rack(node)) != one]


def _rack(node: Json | int) -> str:
    return str(node.get("rack") or "") if isinstance(node, dict) else ""
