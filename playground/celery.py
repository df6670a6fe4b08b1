"""The Celery app. The worker runs threads, not children: all tasks share one Spark session (one JVM)."""

import os
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")

app = Celery("playground")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def _say_ready(**_: Any) -> None:
    """Tell the supervisor, by the file it names, that tasks are taken from now on."""
    if name := os.environ.get("HIGHWATER_READY_FILE"):
        Path(name).touch()
