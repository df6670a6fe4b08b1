"""The ASGI application: pages by Django, websockets by Channels, only from our own Origin and with their cookies.

The pages are loaded here too: Django itself would load them while the first visitor waits.
A socket reads the session once, when it opens: Channels' session middleware would look at it again at every frame sent.
"""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
_pages = get_asgi_application()  # sets Django up: the imports below need its apps

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.urls import re_path  # noqa: E402

import playground.urls  # noqa: E402, F401
from playground.body_limit import BodyLimit  # noqa: E402
from playground.origins import OwnOriginOnly, no_such_socket  # noqa: E402
from playground.rooms.routing import websocket_urlpatterns  # noqa: E402

_elsewhere = re_path("", no_such_socket)  # type: ignore[arg-type]  # Django's types know views only
application = ProtocolTypeRouter(
    {
        "http": BodyLimit(_pages),
        "websocket": OwnOriginOnly(CookieMiddleware(URLRouter([*websocket_urlpatterns, _elsewhere]))),
    }
)
