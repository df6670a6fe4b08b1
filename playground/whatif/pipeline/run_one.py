"""One run of an experiment: a document to its horizon, or until it is at rest (`early_end`), then closed and drained.

Runs of the first seeds go to the horizon in any case, and their rows tell latencies (`ExperimentPlan.is_whole`).

At the horizon the run is closed: unavailability counts up to there (the document's `closing`), and the figures of
MirrorMaker are read. Every cut link is healed, every broker and controller that is down or paused comes back, the
producers stop, and the run goes on until every call has its answer and nothing is under way (or nothing changed for
30 s); then the fates are read. The closing actions are ordinary actions of the timeline: the row keeps them and
`playground.whatif.replays.closed` writes them into the document, which replays to the same verdict and the same digest.
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from playground.whatif.pipeline.checked import CheckedDocuments
from playground.whatif.pipeline.early_end import LOOK_US, EarlyEnd, ToCome
from playground.whatif.pipeline.pager import Pager
from playground.whatif.pipeline.plan import ExperimentPlan, Json
from playground.whatif.pipeline.schema import COUNTS, LATENCIES, NAMES, TIMES
from playground.whatif.pipeline.site_figures import cluster_parts, site_figures
from playground.whatif.pipeline.topic_groups import group_parts
from simengine.explain.fact_index import FactIndex
from simengine.questions.rest import is_drained
from simengine.scenario import load
from simengine.scenario.model import Document
from simengine.world.world import Refused, World, build

DRAIN_STEP_US: Final = 1_000_000
DRAIN_US_MAX: Final = 180 * 1_000_000
"""Longest drain: a producer's delivery timeout (120 s), a session and a recovery fit into it."""

RUN_EVENTS_MAX: Final = 50_000_000
"""Most events of one run; a run that needs more fails with a sentence and is left out of the statistics."""


class ExperimentRunTooLong(Exception):
    """A run needs more events than `RUN_EVENTS_MAX`."""


def run_row(document: Json, topics: Sequence[str] = (), is_whole: bool = False) -> Json:
    """Run a document to its `closing` (or else its `until`), close it, and give its row without `variant` and `seed`.

    The figures count the given topics, or all.

    Raises DocumentError for a wrong document, ExperimentRunTooLong beyond `RUN_EVENTS_MAX`, and the engine's own error
    for a broken invariant.
    """
    return checked_row(load({"closing": document["until"], **document}), topics, is_whole)


def checked_row(checked: Document, topics: Sequence[str], is_whole: bool) -> Json:
    """The row of a document that was checked; raises what ``run_row`` raises.

    Only a run that goes to the horizon in any case gives latencies: runs that happen to find no rest are no fair
    sample.
    """
    world = build(checked)
    horizon_us = checked.closing_us or checked.until_us
    row = closed_row(world, topics, horizon_us, run_on(world, horizon_us, is_whole))
    return row if is_whole else _without_latencies(row)


def _without_latencies(row: Json) -> Json:
    none: Json = dict.fromkeys(LATENCIES)
    return row | none | {"topics": [topic | none for topic in row["topics"]]}


def run_on(world: World, horizon_us: int, is_whole: bool, goes_on: Callable[[], bool] = lambda: True) -> ToCome | None:
    """Run to the horizon. Unless it `is_whole`, stop at rest and return what would come up to the horizon.

    ``goes_on`` is asked once a simulated second; if it says no, the run stays where it is.

    Raises ExperimentRunTooLong.
    """
    early = None if is_whole else EarlyEnd(world, horizon_us)
    while world.now_us < horizon_us and goes_on():
        _run(world, min(horizon_us, (world.now_us // LOOK_US + 1) * LOOK_US))
        if early is not None and early.is_over():
            return early.close()
    return None


def closed_row(world: World, topics: Sequence[str], horizon_us: int, more: ToCome | None = None) -> Json:
    """Close a run that has reached its horizon, or is at rest and has ``more`` to come, and give its row."""
    of_sites, pager = site_figures(world), Pager(world, horizon_us)
    ending = _close(world)
    row = _row(world, world.verdict(), topics, horizon_us, ending, of_sites, more)
    row |= pager.figures([topic["topic"] for topic in row["topics"]])
    return row | {"rest_us": None if more is None else more.from_us}


def plan_row(plan: ExperimentPlan, index: int, documents: CheckedDocuments | None = None) -> Json:
    """The row of run `index` of a plan; a run that fails gives a row with its error and no figures.

    ``documents``: of the plan, where several rows are worked out.
    """
    documents = documents or CheckedDocuments(plan)
    variant, seed = plan.run(index)
    row: Json = dict.fromkeys(NAMES)
    row.update(variant=variant.letter, seed=seed)
    with collected_once():
        try:
            row.update(checked_row(documents.of(index), plan.topics, plan.is_whole(index)))
            row["parts"] += group_parts(documents.groups, row["topics"])
        except Exception as error:  # noqa: BLE001  # one broken run must not take the experiment with it: it is counted and shown
            row["error"] = f"{type(error).__name__}: {error}"
    return row


@contextmanager
def collected_once() -> Iterator[None]:
    """Keep the garbage collector off for one run, then collect what that run made and nothing older."""
    collects = gc.isenabled()
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.collect()
        gc.unfreeze()
        if collects:
            gc.enable()


def _run(world: World, until_us: int) -> None:
    """Run to a moment within the limit of events."""
    budget = RUN_EVENTS_MAX - world.events
    if budget <= 0 or world.run(until_us, budget) < until_us:
        raise ExperimentRunTooLong(
            f"the run needs more than {RUN_EVENTS_MAX:,} events before {until_us / 1e6:.1f} s; "
            "take a shorter horizon, fewer partitions or lower rates"
        )


def _close(world: World) -> list[str]:
    """Heal, bring everything back, stop the producers, and run until every call has its answer and nothing changes."""
    ending: list[str] = []

    def act(action: str) -> None:
        with suppress(Refused):  # nothing to do there: it is already as it should be
            ending.append(f"{world.act(world.now_us + 1, action)} {action}")

    act("heal")
    names: Json = world.names()
    for client in names["clients"]:
        if client["kind"] == "producer":
            act(f"rate {client['id']} 0")
    started: dict[str, bool] = {}
    deadline_us = world.now_us + DRAIN_US_MAX
    while world.now_us < deadline_us:
        up = _bring_back(world, started, act)
        _run(world, world.now_us + DRAIN_STEP_US)
        if up and (is_drained(world) or (world.is_settled() and not _has_open_calls(world))):
            break
    return ending


def _has_open_calls(world: World) -> bool:
    """True if a call has not ended. Partitions may be at rest for long while calls are on their way."""
    accounts = (account for run in world.cluster_runs for account in run.book.accounts)
    return any(calls.waits.open() for account in accounts for calls in account.calls)


def _bring_back(world: World, started: dict[str, bool], act: Callable[[str], None]) -> bool:
    """Start what is down and resume what is paused, each node once; True if every node runs.

    A node that is stopping is started when it is down, in a later round.
    """
    whole = True
    for number, process in world.processes():
        whole = whole and process == "running"
        if process in ("down", "paused") and number not in started:
            started[number] = True
            node = world.called(int(number))
            act(f"start {node}" if process == "down" else f"resume {node}")
    return whole


def _row(
    world: World,
    verdict: Json,
    names: Sequence[str],
    horizon_us: int,
    ending: list[str],
    of_sites: Json,
    more: ToCome | None,
) -> Json:
    """The figures of a closed run; `of_sites`: those of `site_figures` at its horizon."""
    topics = [topic for topic in verdict["topics"] if (topic["topic"] in names if names else not topic["coordinators"])]
    topics = [topic if more is None else more.added_to(topic) for topic in topics]
    worst = max(topics, key=lambda topic: topic["lost"], default=None)
    deciding = (worst or {}).get("deciding") or None
    row: Json = {name: sum(int(topic[name]) for topic in topics) for name in COUNTS}
    row |= {name: max((int(topic[name]) for topic in topics), default=0) for name in TIMES}
    row["write_down_us"] = max((write_down_us(topic) for topic in topics), default=0)
    row["topics"] = [_topic(topic) for topic in topics]
    for name in LATENCIES:
        row[name] = max((topic[name] for topic in row["topics"] if topic[name] is not None), default=None)
    row |= of_sites | {"parts": [*of_sites["parts"], *cluster_parts(topics)]}
    row["deciding_us"] = decided_us(world, deciding["seq"]) if deciding else None
    row |= {"horizon_us": horizon_us, "end_us": world.now_us, "events": world.events, "ending": ending}
    row |= {"settled": bool(verdict["settled"]) or is_drained(world), "balance_ok": bool(verdict["balance_ok"])}
    row |= {"digest": world.digest(), "sentence": verdict["sentence"]}
    return row


def _topic(topic: Json) -> Json:
    """The figures of a topic; a latency is null without acknowledged records."""
    found = {"topic": topic["topic"]} | {name: int(topic[name]) for name in (*COUNTS, *TIMES)}
    return found | {name: int(topic[name]) if topic[name] >= 0 else None for name in LATENCIES}


def decided_us(world: World, seq: int) -> int:
    """The moment (us) of the action behind the deciding fact; of the fact itself if there is no action.

    The deciding fact of a loss may be an election, many seconds after the action.
    """
    past = FactIndex(world.trace.decisive)
    fact = past.fact(seq)
    assert fact is not None, "a verdict names a fact of the run"
    action = past.action(fact)
    return int((fact if action is None else action).t)


def write_down_us(topic: Json) -> int:
    """Microseconds in which the topic could not be written in the acks mode of its producers."""
    return int(topic["write_down_all_us" if str(topic["acks"]) == "all" else "write_down_1_us"])
