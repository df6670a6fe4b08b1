"""The checked documents of a task's runs: what the runs of one variant share is read and checked once.

The seeds of a variant differ in the moments of its actions at most (a rack dies at a moment of the seed).
"""

from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.plan import ExperimentPlan, Json
from playground.whatif.pipeline.topic_groups import topic_groups
from simengine.scenario import load
from simengine.scenario.model import Document, TimelineEntry


class CheckedDocuments:
    """The documents of one plan's runs."""

    def __init__(self, plan: ExperimentPlan) -> None:
        self._plan = plan
        self._groups: dict[str, list[str]] | None = None
        self._read: dict[str, tuple[Json, Document]] = {}  # by variant: the newest that was read

    @property
    def groups(self) -> dict[str, list[str]]:
        """The topics of the plan by their replication in the run (`topic_groups`)."""
        if self._groups is None:
            self._groups = topic_groups(load(self._plan.document), self._plan.topics)
        return self._groups

    def of(self, index: int) -> Document:
        """The document of run ``index``. Raises DocumentError for a wrong one."""
        variant, seed = self._plan.run(index)
        plain = document_of(self._plan, variant, seed)
        known = self._read.get(variant.letter)
        if known is None or not is_alike(plain, known[0]):
            known = self._read[variant.letter] = (plain, load(plain))
        timeline = [TimelineEntry.model_validate(entry) for entry in plain["timeline"]]
        return known[1].model_copy(update={"seed": seed, "timeline": timeline})


def is_alike(one: Json, other: Json) -> bool:
    """True if two documents have equal parts and the same actions in the same order; seed and moments may differ."""
    if one.keys() != other.keys() or [entry["do"] for entry in one["timeline"]] != [
        entry["do"] for entry in other["timeline"]
    ]:
        return False
    return all(one[key] == other[key] for key in one if key not in ("seed", "timeline"))
