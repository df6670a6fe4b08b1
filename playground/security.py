"""The strict Content-Security-Policy on every response: it limits what a page of ours may load.

Scripts, styles, pictures and sockets come from our own origin. The one inline script a page needs, its import map,
carries the request's nonce (`{{ request.csp_nonce }}` in a template). Inline `style` attributes in HTML are refused.
"""

import secrets
from base64 import b64encode
from collections.abc import Awaitable, Callable
from hashlib import sha256

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

HEADER = "Content-Security-Policy"
NONCE_BYTES = 16


def policy(nonce: str, frames: str = "'none'") -> str:
    """The policy of one answer: `nonce` admits its import map, `frames` says which pages may hold it in a frame."""
    return (
        "default-src 'none'; "
        f"script-src 'self' 'nonce-{nonce}'; "
        "style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
        f"manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors {frames}"
    )


def hash_of(style: str) -> str:
    """The place of an inline style in a policy."""
    return f"sha256-{b64encode(sha256(style.encode()).digest()).decode()}"


def _start(request: HttpRequest) -> str:
    nonce = secrets.token_urlsafe(NONCE_BYTES)
    request.csp_nonce = nonce  # type: ignore[attr-defined]  # read by templates
    return nonce


Sync = Callable[[HttpRequest], HttpResponseBase]
Async = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def content_security_policy(get_response: Sync | Async) -> Sync | Async:
    """Middleware: a nonce for each request, the policy on each answer."""
    if iscoroutinefunction(get_response):
        return _async_policy(get_response)
    return _sync_policy(get_response)  # type: ignore[arg-type]  # the branch above took the coroutine functions


def _async_policy(get_response: Async) -> Async:
    async def middleware(request: HttpRequest) -> HttpResponseBase:
        nonce = _start(request)
        response = await get_response(request)
        response.headers.setdefault(HEADER, policy(nonce))
        return response

    return middleware


def _sync_policy(get_response: Sync) -> Sync:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        nonce = _start(request)
        response = get_response(request)
        response.headers.setdefault(HEADER, policy(nonce))
        return response

    return middleware
