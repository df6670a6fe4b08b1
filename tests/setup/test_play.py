"""`make run`: one command starts everything, says so step by step, keeps it up, and ends all of it."""

import math
import os
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.setup.processes import ROOT, Instance, all_gone, eventually, words_of

SETTINGS = "DJANGO_SETTINGS_MODULE"
PLAY = ["manage.py", "play", "--port", "0"]
PEERS_MAX = 5.0  # of a second start; about 2 on a quiet machine, where a peer takes 1 to 2 s
TRIES = 3  # the best one counts: a neighbour may come and go between a start and its peers
IDLE_SHARE_MAX = 0.01  # of one core, all processes of an instance that nobody uses
IDLE_SECONDS = 10.0


def start(data: Path) -> Instance:
    instance = Instance(PLAY, data)
    try:
        instance.line_with("Highwater is at")
    except AssertionError:
        instance.end()
        raise
    return instance


def address(instance: Instance) -> str:
    line = next(line for line in instance.lines if "Highwater is at" in line)
    return line.split()[3]


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/alive", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("play")


@pytest.fixture(scope="module")
def running(data: Path) -> Iterator[Instance]:
    instance = start(data)
    try:
        yield instance
    finally:
        instance.end()


def test_the_start_says_one_line_a_step_and_ends_with_the_address(running: Instance) -> None:
    steps = [line.split()[0] for line in running.lines if line.strip()]
    assert steps[:3] == ["data", "engine", "database"]
    assert {"valkey", "worker", "web"} <= set(steps[3:])
    assert steps[-1] == "Highwater"
    assert answers(address(running))


def test_an_instance_without_a_page_uses_less_than_a_hundredth_of_a_core(running: Instance) -> None:
    shares: list[float] = []
    while len(shares) < TRIES and min(shares, default=1.0) >= IDLE_SHARE_MAX:
        before = cpu_seconds(running)
        time.sleep(IDLE_SECONDS)
        shares.append((cpu_seconds(running) - before) / IDLE_SECONDS)
    assert min(shares) < IDLE_SHARE_MAX, shares


def cpu_seconds(instance: Instance) -> float:
    """The processor seconds of all its processes so far."""
    times = [one.cpu_times() for one in (psutil.Process(instance.process.pid), *instance.below())]
    return float(sum(one.user + one.system for one in times))


def test_what_is_kept_is_for_the_user_who_runs_it(running: Instance, data: Path) -> None:
    kept = [data / "secret-key", *data.glob("highwater.sqlite3*"), *(data / "logs").iterdir()]
    assert len(kept) >= 4
    assert {entry.name: stat.S_IMODE(entry.stat().st_mode) & 0o077 for entry in kept} == dict.fromkeys(
        (entry.name for entry in kept), 0
    )


def test_a_long_path_does_not_make_the_log_long(running: Instance, data: Path) -> None:
    log = data / "logs" / "web.log"
    before = log.stat().st_size if log.exists() else 0
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{address(running)}/{'a' * 15_000}", timeout=30)
    refused.value.close()
    assert refused.value.code == 404
    assert eventually(lambda: log.exists() and log.stat().st_size > before, 10)
    assert log.stat().st_size - before < 5_000


def test_the_password_of_the_embedded_server_is_in_no_command_line(running: Instance) -> None:
    assert "requirepass" not in " ".join(words_of(process) for process in running.below())


@pytest.mark.parametrize(("part", "word"), [("web", "playground.serve"), ("worker", "celery"), ("valkey", "valkey")])
def test_a_killed_part_leaves_nothing_behind_and_comes_back(running: Instance, part: str, word: str) -> None:
    victim = running.part(word)
    below = [victim, *victim.children(recursive=True)]
    victim.kill()
    running.line_with("killed by SIGKILL; starting it again")
    assert all_gone(below) == []
    running.line_with("up after")
    assert answers(address(running))


def test_a_second_instance_on_the_same_data_says_where_the_first_is(running: Instance, data: Path) -> None:
    second = Instance(PLAY, data)
    said = second.line_with("already runs on this data", 30)
    assert address(running) in said
    assert second.process.wait(10) == 1
    assert answers(address(running))


def test_a_port_in_use_is_said_with_the_cure(running: Instance, tmp_path: Path) -> None:
    port = address(running).rpartition(":")[2]
    other = Instance(["manage.py", "play", "--port", port], tmp_path)
    assert "make run PORT=" in other.line_with(f"Port {port} on 127.0.0.1 is in use", 30)
    assert other.process.wait(10) == 1


@pytest.mark.parametrize(
    ("variables", "port", "sentence"),
    [
        ({}, "99999", "Port 99999 cannot be"),
        ({}, "abc", "'abc' is no port. Choose a number from 0 to 65535, such as: make run PORT=8000"),
        (
            {"HIGHWATER_REDIS_URL": "redis://:secret@127.0.0.1:1/0"},
            "0",
            "Nobody answers at 127.0.0.1:1, which HIGHWATER_REDIS",
        ),
        ({"HIGHWATER_DATABASE_URL": "mysql://me:secret@db/water"}, "0", "allowed is postgres://"),
    ],
)
def test_a_start_that_cannot_be_is_one_sentence(
    variables: dict[str, str], port: str, sentence: str, tmp_path: Path
) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in ("HIGHWATER_REDIS_URL", SETTINGS)}
    refused = subprocess.run(
        [sys.executable, "manage.py", "play", "--port", port],
        cwd=ROOT,
        env={**kept, "HIGHWATER_DATA": str(tmp_path), **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert refused.returncode == 1
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr and "usage:" not in refused.stderr
    assert "secret" not in refused.stdout + refused.stderr


def test_the_data_of_a_running_instance_is_not_reset(running: Instance, data: Path) -> None:
    done = reset(data)
    assert done.returncode == 1
    assert "already runs on this data" in done.stderr
    assert (data / "highwater.sqlite3").exists()


def reset(data: Path) -> subprocess.CompletedProcess[str]:
    environment = {"HIGHWATER_DATA": str(data), "PATH": ""}
    return subprocess.run(
        [sys.executable, "manage.py", "reset"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_ctrl_c_ends_all_of_it_and_the_second_start_takes_seconds(tmp_path: Path) -> None:
    """The second start is held against a peer in the same run, one process that loads the site (`manage.py check`): so
    a slow or busy machine slows both. What such a process loads is held by test_loading.py.
    """
    first = start(tmp_path)
    below = first.below()
    assert first.end() == 0
    assert all_gone(below, 1.0) == []
    best = math.inf
    for _ in range(TRIES):
        best = min(best, second_start_in_peers(tmp_path))
        if best < PEERS_MAX:
            break
    assert best < PEERS_MAX


def second_start_in_peers(folder: Path) -> float:
    """The time of an instance whose data folder is there already, in mean times of the peers before and after it."""
    before = peer_seconds(folder)
    began = time.monotonic()
    again = start(folder)
    took = time.monotonic() - began
    again.end()
    return 2 * took / (before + peer_seconds(folder))


def peer_seconds(folder: Path) -> float:
    """The seconds that one process takes to load the whole site, check it and end."""
    began = time.monotonic()
    environment = {"HIGHWATER_DATA": str(folder), "PATH": ""}
    subprocess.run([sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, check=True)
    return time.monotonic() - began


def test_a_killed_supervisor_takes_everything_with_it_and_the_data_can_be_used_again(tmp_path: Path) -> None:
    first = start(tmp_path)
    below = first.below()
    url = address(first)
    first.process.kill()
    assert all_gone(below) == []
    assert not answers(url)
    second = start(tmp_path)
    assert second.end() == 0


def test_a_part_that_stays_down_ends_the_instance_with_a_sentence_and_its_log(tmp_path: Path) -> None:
    broken = Instance(["-c", BROKEN], tmp_path)
    broken.line_with("The broken process does not come up (ended with status 3, 2 times in a row)", 30)
    assert eventually(lambda: broken.process.poll() is not None, 10)


BROKEN = """
import sys
from playground.supervisor import supervisor as module
from playground.supervisor.instance import CannotStart
from playground.supervisor.service_processes import answering_part
module.FAILED_STARTS_MAX = 2
part = answering_part("broken", [sys.executable, "-c", "raise SystemExit(3)"], {})
one = module.Supervisor([part], None, print)
try:
    one.start()
except CannotStart as problem:
    print(problem, flush=True)
finally:
    one.stop()
"""


def test_reset_empties_the_data(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "highwater.sqlite3").write_text("rows")
    done = reset(tmp_path)
    assert done.returncode == 0, done.stderr
    assert {entry.name for entry in tmp_path.iterdir()} <= {"web.lock", "worker.lock"}
