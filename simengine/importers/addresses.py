"""Leaders that a tool names by host and port. Their ids follow from the rows: a leader is in each ISR that it leads."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from simengine.importers.model import PastedPartition
from simengine.importers.text import Paste

LINE_CHARS_MAX: Final = 1_000
_ADDRESS: Final = re.compile(r"[\w.-]{1,253}:\d{1,5}$")


_KNOWN: Final = (
    re.compile(r"^\W{0,9}(?P<id>\d{1,10})\*?\s+(?P<at>[\w.-]{1,253}:\d{1,5})(?:\s|$)"),
    re.compile(r"^\W{0,9}(?P<id>\d{1,10})\*?\s+(?P<host>[\w.-]{1,253})\s+(?P<port>\d{1,5})(?:\s|$)"),
    re.compile(r"(?P<at>[\w.-]{1,253}:\d{1,5}) \(id: (?P<id>\d{1,10}) "),
    re.compile(r"\bbroker (?P<id>\d{1,10}) at (?P<at>[\w.-]{1,253}:\d{1,5})"),
)  # as kafkactl, kaf, list-endpoints, kafka-broker-api-versions.sh and kcat print them


def known(paste: Paste) -> dict[str, int]:
    """The ids of the brokers whose addresses any output of the paste tells, by address."""
    found: dict[str, int] = {}
    for line in paste.lines:
        for pattern in _KNOWN:
            match = pattern.search(line.text[:LINE_CHARS_MAX])
            if match:
                parts = match.groupdict()
                found[parts.get("at") or f"{parts['host']}:{parts['port']}"] = int(match["id"])
    return found


def is_address(value: object) -> bool:
    """True for ``host:port``."""
    return isinstance(value, str) and _ADDRESS.match(value) is not None


def led(
    rows: list[tuple[str, PastedPartition]], warn: Callable[[str], None], ids: Mapping[str, int]
) -> list[PastedPartition]:
    """The rows with the ids of their leaders.

    Beside each row: the address of its leader, "" where it has the id. ``ids``: those that are known, by address.
    """
    led_by: dict[str, list[PastedPartition]] = {}
    for address, row in rows:
        if address and row.isr:
            led_by.setdefault(address, []).append(row)
    leaders = {address: [ids[address]] if address in ids else _leaders(mine) for address, mine in led_by.items()}
    guessed = [f"{address} ({found[0]})" for address, found in leaders.items() if len(found) > 1]
    if guessed:
        warn(
            f"Leaders are named by their addresses: {', '.join(guessed)}. Several brokers fit, and the id in brackets "
            "is taken for it. Paste the list of brokers with their ids, or kafka-topics.sh --describe."
        )
    return [
        replace(row, leader=next((one for one in leaders[address] if one in row.isr), row.isr[0]))
        if address in leaders and row.isr
        else row
        for address, row in rows
    ]


def _leaders(rows: list[PastedPartition]) -> list[int]:
    """The brokers that can have led all of the rows, the likeliest first: the first replica of most of them."""
    able = [broker for broker in rows[0].isr if all(broker in row.isr for row in rows)]
    return sorted(able or rows[0].isr, key=lambda broker: -sum(row.replicas[0] == broker for row in rows))
