"""The content of the page of an experiment: its plan, its progress, its result, and what keeps it from going on."""

from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from playground.scenarios.engine_version import engine_version
from playground.supervisor.asking import SILENT_SECONDS_MAX
from playground.whatif.answer import FORMAT
from playground.whatif.limits import ABSENT_SECONDS, BEAT_SECONDS
from playground.whatif.models import Experiment, State, WorkerBeat
from playground.whatif.pipeline.axes import also_words, words
from playground.whatif.pipeline.fault import fault_words
from playground.whatif.pipeline.plan import AS_IS, ExperimentPlan
from playground.whatif.stored_result import is_whole
from playground.whatif.turns import in_turn

Json = dict[str, Any]

NO_WORKER: Final = (
    "No worker process of Highwater gives a sign of life, so nothing is computed. `make run` starts one, and replaces "
    f"one that does not answer for {SILENT_SECONDS_MAX:.0f} s; alone, `manage.py play --part worker` does both. The "
    "experiment is kept, and the next worker takes it up by itself."
)
SILENT_SECONDS: Final = 5 * BEAT_SECONDS  # since a lease was renewed
SILENT_WORKER: Final = (
    "The worker process of this experiment has given no sign of life for some seconds, and nothing is computed. `make "
    f"run` replaces a worker that does not answer for {SILENT_SECONDS_MAX:.0f} s; the next one goes on from what is "
    "finished."
)

WAITS_FOR_WORKER: Final = "worker"
WAITS_FOR_TURN: Final = "turn"
"""Stages on the page of an experiment that no worker computes; they are none of its row."""

# of a result: without them it is damaged
DRAWN: Final = {"variants", "baseline", "comparisons", "pairs", "best", "answer"}

OTHER_FORMAT: Final = (
    "An earlier version computed this experiment, and its figures are drawn otherwise now. Every run is kept: download "
    'them as CSV, or choose "Edit and run again".'
)


def state(experiment: Experiment, browser: str | None) -> Json:
    """Everything that the page of this browser draws of an experiment."""
    plan = experiment.drawn
    now = timezone.now()
    since = experiment.started or experiment.created
    said = note(experiment)
    return {
        "id": experiment.pk,
        "title": experiment.title,
        "run": f"/s/{experiment.document_id}" if experiment.document_id else "/play",
        "run_title": _run_title(experiment),
        "state": experiment.state,
        "error": "" if experiment.is_active else experiment.error,
        "note": said,
        "stage": _stage(experiment, said),
        "runs": plan.runs,
        "runs_done": experiment.runs_done,
        "claims": experiment.claims,
        "turn": experiment.turn,
        "seeds": plan.seeds,
        "variants": [_named(plan, i) for i in range(len(plan.variants))],
        "horizon_us": plan.horizon_us,
        "baseline": experiment.baseline,
        "seconds": max(0.0, ((experiment.finished or now) - since).total_seconds()),
        **_before(experiment),
        "engine": experiment.engine,
        "engine_now": engine_version(),
        "profiles": _versions(plan),
        "result": drawn(experiment),
        "is_owner": experiment.owner == browser,
    }


def _versions(plan: ExperimentPlan) -> list[str]:
    """The Kafka versions of the runs: those that are varied, else those of the document's clusters."""
    of_run = plan.document.get("profiles") or [plan.document["profile"]]
    chosen = [variant.settings.get("kafka", AS_IS) for variant in plan.variants]
    return list(dict.fromkeys(name for one in chosen for name in (of_run if one == AS_IS else [str(one)])))


def _named(plan: Any, number: int) -> Json:
    variant = plan.variants[number]
    name, detail = words(plan, variant)
    fault = variant.settings.get("fault")
    told = {
        "also": also_words(variant),
        "as_in_run": variant.is_as_in_run,
        "fault": fault_words(fault) if fault else "",
    }
    return {"letter": variant.letter, "name": name, "detail": detail, **told}


def _run_title(experiment: Experiment) -> str:
    """The title of the run that the experiment varies."""
    return str(experiment.drawn.document.get("title", "")).strip() or "The run"


def _stage(experiment: Experiment, said: str) -> str:
    """The stage of an experiment in words; `said`: its note."""
    if said in (NO_WORKER, SILENT_WORKER):
        return WAITS_FOR_WORKER
    return WAITS_FOR_TURN if experiment.state == State.QUEUED else experiment.stage


def _before(experiment: Experiment) -> Json:
    """Of an experiment that waits: how many run now (`running`), and how many are taken before it (`ahead`)."""
    if experiment.state != State.QUEUED:
        return {"running": 0, "ahead": 0}
    running = Experiment.objects.filter(state__in=(State.RUNNING, State.CANCELLING)).count()
    turns = in_turn()
    return {"running": running, "ahead": turns.index(experiment.pk) if experiment.pk in turns else 0}


def drawn(experiment: Experiment) -> Json | None:
    """The stored result, where this version draws it."""
    result = experiment.result
    if not isinstance(result, dict) or result.get("format") != FORMAT or not result.keys() >= DRAWN:
        return None
    return result if is_whole(result) else None


def note(experiment: Experiment) -> str:
    """The obstacle that keeps an active experiment from going on, or a finished one from being drawn, in words."""
    if not experiment.is_active:
        return OTHER_FORMAT if experiment.result and not drawn(experiment) else ""
    now, absent = timezone.now(), timedelta(seconds=ABSENT_SECONDS)
    # a sign of life "in an hour" is one from before the clock was set back: who lives gives another one in 3 s
    problems = WorkerBeat.objects.filter(seen__range=(now - absent, now + absent)).values_list("problem", flat=True)
    if not problems:
        return NO_WORKER
    if experiment.state == State.QUEUED and all(problems):
        return problems[0]
    renewed = experiment.lease_renewed
    is_silent = renewed is not None and abs(now - renewed) >= timedelta(seconds=SILENT_SECONDS)
    return SILENT_WORKER if is_silent and experiment.state == State.RUNNING else experiment.error
