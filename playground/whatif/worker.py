"""The duties of a worker process besides its tasks: say that it lives, and see that no experiment is forgotten.

When the worker starts, and every few seconds after, experiments that wait without a message or that were abandoned by a
dead worker get a message. (The queue itself forgets on restart and redelivers late: the rows are the truth.)
"""

import logging
import threading
import time
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError
from pyspark.sql import SparkSession

from playground.java import JavaProblem, java_home
from playground.supervisor.asking import SILENT_SECONDS_MAX
from playground.whatif import figures, leases, states
from playground.whatif.identity import own_name
from playground.whatif.limits import SWEEP_SECONDS
from playground.whatif.models import Experiment, State, WorkerBeat
from playground.whatif.pipeline import session

log = logging.getLogger(__name__)

NAME: Final = own_name()
RESEND_SECONDS: Final = 30.0
"""A message may wait behind two long experiments; another copy of it does no harm, since claiming is exclusive."""

NO_QUEUE: Final = (
    "The Redis-protocol server that carries tasks does not respond. `make run` replaces its own Valkey when that does "
    f"not answer for {SILENT_SECONDS_MAX:.0f} s; start a server of your own again. The experiment is kept, and begins "
    "by itself within a minute after that."
)

_sent: dict[str, float] = {}


def spark_session() -> SparkSession:
    """This process's Spark session. Raises SparkUnavailable with the cure."""
    try:
        home = java_home(settings.DATA_DIR / "java")
    except JavaProblem as problem:
        raise session.SparkUnavailable(str(problem)) from problem
    return session.start(settings.SPARK_MASTER, home, settings.DATA_DIR / "spark")


def start() -> None:
    """Begin to sweep; called once when the worker is ready."""
    threading.Thread(target=_sweep_forever, name="sweep", daemon=True).start()


def _sweep_forever() -> None:
    while True:
        try:
            sweep()
        except Exception:  # a database that is away for a moment must not end the sweeping
            log.exception("sweep failed; trying again")
            connection.close()  # kept open otherwise: to open one at each sweep was half of an idle worker's work
        time.sleep(SWEEP_SECONDS)


def sweep() -> None:
    """One round: close the cancels that nobody works on, send what nobody works on, give a sign of life."""
    now = timezone.now()
    left = leases.left(NAME)
    for experiment in Experiment.objects.filter(pk__in=list(left), state=State.CANCELLING):
        figures.save_last(experiment)
    states.close_left_cancels(left)
    waiting = Q(state=State.QUEUED) | Q(state=State.RUNNING, pk__in=list(left))
    problem = _send_all(Experiment.objects.filter(waiting).order_by("created").values_list("pk", flat=True))
    beat = {"seen": now, "problem": problem, "has_session": session.is_held()}
    if not WorkerBeat.objects.filter(name=NAME).update(**beat):
        WorkerBeat.objects.filter(seen__lt=now - timedelta(days=1)).delete()
        WorkerBeat.objects.create(name=NAME, **beat)


def _send_all(waiting: Iterable[str]) -> str:
    """A message for each of these experiments; what keeps them from going out, in words."""
    now = time.monotonic()
    for pk in [pk for pk, sent in _sent.items() if now - sent >= RESEND_SECONDS]:
        del _sent[pk]
    try:
        for pk in waiting:
            _send(pk)
    except OperationalError as away:
        log.warning("no message can be sent: %s", away)
        return NO_QUEUE
    return ""


def _send(pk: str) -> None:
    """A message with the id, not more often than `RESEND_SECONDS`. Raises kombu's OperationalError."""
    from playground.whatif.tasks import run_experiment  # tasks imports this module

    if time.monotonic() - _sent.get(pk, -RESEND_SECONDS) >= RESEND_SECONDS:
        run_experiment.apply_async((pk,), retry=False)
        _sent[pk] = time.monotonic()
