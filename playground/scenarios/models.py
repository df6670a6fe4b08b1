"""A saved document, the actions that were accepted on it, and the browsers that may act."""

from django.db import models

from playground.scenarios.ids import new_id
from playground.scenarios.limits import CHANGE_MAX, TITLE_MAX
from playground.scenarios.stored_json import (
    DAMAGED_LATER,
    DAMAGED_VERDICT,
    DocumentRow,
    StoredJson,
    StoredLaterActions,
    Verdict,
)


class Source(models.TextChoices):
    """The way in which a document came to be."""

    SANDBOX = "sandbox"
    UPLOAD = "upload"
    IMPORT = "import"
    FORK = "fork"
    SHARE = "share"
    CARRY_ON = "carry-on"
    WHAT_IF = "what-if"
    LIBRARY = "library"


class Scenario(models.Model):
    """One document under one link. ``body`` never changes; a document that is not frozen grows by ``Accepted`` rows.

    Times are simulated microseconds. ``digest`` and ``verdict`` are of the run up to ``moment_us``, as ``engine``
    computed it.
    """

    id = models.CharField(primary_key=True, max_length=16, default=new_id, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    touched = models.DateTimeField(auto_now=True, db_index=True)
    owner = models.CharField(max_length=64, db_index=True)
    address = models.CharField(max_length=64, blank=True)  # of its maker, as a key (client_address)
    edit_round = models.PositiveIntegerField(default=0)  # how often its edit link was replaced
    source = models.CharField(max_length=10, choices=Source.choices)
    title = models.CharField(max_length=TITLE_MAX)
    body = models.TextField()  # JSON of the document as it was given
    bytes = models.PositiveBigIntegerField(default=0)  # of the body
    # what lists say of it (documents.told_of); None: an earlier version, or damaged
    told = StoredJson(null=True, blank=True, shape=DocumentRow)

    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="branches")
    cut_us = models.BigIntegerField(null=True, blank=True)
    change = models.CharField(max_length=CHANGE_MAX, blank=True)

    # what a branch did with its parent's later actions (later.py)
    later = StoredJson(null=True, blank=True, shape=StoredLaterActions, damaged=DAMAGED_LATER)

    is_frozen = models.BooleanField(default=False)
    moment_us = models.BigIntegerField(default=0)
    profile = models.CharField(max_length=16)
    engine = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=16, blank=True)
    # of the run up to moment_us
    verdict = StoredJson(null=True, blank=True, shape=Verdict, damaged=DAMAGED_VERDICT)
    deleted = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Newest first."""

        ordering = ("-created",)
        indexes = [
            # a sum of bytes needs these columns only: it reads no row, so no body
            models.Index(fields=("owner", "deleted", "bytes"), name="scenario_bytes"),
            models.Index(fields=("address", "deleted", "bytes"), name="scenario_address_bytes"),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.title}"

    @property
    def is_deleted(self) -> bool:
        """True if its link answers 410."""
        return self.deleted is not None


class Accepted(models.Model):
    """A live action that was accepted: part of the document from the moment its row is stored."""

    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="accepted")
    number = models.PositiveIntegerField()
    at_us = models.BigIntegerField()
    do = models.CharField(max_length=2_000)
    nonce = models.CharField(max_length=40, null=True, blank=True)  # of the sender: an action sent twice counts once
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        """In the order of acceptance, which is the order of simulated time."""

        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=("scenario", "number"), name="accepted_once"),
            models.UniqueConstraint(fields=("scenario", "nonce"), name="accepted_one_nonce"),
        ]

    def __str__(self) -> str:
        return f"{self.scenario_id} {self.at_us} us {self.do}"


class Grant(models.Model):
    """A browser that opened the secret edit link of a document."""

    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="grants")
    browser = models.CharField(max_length=64)

    class Meta:
        """One row a browser."""

        constraints = [models.UniqueConstraint(fields=("scenario", "browser"), name="one_grant")]

    def __str__(self) -> str:
        return f"{self.scenario_id} {self.browser[:8]}"
