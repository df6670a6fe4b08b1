"""The import page's requests: preview, and build."""

import json
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest
from django.test import Client

from playground.scenarios.models import Scenario
from simengine.scenario import load
from tests.importers import samples

pytestmark = pytest.mark.django_db


def posted(client: Client, path: str, **sent: Any) -> Any:
    return client.post(path, json.dumps(sent), content_type="application/json")


def built(client: Client, text: str = samples.MODERN, **sent: Any) -> str:
    """The id of a document that the page built."""
    answer = posted(client, "/import/build", text=text, **sent)
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def test_the_page_is_served() -> None:
    answer = Client().get("/import")
    assert answer.status_code == 200
    assert b"js/import/page" in answer.content


def test_a_preview_shows_brokers_matrix_and_assumptions_and_stores_nothing() -> None:
    told = posted(Client(), "/import/preview", text=samples.MODERN).json()
    assert (told["status"], told["can_build"]) == ("accept", True)
    assert [(broker["id"], broker["state"], broker["guess"]) for broker in told["brokers"]] == [
        (1, "running", "az-b"),
        (2, "running", "az-c"),
        (3, "down", "az-a"),
    ]
    assert told["matrix"]["rows"][0][:2] == ["stops-0", -1]
    assert "scenario" not in told
    assert Scenario.objects.count() == 0


def test_a_preview_spreads_controllers_over_the_azs_that_it_shows() -> None:
    told = posted(Client(), "/import/preview", text=samples.MODERN).json()
    assert [(one["id"], one["rack"], one["from"]) for one in told["controllers"]] == [
        (100, "az-a", "assumed"),
        (101, "az-b", "assumed"),
        (102, "az-c", "assumed"),
    ]
    racks = {"1": "az-a", "2": "az-a", "3": "az-b"}
    told = posted(Client(), "/import/preview", text=samples.MODERN, racks=racks).json()
    assert [one["rack"] for one in told["controllers"]] == ["az-a", "az-b", "az-a"]


def test_a_preview_of_resources_shows_assumed_brokers_and_placed_topics_as_they_are_edited() -> None:
    text = (
        "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: t}\nspec: {partitions: 4, replicas: 3}\n"
    )
    for brokers in (3, 5, 4):
        told = posted(Client(), "/import/preview", text=text, assumed={"brokers": brokers}).json()
        assert [broker["id"] for broker in told["brokers"]] == [*range(brokers)]
        assert sum(broker["leads"] for broker in told["brokers"]) == 4


def test_a_preview_of_something_else_says_what_it_is() -> None:
    text = "Reassignment of partition a-1 is completed.\n"
    told = posted(Client(), "/import/preview", text=text).json()
    assert told["can_build"] is False
    assert told["reason"].startswith(
        "This is the output of kafka-reassign-partitions.sh, which names 1 topic and 1 partition. It names no broker"
    )


@pytest.mark.parametrize(
    ("sent", "word"),
    [
        ({"text": samples.MODERN, "assumed": {"acks": "9"}}, "acks"),
        ({"text": samples.MODERN, "racks": {"1": "a b"}}, "name of an AZ"),
        ({"text": samples.MODERN, "racks": {"x": "az"}}, "broker id"),
        ({"text": samples.MODERN, "racks": {"1": "a" * 61}}, "61 characters; the limit is 60"),
        ({"text": samples.MODERN, "controllers": {"x": "az"}}, "controller id"),
        ({"text": samples.MODERN, "controllers": ["az"]}, "maps"),
        ({"text": 7}, "no text"),
        ({"text": "", "racks": []}, "maps"),
    ],
)
def test_a_wrong_request_is_refused_in_words(sent: dict[str, Any], word: str) -> None:
    answer = posted(Client(), "/import/preview", **sent)
    assert answer.status_code == 400
    assert word in answer.json()["error"]


def test_refused_assumptions_are_told_by_their_field_beside_the_preview_of_the_rest() -> None:
    sent = {"acks": "9", "backlog": "x", "log_end": 500, "records_per_s": 3}
    answer = posted(Client(), "/import/preview", text=samples.MODERN, assumed=sent)
    told = answer.json()
    assert told["refused"] == {
        "acks": "acks is 9: allowed are 0, 1, all.",
        "backlog": "backlog is x: allowed is a whole number from 0 to 1,000,000.",
    }
    values = {one["edit"]: one["value"] for one in told["told"]["assumptions"]}
    assert (values["records_per_s"], values["log_end"], values["acks"]) == (3, 500, "all")
    refused = posted(Client(), "/import/build", text=samples.MODERN, assumed=sent)
    assert (refused.status_code, refused.json()["refused"]) == (400, told["refused"])


def test_edits_that_do_not_go_together_are_told_and_the_paste_is_still_shown() -> None:
    told = posted(Client(), "/import/preview", text=samples.MODERN, assumed={"log_end": 100}).json()
    assert list(told["refused"]) == ["backlog"]
    assert told["told"]["summary"]["partitions"] == 5


def test_building_stores_the_document_with_its_racks_for_this_browser() -> None:
    client = Client()
    scenario = Scenario.objects.get(id=built(client, racks={"1": "east", "2": "west", "3": "west"}))
    document = json.loads(scenario.body)
    assert [broker.get("rack") for broker in document["cluster"]["brokers"]] == ["east", "west", "west"]
    assert scenario.source == "import"
    page = client.get(f"/s/{scenario.id}/az")
    assert page.status_code == 200
    assert b"acks: all (of all producers" in page.content
    assert b"records per log" not in page.content, "it is a field of the answer"
    assert b"records/s: 10" not in page.content, "it is a field of the answer"
    head = "Broker 3 is down. 1 partition is offline already. Nothing else has happened to it yet."
    assert head in page.content.decode()


def test_a_text_without_a_cluster_cannot_be_built() -> None:
    answer = posted(Client(), "/import/build", text="nothing")
    assert answer.status_code == 400
    assert "Nothing in this text" in answer.json()["error"]


def test_a_link_that_leads_nowhere_is_told_so() -> None:
    assert Client().get("/s/nothing/az").status_code == 404


def test_a_pasted_document_is_opened_as_it_is() -> None:
    client = Client()
    text = resources.files("simengine.scenario.builtin").joinpath("sandbox.yaml").read_text()
    told = posted(client, "/import/preview", text=text).json()
    assert (told["kind"], told["status"], told["can_build"]) == ("document", "accept", True)
    assert told["summary"] == {
        "brokers": 3,
        "topics": 2,
        "partitions": 4,
        "under_replicated": 0,
        "leaderless": 0,
        "leader_not_first": 0,
    }
    answer = posted(client, "/import/build", text=text).json()
    assert answer["url"] == f"/s/{answer['id']}"
    assert load(client.get(f"/s/{answer['id']}.yaml").content) == load(text.encode())


@pytest.mark.parametrize(
    "change",
    [
        json.dumps,
        lambda plain: json.dumps(plain, separators=(",", ":")),
        lambda plain: json.dumps(dict(reversed(plain.items()))),
        lambda plain: "\ufeff\n " + json.dumps(plain) + "\n",
        lambda plain: json.dumps(plain).replace('"format": 1', "format: 1"),
    ],
)
def test_a_document_on_one_line_of_json_is_taken_for_a_document(change: Callable[[dict[str, Any]], str]) -> None:
    plain = {"title": "One", "format": 1, "cluster": {"brokers": [{"id": 1}], "controllers": [{"id": 100}]}}
    client = Client()
    told = posted(client, "/import/preview", text=change(plain)).json()
    assert (told["kind"], told["status"]) == ("document", "accept"), told
    answer = posted(client, "/import/build", text=change(plain)).json()
    assert answer["url"] == f"/s/{answer['id']}"


def test_a_pasted_document_with_faults_lists_them_all_and_builds_nothing() -> None:
    text = (
        "format: 1\ncluster: {brokers: [1], controllers: [100]}\ntopics: [{name: t, assignment: [[1, 9]]}]\nsead: 3\n"
    )
    told = posted(Client(), "/import/preview", text=text).json()
    assert (told["status"], told["can_build"]) == ("reject", False)
    assert any("there is no broker 9" in one for one in told["warnings"])
    assert any("did you mean seed" in one for one in told["warnings"])
    answer = posted(Client(), "/import/build", text=text)
    assert answer.status_code == 400
    assert Scenario.objects.count() == 0


def test_what_is_dead_from_the_start_of_a_run_is_told_above_its_table() -> None:
    client = Client()
    text = resources.files("simengine.scenario.builtin").joinpath("sandbox.yaml").read_text()
    text = text.replace("captions:", "timeline: [{at: 0s, do: kill 1}, {at: 1s, do: kill 2}]\ncaptions:")
    made = posted(client, "/import/build", text=text).json()
    page = client.get(f"/s/{made['id']}/az").content.decode()
    assert "At its start: Broker 1 is killed. Nothing else has happened to it yet." in page
