"""Experiments as pages draw them: by the outline of their plan. No page reads the plan, which holds a document."""

from typing import Any, Final

from asgiref.sync import sync_to_async
from django.db.models import QuerySet
from django.http import Http404

from playground.engine.turns import Holder
from playground.scenarios import outside
from playground.whatif import work
from playground.whatif.models import Experiment
from playground.whatif.pipeline.stored_plan import is_outline
from simengine.scenario import DocumentError

NO_SUCH: Final = "there is no such experiment"


async def find(experiment_id: str, asker: Holder) -> Experiment:
    """The experiment of a link. Raises Http404, and DocumentError for a damaged plan."""
    experiment = await unread().filter(pk=experiment_id).afirst()
    if experiment is None:
        raise Http404(NO_SUCH)
    await outline(experiment, asker)
    return experiment


def unread() -> QuerySet[Experiment]:
    """Experiments without their plans."""
    return Experiment.objects.defer("plan_text")


async def outline(experiment: Experiment, asker: Holder) -> None:
    """Note the outline in the row of an experiment of an earlier version, or whose outline is damaged.

    A plan that this version refuses is noted too, and not asked about again. Raises DocumentError, NotAnswered.
    """
    if is_outline(experiment.outline):
        return
    if (problems := outside.noted_refusal(experiment.outline)) is not None:
        raise DocumentError(problems)
    try:
        experiment.outline = await outside.answer(work.outlined.question(await plan_text(experiment)), asker)
    except DocumentError as refused:
        await _note(experiment, outside.refusal_note(refused))
        raise
    await _note(experiment, experiment.outline)


def is_noted(experiment: Experiment) -> bool:
    """True if the row of an experiment holds its outline, or a note that this version refuses its plan."""
    return is_outline(experiment.outline) or outside.noted_refusal(experiment.outline) is not None


async def _note(experiment: Experiment, outline: Any) -> None:
    await Experiment.objects.filter(pk=experiment.pk).aupdate(outline=outline)


async def plan_text(experiment: Experiment) -> str:
    """The stored plan."""
    text: str = await sync_to_async(lambda: experiment.plan_text)()
    return text
