"""Works of the engine service for the API: what the command line says of a run."""

from typing import Any, Final

from playground.engine.limits import LONG
from playground.engine.works import work
from playground.scenarios import documents
from simengine.commands.run import outcome
from simengine.commands.shared.fact_text import DECISIVE, named_facts
from simengine.compare.comparison import side_of
from simengine.world.world import World, build

FACTS_MAX: Final = 20_000  # in one answer

Json = dict[str, Any]


@work(LONG, is_kept=True)
def verdict(stored: documents.StoredScenario, at_us: int | None) -> Json:
    """The outcome of a run (``simengine run --json``) at a moment in us; None: the document's ``until``.

    Raises DocumentError.
    """
    return outcome(_world_at(stored, at_us))


@work(LONG, is_kept=True)
def figures(stored: documents.StoredScenario, at_us: int | None) -> Json:
    """The figures of a run as those of a side of a comparison, and what JMX says; the moment as for ``verdict``.

    Raises DocumentError.
    """
    world = _world_at(stored, at_us)
    told = world.verdict()
    return {"t": world.now_us, **side_of(world, told, bool(told.get("mirrors"))), "metrics": world.metrics()}


@work(LONG, is_kept=True)
def facts(stored: documents.StoredScenario, from_us: int, to_us: int | None) -> Json:
    """The decisive facts with from_us <= t <= to_us, the first FACTS_MAX of them. Raises DocumentError."""
    document = documents.of_stored(stored)
    end_us = document.until_us if to_us is None else to_us
    found: list[Json] = []
    left_out = 0
    for fact in named_facts(build(document), end_us, DECISIVE):
        if int(str(fact["t"])) >= from_us:
            if len(found) < FACTS_MAX:
                found.append(fact)
            else:
                left_out += 1
    return {"from_us": from_us, "to_us": end_us, "facts": found, "left_out": left_out}


def _world_at(stored: documents.StoredScenario, at_us: int | None) -> World:
    document = documents.of_stored(stored)
    world = build(document)
    world.run(document.until_us if at_us is None else at_us)
    return world
