"""The address of the client, by which limits count those who keep no cookie. An IPv6 client is its /64 network."""

import ipaddress
from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

IPV6_PREFIX: Final = 64  # one subscriber has at least so many addresses
SALT: Final = "highwater.address"


def of_request(request: HttpRequest) -> str:
    """The address that a request came from, "" if it is not known."""
    return grouped(str(request.META.get("REMOTE_ADDR") or ""))


def of_scope(scope: Mapping[str, Any]) -> str:
    """The address that a websocket came from, "" if it is not known."""
    client = scope.get("client")
    return grouped(str(client[0])) if client else ""


def stored_key(request: HttpRequest) -> str:
    """The address of a request as it stands in rows: 64 hex digits that do not tell it."""
    return salted_hmac(SALT, of_request(request), algorithm="sha256").hexdigest()


def grouped(text: str) -> str:
    """An address as limits count it: an IPv6 address as its network."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), IPV6_PREFIX), strict=False))
