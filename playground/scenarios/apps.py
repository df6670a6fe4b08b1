"""Registers the feature with Django."""

from django.apps import AppConfig


class ScenariosConfig(AppConfig):
    """Saved documents: links, forks, lineage, export."""

    name = "playground.scenarios"
