"""The tools behind `make check` and `make test`, and what they refuse."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from tools import check, check_lock, node, run_tests

ROOT = Path(__file__).resolve().parents[2]


def test_make_help_names_what_the_readme_promises() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in ("run", "test", "check", "bench", "reset"):
        assert f"make {target} " in shown


def test_an_unknown_check_is_refused_with_the_allowed_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main(["fromat"]) == 2
    assert "Allowed: format, lint, types" in capsys.readouterr().err


def test_a_lock_with_an_address_in_it_is_refused() -> None:
    found = check_lock.problems("django @ https://registry.example/django.whl\n", {})
    assert "names an address" in found[0]


def test_a_lock_that_misses_or_breaks_a_requirement_is_refused() -> None:
    found = check_lock.problems("django==5.1 \\\n    --hash=sha256:aa\n", {"dependencies": ["django>=5.2", "channels"]})
    assert [line.split(":")[1].strip() for line in found] == [
        "django>=5.2 is locked as 5.1",
        "channels is locked as nothing",
    ]


def test_a_package_without_a_hash_is_refused() -> None:
    lock = "django==5.2 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n    # via us\nchannels==4.3\n"
    assert check_lock.problems(lock, {}) == ["channels==4.3 is locked without a hash: run `make lock`"]


def test_the_runtime_s_lock_is_a_part_of_the_whole_one_to_the_hash() -> None:
    lock = "django==5.2 --hash=sha256:aa\nruff==1 --hash=sha256:bb\n"
    assert check_lock.runtime_problems("django==5.2 --hash=sha256:aa\n", lock) == []
    for other in ("django==5.2 --hash=sha256:ab\n", "django==5.3 --hash=sha256:aa\n", "simpy==4 --hash=sha256:aa\n"):
        assert "is not locked so in requirements.lock" in check_lock.runtime_problems(other, lock)[0]


def test_no_test_tool_is_in_the_runtime_s_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    runtime = set(check_lock.pins((ROOT / "requirements-runtime.lock").read_text()))
    tools = {Requirement(line).name.lower() for line in project["optional-dependencies"]["dev"]}
    assert runtime & tools == set() and "django" in runtime


def test_compose_opens_its_ports_on_this_machine_alone_and_has_no_password_of_its_own() -> None:
    composed = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    services = composed["services"]
    assert services["web"]["ports"] == ["${HIGHWATER_ADDRESS:-127.0.0.1}:${HIGHWATER_PORT:-8000}:8000"]
    assert [name for name, service in services.items() if "ports" in service] == ["web"]
    secret = re.compile(r"(?i)[a-z_]*(?:password|secret|auth)[a-z_]*")
    kept = [
        value
        for service in services.values()
        for name, value in service.get("environment", {}).items()
        if secret.fullmatch(name)
    ]
    assert len(kept) >= 4 and all(value.startswith("${") for value in kept)
    assert services["web"]["environment"]["HIGHWATER_REDIS_URL"].startswith("redis://:${HIGHWATER_VALKEY_PASSWORD:?")


def test_every_dependency_has_a_reason_beside_it() -> None:
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    listed = [
        line.strip() for line in lines if line.startswith('    "') and any(mark in line for mark in (">=", "types-"))
    ]
    assert len(listed) > 30
    assert [line for line in listed if "# " not in line] == []


def test_node_comes_from_a_package_not_from_the_machine() -> None:
    assert node.NODE.is_file()
    assert node.main(["run", "--eval", "process.exit(Number(process.versions.node.split('.')[0]) >= 22 ? 0 : 1)"]) == 0


@pytest.mark.parametrize("command", ["test", "tsc"])
def test_a_command_of_node_installs_the_packages_first(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def record(name: str) -> int:
        done.append(name)
        return 0

    monkeypatch.setattr(node, "install", lambda: record("install"))
    monkeypatch.setattr(node, "node", lambda *_: record("node"))
    assert node.main([command]) == 0
    assert done == ["install", "node"]


def test_the_suite_does_not_begin_without_the_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(node, "install", lambda: 1)
    monkeypatch.setattr(run_tests, "run", lambda *_: pytest.fail("a part of the suite ran"))
    assert run_tests.main() == 1
    assert "package-lock.json could not be installed" in capsys.readouterr().err


def test_the_sums_of_a_report_count_every_suite(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuites><testsuite tests="3" failures="1" errors="0" skipped="0"/>'
        '<testsuite tests="2" failures="0" errors="1" skipped="1"/></testsuites>'
    )
    assert run_tests.counted(report) == {"tests": 5, "failures": 1, "errors": 1, "skipped": 1}


def test_a_run_that_wrote_no_report_counts_nothing(tmp_path: Path) -> None:
    assert run_tests.counted(tmp_path / "none.xml") == {}


def test_every_test_file_is_run_by_exactly_one_part_of_the_suite() -> None:
    def runs(part: run_tests.Part, file: str) -> bool:
        left_out = [word.removeprefix("--ignore=") for word in part.command if word.startswith("--ignore=")]
        paths = [word for word in part.command if word.split("/")[0] == "tests"]
        return any(within(file, path) for path in paths) and not any(within(file, path) for path in left_out)

    def within(file: str, path: str) -> bool:
        return file == path or file.startswith(f"{path}/")

    files = [str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(files) > 150
    assert [file for file in files if sum(runs(part, file) for part in run_tests.PARTS) != 1] == []


def test_what_only_computes_gives_way_to_what_has_limits_in_time(tmp_path: Path) -> None:
    ask = (sys.executable, "-c", "import os; print(os.nice(0))")
    niceness = [
        int(run_tests.run(run_tests.Part("ask", ask, only_computes=computes), tmp_path).output)
        for computes in (True, False)
    ]
    assert niceness[0] >= 10
    assert niceness[1] == os.nice(0)
    names = {part.name for part in run_tests.PARTS if not part.only_computes}
    assert names == {
        "Spark, bench",
        "browser, second half",
        "browser, first half",
        "rooms",
        "whole instances",
        "faults, engine service",
        "browser and Spark",
    }


def test_the_processes_of_the_suite_keep_their_bytecode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    ask = (sys.executable, "-c", "import sys; print(sys.dont_write_bytecode)")
    assert run_tests.run(run_tests.Part("ask", ask), tmp_path).output == "False\n"


def test_a_skipped_test_fails_the_run(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_sessionfinish\n")
    (tmp_path / "test_one.py").write_text("import pytest\ndef test_a(): pytest.skip('no')\n")
    done = subprocess.run(
        [str(ROOT / ".venv/bin/python"), "-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml"), str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 skipped" in done.stdout
    assert done.returncode == 1
