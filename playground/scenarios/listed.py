"""The list of My runs: for each run its actions, its origin, and its verdict so far.

The row holds a summary of the document's own timeline (``documents.told_of``). Accepted actions are counted, and only
the first and the last of them are read: the list costs a few queries however long the runs are.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.db.models import Count, OuterRef, QuerySet, Subquery

from playground.engine.refusals import NotAnswered
from playground.engine.turns import Holder
from playground.scenarios import documents, outside
from playground.scenarios.documents import UNREAD
from playground.scenarios.models import Accepted, Scenario, Source
from simengine.scenario import parse
from simengine.scenario.action_words import NodeName, clauses, names_beside
from simengine.scenario.problems import FieldError


@dataclass(frozen=True)
class ScenarioRow:
    """A row of the list; times are words. ``between`` is how many actions lie between the two that are told.

    ``nth``: the place of this run among those of the same name, the oldest first; 0 where no other has its name.
    """

    run: Scenario
    nth: int
    origin: str
    actions: int
    done: list[tuple[str, str]]
    between: int
    verdict_at: str
    verdict: str


async def rows(owner: str, number: int, asker: Holder) -> list[ScenarioRow]:
    """The runs that a browser made, the last used first."""
    runs = await sync_to_async(_runs)(owner, number) if owner else []
    with suppress(NotAnswered):  # after the first the rest would each wait as long; the next visit asks again
        for run in runs:
            if _script(run) is UNREAD and outside.noted_refusal(run.told) is None:
                await outside.tell(run, asker)
    found: list[ScenarioRow] = await sync_to_async(_rows)(owner, runs)
    return found


def _mine(owner: str) -> QuerySet[Scenario]:
    return Scenario.objects.filter(owner=owner, deleted__isnull=True).order_by("-touched")


def _runs(owner: str, number: int) -> list[Scenario]:
    return list(_mine(owner).defer("body", "parent__body").select_related("parent").prefetch_related("clocks")[:number])


def _rows(owner: str, runs: list[Scenario]) -> list[ScenarioRow]:
    accepted = _accepted([run.id for run in runs])
    nths = _nths(_mine(owner)) if runs else {}
    return [_listed(run, nths.get(run.id, 0), *accepted[run.id]) for run in runs]


def _nths(mine: QuerySet[Scenario]) -> dict[str, int]:
    """Runs whose name is not the only one, and their places among those of that name."""
    by_title: dict[str, list[str]] = {}
    for key, title in mine.order_by("created", "id").values_list("id", "title"):
        by_title.setdefault(title, []).append(key)
    return {key: i for keys in by_title.values() if len(keys) > 1 for i, key in enumerate(keys, start=1)}


def _accepted(ids: list[str]) -> dict[str, tuple[int, list[tuple[int, str]]]]:
    """Of each run: how many actions were accepted, and (at_us, do) of the first and the last."""
    own = Accepted.objects.filter(scenario=OuterRef("pk"))
    first, last = own.order_by("number"), own.order_by("-number")
    counted = Scenario.objects.filter(id__in=ids).annotate(
        count=Count("accepted"),
        first_us=Subquery(first.values("at_us")[:1]),
        first_do=Subquery(first.values("do")[:1]),
        last_us=Subquery(last.values("at_us")[:1]),
        last_do=Subquery(last.values("do")[:1]),
    )
    found: Iterable[Any] = counted.values_list("id", "count", "first_us", "first_do", "last_us", "last_do")
    return {
        key: (count, [(first_us, first_do), (last_us, last_do)][: min(count, 2)])
        for key, count, first_us, first_do, last_us, last_do in found
    }


def _listed(run: Scenario, nth: int, accepted: int, ends: list[tuple[int, str]]) -> ScenarioRow:
    script = _script(run)
    name = names_beside(script["brokers"])
    live = [(at_us, _accepted_words(do, name) if script is not UNREAD else do) for at_us, do in ends]
    told = sorted([*map(tuple, script["ends"]), *live], key=lambda done: done[0])
    actions = accepted + script["actions"]
    shown = told if actions <= 2 else [told[0], told[-1]]
    verdict_at, verdict = _verdict(run, script["outcome"])
    return ScenarioRow(
        run=run,
        nth=nth,
        origin=_origin(run),
        actions=actions,
        done=[(documents.seconds(at_us), text) for at_us, text in shown],
        between=actions - len(shown),
        verdict_at=verdict_at,
        verdict=verdict,
    )


def _script(run: Scenario) -> documents.Plain:
    """The summary of a run's document; UNREAD where it is refused, damaged or of an earlier version."""
    return UNREAD if run.told is None or outside.is_refusal(run.told) else run.told


def _accepted_words(do: str, name: NodeName) -> str:
    """An accepted action in words; as it is stored where that is damaged."""
    try:
        parse(do)
    except FieldError:
        return do
    return f"{clauses(do, name)}."


def _origin(run: Scenario) -> str:
    """The step from its parent to a run, in words, where its actions do not say it already."""
    if run.source == Source.FORK and run.cut_us is not None:
        later = f", {run.later['brief']}" if run.later else ""
        return f"branched at {documents.seconds(run.cut_us)}{later}"
    return run.change


def _verdict(run: Scenario, outcome: str) -> tuple[str, str]:
    """The moment and the verdict in brief; "" where neither a copy nor a room has told any."""
    if run.verdict is not None:
        return f"at {documents.seconds(run.moment_us)}", str(run.verdict["sentence"])
    clock = max(run.clocks.all(), key=lambda clock: clock.t_us, default=None)
    if clock is not None and clock.sentence:
        return f"at {documents.seconds(clock.t_us)}", clock.sentence
    return ("at its end", outcome) if outcome else ("", "")
