"""Several pastes on the import page: the sites of one document."""

import json
from typing import Any

import pytest
from django.test import Client

from playground.scenarios.models import Scenario
from simengine.scenario import load
from tests.importers import samples

OTHER = samples.MODERN.replace("parcels", "letters")
TWO: list[dict[str, Any]] = [
    {"name": "east", "text": samples.MODERN},
    {"name": "west", "text": OTHER, "assumed": {"acks": "1"}},
]


def build(sites: Any, between_ms: object = 30) -> Any:
    sent = {"sites": sites, "between_ms": between_ms}
    return Client().post("/import/build", json.dumps(sent), content_type="application/json")


@pytest.mark.django_db
def test_two_pastes_are_built_as_one_document_that_the_playground_opens() -> None:
    answer = build(TWO, 80)
    assert answer.status_code == 201, answer.content
    assert answer.json()["url"].startswith("/s/")
    document = load(Scenario.objects.get(id=answer.json()["id"]).body)
    assert list(document.clusters) == ["east", "west"]
    east, west = document.clusters.values()
    assert (east.topics[0].name, west.topics[0].name) == ("parcels", "letters")
    assert (east.producers[0].acks, west.producers[0].acks) == ("all", "1")
    assert document.network.latency_us == 80_000


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sites", "error", "site"),
    [
        ("x", "sites is a list of maps.", None),
        ([], "There are 0 sites. Allowed: 1 to 8.", None),
        ([TWO[0], TWO[0]], "Two sites are called east.", None),
        ([TWO[0], {**TWO[1], "name": "1"}], "'1' is no name of a site. Allowed: a letter, then", None),
        ([TWO[0], {"name": "west", "text": "hello"}], "Nothing in this text looks like the output", "west"),
        ([TWO[0], {**TWO[1], "assumed": {"acks": "9"}}], "acks is 9: allowed are 0, 1, all.", "west"),
        (
            [TWO[0], {"name": "west", "text": "format: 1\ncluster: {brokers: [1]}"}],
            "This is a Highwater document",
            "west",
        ),
    ],
)
def test_what_makes_no_document_is_refused_with_the_site_to_blame(sites: Any, error: str, site: str | None) -> None:
    answer = build(sites)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(error)
    assert answer.json().get("site") == site


@pytest.mark.django_db
def test_a_wrong_distance_between_sites_is_refused() -> None:
    assert build(TWO, "far").json()["error"] == "The latency between sites is far. Allowed: 0 to 500 ms."


FLOW = "clusters = east, west\neast->west.enabled = true\neast->west.topics = parcels\nunheard.of = 1\n"


def mirrors(text: object, sites: Any = TWO) -> Any:
    sent = {"sites": sites, "mirrors": text}
    return Client().post("/import/mirrors", json.dumps(sent), content_type="application/json")


@pytest.mark.django_db
def test_the_configuration_of_mirrormaker_becomes_the_flows_of_the_document() -> None:
    sent = {"sites": TWO, "mirrors": FLOW}
    answer = Client().post("/import/build", json.dumps(sent), content_type="application/json")
    assert answer.status_code == 201, answer.content
    [flow] = load(Scenario.objects.get(id=answer.json()["id"]).body).mirrors
    assert (flow.source, flow.target, flow.config["topics"]) == ("east", "west", "parcels")


@pytest.mark.django_db
def test_flows_and_unread_lines_of_a_configuration_are_shown_before_the_build() -> None:
    told = mirrors(FLOW).json()
    assert (told["flows"], told["left"], told["clusters"]) == (["east->west"], [], ["east", "west"])
    assert [(one["line"], one["text"]) for one in told["unread"]] == [(4, "unheard.of = 1")]
    assert Scenario.objects.count() == 0
    [left] = mirrors(FLOW.replace("west", "dr")).json()["left"]
    assert left == {"flow": "east->dr", "reasons": ["dr is no cluster of the document. Allowed: east, west."]}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "error"),
    [
        (5, "mirrors is the text of MirrorMaker's configuration."),
        ("hello", "MirrorMaker: This is no configuration of MirrorMaker 2. Expected: the properties file"),
        (FLOW.replace("west", "dr"), "MirrorMaker: east->dr: dr is no cluster of the document. Allowed: east, west."),
    ],
)
def test_a_configuration_without_a_flow_that_can_be_built_is_refused(text: object, error: str) -> None:
    sent = {"sites": TWO, "mirrors": text}
    answer = Client().post("/import/build", json.dumps(sent), content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(error)


@pytest.mark.django_db
def test_mirrormaker_beside_one_cluster_or_an_unreadable_one_is_refused() -> None:
    assert mirrors(FLOW, TWO[:1]).json()["error"] == "MirrorMaker copies between clusters: paste a second one."
    refused = mirrors(FLOW, [TWO[0], {"name": "west", "text": "hello"}])
    assert (refused.status_code, refused.json()["site"]) == (400, "west")
