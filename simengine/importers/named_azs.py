"""Names of AZs and nodes by AZ, as somebody sends them: read with care."""

from typing import Any, Final

from simengine.scenario.arguments import WORD

AZ_NAME_MAX: Final = 60  # characters; a longer name is a slip, and no table could show it
_DIGITS_MAX: Final = 10


class WrongName(ValueError):
    """A name or an id is none; the message may be shown."""


def az_by_id(key: str, node: str, sent: dict[str, Any]) -> dict[int, str]:
    """Ids of nodes with the names of their AZs, "" for none. Raises WrongName; ``key`` names the map."""
    found: dict[int, str] = {}
    for number, rack in sent.items():
        if not (number.isascii() and number.isdigit()) or len(number) > _DIGITS_MAX or not isinstance(rack, str | None):
            raise WrongName(f"{key} has {number!r}: {rack!r}; allowed is a {node} id with the name of an AZ.")
        found[int(number)] = az_name(rack) if rack else ""
    return found


def az_name(name: str) -> str:
    """A name of an AZ. Raises WrongName."""
    if len(name) > AZ_NAME_MAX:
        raise WrongName(f"The name of an AZ has {len(name)} characters; the limit is {AZ_NAME_MAX}.")
    if not WORD.fullmatch(name) or name.isdigit():
        raise WrongName(f"{name!r} is no name of an AZ: no blanks, no commas, no | and >, not a number alone.")
    return name
