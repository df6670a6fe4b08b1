"""Strict-Transport-Security (HSTS) where the site is served by https: browsers then never ask it over plain http."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

HEADER: Final = "Strict-Transport-Security"
YEAR: Final = "max-age=31536000"


class StrictTransport(MiddlewareMixin):
    """The header on every answer to https, if HIGHWATER_ORIGINS names an https origin.

    A proxy that speaks https asks here over plain http. Its word for that (X-Forwarded-Proto) counts only if
    HIGHWATER_PROXIES names it; without it, the answers under the host of a named https origin carry the header.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if settings.IS_HTTPS and (request.is_secure() or is_https_host(request.META.get("HTTP_HOST", ""))):
            response.headers.setdefault(HEADER, YEAR)
        return response


def is_https_host(host: str) -> bool:
    """True if HIGHWATER_ORIGINS names this host (with its port) as an https origin."""
    return f"https://{host.lower()}" in settings.CSRF_TRUSTED_ORIGINS
