"""The facts of a run as lines of text or JSON, for the command line. Errors have Kafka's own numbers and names."""

import json
from collections.abc import Iterator
from typing import Final

from simengine.facts.errors import ERROR_NAMES, FIRST_OF_CLIENT
from simengine.facts.kinds import (
    CLUSTER_VERDICT_CHANGED,
    FLIGHT,
    MSG_CLIENT_METADATA_ANSWER,
    MSG_FETCH_ANSWER,
    MSG_METADATA_UPDATE,
    MSG_NAMES,
    SITE_VERDICT_CHANGED,
    VERDICT_CHANGED,
)
from simengine.facts.reading import HEAD, fields_of
from simengine.facts.schema import BY_NUMBER
from simengine.facts.trace import Row
from simengine.world.cluster_facts import ClusterFacts
from simengine.world.world import World

DECISIVE: Final = "decisive"  # without the figures of the verdict, which change each second
VERDICTS: Final = "verdicts"  # those alone
ALL: Final = "all"
CHOICES: Final = (DECISIVE, VERDICTS, ALL)

SLICE_US: Final = 1_000_000  # facts are printed once a simulated second, so that a long run needs no memory
FIGURES_OF_VERDICT: Final = (VERDICT_CHANGED, CLUSTER_VERDICT_CHANGED, SITE_VERDICT_CHANGED)
# messages whose ``mark`` is an error
WITH_ERRORS: Final = tuple(
    msg
    for msg, name in enumerate(MSG_NAMES)
    if (name.endswith("answer") and msg not in (MSG_FETCH_ANSWER, MSG_CLIENT_METADATA_ANSWER))
    or msg == MSG_METADATA_UPDATE
)


def fact_lines(world: World, until_us: int, which: str, *, as_json: bool) -> Iterator[str]:
    """The facts of a run up to ``until_us``, as text or JSON lines, while it runs; ``which``: one of CHOICES."""
    if as_json:
        yield from (json.dumps(fact, ensure_ascii=False) for fact in named_facts(world, until_us, which))
        return
    for cluster, row in _told(world, until_us, which):
        yield f"{cluster}: {line_of(row)}" if cluster else line_of(row)


def named_facts(world: World, until_us: int, which: str) -> Iterator[dict[str, object]]:
    """The same facts with the names of their values; of several clusters with ``cluster``."""
    for cluster, row in _told(world, until_us, which):
        yield {"cluster": cluster, **named(row)} if cluster else named(row)


def _told(world: World, until_us: int, which: str) -> Iterator[tuple[str, Row]]:
    """The rows of the wanted facts, each with the name of its cluster ("": the only one)."""
    world.trace.keep_traffic = which == ALL
    clusters = ClusterFacts(world) if world.is_named else None
    for row in _rows(world, until_us):
        cluster, told = clusters.told(row) if clusters is not None else (0, row)
        if which == ALL or (row[2] in FIGURES_OF_VERDICT) == (which == VERDICTS):
            yield world.cluster_runs[cluster].site.name, told


def _rows(world: World, until_us: int) -> Iterator[Row]:
    """Decisive rows, and traffic where the run keeps it; first those of the state that the run starts from."""
    given = len(world.trace.decisive)
    yield from [fact.row() for fact in world.trace.decisive]
    while world.now_us < until_us:
        world.run(min(until_us, world.now_us + SLICE_US))
        if world.trace.keep_traffic:
            yield from world.trace.take().rows()
        else:
            yield from [fact.row() for fact in world.trace.decisive[given:]]
        given = len(world.trace.decisive)


def named(row: Row) -> dict[str, object]:
    """A row with the names of its values; ``error`` is Kafka's number, null for an exception that has none."""
    seq, t_us, number, cause = row[:HEAD]
    assert isinstance(number, int)
    kind = BY_NUMBER[number]
    words: dict[str, object] = {"seq": seq, "t": t_us, "kind": kind.name}
    if kind.is_decisive:
        words["cause"] = cause
    words |= fields_of(row)
    place = "mark" if number == FLIGHT and words["msg"] in WITH_ERRORS else "error"
    if place in words:
        own = words[place]
        assert isinstance(own, int), "an error is a number"
        words[place] = own if own < FIRST_OF_CLIENT else None
        words["error_name"] = ERROR_NAMES[own]
    return words


def line_of(row: Row) -> str:
    """A row as one line of text: time in seconds, kind, values by name."""
    words = named(row)
    seq, t_us, kind = words.pop("seq"), words.pop("t"), words.pop("kind")
    error = words.pop("error_name", None)
    assert isinstance(t_us, int)
    values = " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in words.items())
    return f"{t_us / 1e6:12.6f} s  #{seq} {kind} {values}{f' ({error})' if error else ''}"
