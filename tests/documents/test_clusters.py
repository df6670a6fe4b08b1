"""Documents of several clusters: how they are written, and what is refused in words."""

from typing import Any

import pytest

from simengine.scenario import DocumentError, load, to_json, to_plain, to_yaml
from simengine.scenario.parts import parts_of
from simengine.scenario.sites import as_named

EAST: dict[str, Any] = {
    "cluster": {"brokers": [1, 2, {"id": 3, "rack": "az-a"}]},
    "topics": [{"name": "orders", "assignment": [[1, 2, 3]]}],
    "producers": [{"id": "app", "topic": "orders", "rate": 10}],
    "consumers": [{"id": "reader", "topics": ["orders"], "group": "G"}],
}
WEST: dict[str, Any] = {**EAST, "profile": "4.0", "network": {"latency": "2ms"}}


def plain(**more: Any) -> dict[str, Any]:
    """A document of clusters east and west, with more keys beside them."""
    return {"format": 1, "clusters": {"east": EAST, "west": WEST}, **more}


def wrong(**more: Any) -> list[str]:
    """The problems of such a document."""
    with pytest.raises(DocumentError) as error:
        load(plain(**more))
    return [str(problem) for problem in error.value.problems]


def test_each_cluster_is_a_document_of_its_own() -> None:
    document = load(plain(seed=7))
    parts = parts_of(document)
    assert list(parts) == ["east", "west"]
    assert [part.profile for part in parts.values()] == ["4.2", "4.0"]
    assert [part.seed for part in parts.values()] == [7, 7]
    assert [broker.id for broker in parts["west"].brokers] == [1, 2, 3]
    assert document.brokers == []


def test_a_document_of_one_cluster_is_its_own_part() -> None:
    document = load({"format": 1, **EAST})
    assert parts_of(document) == {"": document}


def test_a_stored_document_of_one_cluster_with_a_lossy_link_is_still_read() -> None:
    load({"format": 1, **EAST, "network": {"links": [{"between": [1, 2], "loss": 0.1}]}})


def test_it_is_read_as_it_is_written() -> None:
    document = load(plain(timeline=[{"at": "1s", "do": "kill east/1"}, {"at": "2s", "do": "cut east|west/az-a"}]))
    assert load(to_yaml(document)) == document
    assert load(to_json(document)) == document
    written = to_plain(document)
    assert "cluster" not in written
    assert written["clusters"]["east"]["profile"] == "4.2"
    assert written["clusters"]["east"]["cluster"]["brokers"][:2] == [1, 2]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"cluster": {"brokers": [1]}}, "cluster: stands within each cluster. Allowed: clusters.east.cluster."),
        ({"topics": EAST["topics"]}, "topics: stands within each cluster. Allowed: clusters.east.topics."),
        ({"clusters": {"e/st": EAST}}, "clusters.e/st: not a name of a cluster"),
        ({"clusters": {"east": {**EAST, "topics": [{"name": "t", "assignment": [[7]]}]}}}, "there is no broker 7"),
        ({"clusters": {"east": {**EAST, "seed": 1}}}, "clusters.east.seed: unknown key 'seed'"),
        (
            {"network": {"links": [{"between": ["east", "west"], "loss": 0.1}]}},
            "network.links[0].loss: lost packets are not simulated",
        ),
        ({"network": {"links": [{"between": ["east", "north"]}]}}, "network.links[0].between[1]: 'north' does not say"),
        ({"timeline": [{"at": "1s", "do": "kill 1"}]}, "'1' does not say which cluster it is of"),
        ({"timeline": [{"at": "1s", "do": "kill-site north"}]}, "there is no cluster 'north'. Allowed: east, west."),
        ({"timeline": [{"at": "1s", "do": "commit east/reader west/orders-0 1"}]}, "an action is of one cluster"),
        ({"expect": [{"partition": "orders-0", "leader": 1}]}, "expect[0]: 'orders-0' does not say which cluster"),
        ({"expect": [{"verdict": "west/t", "lost": 0}]}, "there is no topic 't'. Allowed: orders."),
    ],
)
def test_what_is_wrong_is_told_with_its_place_and_what_is_allowed(more: dict[str, Any], told: str) -> None:
    assert any(told in problem for problem in wrong(**more)), wrong(**more)


def test_the_limits_are_those_of_all_clusters_together() -> None:
    large = {"cluster": {"brokers": list(range(60))}}
    found = wrong(clusters={"east": large, "west": large})
    assert found == ["clusters: 120 brokers in all clusters. Allowed: at most 100."]


def test_an_action_on_a_whole_cluster_needs_several() -> None:
    with pytest.raises(DocumentError, match="this document has one cluster"):
        load({"format": 1, **EAST, "timeline": [{"at": "1s", "do": "kill-site east"}]})


def test_a_document_of_one_cluster_is_written_as_one_of_several() -> None:
    """Its actions, links and captions stay; its expectations are about names that it no longer has."""
    timeline = [
        {"at": "1s", "do": "cut 1|2,3"},
        {"at": "2s", "do": "kill-rack az-a"},
        {"at": "3s", "do": "config cluster min.insync.replicas 2"},
        {"at": "4s", "do": "heal"},
    ]
    alone = load(
        {
            "format": 1,
            "title": "One",
            "seed": 9,
            **EAST,
            "timeline": timeline,
            "captions": [{"at": "1s", "text": "cut"}],
        }
    )
    several = as_named(alone, "east")
    assert load(to_plain(several)) == several
    assert [to_plain(several)["timeline"][i]["do"] for i in range(4)] == [
        "cut east/1|east/2,east/3",
        "kill-rack east/az-a",
        "config east/cluster min.insync.replicas 2",
        "heal east>east",
    ]
    assert (several.title, several.seed, len(several.captions)) == ("One", 9, 1)
    assert as_named(several, "west") == several
