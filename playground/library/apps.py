"""Registers the feature with Django."""

from django.apps import AppConfig


class LibraryConfig(AppConfig):
    """Lessons, named questions and the gallery."""

    name = "playground.library"
