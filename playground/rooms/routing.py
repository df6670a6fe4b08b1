"""Websocket routes of live rooms, from the root of the site."""

from django.urls import URLPattern, URLResolver, path

from playground.rooms.socket import RoomSocket

websocket_urlpatterns: list[URLPattern | URLResolver] = [
    path("ws/room/<str:room>", RoomSocket.as_asgi()),
]
