"""The pages that may open a socket here: our own, by scheme, host and port, and those that HIGHWATER_ORIGINS names.

A browser sends our cookies along with a socket whatever page opens it, and cookies know no ports: any other page on
this machine would act in its visitor's name. The rule is the one that Django holds for POSTs (CSRF_TRUSTED_ORIGINS).
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from django.conf import settings
from django.http.request import split_domain_port, validate_host

Scope = dict[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]

SCHEMES: Final = {"ws": "http", "wss": "https"}
CLOSE_POLICY: Final = 1008


class OwnOriginOnly:
    """A socket application that refuses (HTTP 403) whoever comes from a page of somebody else."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Hand a socket of our own pages on."""
        headers = dict(scope["headers"])
        origin, host = (headers.get(name, b"").decode("latin-1") for name in (b"origin", b"host"))
        if is_ours(origin, f"{SCHEMES.get(scope.get('scheme', 'ws'))}://{host}", settings.CSRF_TRUSTED_ORIGINS):
            await self.application(scope, receive, send)
            return
        await receive()  # the request to connect
        await send({"type": "websocket.close", "code": CLOSE_POLICY})


async def no_such_socket(scope: Scope, receive: Any, send: Any) -> None:
    """Refuses (HTTP 403) a socket at an address that is none."""
    await receive()  # the request to connect
    await send({"type": "websocket.close", "code": CLOSE_POLICY})


def is_ours(origin: str, here: str, trusted: Iterable[str]) -> bool:
    """True if a page of ``origin`` is one of ours; ``here`` is the origin under which this request came."""
    if origin in trusted:
        return True
    domain, _ = split_domain_port(here.partition("://")[2])
    return origin == here and bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
