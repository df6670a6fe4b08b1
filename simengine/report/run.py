"""The report of one run: its cluster, what was done, its verdict, what each fault cost, and why records were lost.

All sentences and figures are those of the engine's own account (`explain.examine`). A run of several clusters has no
account of incidents; its verdict stands alone.
"""

from typing import Any, Final

from simengine.explain.examine import examine
from simengine.explain.lines import decided_line, stop_lines, untold_losses
from simengine.explain.refusals import refusal_line
from simengine.report.html import Html, element, items, joined, section, table
from simengine.report.recovery import cost_table, modes_without_calls, recovery_table
from simengine.scenario.action_words import NodeName, clauses, node_names
from simengine.scenario.contents import contents_of
from simengine.scenario.durations import duration_words
from simengine.scenario.model import Document
from simengine.words.phrases import plural
from simengine.world.world import build

ACTIONS_MAX: Final = 200
ASSUMED: Final = (
    "The times of a real cluster vary with its machines and its network: the seed chooses one course of many.",
    "Where no application calls after a fault, a probe each second tells when a call would come through.",
)

Json = dict[str, Any]


def run_sections(doc: Document, until_us: int) -> Html:
    """All sections of one run up to a moment."""
    found: Json = examine(doc, until_us) if not doc.clusters else {"verdict": _verdict_of(doc, until_us)}
    name = node_names(doc)
    return joined(
        [
            section("Cluster", _paragraphs(doc.about or ""), items(contents_of(doc)), _network(doc)),
            section("What was done", _actions(doc, until_us, name)),
            _verdict(found["verdict"], until_us),
            section("Recovery point and recovery time", *_incidents(found, doc, name)),
            section("Why records were lost", *_losses(found, name)),
            section(
                "Why records vanished or are hidden, and why it stood still",
                items(line for line in stop_lines(found) if line),
            )
            if "stops" in found
            else "",
            section("Refused", items(map(refusal_line, found.get("refused", [])))),
            section("Assumptions", items(ASSUMED)),
        ]
    )


def _verdict_of(doc: Document, until_us: int) -> Json:
    world = build(doc)
    world.run(until_us)
    return dict(world.verdict())


def _paragraphs(text: str) -> Html:
    return joined(element("p", part) for part in text.split("\n\n") if part.strip())


def _network(doc: Document) -> Html:
    network = doc.network
    jitter = f", jitter {duration_words(network.jitter_us)}" if network.jitter_us else ""
    return element("p", f"Network: {duration_words(network.latency_us)} one way{jitter}.")


def _actions(doc: Document, until_us: int, name: NodeName) -> Html:
    done = [entry for entry in doc.timeline if entry.at_us <= until_us]
    if not done:
        return element("p", "Nothing: the cluster ran undisturbed.")
    shown = [(_at(entry.at_us), f"{clauses(str(entry.action), name)}.") for entry in done[:ACTIONS_MAX]]
    more = len(done) - len(shown)
    rest = element("p", f"and {plural(more, 'more action', 'more actions')}") if more else ""
    return joined([table(("Time", "Action"), shown), rest])


def _verdict(verdict: Json, until_us: int) -> Html:
    lines = [joined([element("b", topic["topic"]), f": {_told(topic)}"]) for topic in verdict["topics"]]
    return section(
        f"Verdict at {_at(until_us)}",
        element("p", verdict["sentence"], class_=verdict["severity"]),
        items(lines),
        _paragraphs(verdict["alerts"]["sentence"]),
    )


def _told(topic: Json) -> str:
    units = topic["in_user_units"]
    return f"{topic['sentence']} {units[:1].upper()}{units[1:]}." if units else str(topic["sentence"])


def _incidents(found: Json, doc: Document, name: NodeName) -> list[str]:
    shown: list[str] = []
    for incident in found.get("incidents", []):
        shown.append(element("h3", f"{_at(incident['at_us'])} {clauses(incident['text'], name)}"))
        shown.append(items([*incident["words"], *modes_without_calls(doc, incident["rto"])]))
        shown.append(cost_table(incident["rpo"], incident["rto"]))
        shown.append(recovery_table(incident["rto"]))
    untold = found.get("untold_incidents", 0)
    if untold:
        shown.append(element("p", f"and {plural(untold, 'later fault', 'later faults')}"))
    return [*shown, *(element("p", offer["words"]) for offer in found.get("luck", []))]


def _losses(found: Json, name: NodeName) -> list[str]:
    lines = [decided_line(topic, one, name) for topic, one in found.get("decided", {}).items() if one is not None]
    lines += [f"{topic}: {one['words']}" for topic, one in found.get("undecided", {}).items()]
    untold = element("p", untold_losses(found)) if found.get("untold") else ""
    return [items(lines), *(_chain(chain) for chain in found.get("chains", [])), untold]


def _chain(chain: Json) -> Html:
    records = plural(chain["count"], "record", "records")
    head = f"{records} of {chain['partition']}, acknowledged with acks={chain['acks']}"
    alike = [f"{other['partition']} ({plural(other['count'], 'record', 'records')})" for other in chain["alike"]]
    rest = element("p", f"The same in {', '.join(alike)}.") if alike else ""
    return joined([element("h3", head), _links(chain), rest])


def _links(chain: Json) -> Html:
    rows = [
        (
            _at(link["t"]),
            joined([element("b", link["text"]) if link["decides"] else link["text"]]),
            ", ".join(link["rules"]),
        )
        for link in chain["links"]
    ]
    return table(("Time", "Event", "Rules"), rows)


def _at(us: int) -> str:
    return f"{us / 1e6:.3f} s"
