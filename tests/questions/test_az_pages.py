"""The answer's routes: the stream, the lists, the runs of its cells, and the cluster as edited."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import AsyncClient, Client

from playground.engine.limits import LONG
from playground.engine.questions import questions
from playground.imports import az_work
from playground.scenarios.models import Scenario
from simengine.questions.az import run as az_run
from simengine.questions.az.cell import ACKS, ANY_BROKER
from simengine.questions.az.table import table
from simengine.scenario import Document, load
from simengine.world.world import build
from tests.importers import samples

pytestmark = pytest.mark.django_db
EAST_WEST = {"1": "east", "2": "west", "3": "west"}


@pytest.fixture(autouse=True)
def _without_kept_answers() -> Iterator[None]:
    questions.kept.clear()
    yield
    questions.kept.clear()


def posted(client: Client, url: str, **sent: Any) -> Any:
    return client.post(url, json.dumps(sent), content_type="application/json")


def built(client: Client, **sent: Any) -> str:
    answer = posted(client, "/import/build", **{"text": samples.MODERN, "racks": EAST_WEST, **sent})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def opened(client: Client, key: str, **form: str) -> Any:
    answer = client.post(f"/import/az/{key}/open", form)
    assert answer.status_code == 302, answer.content
    place, _, moment = answer.headers["Location"].partition("#")
    assert moment == "t=5.999"
    return Scenario.objects.get(id=place.removeprefix("/s/"))


def test_a_cell_opens_its_run_at_the_moment_before_and_is_made_once() -> None:
    client = Client()
    key = built(client)
    run = opened(client, key, row="east", acks="1")
    assert run.moment_us == az_run.KILL_US - 1_000
    assert [entry["do"] for entry in json.loads(run.body)["timeline"]] == ["power-loss east 0"]
    assert opened(client, key, row="east", acks="1") == run
    killed = opened(client, key, row="east", acks="1", edits='{"dies": "killed"}')
    assert [entry["do"] for entry in json.loads(killed.body)["timeline"]] == ["kill-rack east"]
    assert killed.change == "the processes of east are killed at 6 s, acks=1"


def test_the_run_of_an_edited_cluster_is_another() -> None:
    client = Client()
    key = built(client)
    run = opened(client, key, row="east", acks="all")
    slow = opened(client, key, row="east", acks="all", edits='{"assumed": {"latency_ms": 25}}')
    assert slow != run
    assert json.loads(slow.body)["network"]["latency_us" if "latency_us" in slow.body else "latency"] == "25ms"


def test_the_row_of_any_broker_opens_the_loss_of_the_broker_that_it_names() -> None:
    client = Client()
    key = built(client)
    run = opened(client, key, row=ANY_BROKER, acks="all", pick="2")
    assert [entry["do"] for entry in json.loads(run.body)["timeline"]] == ["power-loss 2 0"]
    for wrong in ("3", "9", "x", ""):  # 3 is down
        answer = client.post(f"/import/az/{key}/open", {"row": ANY_BROKER, "acks": "1", "pick": wrong})
        assert answer.status_code == 400


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"row": "moon", "acks": "1"}, "There is no row 'moon'"),
        ({"row": "east", "acks": "2"}, "acks='2'"),
        ({"row": "east", "acks": "1", "edits": "{"}, "not JSON"),
        ({"row": "east", "acks": "1", "edits": '{"dies": "x"}'}, "dies is 'x'"),
    ],
)
def test_a_cell_that_does_not_exist_is_refused(form: dict[str, str], words: str) -> None:
    client = Client()
    answer = client.post(f"/import/az/{built(client)}/open", form)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


async def made(client: AsyncClient, text: str, racks: dict[str, str]) -> str:
    sent = json.dumps({"text": text, "racks": racks})
    return str((await client.post("/import/build", sent, content_type="application/json")).json()["id"])


async def streamed(client: AsyncClient, key: str, **edits: Any) -> list[Any]:
    answer: Any = await client.post(f"/import/az/{key}", json.dumps(edits), content_type="application/json")
    assert answer.status_code == 200
    text = b"".join([part async for part in answer.streaming_content])
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.django_db(transaction=True)
async def test_the_answer_comes_line_by_line_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    client = AsyncClient()
    key = await made(client, samples.MODERN, EAST_WEST)
    items = await streamed(client, key)
    rows = [row["key"] for row in items[0]["outline"]["rows"]]
    assert rows == ["west", "east", ANY_BROKER]
    cells = [(item["cell"]["row"], item["cell"]["acks"]) for item in items if "cell" in item]
    assert cells == [(row, acks) for row in rows for acks in ACKS]
    assert not any("parts" in item for item in items)
    assert items[-1] == {"done": True}
    document = load((await Scenario.objects.aget(id=key)).body)
    expected = json.loads(json.dumps(table(document)))
    assert [item["answer"] for item in items if "answer" in item] == [expected["answer"]]
    assert [item["cell"] for item in items if "cell" in item] == expected["cells"]
    for work in (az_work.lines, az_work.row):
        monkeypatch.setattr(work, "budget", replace(work.budget, seconds_max=0.0))
    assert await streamed(client, key) == items, "the second time it comes from the cache"
    sent = {"row": "west", "of": "write", "acks": "all"}
    listed = await client.post(f"/import/az/{key}/list", json.dumps(sent), content_type="application/json")
    figures = next(item["cell"] for item in items if "cell" in item)
    assert (listed.json()["total"], len(listed.json()["rows"])) == (figures["write"]["list"],) * 2


@pytest.mark.django_db(transaction=True)
async def test_an_edit_is_another_answer() -> None:
    client = AsyncClient()
    key = await made(client, samples.MODERN, EAST_WEST)
    controllers = {"100": "north", "101": "west", "102": "north"}
    edits = {"racks": {"1": "north"}, "controllers": controllers, "assumed": {"request_timeout_ms": "12000"}}
    items = await streamed(client, key, **edits)
    outline = items[0]["outline"]
    assert [row["key"] for row in outline["rows"]] == ["west", "north", ANY_BROKER]
    assert {field["key"]: field["from"] for field in outline["basis"]}["racks"] == "yours"
    assert outline["horizon_us"] == 33_000_000


@pytest.mark.parametrize("route", ["", "/list", "/keep"])
def test_wrong_edits_are_refused_by_every_route(route: str) -> None:
    client = Client()
    answer = posted(client, f"/import/az/{built(client)}{route}", racks={"9": "east"}, assumed={"latency_ms": 1e9})
    assert answer.status_code == 400
    assert list(answer.json()["refused"]) == ["latency_ms"]
    answer = posted(client, f"/import/az/{built(client)}{route}", racks={"9": "east"})
    assert answer.json()["refused"] == {"racks": "There is no broker 9; brokers: 1, 2, 3."}
    assert posted(client, f"/import/az/nothing{route}").status_code == 404


def test_a_list_comes_whole_as_a_file_and_in_parts_as_json() -> None:
    client = Client()
    key = built(client)
    sent = {"row": "west", "of": "write", "acks": "all", "sort": "topic", "offset": 1, "limit": 1}
    told = posted(client, f"/import/az/{key}/list", **sent).json()
    assert (told["offset"], len(told["rows"]), told["total"] > 1) == (1, 1, True)
    file = posted(client, f"/import/az/{key}/list", **sent, format="csv")
    assert file.headers["Content-Disposition"] == 'attachment; filename="partitions.csv"'
    assert len(file.content.decode().splitlines()) == told["total"] + 1
    assert posted(client, f"/import/az/{key}/list", row="west", of="cause", cause="c99").status_code == 400
    assert posted(client, f"/import/az/{key}/list", row="moon", of="write").status_code == 400


def test_the_cluster_as_edited_is_kept_as_one_of_its_own() -> None:
    client = Client()
    key = built(client)
    same = posted(client, f"/import/az/{key}/keep").json()
    assert (same["id"], same["url"], same["az"]) == (key, f"/s/{key}", f"/s/{key}/az")
    kept = posted(client, f"/import/az/{key}/keep", racks={"1": "west"}, assumed={"log_gb": 3})
    assert kept.status_code == 201
    document = load(Scenario.objects.get(id=kept.json()["id"]).body)
    assert [broker.rack for broker in document.brokers] == ["west", "west", "west"]
    assert document.basis is not None
    assert (document.basis.sources["log_gb"], document.basis.log_mb) == ("yours", 3_000)


HIDING = """\
Topic: a.b\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: min.insync.replicas=2
\tTopic: a.b\tPartition: 0\tLeader: 10\tReplicas: 10,20,40\tIsr: 10,20
\tTopic: a.b\tPartition: 1\tLeader: none\tReplicas: 40,50\tIsr:
Topic: solo\tPartitionCount: 1\tReplicationFactor: 1\tConfigs:
\tTopic: solo\tPartition: 0\tLeader: 30\tReplicas: 30\tIsr: 30
"""


@pytest.mark.django_db(transaction=True)
async def test_a_run_that_is_opened_comes_to_what_its_cell_said_and_to_what_its_verdict_says() -> None:
    client = AsyncClient()
    key = await made(client, HIDING, {"10": "az-b", "20": "az-c", "30": "az-a"})
    items = await streamed(client, key)
    rows = {row["key"]: row for row in items[0]["outline"]["rows"]}
    for cell in (item["cell"] for item in items if "cell" in item):
        form = {"row": cell["row"], "acks": cell["acks"], "pick": rows[cell["row"]]["pick"]}
        answer = await client.post(f"/import/az/{key}/open", form)
        run = await Scenario.objects.aget(id=answer.headers["Location"].removeprefix("/s/").partition("#")[0])
        check_opened(load(run.body), cell)


def check_opened(document: Document, cell: dict[str, Any]) -> None:
    """That the stored run says of its end what the cell says, and that its verdict says it too."""
    world = build(document)
    world.run(document.until_us)
    topics: Any = world.verdict()["topics"]
    (caption,) = document.captions
    assert (caption.kind, caption.at_us) == ("outcome", world.now_us)
    assert caption.text.startswith(cell["outcome"])
    assert all(topic["sentence"] in caption.text for topic in topics)
    assert sum(topic["hidden"] for topic in topics) >= cell["read"]["hidden"]
    assert sum(topic["lost"] for topic in topics) == cell["lost"]["count"]
    if (cell["row"], cell["acks"]) == ("az-c", "1"):
        assert cell["read"]["hidden"] > 0


def test_a_run_says_what_it_comes_to_also_when_the_cache_has_forgotten_its_answer() -> None:
    client = Client()
    key = built(client)
    run = opened(client, key, row="east", acks="1")
    questions.kept.clear()
    assert opened(client, key, row="east", acks="1") == run
    assert "partition" in json.loads(run.body)["captions"][0]["text"]


def test_a_run_opens_without_its_outcome_where_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    key = built(client)
    brief = replace(LONG, seconds_max=0.0)
    monkeypatch.setattr(az_work.row, "budget", brief)
    before = opened(client, key, row="east", acks="1")
    assert "captions" not in json.loads(before.body)
    assert opened(client, key, row="east", acks="1") == before
    answer = posted(client, f"/import/az/{key}/list", row="east", of="write")
    assert (answer.status_code, "takes too long" in answer.json()["error"]) == (503, True)
