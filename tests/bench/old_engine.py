"""Rows a core-second by the engine of an earlier commit and by today's, each in a process of its own, row after row.

The tree of that commit is taken from the history and compiled once, in build/bench. Both run the same documents.
"""

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

from playground.whatif.pipeline.plan import ExperimentPlan
from simengine.form import CHOICE
from tests.bench.rows import pasted_plan, plan

ROOT: Final = Path(__file__).resolve().parents[2]
COMMIT: Final = "22bbd88"  # the last one before rows were made to cost less
NEEDED: Final = ("simengine", "playground", "tools", "pyproject.toml")
ROUNDS: Final = 2
UNKNOWN_KEYS: Final = ("basis",)  # keys of the documents that the format of `COMMIT` does not have

NO_COMMIT: Final = f"the engine of {COMMIT} is not measured: this checkout has no such commit"
NO_BUILD: Final = f"the engine of {COMMIT} is not measured: it cannot be compiled here"


class Rows:
    """A process that runs rows with the engine of one folder."""

    def __init__(self, folder: Path, plans: list[ExperimentPlan]) -> None:
        script = Path(__file__).with_name("row_times.py")
        environment = {name: value for name, value in os.environ.items() if name not in (CHOICE, "PYTHONPATH")}
        self._process = subprocess.Popen(
            [sys.executable, str(script), str(folder)],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.form = self._response(json.dumps([wanted.to_json() for wanted in plans]))

    def __enter__(self) -> "Rows":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def seconds(self, plan_number: int, run: int) -> float:
        """Core time of one row."""
        return float(self._response(f"{plan_number} {run}"))

    def _response(self, line: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        print(line, file=stdin, flush=True)
        response = stdout.readline()
        assert response, "the process of the rows has died; its words stand above"
        return response.strip()


def measure() -> dict[str, float]:
    """The ratio of today's rows a core-second to those of the old engine; nothing where the old one cannot be built."""
    folder = tree()
    if folder is None:
        print(NO_COMMIT)
        return {}
    if not is_compiled(folder):
        print(NO_BUILD)
        return {}
    plans = [for_old(plan()), for_old(pasted_plan())]
    with ExitStack() as stack:
        old, new = (stack.enter_context(Rows(where, plans)) for where in (folder, ROOT))
        print(f"rows by {COMMIT} ({old.form}) and by today's engine ({new.form})")
        return {
            "old_rows_ratio": ratio("the default question", old, new, 0, plans[0].runs),
            "old_pasted_rows_ratio": ratio("a pasted cluster", old, new, 1, plans[1].runs),
        }


def ratio(name: str, old: Rows, new: Rows, plan_number: int, runs: int) -> float:
    """Core time of the rows by the old engine, by that of the new one. The first row of each is not counted."""
    took = dict.fromkeys((old, new), 0.0)
    for engine in took:
        engine.seconds(plan_number, 0)
    for _ in range(ROUNDS):
        for run in range(runs):
            for engine in took:
                took[engine] += engine.seconds(plan_number, run)
    before, now = (ROUNDS * runs / took[engine] for engine in (old, new))
    print(f"{name}: {before:.2f} rows a core-second by {COMMIT}, {now:.2f} today, {now / before:.2f} times as many")
    return now / before


def for_old(wanted: ExperimentPlan) -> ExperimentPlan:
    """The plan without the keys of its document that the old format does not have."""
    return replace(wanted, document={key: value for key, value in wanted.document.items() if key not in UNKNOWN_KEYS})


def tree() -> Path | None:
    """The folder with the sources of `COMMIT`; None where the history does not have it."""
    folder = ROOT / "build" / "bench" / COMMIT
    if folder.is_dir():
        return folder
    command = ["git", "-C", str(ROOT), "archive", COMMIT, *NEEDED]
    if shutil.which("git") is None:
        return None
    archived = subprocess.run(command, capture_output=True, check=False)
    if archived.returncode:
        return None
    making = folder.with_name("making")
    shutil.rmtree(making, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(archived.stdout)) as packed:
        packed.extractall(making, filter="data")
    making.rename(folder)
    return folder


def is_compiled(folder: Path) -> bool:
    """Compile the engine there unless it is; whether it is now."""
    environment = {name: value for name, value in os.environ.items() if name != CHOICE}
    subprocess.run([sys.executable, "tools/build_engine.py"], cwd=folder, env=environment, check=False)
    asked = "import simengine; print(simengine.engine_form())"
    found = subprocess.run(
        [sys.executable, "-c", asked], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return found.stdout.strip() == "compiled"
