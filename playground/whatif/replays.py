"""Turns a row into a stored document whose run has the row's verdict and digest."""

import copy
import json

import pyarrow as pa
import pyarrow.compute as pc
from django.db import transaction

from playground.scenarios import store
from playground.scenarios.models import Scenario, Source
from playground.scenarios.owner import Maker
from playground.whatif.models import Experiment, Replay
from playground.whatif.pipeline.axes import document_of, words
from playground.whatif.pipeline.fault import fault_words
from playground.whatif.pipeline.plan import Json, Plan
from simengine.scenario.durations import format_duration

ABOUT = (
    "One run of the experiment \N{LEFT DOUBLE QUOTATION MARK}{experiment}\N{RIGHT DOUBLE QUOTATION MARK}: {told}. "
    "What is drawn at random comes from the seed, and is not in the timeline."
)
BEFORE_US = 500_000
"""A replay opens this long before the event that decided it."""


def open_replay(
    experiment: Experiment, letter: str, seed: int, table: pa.Table, address: str = ""
) -> tuple[str, int] | None:
    """Id of the stored document of a run and the moment to open it at; None if the run is not among the rows.

    The same run is stored once, for the owner of the experiment, whoever opens it first; it counts for the
    ``address`` that it was opened from. Raises DocumentError or
    StoreFull.
    """
    row = find_row(table, letter, seed)
    if row is None:
        return None
    moment_us = max(0, (row["deciding_us"] or row["horizon_us"]) - BEFORE_US)
    known = Replay.objects.filter(experiment=experiment, variant=letter, seed=seed).first()
    if known is not None and Scenario.objects.filter(pk=known.document_id, deleted=None).exists():
        return known.document_id, moment_us
    with transaction.atomic():
        scenario = _store(experiment, letter, seed, row, moment_us, address)
        Replay.objects.update_or_create(
            experiment=experiment, variant=letter, seed=seed, defaults={"document_id": scenario.pk}
        )
    return scenario.pk, moment_us


def find_row(table: pa.Table, letter: str, seed: int) -> Json | None:
    """The finished row of a variant and seed."""
    same = pc.and_(pc.equal(table["variant"], letter), pc.equal(table["seed"], seed))
    found = table.filter(pc.and_(same, pc.is_null(table["error"]))).slice(0, 1).to_pylist()
    return found[0] if found else None


def replay_document(experiment: Experiment, row: Json) -> Json:
    """The document of a row: its variant and seed, closed as the run was."""
    plan = experiment.plan
    variant = plan.variant(row["variant"])
    document = document_of(plan, variant, row["seed"])
    document["title"] = f"{experiment.title}: {told(plan, row['variant'], row['seed'])}"[:200]
    document["about"] = ABOUT.format(told=told(plan, row["variant"], row["seed"]), experiment=experiment.title)
    whole = closed(document, row["ending"], row["end_us"])
    whole["captions"] = [{"at": whole["until"], "kind": "outcome", "text": row["sentence"]}]
    return whole


def told(plan: Plan, letter: str, seed: int) -> str:
    """A run of an experiment by all its settings and its seed."""
    variant = plan.variant(letter)
    parts = list(filter(None, words(plan, variant)))
    fault = variant.settings.get("fault")
    if fault is not None and fault["kind"] != "as-is" and fault_words(fault) not in ", ".join(parts):
        parts.append(fault_words(fault))
    return ", ".join([*parts, f"seed {seed}"])


def closed(document: Json, ending: list[str], end_us: int) -> Json:
    """The document of a finished run: with its closing actions in the timeline and its end as `until`."""
    whole = copy.deepcopy(document)
    for line in ending:
        at_us, _, action = line.partition(" ")
        whole["timeline"].append({"at": format_duration(int(at_us)), "do": action})
    whole["until"] = format_duration(end_us)
    return whole


def _store(experiment: Experiment, letter: str, seed: int, row: Json, moment_us: int, address: str) -> Scenario:
    parent = Scenario.objects.filter(pk=experiment.document_id, deleted=None).first()
    scenario = store.create(
        replay_document(experiment, row),
        by=Maker(experiment.owner, address),
        origin=Source.WHAT_IF,
        parent=parent,
        change=f"what-if: {told(experiment.plan, letter, seed)}",
        moment_us=moment_us,
    )
    scenario.is_frozen = True
    scenario.save(update_fields=["is_frozen"])
    return scenario


def verdict_of(row: Json) -> Json:
    """The whole verdict of a row."""
    verdict: Json = json.loads(row["verdict"])
    return verdict
