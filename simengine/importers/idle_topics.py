"""The topics of a pasted cluster to which no application writes, by their names: copies, and what MirrorMaker keeps.

``east-orders`` is a copy where east lists ``orders``. A flow's policy tells remote topics where its configuration is
pasted too, but a copy may have been made before with another separator, or by a flow that no paste has.
"""

from typing import Any, Final

from simengine.importers.internal_hints import is_internal
from simengine.scenario.own_topics import is_own_topic

SEPARATORS: Final = (".", "-", "_", ":")
OWN: Final = "kept by MirrorMaker or Connect for itself"
RATE_OF: Final = "records/s of "  # begins the line on a topic whose rate is given or told: applications write to it

Plain = dict[str, Any]


def idle_topics(site: str, documents: dict[str, Plain], assumed: list[str]) -> dict[str, str]:
    """By topic of a site: what it is taken for. ``assumed``: the lines on this site."""
    written = {line.removeprefix(RATE_OF).partition(": ")[0] for line in assumed if line.startswith(RATE_OF)}
    known = {
        f"{other}{separator}{topic['name']}": f"a copy of {other}/{topic['name']}"
        for other in documents
        if other != site
        for topic in documents[other]["topics"]
        for separator in SEPARATORS
    }
    names = [topic["name"] for topic in documents[site]["topics"] if topic["name"] not in written]
    has_clients = {one["topic"] for one in documents[site]["producers"]}  # where a paste lists no topic besides
    own = {name: OWN for name in names if name in has_clients and is_own_topic(name) and not is_internal(name)}
    return own | {name: known[name] for name in names if name in known and not is_own_topic(name)}


def line_of(topic: str, what: str) -> str:
    """The line on such a topic."""
    return f"{topic}: {what} (by its name, so without clients; a rate of its own gives it some)"
