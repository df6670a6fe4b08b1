"""Documents as earlier versions wrote them, brought to today's form before they are checked."""

from typing import Any


def with_shared_processes(document: dict[str, Any]) -> dict[str, Any]:
    """A document whose ``basis`` lists the controllers in brokers' processes, with that said by the controllers.

    A controller that stood otherwise than its broker at the start stays in a process of its own, as it was run.
    """
    basis, cluster = document.get("basis"), document.get("cluster")
    if not isinstance(basis, dict) or not isinstance(basis.get("combined"), dict):
        return document
    if not isinstance(cluster, dict) or not all(
        isinstance(cluster.get(key), list) for key in ("brokers", "controllers")
    ):
        return document
    homes = {str(controller): broker for controller, broker in basis["combined"].items()}
    brokers = {str(node.get("id")): node for node in _nodes(cluster["brokers"])}
    controllers = [
        _shared(node, brokers.get(str(homes.get(str(node.get("id")))))) for node in _nodes(cluster["controllers"])
    ]
    rest = {key: basis[key] for key in basis if key != "combined"}
    return {**document, "basis": rest, "cluster": {**cluster, "controllers": controllers}}


def with_text_profile(part: Any) -> Any:
    """A part with the version as a text: YAML reads an unquoted 4.2 as a number."""
    if isinstance(part, dict) and isinstance(part.get("profile"), float):
        return {**part, "profile": str(part["profile"])}
    return part


def _nodes(entries: list[Any]) -> list[dict[str, Any]]:
    """Brokers or controllers as maps; one may be written as its id alone."""
    return [entry if isinstance(entry, dict) else {"id": entry} for entry in entries]


def _shared(controller: dict[str, Any], broker: dict[str, Any] | None) -> dict[str, Any]:
    if broker is None or controller.get("rack") != broker.get("rack"):
        return controller
    if (controller.get("state") == "down") != (broker.get("state") == "down"):
        return controller
    return {**controller, "broker": broker["id"]}
