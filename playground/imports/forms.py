"""What the import page sends, read with care: the text, the edited assumptions, the AZs of brokers and controllers."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from simengine.importers import limits
from simengine.importers.az_names import WrongName, az_by_id

BODY_MAX = 2 * limits.BYTES_MAX  # JSON escapes make a text longer, never more than this for what people paste


class WrongRequest(ValueError):
    """The request is not one of the page's; the message may be shown."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text with what the user set beside it."""

    text: str
    assumed: dict[str, Any] = field(default_factory=dict)
    racks: dict[int, str] = field(default_factory=dict)
    controllers: dict[int, str] | None = None  # all of them with their AZs; None: as the paste has them

    def without(self, refused: Iterable[str]) -> "Pasted":
        """The same without some of the assumptions."""
        return replace(self, assumed={key: value for key, value in self.assumed.items() if key not in refused})


def read(body: bytes) -> Pasted:
    """The request's JSON: {text, assumed, racks, controllers}. Raises WrongRequest."""
    sent = sent_map(body)
    text = sent.get("text")
    if not isinstance(text, str):
        raise WrongRequest("The request holds no text.")
    assumed, racks, controllers = sent.get("assumed", {}), sent.get("racks", {}), sent.get("controllers")
    if not isinstance(assumed, dict) or not isinstance(racks, dict) or not isinstance(controllers, dict | None):
        raise WrongRequest("assumed, racks and controllers are maps.")
    try:
        placed = None if controllers is None else az_by_id("controllers", "controller", controllers)
        return Pasted(text, assumed, az_by_id("racks", "broker", racks), placed)
    except WrongName as wrong:
        raise WrongRequest(str(wrong)) from None


def sent_map(body: bytes) -> dict[str, Any]:
    """A request's JSON, which is a map. Raises WrongRequest."""
    if len(body) > BODY_MAX:
        raise WrongRequest(f"The request has {len(body):,} bytes; the limit is {BODY_MAX:,}. Paste fewer topics.")
    try:
        sent: Any = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise WrongRequest("The request is not JSON.") from None
    if not isinstance(sent, dict):
        raise WrongRequest("The request is no map.")
    return sent
