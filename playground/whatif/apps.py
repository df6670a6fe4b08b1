"""Registers the feature with Django."""

from django.apps import AppConfig


class WhatIfConfig(AppConfig):
    """The app of what-if experiments: Celery takes them, Spark runs them."""

    name = "playground.whatif"
