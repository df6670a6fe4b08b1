"""Sends an experiment's id to the workers. The row is the truth: a message that cannot be sent is made up for by the
worker, which looks for waiting rows itself.
"""

import logging

from kombu.exceptions import OperationalError

from playground.whatif.tasks import run_experiment

log = logging.getLogger(__name__)


def send(experiment_id: str) -> None:
    """One message with the id."""
    try:
        run_experiment.apply_async((experiment_id,), retry=False)
    except OperationalError as error:
        log.warning("no message for experiment %s: %s", experiment_id, error)
