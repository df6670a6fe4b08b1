"""Several pastes as the sites of one document: each a cluster with a name, and the distance between them."""

from typing import Any, Final

from simengine.importers.assumed import ASSUMED
from simengine.importers.groups import DEFAULT_GROUP
from simengine.importers.idle_topics import idle_topics, line_of
from simengine.importers.mirrored import internal_topics, is_assumed, without_clients_of
from simengine.scenario.fields import CLUSTER_ALLOWED, CLUSTER_NAME
from simengine.scenario.limits import CLUSTERS_MAX
from simengine.words.phrases import listed

BETWEEN_MS: Final = 30.0  # latency between two sites, one way; no paste tells it
BETWEEN_MS_MAX: Final = 500.0
OF_THE_WORLD: Final = ("format", "seed", "until")  # what the clusters of a document share
OF_ONE: Final = ("profile", "elr", "cluster", "topics", "producers", "consumers", "network", "basis")

Plain = dict[str, Any]


class SitesError(ValueError):
    """The sites do not fit together; the message says what is allowed."""


def check_names(names: list[str]) -> None:
    """Raises SitesError for names that a document does not take, or that two sites have."""
    if not 1 <= len(names) <= CLUSTERS_MAX:
        raise SitesError(f"There are {len(names)} sites. Allowed: 1 to {CLUSTERS_MAX}.")
    for place, name in enumerate(names):
        if not CLUSTER_NAME.fullmatch(name):
            raise SitesError(f"{name!r} is no name of a site. Allowed: {CLUSTER_ALLOWED}.")
        if name in names[:place]:
            raise SitesError(f"Two sites are called {name}. Each needs a name of its own.")


def between_ms(value: object) -> float:
    """The latency between two sites. Raises SitesError."""
    try:
        found = float(str(value))
    except ValueError:
        found = -1.0
    if not 0 <= found <= BETWEEN_MS_MAX:
        raise SitesError(f"The latency between sites is {value}. Allowed: 0 to {BETWEEN_MS_MAX:g} ms.")
    return found


def joined(documents: dict[str, Plain], latency_ms: float = BETWEEN_MS) -> Plain:
    """The document of several sites, made of the document of each."""
    names = list(documents)
    first = documents[names[0]]
    latency = round(latency_ms * 1000)
    lines = {name: _assumed(documents[name]) for name in names}
    idle = {name: idle_topics(name, documents, lines[name]) for name in names}
    for name in names:
        lines[name] += [line_of(*one) for one in idle[name].items()]
    assumed = [f"{name}: {line}" for name in names for line in lines[name]]
    assumed.append(f"latency between clusters, one way: {latency_ms:g} (ms; no paste tells it)")
    parts = {name: _part(name, documents[name], {*idle[name]}) for name in names}
    return {
        **{key: first[key] for key in OF_THE_WORLD},
        "title": f"Pasted clusters: {' and '.join(names)}",
        "about": f"{listed(names)} are built from pasted listings. {ASSUMED}" + "\n".join(assumed),
        "clusters": parts,
        "network": {"latency": f"{latency}us", "jitter": f"{latency // 5}us"},
    }


def _assumed(document: Plain) -> list[str]:
    return [line for line in str(document["about"]).partition(ASSUMED)[2].split("\n") if line]


def _part(name: str, document: Plain, idle: set[str]) -> Plain:
    """A cluster of several: internal and idle topics have no clients, and a group that was assumed is its own."""
    part = without_clients_of({key: document[key] for key in OF_ONE}, internal_topics(document) | idle)
    taken = {one["group"] for one in part["consumers"]}
    own = next(group for k in range(len(taken) + 1) if (group := f"{DEFAULT_GROUP}-{name}{k or ''}") not in taken)
    consumers = [{**one, "group": own} if is_assumed(one) else one for one in part["consumers"]]
    return {**part, "consumers": consumers}
