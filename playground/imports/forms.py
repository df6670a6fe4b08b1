"""Reads the requests of the import page: the text, the edited assumptions, the AZs of brokers and controllers."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from simengine.importers.named_azs import WrongName, az_by_id
from simengine.importers.sites import BETWEEN_MS, SitesError, between_ms, check_names


class WrongRequest(ValueError):
    """The request is not one of the page's; the message may be shown."""


@dataclass(frozen=True, slots=True)
class PastedText:
    """A text with what the user set beside it."""

    text: str
    assumed: dict[str, Any] = field(default_factory=dict)
    racks: dict[int, str] = field(default_factory=dict)
    controllers: dict[int, str] | None = None  # all of them with their AZs; None: as the paste has them

    def without(self, refused: Iterable[str]) -> "PastedText":
        """The same without some of the assumptions."""
        return replace(self, assumed={key: value for key, value in self.assumed.items() if key not in refused})


def read(body: bytes) -> PastedText:
    """The request's JSON: {text, assumed, racks, controllers}. Raises WrongRequest."""
    return _pasted(sent_map(body))


@dataclass(frozen=True, slots=True)
class PastedSites:
    """Several pastes by the names of their sites, or one without a name; how far two sites are apart.

    ``mirrors``: the text of MirrorMaker's configuration; "" without one.
    """

    pastes: dict[str, PastedText]
    between_ms: float = BETWEEN_MS
    mirrors: str = ""


def read_sites(body: bytes) -> PastedSites:
    """The request's JSON: of one paste, or {sites: [{name, text, …}], between_ms, mirrors}. Raises WrongRequest."""
    sent = sent_map(body)
    sites, mirrors = sent.get("sites"), sent.get("mirrors", "")
    if sites is None:
        return PastedSites({"": _pasted(sent)})
    if not isinstance(sites, list) or not all(isinstance(one, dict) for one in sites):
        raise WrongRequest("sites is a list of maps.")
    if not isinstance(mirrors, str):
        raise WrongRequest("mirrors is the text of MirrorMaker's configuration.")
    names = [str(one.get("name")) for one in sites]
    try:
        check_names(names)
        latency = between_ms(sent.get("between_ms", BETWEEN_MS))
    except SitesError as wrong:
        raise WrongRequest(str(wrong)) from None
    return PastedSites({name: _pasted(one) for name, one in zip(names, sites, strict=True)}, latency, mirrors)


def _pasted(sent: dict[str, Any]) -> PastedText:
    text = sent.get("text")
    if not isinstance(text, str):
        raise WrongRequest("The request holds no text.")
    assumed, racks, controllers = sent.get("assumed", {}), sent.get("racks", {}), sent.get("controllers")
    if not isinstance(assumed, dict) or not isinstance(racks, dict) or not isinstance(controllers, dict | None):
        raise WrongRequest("assumed, racks and controllers are maps.")
    try:
        placed = None if controllers is None else az_by_id("controllers", "controller", controllers)
        return PastedText(text, assumed, az_by_id("racks", "broker", racks), placed)
    except WrongName as wrong:
        raise WrongRequest(str(wrong)) from None


def sent_map(body: bytes) -> dict[str, Any]:
    """A request's JSON, which is a map. Raises WrongRequest."""
    try:
        sent: Any = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise WrongRequest("The request is not JSON.") from None
    if not isinstance(sent, dict):
        raise WrongRequest("The request is no map.")
    return sent
