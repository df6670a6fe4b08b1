"""A run of several clusters on the pages: what shows it tells clusters apart, what cannot says so in one sentence."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, Client

from playground.imports.document_text import is_document, preview
from playground.rooms.brief import stated_sentence
from playground.rooms.run import RoomRun
from playground.scenarios import documents, store
from playground.scenarios.models import Scenario, Source
from playground.scenarios.owner import Maker
from simengine.__main__ import command_modules
from simengine.__main__ import main as run_command
from simengine.facts.decisive import ActionDone
from simengine.scenario import DocumentError, load, to_plain
from simengine.scenario.sites import ONE_CLUSTER_ONLY
from simengine.world.event_sentences import events_told
from tests.engine.cluster import stated

SCENARIOS = Path(__file__).parents[1] / "scenarios" / "mirrors"
TWO = """
format: 1
title: Two sites
clusters:
  east:
    cluster: {brokers: [1, 2], controllers: [100]}
    topics: [{name: orders, assignment: [[1, 2]]}]
    producers: [{id: app, topic: orders, rate: 10}]
  west:
    profile: "4.0"
    cluster: {brokers: [1], controllers: [100]}
    topics: [{name: orders, assignment: [[1]]}]
    producers: [{id: app, topic: orders, rate: 10}]
timeline:
  - {at: 2s, do: kill west/1}
"""


def _made() -> Scenario:
    return store.create(TWO, by=Maker("me"), origin=Source.UPLOAD)


@pytest.mark.django_db
def test_the_page_about_a_run_counts_each_cluster(client: Client) -> None:
    page = client.get(f"/s/{_made().id}/about").content.decode()
    assert "east: 2 brokers, 1 controller, 1 topic, Kafka 4.2; west: 1 broker, 1 controller" in page
    assert "Broker west/1 is killed." in page


@pytest.mark.django_db
def test_what_looks_at_one_cluster_refuses_several_in_words(client: Client) -> None:
    answer = client.get(f"/import/az/{_made().id}")
    assert answer.status_code in (400, 409)
    told = html.unescape(answer.content.decode())
    assert ONE_CLUSTER_ONLY in told and "clusters: This" not in told


WORDS_AFTER = {"run": ["--until", "3s"], "plans": ["--lose", "east", "--to", "west", "--document", "dual-run"]}
MIRRORED = SCENARIOS / "s43-active-active.yaml"


@pytest.mark.parametrize("command", ["decide", "why", "az --row az-a", "check", "run", "expect", "plans", "az"])
def test_the_sentence_names_each_command_by_what_it_does_with_several_clusters(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    refused, taken = ONE_CLUSTER_ONLY.split(" The playground")
    name, *options = command.split()
    status = run_command([name, str(MIRRORED), *options, *WORDS_AFTER.get(name, [])])
    told = capsys.readouterr().err
    assert (status != 0) == (ONE_CLUSTER_ONLY in told), told
    assert re.search(rf"\b{name}\b", refused if status else taken)


def test_every_command_on_a_document_is_in_the_sentence() -> None:
    of_recordings = {"rerun"}
    others = {"import", "schema"}  # one makes a document, one describes it
    for name in set(command_modules()) - of_recordings - others:
        assert re.search(rf"\b{name}\b", ONE_CLUSTER_ONLY), name


@pytest.mark.django_db(transaction=True)
async def test_the_az_answer_of_several_clusters_has_a_row_for_the_loss_of_each() -> None:
    client = AsyncClient()
    made = await sync_to_async(_made)()
    page = await client.get(f"/s/{made.pk}/az")
    assert page.status_code == 200
    assert '["east", "west"]' in page.content.decode()
    answer: Any = await client.get(f"/import/az/{made.pk}/sites")
    text = b"".join([part async for part in answer.streaming_content])
    rows = [row for row in map(json.loads, text.splitlines()) if "site" in row]
    assert [row["title"] for row in rows] == ["east goes dark", "west goes dark"]
    assert "No flow copies from east: what is written there is nowhere else." in rows[0]["by_rule"]
    assert any(told.startswith("east: ") for told in rows[0]["in_run"])
    assert rows[0]["figures"]["not_mirrored"] is None


@pytest.mark.django_db
def test_the_loss_of_a_cluster_opens_as_a_run_just_before_it_and_is_found_again(client: Client) -> None:
    made = _made()
    client.get(f"/s/{made.pk}/az")
    answer = client.post(f"/import/az/{made.pk}/sites/open", {"site": "west"})
    assert answer.status_code == 302
    opened = re.fullmatch(r"/s/(\w+)#t=149\.999", answer.headers["Location"])
    assert opened
    run = Scenario.objects.get(pk=opened.group(1))
    assert (run.parent, run.change, run.moment_us) == (made, "west goes dark at 150 s", 149_999_000)
    assert [str(entry.action) for entry in load(run.body).timeline] == ["kill-site west"]
    assert (
        client.post(f"/import/az/{made.pk}/sites/open", {"site": "west"}).headers["Location"]
        == f"/s/{run.pk}#t=149.999"
    )
    refused = client.post(f"/import/az/{made.pk}/sites/open", {"site": "north"})
    assert refused.status_code == 400
    assert "There is no cluster 'north'. Clusters: east, west." in html.unescape(refused.content.decode())


@pytest.mark.django_db
def test_the_still_of_a_run_draws_each_cluster_in_its_own_numbers(client: Client) -> None:
    page = client.get(f"/s/{_made().id}/still?at_us=3000000").content.decode()
    east, west = page.split('data-testid="still-west"')
    assert 'data-testid="still-east"' in east
    assert ("Broker 2<" in east, "Broker 2<" in west, "Broker 1001" in page) == (True, False, False)
    assert "Dead, not fenced yet" in west and "Dead" not in east.split('data-testid="still-east"')[1]
    assert "Broker west/1 is killed." in west


@pytest.mark.django_db
def test_a_run_of_several_clusters_is_listed_one_below_the_other(client: Client) -> None:
    text = client.get(f"/s/{_made().id}/describe?at_us=0").content.decode()
    east, west = text.split("# west\n")
    assert east.startswith("# east\nTopic: orders\t") and "Replicas: 1,2\t" in east
    assert west.startswith("Topic: orders\t") and "Replicas: 1\t" in west


def test_the_still_says_what_the_processes_of_mirrormaker_do() -> None:
    document = load((SCENARIOS / "s56-mirror-killed.yaml").read_bytes())
    run = RoomRun(to_plain(document))
    run.world.run(1_000_000)
    told = run.still()
    assert [one["name"] for one in told["stills"]] == ["east", "west"]
    assert told["processes"] == [("mirror-maker", "running")]


def test_a_room_tells_events_and_verdict_by_cluster() -> None:
    run = RoomRun(to_plain(load(TWO)))
    run.world.run(15_000_000)
    texts = [text for _, text in events_told(run.world, 50)[1]]
    assert "Broker west/1 is killed" in texts[0]
    assert any("west/orders-0 was without a leader" in text for text in texts), texts
    assert "west: " in stated_sentence(run.world)


def test_faults_of_any_cluster_keep_a_run_from_resting_and_are_told_as_the_engine_draws_them() -> None:
    plain = to_plain(load(TWO)) | {"until": "60s", "timeline": []}
    assert not RoomRun(plain).fails_by_itself
    plain["clusters"]["west"]["faults"] = {"broker-mttf": "10s", "broker-mttr": "2s"}
    run = RoomRun(plain)
    assert run.fails_by_itself
    run.world.run(60_000_000)
    done = [(fact.t, fact.text) for fact in stated(run.world, ActionDone)]
    assert done and done == run.drawn["steps"]
    assert done[0][1] == "kill west/1"


def test_a_pasted_document_is_counted_over_its_clusters() -> None:
    assert preview(TWO)["summary"] | {"brokers": 3, "topics": 2, "partitions": 2} == preview(TWO)["summary"]


def test_a_branch_takes_later_actions_of_every_cluster() -> None:
    document = load(TWO)
    branch = documents.branched(document, 1_000_000, "kill east/1")
    after, refused = documents.going_on(branch, document.timeline)
    assert [str(entry.action) for entry in after.timeline] == ["kill east/1", "kill west/1"]
    assert refused == []
    with pytest.raises(DocumentError, match="does not say which cluster"):
        documents.branched(document, 1_000_000, "kill 1")


def test_a_pasted_document_of_several_clusters_is_known_as_a_document() -> None:
    assert is_document(TWO)
    assert is_document('{"format": 1, "title": "Two",\n"clusters": {}}')
