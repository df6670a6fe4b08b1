"""A moment near a fault at which the same fault would have lost records, where it lost none by luck.

Found by trying: the document runs again with the same action a little sooner and everything else as it was; the fault's
own entry stays and changes nothing, as what it breaks is broken already. So a fork at that moment, with what came
after, shows the same run.
"""

from typing import Any, Final

from simengine.explain.decide import lost_in, sooner
from simengine.scenario.action_words import NodeName, inside
from simengine.scenario.model import Document, TimelineEntry
from simengine.words.phrases import listed, plural

SOONER_MS: Final = (5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1000)
OFFERS_MAX: Final = 3  # faults for which a moment is looked for, the newest first
GONE: Final = ("lost", "lost_before", "vanished", "groups_lost")  # figures of a topic that has lost something

Json = dict[str, Any]


def unlucky_moments(doc: Document, until_us: int, verdict: Json, incidents: list[Json], name: NodeName) -> list[Json]:
    """For each fault that lost nothing by luck: the nearest moment before it at which it would have, if one is found.

    ``do`` at ``at_us`` is the action to fork with, ``instead_of_us`` when it was done; ``lost``: records by topic.
    """
    kept = [topic["topic"] for topic in verdict["topics"] if topic["acked"] and not topic["lost"]]
    lucky = {incident["at_us"]: True for incident in incidents if is_lucky(incident["rpo"])}
    is_whole = not any(topic[key] for topic in verdict["topics"] for key in GONE)
    entries = [entry for entry in doc.timeline if entry.at_us in lucky and entry.at_us <= until_us]
    offers = [_offer(doc, until_us, entry, kept, is_whole, name) for entry in entries[::-1][:OFFERS_MAX]]
    return [offer for offer in offers if offer is not None]


def is_lucky(rpo: Json) -> bool:
    """True if an incident lost nothing, but no rule excludes a loss."""
    is_nothing = not (rpo["all"] or rpo["1"] or rpo["groups"] or rpo["undetermined"] or rpo["elsewhere"]["count"])
    return bool(is_nothing and rpo["by"] == "luck")


def _offer(
    doc: Document, until_us: int, entry: TimelineEntry, kept: list[str], is_whole: bool, name: NodeName
) -> Json | None:
    """The first sooner moment at which the action loses records of topics that have lost none; None without one.

    ``is_whole``: the run has lost nothing of any topic; else the sentence names the topics that it is about.
    """
    before = max((other.at_us for other in doc.timeline if other.at_us < entry.at_us), default=0)
    for at_us in (entry.at_us - ms * 1000 for ms in SOONER_MS):
        if at_us <= before:
            return None
        found = lost_in(sooner(doc, entry, at_us), until_us)
        lost = {topic: found[topic] for topic in kept if found.get(topic)}
        if lost:
            do = str(entry.action)
            of = " and ".join(f"{plural(count, 'record', 'records')} of {topic}" for topic, count in lost.items())
            when = f"{inside(do, name)} at {at_us / 1e6:.3f} s instead of {entry.at_us / 1e6:.3f} s"
            are = "is" if sum(lost.values()) == 1 else "are"
            what = "nothing" if is_whole else f"no acknowledged record of {listed(list(lost))}"
            words = f"By luck {what} was lost: if {when}, {of} {are} lost (checked)."
            return {"at_us": at_us, "do": do, "instead_of_us": entry.at_us, "lost": lost, "words": words}
    return None
