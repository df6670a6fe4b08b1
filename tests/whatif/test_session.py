"""The settings that Spark gets: loopback for a local master, a secret for one whose ports are open."""

import logging
import socket
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from playground.environment import (
    SPARK_PROPERTIES,
    SPARK_PYTHON,
    SPARK_SECRET,
    EnvironmentProblem,
    spark_properties,
)
from playground.whatif.pipeline import session
from playground.whatif.pipeline.master import must_answer

MASTER = "spark://cluster.example:7077"


def test_a_local_master_keeps_to_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SPARK_SECRET, "word")
    told = session.settings("local[2]", Path("spark"))
    assert told["spark.driver.host"] == told["spark.driver.bindAddress"] == "127.0.0.1"
    assert "spark.authenticate" not in told


def test_a_cluster_is_asked_with_its_secret_which_no_argument_shows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(SPARK_SECRET, "a\\secret")
    told = session.settings(MASTER, tmp_path)
    assert told["spark.authenticate"] == told["spark.network.crypto.enabled"] == "true"
    said = session.environment(MASTER, Path("java"), tmp_path)
    assert "secret" not in str(told) and "a\\secret" not in str(said)
    kept = tmp_path / session.PRIVATE_FILE
    assert f"--properties-file {kept} " in said["PYSPARK_SUBMIT_ARGS"]
    assert kept.read_text() == "spark.authenticate.secret=a\\\\secret\n"
    assert kept.stat().st_mode & 0o077 == 0


def test_a_cluster_without_a_secret_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.delenv(SPARK_SECRET, raising=False)
    with caplog.at_level(logging.WARNING):
        assert "spark.authenticate" not in session.settings(MASTER, tmp_path)
    assert f"set {SPARK_SECRET}" in caplog.text


class _Builder:
    """Builds a session from a master that says nothing: it waits as long as it may."""

    def __init__(self) -> None:
        self.may_end = threading.Event()

    def config(self, key: str, value: str) -> "_Builder":
        return self

    def getOrCreate(self) -> None:  # noqa: N802  # Spark's name
        self.may_end.wait()


def test_a_master_that_does_not_respond_is_refused_in_words_that_name_the_secret(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    silent = _Builder()
    monkeypatch.setattr(session, "SparkSession", SimpleNamespace(builder=silent))
    monkeypatch.setattr(session, "must_answer", lambda _: None)
    monkeypatch.setattr(session, "START_SECONDS_MAX", 0.05)
    monkeypatch.setattr(session, "environment", lambda *_: {})
    try:
        with pytest.raises(session.SparkUnavailable) as refused:
            session.start(MASTER, Path("java"), tmp_path)
    finally:
        silent.may_end.set()
    assert f"Spark did not start on {MASTER}: no response within 0.05 s." in str(refused.value)
    assert f"{SPARK_SECRET} is the spark.authenticate.secret of the cluster" in str(refused.value)


class _Refusal(Exception):
    """An error of Spark's, whose text is in the JVM."""

    is_told = True

    def __str__(self) -> str:
        return "All masters are unresponsive" if self.is_told else "Connection refused"


def test_a_refusal_is_read_before_the_jvm_that_knows_its_text_ends(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def forget() -> None:
        _Refusal.is_told = False

    def refuse(*_: object) -> dict[str, str]:
        _Refusal.is_told = True
        raise _Refusal

    monkeypatch.setattr(session, "_forget", forget)
    monkeypatch.setattr(session, "environment", refuse)
    with pytest.raises(session.SparkUnavailable, match="did not start on local: All masters are unresponsive\\."):
        session.start("local", Path("java"), tmp_path)


def test_of_several_masters_one_has_to_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        here, gone = one.getsockname()[1], other.getsockname()[1]
        other.close()
        must_answer(f"spark://127.0.0.1:{gone},127.0.0.1:{here}")
        with pytest.raises(OSError, match=f"nobody answers at 127.0.0.1:{gone} .Connection refused."):
            must_answer(f"spark://127.0.0.1:{gone}")
    must_answer("yarn")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hadoop.key 1", "line 2 of .* is 'hadoop.key'…: allowed is spark.<name>"),
        ("spark.executor.memory", "line 2 of .* is 'spark.executor.memory'…: allowed is spark.<name>"),
        ("spark.master=local", "line 2 of .* sets spark.master: HIGHWATER_SPARK_MASTER names the master"),
    ],
)
def test_a_wrong_line_among_further_properties_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str, words: str
) -> None:
    file = tmp_path / "spark.conf"
    file.write_text(f"spark.executor.cores 2\n{line}\n")
    monkeypatch.setenv(SPARK_PROPERTIES, str(file))
    with pytest.raises(EnvironmentProblem, match=words):
        spark_properties()


def test_a_file_of_properties_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(SPARK_PROPERTIES, str(tmp_path / "none"))
    with pytest.raises(EnvironmentProblem, match=r"HIGHWATER_SPARK_PROPERTIES is .*none: No such file"):
        spark_properties()


def test_further_properties_come_before_ours_and_no_argument_shows_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "spark.conf"
    file.write_text("spark.driver.memory=2g\nspark.hadoop.fs.s3a.secret.key  hidden\n")
    monkeypatch.setenv(SPARK_PROPERTIES, str(file))
    assert "spark.driver.memory" not in session.settings("local[2]", tmp_path)
    said = session.environment("local[2]", Path("java"), tmp_path)
    assert f"--properties-file {tmp_path / session.PRIVATE_FILE} " in said["PYSPARK_SUBMIT_ARGS"]
    assert "hidden" not in str(said)
    kept = (tmp_path / session.PRIVATE_FILE).read_text()
    assert kept == "spark.driver.memory=2g\nspark.hadoop.fs.s3a.secret.key=hidden\n"


def test_executors_elsewhere_get_the_engine_and_their_own_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = session.settings(MASTER, tmp_path)
    archive, _, name = told["spark.archives"].removeprefix("file://").partition("#")
    assert (Path(archive).is_file(), told["spark.executorEnv.PYTHONPATH"]) == (True, f"./{name}")
    assert "spark.archives" not in session.settings("local[2]", tmp_path)
    assert session.environment(MASTER, Path("java"), tmp_path)["PYSPARK_PYTHON"] == "python3"
    monkeypatch.setenv(SPARK_PYTHON, "/opt/python/bin/python3")
    assert session.environment(MASTER, Path("java"), tmp_path)["PYSPARK_PYTHON"] == "/opt/python/bin/python3"
