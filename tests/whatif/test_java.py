"""The Java that Spark is given."""

import subprocess
from pathlib import Path

import pytest

from playground import java


def fake(home: Path, answer: str) -> Path:
    script = home / "bin" / "java"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\n")
    script.chmod(0o755)
    return home


def test_a_machine_java_with_the_vector_module_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = fake(tmp_path / "jdk", "java.base@17.0.9\njdk.incubator.vector@17.0.9")
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert java.java_home(tmp_path / "shim") == home


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("java.base@11.0.2", "it is older than 17"),
        ("java.base@21.0.1", "it lacks the module jdk.incubator.vector"),
        ("what?", "it is older than 17"),
    ],
)
def test_a_java_that_spark_cannot_use_is_named_with_the_reason(tmp_path: Path, answer: str, reason: str) -> None:
    assert java.why_not(fake(tmp_path / "jdk", answer)) == reason


def test_without_a_usable_java_the_packaged_one_stands_behind_a_shim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(java, "_candidates", list)
    home = java.java_home(tmp_path / "shim")
    words = ["--add-modules=jdk.incubator.vector", "-Dhighwater.word=a b", "-XshowSettings:properties", "-version"]
    told = subprocess.run([str(home / "bin" / "java"), *words], capture_output=True, text=True, check=True).stderr
    assert "highwater.word = a b" in told


def test_without_any_java_the_sentence_names_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "_candidates", lambda: [tmp_path / "nowhere"])
    monkeypatch.setattr(java, "bundled_home", lambda: None)
    with pytest.raises(java.JavaProblem, match=r"No Java 17 or newer for Spark .* Install Java 17 or newer"):
        java.java_home(tmp_path / "shim")
