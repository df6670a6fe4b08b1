"""Registers the root of the site with Django."""

from django.apps import AppConfig


class PlaygroundConfig(AppConfig):
    """The app that holds the management commands."""

    name = "playground"
