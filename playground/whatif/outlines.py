"""Experiments as pages draw them: by the outline of their plan. No page reads the plan, which holds a document."""

from asgiref.sync import sync_to_async
from django.db.models import QuerySet
from django.http import Http404

from playground.engine.turns import Holder
from playground.engine.works import OUTLINE
from playground.scenarios import outside
from playground.whatif.models import Experiment
from playground.whatif.pipeline.stored_plan import is_outline


async def find(experiment_id: str, asker: Holder) -> Experiment:
    """The experiment of a link. Raises Http404, and DocumentError for a damaged plan."""
    experiment = await unread().filter(pk=experiment_id).afirst()
    if experiment is None:
        raise Http404("there is no such experiment")
    await outline(experiment, asker)
    return experiment


def unread() -> QuerySet[Experiment]:
    """Experiments without their plans."""
    return Experiment.objects.defer("plan_text")


async def outline(experiment: Experiment, asker: Holder) -> None:
    """Note the outline in the row of an experiment of an earlier version, or whose outline is damaged.

    Raises DocumentError, NotAnswered.
    """
    if not is_outline(experiment.outline):
        experiment.outline = await outside.answer(OUTLINE, await plan_text(experiment), asker)
        await Experiment.objects.filter(pk=experiment.pk).aupdate(outline=experiment.outline)


async def plan_text(experiment: Experiment) -> str:
    """The stored plan."""
    text: str = await sync_to_async(lambda: experiment.plan_text)()
    return text
