"""An experiment in the database: the row is the truth about its state, and a worker holds it by a lease.

States: queued, running, cancelling, and the final ones cancelled, failed, done; a row reaches exactly one of these,
since each step is one conditional update (`states.py`). Rows of runs are not kept here but as Parquet, a folder to an
experiment (`pipeline.results`).
"""

import secrets
import string
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from playground.scenarios.stored_json import StoredJson
from playground.whatif.pipeline.plan import ExperimentPlan

if TYPE_CHECKING:
    from playground.whatif.pipeline.results import Results

ID_LENGTH = 10
_ALPHABET = string.ascii_letters + string.digits


def new_id() -> str:
    """An unguessable id that stands in a link."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(ID_LENGTH))


class State(models.TextChoices):
    """The state of an experiment."""

    QUEUED = "queued"
    RUNNING = "running"
    CANCELLING = "cancelling"
    CANCELLED = "cancelled"
    FAILED = "failed"
    DONE = "done"


class Stage(models.TextChoices):
    """The stages of a running experiment; the page has a sentence for each."""

    RESULTS = "results"  # opens the place of its rows, and reads those that are kept
    SPARK = "spark"  # starts on this machine
    CLUSTER = "cluster"  # Spark starts here and connects to its master
    EXECUTORS = "executors"  # a cluster has given none
    ENGINE = "engine"  # the executors of a cluster fetch the engine, and no row has come back
    RUNS = "runs"
    SPACE = "space"  # waits for space on the disk
    STORAGE = "storage"  # waits until the database or the place of its rows responds
    FIGURES = "figures"  # of all rows


ACTIVE = (State.QUEUED, State.RUNNING, State.CANCELLING)
FINAL = (State.CANCELLED, State.FAILED, State.DONE)


class Experiment(models.Model):
    """One document under some variants and many seeds."""

    id = models.CharField(primary_key=True, max_length=16, default=new_id, editable=False)
    owner = models.CharField(max_length=64, db_index=True)
    address = models.CharField(max_length=64, blank=True)  # of the owner, as a key (client_address)
    document_id = models.CharField(max_length=64, blank=True)
    title = models.CharField(max_length=200)
    plan_text = models.TextField()
    outline = StoredJson(null=True, blank=True)  # of the plan, as pages draw it; None: an earlier version
    baseline = models.CharField(max_length=1)
    seeds_each = models.PositiveIntegerField()
    engine = models.CharField(max_length=64, blank=True)

    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED, db_index=True)
    stage = models.CharField(max_length=10, choices=Stage.choices, blank=True, default="")  # while it runs
    error = models.TextField(blank=True)
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True)
    finished = models.DateTimeField(null=True)
    ideal_seconds = models.FloatField(default=0)  # what was measured beforehand: runs alone, on all processes
    seconds_per_run = models.FloatField(default=0)  # measured beforehand, on one process
    master = models.CharField(max_length=200, blank=True, default="")  # the Spark master that computed it
    processes = models.PositiveIntegerField(default=0)  # the cores that it had there
    computed_seconds = models.FloatField(default=0)
    started_spark = models.BooleanField(default=False)  # its worker had no session yet: the start took longer
    runs_done = models.PositiveIntegerField(default=0)
    result = StoredJson(null=True)

    lease_owner = models.CharField(max_length=80, blank=True)
    lease_beats = models.PositiveBigIntegerField(default=0)  # renewals: what the lease is judged by (leases)
    lease_renewed = models.DateTimeField(null=True)  # for the page's words only
    claims = models.PositiveIntegerField(default=0)
    turn = models.PositiveBigIntegerField(default=0)  # when it got or left its place, as a count; 0: has not begun

    class Meta:
        """Newest first."""

        ordering = ("-created",)

    def __str__(self) -> str:
        return f"{self.id} {self.title} ({self.state})"

    @property
    def plan(self) -> ExperimentPlan:
        """The plan to run, for the worker. Raises DocumentError where the stored plan is damaged."""
        return ExperimentPlan.from_json(self.plan_text)

    @property
    def drawn(self) -> ExperimentPlan:
        """The plan with title and version of its document only, for pages: see ``outlines``."""
        assert self.outline is not None, "an experiment is drawn once its outline is known"
        return ExperimentPlan.of_outline(self.outline)

    @property
    def results(self) -> "Results":
        """Its rows. Raises ResultsProblem where these cannot be reached."""
        from playground.whatif.pipeline.results import Results  # loads Arrow: not every process reads rows

        return Results(settings.RESULTS_URL, self.id)

    @property
    def is_active(self) -> bool:
        """True if it waits or runs."""
        return self.state in ACTIVE


class ShardLog(models.Model):
    """The log of shards, with worker and time: one line each time a worker starts a shard."""

    experiment = models.ForeignKey(Experiment, on_delete=models.CASCADE, related_name="shard_log")
    shard = models.PositiveIntegerField()
    worker = models.CharField(max_length=80)
    started = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True)

    class Meta:
        """In the order of computing."""

        ordering = ("pk",)


class Replay(models.Model):
    """The stored document of one run that somebody opened."""

    experiment = models.ForeignKey(Experiment, on_delete=models.CASCADE, related_name="replays")
    variant = models.CharField(max_length=1)
    seed = models.BigIntegerField()
    document_id = models.CharField(max_length=64)

    class Meta:
        """One document to a run."""

        constraints = (models.UniqueConstraint(fields=("experiment", "variant", "seed"), name="one_replay_a_run"),)


class WorkerBeat(models.Model):
    """A worker's sign of life, and what keeps it from working, if anything."""

    name = models.CharField(primary_key=True, max_length=80)
    seen = models.DateTimeField()
    problem = models.TextField(blank=True)
    has_session = models.BooleanField(default=False)  # of Spark: its next experiment does not start one
