"""Registers the feature with Django."""

from django.apps import AppConfig


class RoomsConfig(AppConfig):
    """Live runs: clock, host, hub, socket, wire."""

    name = "playground.rooms"
