"""The verdict of a world of several clusters: each cluster's own, and one sentence that names them, the worst first."""

from typing import TYPE_CHECKING

from simengine.facts.kinds import SEVERITY_NAMES
from simengine.verdict.final import verdict_of

if TYPE_CHECKING:
    from simengine.verdict.book import VerdictCounters

Json = dict[str, object]


def verdict_of_sites(books: list["VerdictCounters"], names: Json) -> Json:
    """The verdicts of all clusters under ``clusters``; their topics together, called ``east/orders``."""
    found = [(name_of(book), verdict_of(book, names)) for book in books]
    clusters: list[Json] = [{"cluster": name, **verdict} for name, verdict in found]
    return {
        "clusters": clusters,
        "topics": named_topics(found, "topics"),
        "others": named_topics(found, "others"),
        "sentence": sentence_of(clusters),
        "severity": max((str(verdict["severity"]) for _, verdict in found), key=SEVERITY_NAMES.index),
        "settled": all(verdict["settled"] for _, verdict in found),
        "balance_ok": all(verdict["balance_ok"] for _, verdict in found),
        **{key: found[0][1][key] for key in ("theta_us", "digest", "at_us")},
    }


def sentence_of(clusters: list[Json]) -> str:
    """The sentences of clusters, each with its name, the worst first."""
    told = sorted(clusters, key=lambda one: SEVERITY_NAMES.index(str(one["severity"])), reverse=True)
    return " ".join(f"{one['cluster']}: {one['sentence']}" for one in told)


def name_of(book: "VerdictCounters") -> str:
    """The name of a book's cluster."""
    assert book.cluster is not None, "a verdict needs a run"
    return book.cluster.site.name


def named_topics(found: list[tuple[str, Json]], key: str) -> list[Json]:
    """The topics under a key of each verdict, with their cluster before their names."""
    topics: list[Json] = []
    for name, verdict in found:
        of_cluster = verdict[key]
        assert isinstance(of_cluster, list), "a verdict lists its topics"
        topics += [{**topic, "topic": f"{name}/{topic['topic']}"} for topic in of_cluster]
    return topics
