"""Registers the feature with Django."""

from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """The paste dialog: text of a real cluster becomes a scenario document."""

    name = "playground.imports"
