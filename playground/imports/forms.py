"""What the import page sends, read with care: the text, the edited assumptions, the racks by broker."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from simengine.importers import limits
from simengine.scenario.actions import WORD

BODY_MAX = 2 * limits.BYTES_MAX  # JSON escapes make a text longer, never more than this for what people paste


class WrongRequest(ValueError):
    """The request is not one of the page's; the message may be shown."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text with what the user set beside it."""

    text: str
    assumed: dict[str, Any] = field(default_factory=dict)
    racks: dict[int, str] = field(default_factory=dict)

    def without(self, refused: Iterable[str]) -> "Pasted":
        """The same without some of the assumptions."""
        return replace(self, assumed={key: value for key, value in self.assumed.items() if key not in refused})


def read(body: bytes) -> Pasted:
    """The request's JSON: {text, assumed, racks}. Raises WrongRequest."""
    if len(body) > BODY_MAX:
        raise WrongRequest(f"The request has {len(body):,} bytes; the limit is {BODY_MAX:,}. Paste fewer topics.")
    try:
        sent: Any = json.loads(body)
    except (ValueError, RecursionError):
        raise WrongRequest("The request is not JSON.") from None
    text = sent.get("text") if isinstance(sent, dict) else None
    if not isinstance(text, str):
        raise WrongRequest("The request holds no text.")
    assumed, racks = sent.get("assumed", {}), sent.get("racks", {})
    if not isinstance(assumed, dict) or not isinstance(racks, dict):
        raise WrongRequest("assumed and racks are maps.")
    return Pasted(text, assumed, _racks(racks))


def _racks(sent: dict[str, Any]) -> dict[int, str]:
    found: dict[int, str] = {}
    for broker, rack in sent.items():
        if not (broker.isascii() and broker.isdigit()) or not isinstance(rack, str):
            raise WrongRequest(f"racks has {broker!r}: {rack!r}; allowed is a broker id with the name of an AZ.")
        if rack and (not WORD.fullmatch(rack) or rack.isdigit()):
            raise WrongRequest(f"{rack!r} is no name of an AZ: no blanks, no commas, not a number alone.")
        if rack:
            found[int(broker)] = rack
    return found
