"""An examination as lines of text, for the command line."""

from typing import Any

from simengine.explain.refusals import refusal_line
from simengine.explain.stops import VANISHED
from simengine.scenario.action_words import NodeName, clauses
from simengine.verdict.moment_words import began_words, moment_words
from simengine.words.phrases import plural

Json = dict[str, Any]


def lines_of(found: Json, name: NodeName) -> list[str]:
    """The decision of each topic, then each chain, a line a link, then what each incident cost.

    ``name``: what the nodes are called.
    """
    lines = [decided_line(topic, one, name) for topic, one in found["decided"].items() if one is not None]
    lines += [f"{topic}: {one['words']}" for topic, one in found["undecided"].items()]
    for chain in found["chains"]:
        lines += ["", *chain_lines(chain)]
    if found["untold"]:
        lines += ["", f"{untold_losses(found)}: --all tells them too"]
    if not found["chains"]:
        lines = [str(found["verdict"]["sentence"])]
    lines += stop_lines(found)
    if found["refused"]:
        lines += ["", *map(refusal_line, found["refused"])]
    for incident in found["incidents"]:
        lines += [
            "",
            f"{incident['at_us'] / 1e6:.3f} s  {clauses(incident['text'], name)}",
            *(f"  {line}" for line in incident["words"]),
        ]
    lines += [line for offer in found["luck"] for line in ("", str(offer["words"]))]
    if found["untold_incidents"]:
        faults = plural(found["untold_incidents"], "later fault", "later faults")
        lines += ["", f"and {faults}: --all tells what they cost"]
    return lines


def untold_losses(found: Json) -> str:
    """The losses that have no chain here, and their records."""
    losses = plural(found["untold"], "smaller loss", "smaller losses")
    return f"and {losses} ({plural(found['untold_records'], 'record', 'records')})"


def stop_lines(found: Json) -> list[str]:
    """Lines on each stop of a topic that lost nothing: its beginning in the verdict, and the action that decided it.

    What the verdict says keeps a stop up is left out where the check has refuted it. A check of vanished records stands
    alone: the verdict's moment is of a stop.
    """
    lines: list[str] = []
    for topic in found["verdict"]["topics"]:
        stop = found["stops"].get(topic["topic"])
        if stop is not None:
            since = moment_words(topic) if stop["holds"] else began_words(topic)
            since = "" if stop["what"] == VANISHED else since
            lines.append(f"{topic['topic']}: {since}{'. ' * bool(since)}{stop['words']}")
    return ["", *lines] if lines else []


def decided_line(topic: str, decision: Json, name: NodeName) -> str:
    """The line on the action that decided a topic's loss, and that it was checked."""
    what = f"{decision['at_us'] / 1e6:.3f} s decided it: {clauses(decision['text'], name)}."
    return f"{topic}: {what} {decision['without']} the same run loses none of this topic's records (checked)."


def chain_lines(chain: Json) -> list[str]:
    """One loss: its head, then its links."""
    verb = "was" if chain["count"] == 1 else "were"
    head = plural(chain["count"], "record", "records")
    lines = [f"Why {head} of {chain['partition']}, acknowledged with acks={chain['acks']}, {verb} lost:"]
    return [*lines, *map(link_line, chain["links"]), *alike_lines(chain["alike"])]


def link_line(link: Json) -> str:
    """One link: its moment, its sentence and its rules; a star marks what decided."""
    mark = "* " if link["decides"] else "  "
    rules = f" [{', '.join(link['rules'])}]" if link["rules"] else ""
    return f"{mark}{link['t'] / 1e6:11.3f} s  {link['text']}{rules}"


def alike_lines(others: list[Json]) -> list[str]:
    """The lines on other losses that have the same story, each with its records."""
    if not others:
        return []
    records = plural(sum(other["count"] for other in others), "record", "records")
    names = ", ".join(f"{other['partition']} ({other['count']:,})" for other in others)
    return [f"  and so {records} of {plural(len(others), 'more loss', 'more losses')}: {names}"]
