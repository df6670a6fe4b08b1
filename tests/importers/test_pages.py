"""The import page's requests: preview, build, the AZ table line by line, and the run behind a cell."""

import json
from dataclasses import asdict
from importlib import resources
from typing import Any

import pytest
from django.core.cache import cache
from django.test import AsyncClient, Client

from playground.imports import az
from playground.scenarios.models import Scenario
from simengine.importers import az_table
from simengine.importers.az_cell import ACKS, ANY_BROKER
from simengine.scenario import Document, load
from simengine.world import build
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
    assert b"records/s: 10" in page.content
    head = "broker 3 down. 1 partition is offline already. Nothing else has happened to it yet."
    assert head in page.content.decode()


def test_a_text_without_a_cluster_cannot_be_built() -> None:
    answer = posted(Client(), "/import/build", text="nothing")
    assert answer.status_code == 400
    assert "Nothing in this text" in answer.json()["error"]


def test_a_cell_opens_its_run_at_the_moment_before_and_is_made_once() -> None:
    client = Client()
    key = built(client, racks={"1": "east", "2": "west", "3": "west"})
    first = client.post(f"/import/az/{key}/open", {"row": "east", "acks": "1"})
    assert first.status_code == 302
    run = Scenario.objects.get(parent_id=key)
    assert first.headers["Location"] == f"/s/{run.id}#t=2.999"
    assert run.moment_us == az_table.KILL_US - 1_000
    assert [entry["do"] for entry in json.loads(run.body)["timeline"]] == ["kill-rack east"]
    again = client.post(f"/import/az/{key}/open", {"row": "east", "acks": "1"})
    assert again.headers["Location"] == first.headers["Location"]


def test_a_cell_that_does_not_exist_is_refused() -> None:
    client = Client()
    answer = client.post(f"/import/az/{built(client)}/open", {"row": "moon", "acks": "1"})
    assert answer.status_code == 400
    assert "moon" in answer.json()["error"]


def test_the_row_of_any_broker_opens_the_kill_of_the_broker_that_it_names() -> None:
    client = Client()
    key = built(client, racks={"1": "east", "2": "west", "3": "west"})
    opened = client.post(f"/import/az/{key}/open", {"row": ANY_BROKER, "acks": "all", "broker": "2"})
    assert opened.status_code == 302
    run = Scenario.objects.get(parent_id=key)
    assert [entry["do"] for entry in json.loads(run.body)["timeline"]] == ["kill 2"]
    assert run.change == "broker 2 dies at 3 s, acks=all"
    for wrong in ("3", "9", "x", ""):  # 3 is down
        assert (
            client.post(f"/import/az/{key}/open", {"row": ANY_BROKER, "acks": "1", "broker": wrong}).status_code == 400
        )


def test_a_link_that_leads_nowhere_is_told_so() -> None:
    assert Client().get("/s/nothing/az").status_code == 404


@pytest.mark.django_db(transaction=True)
async def test_the_table_comes_line_by_line_and_is_kept() -> None:
    client = AsyncClient()
    answer = await client.post(
        "/import/build",
        json.dumps({"text": samples.MODERN, "racks": {"1": "east", "2": "west", "3": "west"}}),
        content_type="application/json",
    )
    key = answer.json()["id"]
    texts = []
    for _ in range(2):
        streamed: Any = await client.get(f"/import/az/{key}")
        texts.append(b"".join([part async for part in streamed.streaming_content]))
    assert texts[0] == texts[1]
    items = [json.loads(line) for line in texts[0].splitlines()]
    rows = [row["key"] for row in items[0]["outline"]["rows"]]
    assert rows == ["east", "west", ANY_BROKER]
    assert [(item["cell"]["row"], item["cell"]["acks"]) for item in items[1:-1]] == [
        (row, acks) for row in rows for acks in ACKS
    ]
    assert items[-1]["sentence"].startswith("If ")


HIDING = """\
Topic: a.b\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: min.insync.replicas=2
\tTopic: a.b\tPartition: 0\tLeader: 10\tReplicas: 10,20,40\tIsr: 10,20
\tTopic: a.b\tPartition: 1\tLeader: none\tReplicas: 40,50\tIsr:
Topic: solo\tPartitionCount: 1\tReplicationFactor: 1\tConfigs:
\tTopic: solo\tPartition: 0\tLeader: 30\tReplicas: 30\tIsr: 30
"""


@pytest.mark.django_db(transaction=True)
async def test_a_run_that_is_opened_comes_to_what_its_cell_said_and_to_what_its_verdict_says() -> None:
    """Opened as soon as its cell is known, while the table is still being computed."""
    client = AsyncClient()
    racks = {"10": "az-b", "20": "az-c", "30": "az-a"}
    sent = json.dumps({"text": HIDING, "racks": racks})
    key = (await client.post("/import/build", sent, content_type="application/json")).json()["id"]
    streamed: Any = await client.get(f"/import/az/{key}")
    outline: dict[str, Any] = {}
    async for part in streamed.streaming_content:
        item = json.loads(part)
        outline |= {row["key"]: row for row in item.get("outline", {"rows": []})["rows"]}
        if cell := item.get("cell"):
            broker = outline[cell["row"]]["broker"]
            sent_form = {"row": cell["row"], "acks": cell["acks"], "broker": "" if broker is None else str(broker)}
            answer = await client.post(f"/import/az/{key}/open", sent_form)
            run = await Scenario.objects.aget(id=answer.headers["Location"].removeprefix("/s/").partition("#")[0])
            check_opened(load(run.body), cell)


def check_opened(document: Document, cell: dict[str, Any]) -> None:
    """That the stored run says of its end what the cell says, and that its verdict says it too."""
    world = build(document)
    world.run(document.until_us)
    topics: Any = world.verdict()["topics"]
    (caption,) = document.captions
    assert (caption.kind, caption.at_us) == ("outcome", world.now_us)
    assert caption.text == " ".join([cell["outcome"], *(f"{cause}." for cause in cell["causes"])])
    assert all(topic["sentence"] in caption.text for topic in topics)
    assert sum(topic["hidden"] for topic in topics) == cell["hidden"] + cell["hidden_before"]
    assert sum(topic["lost"] for topic in topics) == cell["lost"]
    if (cell["row"], cell["acks"]) == ("az-c", "1"):
        assert cell["hidden"] > 0
        assert f"a.b: {cell['hidden']} acknowledged records cannot be read." in caption.text


def test_a_run_says_what_it_comes_to_also_when_the_cache_has_forgotten_its_table() -> None:
    client = Client()
    key = built(client, racks={"1": "east", "2": "west", "3": "west"})
    for row, broker in (("east", ""), (ANY_BROKER, "2")):
        asked = {"row": row, "acks": "1", "broker": broker}
        opened = client.post(f"/import/az/{key}/open", asked).headers["Location"]
        run = load(Scenario.objects.get(id=opened.removeprefix("/s/").partition("#")[0]).body)
        loss = az_table.loss_of(load(Scenario.objects.get(id=key).body), row, int(broker or 0))
        assert loss is not None
        check_opened(run, asdict(az_table.run_cell(load(Scenario.objects.get(id=key).body), loss, "1")))
        cache.clear()
        assert client.post(f"/import/az/{key}/open", asked).headers["Location"] == opened


def test_a_run_that_was_made_before_its_outcome_was_known_is_not_taken_for_one_that_tells_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client()
    key = built(client, racks={"1": "east", "2": "west", "3": "west"})
    asked = {"row": "east", "acks": "1"}
    monkeypatch.setattr(az, "CELL_SECONDS_MAX", 0)
    before = client.post(f"/import/az/{key}/open", asked).headers["Location"]
    cell = {"row": "east", "acks": "1", "outcome": "Told.", "causes": ["1 partition does"]}
    cache.set(az._name(key), json.dumps({"cell": cell}).encode() + b"\n")
    after = client.post(f"/import/az/{key}/open", asked).headers["Location"]
    assert after != before
    assert client.post(f"/import/az/{key}/open", asked).headers["Location"] == after
    told = [json.loads(run.body).get("captions") for run in Scenario.objects.filter(parent_id=key).order_by("created")]
    assert [captions and captions[0]["text"] for captions in told] == [None, "Told. 1 partition does."]


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
