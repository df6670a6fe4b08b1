"""Stores the document of a row of an experiment, which is opened as a run."""

import json

from asgiref.sync import sync_to_async
from django.db import transaction

from playground.engine.turns import Holder
from playground.scenarios import outside, store
from playground.scenarios.documents import CheckedDocument
from playground.scenarios.models import Scenario, Source
from playground.scenarios.owner import Maker
from playground.whatif import outlines, work
from playground.whatif.models import Experiment, Replay
from playground.whatif.pipeline.plan import Json
from playground.whatif.replay_document import told

BEFORE_US = 500_000
"""A replay opens this long before the event that decided it."""


async def open_replay(experiment: Experiment, row: Json, asker: Holder, address: str = "") -> tuple[str, int]:
    """Id of the stored document of a row's run and the moment to open it at.

    The same run is stored once, for the owner of the experiment, whoever opens it first; it counts for the
    ``address`` that it was opened from. Raises DocumentError, NotAnswered or StoreFull.
    """
    moment_us = max(0, (row["deciding_us"] or row["horizon_us"]) - BEFORE_US)
    known = await sync_to_async(_known)(experiment, row)
    if known:
        return known, moment_us
    question = work.replayed.question(await outlines.plan_text(experiment), experiment.title, json.dumps(row))
    checked = CheckedDocument(**await outside.answer(question, asker))
    stored = await sync_to_async(_store)(experiment, row, checked, moment_us, address)
    return stored.pk, moment_us


def find_row(experiment: Experiment, letter: str, seed: int) -> Json | None:
    """The finished row of a variant and seed."""
    index = experiment.drawn.index(letter, seed)
    row = None if index is None else experiment.results.row(index)
    return None if row is None or row["error"] is not None else row


def _known(experiment: Experiment, row: Json) -> str:
    """The document of a row that was opened before, "" where it was not or is deleted."""
    known = Replay.objects.filter(experiment=experiment, variant=row["variant"], seed=row["seed"]).first()
    is_there = known is not None and Scenario.objects.filter(pk=known.document_id, deleted=None).exists()
    return known.document_id if known is not None and is_there else ""


@transaction.atomic
def _store(experiment: Experiment, row: Json, checked: CheckedDocument, moment_us: int, address: str) -> Scenario:
    letter, seed = row["variant"], row["seed"]
    scenario = store.create(
        checked,
        by=Maker(experiment.owner, address),
        origin=Source.WHAT_IF,
        parent=Scenario.objects.filter(pk=experiment.document_id, deleted=None).first(),
        change=f"what-if: {told(experiment.drawn, letter, seed)}",
        moment_us=moment_us,
    )
    scenario.is_frozen = True
    scenario.save(update_fields=["is_frozen"])
    Replay.objects.update_or_create(
        experiment=experiment, variant=letter, seed=seed, defaults={"document_id": scenario.pk}
    )
    return scenario
