"""The modules that a process loads at its start: nothing heavy that it needs only for later work, or never."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from playground.environment import LOCAL_REDIS_URL
from playground.supervisor.service_processes import worker_part
from tests.setup.processes import ROOT

SET_UP = "import django; django.setup()"
PLAY = f"{SET_UP}; import playground.management.commands.play"
WORKER = (
    "from celery.fixups.django import DjangoWorkerFixup; from playground.celery import app; "
    "DjangoWorkerFixup(app).validate_models(); import playground.whatif.tasks"
)
WEB = "import playground.asgi"
HEAVY = ("celery", "numpy", "pandas", "playground.urls", "pyarrow", "pyspark", "scipy")


def heavy_after(code: str, data: Path) -> set[str]:
    """The heavy modules that a new process of this code holds."""
    worker = worker_part(LOCAL_REDIS_URL).extra  # no other process asks for these variables
    asked = f"{code}; import json, sys; print(json.dumps(sorted(set({HEAVY}) & set(sys.modules))))"
    done = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=ROOT,
        env={"HIGHWATER_DATA": str(data), "DJANGO_SETTINGS_MODULE": "playground.settings", **worker},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize(
    ("code", "loaded"),
    [(PLAY, set()), (WORKER, {"celery"}), (WEB, {"celery", "numpy", "playground.urls", "pyarrow"})],
    ids=["play", "worker", "web"],
)
def test_a_process_loads_at_its_start_only_what_its_start_needs(code: str, loaded: set[str], tmp_path: Path) -> None:
    assert heavy_after(code, tmp_path) == loaded
