"""Registers the feature with Django."""

from django.apps import AppConfig


class WhatIfConfig(AppConfig):
    """What-if experiments: taken by Celery, run by Spark."""

    name = "playground.whatif"
