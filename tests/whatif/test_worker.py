"""A real worker with real Spark: progress, cancel, kill -9 in the middle, errors with their cure."""

import csv
import io
import json
import time
from typing import Any

import psutil

from playground.whatif.limits import ABSENT_SECONDS
from playground.whatif.pipeline.blocks import SHARDS_MIN, whole_seeds
from playground.whatif.pipeline.plan import ExperimentPlan
from playground.whatif.pipeline.results import Results
from playground.whatif.pipeline.run_one import plan_row
from tests.long_form import runs
from tests.rooms.site import Browser
from tests.whatif.lab import START_S, Lab, alive, cpu_seconds, run, status, until, wait_for
from tests.whatif.plans import SITES, site_plan

AXES: dict[str, Any] = {
    "acks": ["1", "all"],
    "fault": [{"kind": "rack", "rack": "az-a", "from": "2s", "to": "5s"}],
}
NEVER_AT_REST: dict[str, Any] = {**AXES, "fault": [{"kind": "rates", "mttf": "30s", "mttr": "5s"}]}
SEEDS = 30
RESUME_S = 30.0
CANCEL_S = 5.0


def tables(person: Browser, experiment: str) -> tuple[str, str]:
    return person.get(f"/what-if/{experiment}/table.csv").text, person.get(f"/what-if/{experiment}/runs.csv").text


def finished_shards(lab: Lab, experiment: str) -> int:
    return sum(finished for _, _, finished in lab.log(experiment))


def test_an_experiment_waits_for_a_worker_says_so_and_starts_by_itself(lab: Lab, researcher: Browser, doc: str) -> None:
    lab.end_worker()  # that of another test
    experiment = run(researcher, doc, seeds=2, axes=AXES)
    absent = "No worker process of Highwater gives a sign of life"
    until(lambda: status(researcher, experiment)["note"].startswith(absent), 2 * ABSENT_SECONDS)
    assert status(researcher, experiment)["state"] == "queued"
    lab.start_worker()
    done = wait_for(researcher, experiment, "done")
    assert (done["runs_done"], done["note"]) == (4, "")
    assert done["result"]["variants"][0]["runs"] == 2


def test_two_clusters_with_mirrormaker_run_on_spark_as_in_one_process(working: Lab, researcher: Browser) -> None:
    of = site_plan(seeds=2, checkpoints_s=[5, 20], fault=[{"kind": "as-is"}])
    experiment = run(
        researcher,
        researcher.make(json.dumps(SITES).encode()),
        horizon="60s",
        seeds=2,
        axes={"checkpoints_s": [5, 20], "fault": [{"kind": "as-is"}]},
    )
    done = wait_for(researcher, experiment, "done")
    assert done["result"]["variants"][0]["sites"]["failovers"] == 2
    assert done["result"]["answer"]["title"].startswith("RPO")
    rows = list(csv.DictReader(io.StringIO(researcher.get(f"/what-if/{experiment}/runs.csv").text)))
    for index, row in enumerate(rows):
        alone = plan_row(of, index)
        told = [str(alone[name]) for name in ("variant", "seed", "digest", "rpo_records", "rto_us", "group_rereads")]
        assert told == [row[name] for name in ("variant", "seed", "digest", "rpo_records", "rto_us", "group_rereads")]
    assert len(rows) == of.runs


def test_a_killed_worker_changes_nothing_in_the_result(working: Lab, researcher: Browser, doc: str) -> None:
    undisturbed = run(researcher, doc, seeds=SEEDS, axes=AXES)
    wait_for(researcher, undisturbed, "done")
    killed = run(researcher, doc, seeds=SEEDS, axes=AXES)
    for share in (0.3, 0.9)[: runs("kills of a worker while an experiment runs")]:
        wait_for_shards(working, killed, round(share * SHARDS_MIN))
        children = working.kill_worker()
        assert status(researcher, killed)["state"] == "running"
        wait_for_end(children)  # the JVM and its Python workers went with it
        working.start_worker()
        until(lambda: has_returned(working), START_S)
        until(lambda: resumed(working, killed), RESUME_S)
    wait_for(researcher, killed, "done")
    assert tables(researcher, killed) == tables(researcher, undisturbed)
    log = working.log(killed)
    assert sorted(shard for shard, _, finished in log if finished) == list(range(SHARDS_MIN))
    for shard in range(SHARDS_MIN):
        ends = [finished for number, _, finished in log if number == shard]
        assert ends.index(True) == len(ends) - 1, f"shard {shard} was computed again after it was finished"


def wait_for_shards(lab: Lab, experiment: str, number: int) -> None:
    until(lambda: finished_shards(lab, experiment) >= number, START_S, 0.02)


def wait_for_end(processes: list[psutil.Process]) -> None:
    until(lambda: not alive(processes), 10)


def has_returned(lab: Lab) -> bool:
    """True if the worker that was started last has given its first sign of life."""
    assert lab.worker is not None
    return any(f":{lab.worker.pid}:" in str(name) for (name,) in lab.ask("select name from whatif_workerbeat"))


def resumed(lab: Lab, experiment: str) -> bool:
    """True if the worker that runs now holds the experiment."""
    assert lab.worker is not None
    owner = str(lab.ask("select lease_owner from whatif_experiment where id = ?", experiment)[0][0])
    return f":{lab.worker.pid}:" in owner


def test_a_cancel_ends_the_computing_within_5_seconds_and_keeps_paired_results(
    working: Lab, researcher: Browser, doc: str
) -> None:
    experiment = run(researcher, doc, seeds=400, axes=AXES)
    until(lambda: finished_shards(working, experiment) >= 1, START_S)
    assert working.worker is not None
    asked = time.monotonic()
    researcher.post(f"/what-if/{experiment}/cancel")
    wait_for(researcher, experiment, "cancelled", seconds=CANCEL_S)
    time.sleep(max(0.0, CANCEL_S - (time.monotonic() - asked)))
    processes = psutil.Process(working.worker.pid).children(recursive=True)
    before = cpu_seconds(processes)
    time.sleep(2)
    assert cpu_seconds(processes) - before < 0.4
    kept = status(researcher, experiment)
    assert 0 < kept["runs_done"] < kept["runs"]
    seeds: dict[str, list[int]] = {"A": [], "B": []}
    for row in csv.DictReader(io.StringIO(tables(researcher, experiment)[1])):
        seeds[row["variant"]].append(int(row["seed"]))
    assert seeds["A"] == seeds["B"]
    assert 2 * len(seeds["A"]) == kept["runs_done"]


def test_a_cancel_keeps_what_was_computed_of_blocks_that_are_not_finished(
    working: Lab, researcher: Browser, doc: str
) -> None:
    experiment = run(researcher, doc, seeds=400, horizon="10m", axes=NEVER_AT_REST)  # a block takes some ten tasks
    results = Results((working.data / "whatif").as_uri(), experiment)
    until(lambda: whole_seeds(results.blocks(), 2), START_S)  # on a busy machine a task has one run, half a seed
    researcher.post(f"/what-if/{experiment}/cancel")
    kept = wait_for(researcher, experiment, "cancelled")
    blocks = (
        finished_shards(working, experiment)
        * 2
        * int(working.ask("select seeds_each from whatif_experiment where id = ?", experiment)[0][0])
    )
    assert blocks < kept["runs_done"] == kept["result"]["rows"]
    lines = list(csv.DictReader(io.StringIO(tables(researcher, experiment)[1])))
    assert len(lines) == kept["runs_done"]
    by_variant = [sorted(int(line["seed"]) for line in lines if line["variant"] == letter) for letter in "AB"]
    assert by_variant[0] == by_variant[1]
    assert [variant["runs"] for variant in kept["result"]["variants"]] == [len(by_variant[0])] * 2


def test_only_the_browser_that_started_an_experiment_may_cancel_it(working: Lab, researcher: Browser, doc: str) -> None:
    experiment = run(researcher, doc, seeds=400, axes=AXES)
    stranger = Browser(working.site).ready()
    refused = stranger.post(f"/what-if/{experiment}/cancel")
    assert (refused.status, "Only the browser" in refused.text) == (403, True)
    assert researcher.post(f"/what-if/{experiment}/cancel").status == 200
    wait_for(researcher, experiment, "cancelled")


def test_two_experiments_run_at_once(working: Lab, researcher: Browser, doc: str) -> None:
    large = run(researcher, doc, seeds=400, axes=AXES)
    until(lambda: status(researcher, large)["runs_done"], START_S)
    small = run(researcher, doc, seeds=4, axes=AXES, title="second")
    until(lambda: status(researcher, small)["runs_done"], START_S)
    before = status(researcher, large)["runs_done"]
    assert wait_for(researcher, small, "done")["runs_done"] == 8
    until(lambda: status(researcher, large)["runs_done"] > before, START_S)
    assert status(researcher, large)["state"] == "running"
    researcher.post(f"/what-if/{large}/cancel")
    wait_for(researcher, large, "cancelled")


def test_spark_that_does_not_start_is_said_with_its_cure(lab: Lab, researcher: Browser, doc: str) -> None:
    if lab.worker is not None and lab.worker.poll() is None:
        lab.kill_worker()
    lab.start_worker(HIGHWATER_SPARK_MASTER="nowhere")
    experiment = run(researcher, doc, seeds=2, axes=AXES)
    failed = wait_for(researcher, experiment, "failed")
    lab.kill_worker()
    assert failed["error"].startswith("Spark did not start on nowhere:")
    assert "HIGHWATER_SPARK_MASTER names the Spark master" in failed["error"]


def test_the_plan_of_an_experiment_is_stored_as_json_and_nothing_is_pickled(lab: Lab) -> None:
    texts = lab.ask("select plan_text from whatif_experiment")
    assert texts
    assert all(ExperimentPlan.from_json(text).to_json() == text for (text,) in texts)
