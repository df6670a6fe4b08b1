"""The pages of experiments without a worker: builder, quotas, list, files, permissions."""

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from playground.whatif import builder, kept, limits, queue, states
from playground.whatif.estimate import Estimate, NotMeasured, processes
from playground.whatif.experiment_title import title_of
from playground.whatif.models import Experiment, Stage, State, WorkerBeat
from playground.whatif.pace import learned, pace_of
from playground.whatif.ready import READY
from tests.whatif.plans import DOCUMENT

pytestmark = pytest.mark.django_db
BODY: dict[str, Any] = {"seeds": 4, "horizon": "8s", "axes": {"acks": ["1", "all"]}}


def costs(seconds: float) -> Any:
    """An estimate that measures nothing: every run takes so long."""

    async def estimate(draft: Any, holder: Any) -> Estimate:
        return Estimate(draft["runs"], seconds, 2, draft["seeds"])

    return estimate


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    """No message is sent and nothing is measured; data goes to a folder of the test."""
    monkeypatch.setattr(queue, "send", lambda experiment_id: None)
    monkeypatch.setattr(builder, "estimate", costs(0.05))
    settings.DATA_DIR = tmp_path


def post(client: Client, path: str, body: dict[str, Any]) -> Any:
    return client.post(path, json.dumps(body), content_type="application/json")


def made(client: Client, **more: Any) -> Experiment:
    """An experiment of this client's browser."""
    answer = post(client, "/what-if/run", {**BODY, **more})
    assert answer.status_code == 201, answer.content
    return Experiment.objects.get(pk=answer.json()["id"])


def test_an_experiment_that_is_stored_is_told_so_though_older_ones_cannot_be_deleted_now(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KEPT_MAX", 1)
    for _ in range(2):
        older = made(client)
        Experiment.objects.filter(pk=older.pk).update(state=State.DONE)

    def full(*_: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(kept, "forget", full)
    assert made(client).state == State.QUEUED


def test_the_preview_lists_configurations_taken_actions_and_the_measured_cost(client: Client) -> None:
    doc = post(client, "/api/documents", DOCUMENT).json()["id"]
    told = post(client, "/what-if/preview", {**BODY, "doc": doc}).json()
    assert [variant["name"] for variant in told["variants"]] == ["acks=1", "acks=all"]
    assert told["variants"][0]["removed"] == [
        "2.000 s orders is now written with acks=1",
        "19.000 s The links between broker 1 and broker 2 are cut",
    ]
    assert (told["runs"], told["seconds_per_run"], told["processes"], told["problems"]) == (8, 0.05, 2, [])
    assert told["seconds_min"] < told["seconds"] < told["seconds_max"]


def test_a_quick_preview_lists_the_configurations_without_measuring(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "estimate", None)
    told = post(client, "/what-if/preview", {**BODY, "quick": True}).json()
    assert (len(told["variants"]), "seconds" in told, told["problems"]) == (2, False, [])


def test_the_estimate_is_learned_from_what_experiments_took_here(client: Client) -> None:
    assert post(client, "/what-if/preview", BODY).json()["learned_from"] == 0
    made(client)
    Experiment.objects.update(state=State.DONE, claims=1, computed_seconds=40.0, finished=timezone.now())
    Experiment.objects.update(master="spark://a:7077", processes=12)
    here = pace_of([(8 * 0.05 / 2, 40.0)])
    engine = Experiment.objects.get().engine
    assert learned("spark://a:7077", engine) == here
    assert learned("spark://a:7077", "a newer one") == here  # until that one has run there
    assert learned("local[2]", engine).experiments == 0
    Experiment.objects.update(claims=2)  # a worker died over it: its time tells nothing
    assert learned("spark://a:7077", engine).experiments == 0


@pytest.mark.django_db
def test_the_cores_of_a_cluster_are_those_that_the_last_experiment_had_there(client: Client, settings: Any) -> None:
    made(client)
    Experiment.objects.update(master="spark://a:7077", processes=12, finished=timezone.now())
    settings.SPARK_MASTER = "spark://a:7077"
    assert processes() == 12
    settings.SPARK_MASTER = "spark://b:7077"
    assert processes() == os.cpu_count()


def test_run_queues_the_experiment_on_the_whole_document(client: Client) -> None:
    doc = post(client, "/api/documents", DOCUMENT).json()["id"]
    experiment = made(client, doc=doc)
    assert (experiment.state, experiment.document_id, experiment.plan.runs) == (State.QUEUED, doc, 8)
    assert experiment.plan.document["title"] == "Three zones"


def test_a_wrong_field_is_refused_with_its_sentence(client: Client) -> None:
    answer = post(client, "/what-if/run", {**BODY, "seeds": 1})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("seeds is 1; allowed is 2")


def test_an_experiment_over_the_time_limit_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "estimate", costs(3_600.0))
    answer = post(client, "/what-if/run", BODY)
    assert answer.status_code == 400
    assert f"the limit is {limits.SECONDS_MAX // 60} min" in answer.json()["error"]


def test_a_run_that_cannot_be_measured_says_why(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(draft: Any, holder: Any) -> Estimate:
        raise NotMeasured("A first run failed: out of luck")

    monkeypatch.setattr(builder, "estimate", fails)
    told = post(client, "/what-if/preview", BODY).json()
    assert [(one["path"], one["message"]) for one in told["problems"]] == [("cost", "A first run failed: out of luck")]


def test_a_browser_has_only_so_many_active_experiments(client: Client) -> None:
    for _ in range(limits.ACTIVE_MAX):
        made(client)
    answer = post(client, "/what-if/run", BODY)
    assert answer.status_code == 429
    assert answer.json()["error"].startswith(f"{limits.ACTIVE_MAX} experiments of yours wait or run; the limit is")


def test_the_site_has_only_so_many_waiting_experiments(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WAITING_MAX", 2)
    made(Client())
    made(Client())
    answer = post(client, "/what-if/run", BODY)
    assert (answer.status_code, "2 experiments wait here; the limit is 2" in answer.json()["error"]) == (429, True)


def test_the_oldest_finished_experiment_makes_room_with_its_rows(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KEPT_MAX", 1)
    first, second = made(client), made(client)
    first.results.prepare()
    Experiment.objects.filter(pk__in=(first.pk, second.pk)).update(state=State.DONE)
    made(client)
    assert not Experiment.objects.filter(pk=first.pk).exists()
    assert Experiment.objects.filter(pk=second.pk).exists()
    folder = first.results.local_folder
    assert folder is not None and folder.parent.exists() and not folder.exists()


def test_the_list_shows_the_experiments_of_this_browser_only(client: Client) -> None:
    experiment = made(client, title="Mine")
    assert f"experiment-{experiment.pk}" in client.get("/what-if").content.decode()
    assert "No experiments yet" in Client().get("/what-if").content.decode()


def test_anybody_with_the_link_may_read_and_only_the_owner_may_cancel_or_delete(client: Client) -> None:
    experiment = made(client)
    stranger = Client()
    told = stranger.get(f"/what-if/{experiment.pk}/status").json()
    assert (told["state"], told["is_owner"]) == ("queued", False)
    for verb in ("cancel", "delete"):
        assert stranger.post(f"/what-if/{experiment.pk}/{verb}").status_code == 403
    assert client.post(f"/what-if/{experiment.pk}/delete").status_code == 409
    assert "whatif-delete" not in client.get("/what-if").content.decode(), "it is active"
    assert client.post(f"/what-if/{experiment.pk}/cancel").json()["state"] == "cancelled"
    assert "whatif-delete" in client.get("/what-if").content.decode()
    assert client.post(f"/what-if/{experiment.pk}/delete").status_code == 302


def test_a_worker_that_was_not_heard_of_lately_is_absent(client: Client) -> None:
    experiment = made(client)
    note = client.get(f"/what-if/{experiment.pk}/status").json()["note"]
    assert note.startswith("No worker process of Highwater gives a sign of life")
    WorkerBeat.objects.create(name="w", seen=timezone.now())
    assert client.get(f"/what-if/{experiment.pk}/status").json()["note"] == ""


def test_a_worker_that_died_over_an_experiment_is_missed_before_another_takes_it(client: Client) -> None:
    experiment = made(client)
    WorkerBeat.objects.create(name="w", seen=timezone.now())
    held = Experiment.objects.filter(pk=experiment.pk)
    silent = "The worker process of this experiment has given no sign of life"
    for ago, word in ((2, ""), (7, silent), (13, silent)):
        renewed = timezone.now() - timedelta(seconds=ago)
        held.update(state=State.RUNNING, stage=Stage.RUNS, lease_owner="w", claims=2, lease_renewed=renewed)
        status = client.get(f"/what-if/{experiment.pk}/status").json()
        note = status["note"]
        assert status["claims"] == 2
        assert note.startswith(word)
        assert bool(note) == bool(word)
        assert status["stage"] == ("worker" if note else "runs")


def test_links_that_lead_nowhere_are_not_found(client: Client) -> None:
    experiment = made(client)
    for path in (
        "nowhere",
        f"{experiment.pk}/table.csv",
        f"{experiment.pk}/replay?variant=A&seed=1",
        "new?doc=nowhere",
    ):
        assert client.get(f"/what-if/{path}").status_code == 404


@pytest.mark.parametrize(("master", "number"), [("local[3]", 3), ("local", 1), ("local[2,4]", 2)])
def test_the_processes_of_a_local_master_are_known(settings: Any, master: str, number: int) -> None:
    settings.SPARK_MASTER = master
    assert processes() == number


@pytest.mark.parametrize("body", [{**BODY, "axes": {"fault": ["x"]}}, {**BODY, "axes": {"fault": [[1]]}}])
def test_a_fault_that_is_no_map_is_refused_in_words(client: Client, body: dict[str, Any]) -> None:
    answer = post(client, "/what-if/run", body)
    assert answer.status_code == 400
    assert "allowed is a map with kind" in answer.json()["error"]


@pytest.mark.parametrize("path", ["/what-if/preview", "/what-if/run"])
def test_a_request_nested_without_end_is_answered(client: Client, path: str) -> None:
    answer = client.post(path, "[" * 100_000, content_type="application/json")
    assert answer.status_code < 500


def test_a_replay_of_a_seed_that_no_run_has_is_not_found(client: Client) -> None:
    experiment = made(client)
    for seed in ("99999999999999999999", "²", ""):
        assert client.get(f"/what-if/{experiment.pk}/replay?variant=A&seed={seed}").status_code == 404


def test_a_result_keeps_the_usual_navigation_and_bears_the_name_of_the_run(client: Client) -> None:
    experiment = made(client)
    Experiment.objects.update(title="acks of orders")
    page = client.get(f"/what-if/{experiment.pk}").content.decode()
    for page_id in ("sandbox", "gallery", "import", "whatif", "runs", "rules", "truth"):
        assert f'data-testid="open-{page_id}"' in page
    assert "All runs<" not in page and "Its rows, CSV" in page
    state = client.get(f"/what-if/{experiment.pk}/status").json()
    assert state["run_title"] == experiment.plan.document["title"]


def test_an_experiment_that_is_deleted_while_it_is_cancelled_is_not_found(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = made(client)
    monkeypatch.setattr(states, "cancel", lambda pk: Experiment.objects.filter(pk=pk).delete())
    assert client.post(f"/what-if/{experiment.pk}/cancel").status_code == 404


def test_the_list_offers_three_experiments_that_are_ready_to_run(client: Client) -> None:
    page = client.get("/what-if").content.decode()
    for key, one in READY.items():
        assert f"/what-if/new?ready={key}" in page
        body = {"seeds": 4, "horizon": "2m", "axes": {**one.axes, "fault": [sent(one.axes["fault"][0])]}}
        told = post(client, "/what-if/preview", {**body, "quick": True}).json()
        assert told["problems"] == []
        assert len(told["variants"]) in (2, 4)
        assert '"seeds": 100, "horizon": "2m"' in client.get(f"/what-if/new?ready={key}").content.decode()
    assert len(READY) == 3


def sent(fault: dict[str, Any]) -> dict[str, Any]:
    """A stored failure as the builder sends it."""
    return {
        key.removesuffix("_us"): f"{value}us" if key.endswith("_us") and value else value
        for key, value in fault.items()
    }


def test_experiments_that_nobody_named_are_told_apart_by_what_they_vary(client: Client) -> None:
    fault = {"kind": "rack", "rack": "any", "how": "power", "from": "1s", "to": "5s"}
    titles = [made(client, axes={**axes, "fault": [fault]}).title for axes in ({"acks": ["1", "all"]}, {"rf": [2, 3]})]
    assert titles == [
        "Sandbox: acks=1 or acks=all when any rack lost power",
        "Sandbox: RF 2 or RF 3 when any rack lost power",
    ]
    experiment = Experiment.objects.first()
    assert experiment is not None
    again = client.get(f"/what-if/new?from={experiment.pk}").content.decode()
    assert '"title": ""' in again, "its name follows what is varied next"


def test_numbers_of_the_list_have_their_thousands_apart(client: Client) -> None:
    experiment = made(client, seeds=1_200, horizon="8s")
    Experiment.objects.update(runs_done=1_240)
    page = client.get("/what-if").content.decode()
    assert "1,240 of 2,400" in page and "2 × 1,200" in page
    assert experiment.plan.seeds == 1_200


def test_an_experiment_whose_name_begins_with_what_if_is_not_called_so_twice(client: Client) -> None:
    """Such as one on a run of another experiment, whose title the run has."""
    page = client.get(f"/what-if/{made(client, title='What-if: a roll: acks=1, seed 3').pk}").content.decode()
    assert "What-if: a roll: acks=1, seed 3" in page
    assert "What-if: What-if" not in page


def test_an_experiment_on_a_run_without_a_title_is_not_named_what_if(client: Client) -> None:
    plan = made(client, axes={"acks": ["1", "all"]}).plan
    plan.document["title"] = ""
    assert title_of(plan).startswith("Untitled run: acks=1 or acks=all")
