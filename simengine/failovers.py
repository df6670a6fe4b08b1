"""The cost of a failover: how long applications stood still (RTO, in parts), and which records stayed behind (RPO).

A failover is all moves from one cluster to another. The stop begins with the newest record of the moved producer that
stopped first, and ends when the moved groups have read the new cluster's partitions to their ends. Its parts: until the
first action that responds (detect, decide), until every moved producer has written in the new cluster (switch), until
the groups have read what is there (catch up). A part is -1 while it is not over.
"""

from typing import TYPE_CHECKING, Any, Final

from simengine.client_moves import Moved, spans_of
from simengine.clients.producer import Producer
from simengine.kernel.site import SEPARATOR
from simengine.scenario.actions import NODE_VERBS, Action
from simengine.verdict.sentence import plural, seconds

if TYPE_CHECKING:
    from simengine.assembly import Assembly
    from simengine.world import World

NOT_YET: Final = -1
AT_TARGET: Final = ("create", "config", "open", "partitions")  # verbs that prepare the target

Json = dict[str, Any]


def with_failovers(world: "World", verdict: dict[str, object]) -> dict[str, object]:
    """The verdict, with its failovers if clients have moved."""
    found = failovers(world)
    if not found:
        return verdict
    told = " ".join(str(one["sentence"]) for one in found)
    return {**verdict, "failovers": found, "sentence": f"{told} {verdict['sentence']}"}


def failovers(world: "World") -> list[Json]:
    """One entry for each pair of clusters, in the order of their first moves."""
    by_pair: dict[tuple[str, str], list[Moved]] = {}
    for moved in world.moves.moved:
        by_pair.setdefault((moved.here.site.name, moved.there.site.name), []).append(moved)
    return [_failover(world, source, target, moves) for (source, target), moves in by_pair.items()]


def _failover(world: "World", source: str, target: str, moves: list[Moved]) -> Json:
    first = moves[0].at_us
    stopped = _stopped_us(moves, first)
    acted = _acted_us(world, source, target, stopped, first)
    success = _first_write_us(moves)
    caught_up = _caught_up_us(moves)
    parts = {
        "detect_and_decide_us": acted - stopped,
        "switch_us": _part(acted, success),
        "catch_up_us": _part(max(success, moves[0].at_us), caught_up),
    }
    left = _left_behind(world.moves.flows_at_first[source, target], f"{source}->{target}")
    found: Json = {
        "from": source,
        "to": target,
        "stopped_at_us": stopped,
        "moved_at_us": first,
        **parts,
        "rto_us": NOT_YET if NOT_YET in parts.values() else sum(parts.values()),
        **left,
    }
    return {**found, "sentence": failover_words(found)}


def _part(begin: int, end: int) -> int:
    return NOT_YET if end == NOT_YET or begin == NOT_YET else max(0, end - begin)


def _stopped_us(moves: list[Moved], first: int) -> int:
    """The newest record of each moved producer in the old cluster: the earliest of their times; else ``first``."""
    return min((one.wrote_us for one in moves if one.wrote_us != NOT_YET), default=first)


def _oldest_us(parts: "Assembly", client: int, from_us: int) -> int:
    """When the oldest record of a client since ``from_us`` was written; -1 if there is none."""
    return min((max(begin, from_us) for begin, end in spans_of(parts, client) if end >= from_us), default=NOT_YET)


def _acted_us(world: "World", source: str, target: str, stopped: int, first: int) -> int:
    """The time of the first action that responds to the stop: at MirrorMaker, at the target, or at a client."""
    known = [
        at for at, action in world.timeline if stopped < at <= first and _is_response(world, action, source, target)
    ]
    return min(known, default=first)


def _is_response(world: "World", action: Action, source: str, target: str) -> bool:
    verb, args = action
    if verb == "move":
        return args[0].startswith(source + SEPARATOR)
    if verb in NODE_VERBS:
        return verb in ("kill", "stop", "pause") and args[0] in world.mirrors.ground.processes
    return verb in AT_TARGET and args[0].startswith(target + SEPARATOR)


def _first_write_us(moves: list[Moved]) -> int:
    """When every moved producer had written in the new cluster; without producers, when the last client moved."""
    writers = [one for one in moves if isinstance(one.opened, Producer) and one.opened.rate_milli() > 0]
    if not writers:
        return moves[-1].at_us
    firsts = [_oldest_us(one.there, int(one.opened.number), one.at_us) for one in writers]
    return NOT_YET if NOT_YET in firsts else max(firsts)


def _caught_up_us(moves: list[Moved]) -> int:
    readers = [moved.caught_up_us for moved in moves if not isinstance(moved.node, Producer)]
    if NOT_YET in readers:
        return NOT_YET
    return max(readers, default=_first_write_us(moves))


def _left_behind(flows: list[Json], flow: str) -> Json:
    """What the source had and the flow had not copied when the first client moved; -1 if there is no flow."""
    told = next((one for one in flows if one["flow"] == flow), None)
    if told is None:
        return {"mirrored": False, "rpo_records": NOT_YET, "rpo_us": NOT_YET}
    topics = told["topics"]
    records = sum(topic["left"] for topic in topics)
    return {"mirrored": True, "rpo_records": records, "rpo_us": max((t["not_mirrored_us"] for t in topics), default=0)}


def failover_words(found: Json) -> str:
    """A failover in one sentence."""
    parts = [
        f"{seconds(found[key])} {words}"
        for key, words in (
            ("detect_and_decide_us", "until somebody acted"),
            ("switch_us", "to switch"),
            ("catch_up_us", "to catch up"),
        )
        if found[key] != NOT_YET
    ]
    whole = "is not over" if found["rto_us"] == NOT_YET else f"took {seconds(found['rto_us'])}"
    if not found["mirrored"]:
        left = f"No flow copies from {found['from']} to {found['to']}: all its records stay there."
    elif found["rpo_records"]:
        records = plural(found["rpo_records"], "record", "records")
        were = "was" if found["rpo_records"] == 1 else "were"
        those = f"{records} of {found['from']} ({seconds(found['rpo_us'])})"
        left = f"{those} {were} not in {found['to']} when clients moved."
    else:
        left = f"Every record of {found['from']} was in {found['to']} when clients moved."
    return f"Failover {found['from']} to {found['to']} {whole} ({', '.join(parts)}). {left}"
