"""Websocket routes of live rooms, from the root of the site."""

from django.urls import URLPattern, URLResolver

websocket_urlpatterns: list[URLPattern | URLResolver] = []
