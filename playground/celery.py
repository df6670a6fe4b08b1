"""The Celery app. The worker runs threads, not children: all tasks share one Spark session (one JVM)."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

from playground.supervisor.answering import answer_from_now_on

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")

app = Celery("playground")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def _answer_the_supervisor(**_: Any) -> None:
    """Tell the supervisor that tasks are taken from now on."""
    answer_from_now_on()
