"""The values that the environment may have, and the words on a wrong one."""

import errno
import os
import stat
from pathlib import Path

import pytest

from playground import environment


def test_the_data_folder_is_made_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(environment.DATA, str(tmp_path / "deep" / "data"))
    assert environment.data_folder() == tmp_path / "deep" / "data"
    assert (tmp_path / "deep" / "data").is_dir()


def test_the_key_of_the_cookies_is_made_once_and_only_its_owner_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(environment.SECRET_KEY, raising=False)
    first = environment.secret_key(tmp_path)
    assert len(first) >= 50
    assert environment.secret_key(tmp_path) == first
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


def test_an_empty_kept_key_is_refused_with_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(environment.SECRET_KEY, raising=False)
    (tmp_path / "secret-key").touch()
    with pytest.raises(environment.EnvironmentProblem, match="delete it"):
        environment.secret_key(tmp_path)


def test_a_key_that_cannot_be_written_whole_leaves_nothing_and_the_next_start_makes_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(environment.SECRET_KEY, raising=False)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(environment.EnvironmentProblem, match=r"No space left on device.*free some space"):
            environment.secret_key(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert len(environment.secret_key(tmp_path)) >= 50


def test_the_data_folder_is_for_its_owner_only_and_a_folder_that_is_not_ours_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(environment.SECRET_KEY, raising=False)
    monkeypatch.setenv(environment.DATA, str(tmp_path / "data"))
    data = environment.data_folder()
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    data.chmod(0o755)
    assert stat.S_IMODE(environment.data_folder().stat().st_mode) == 0o755  # holds nothing of ours yet
    environment.secret_key(data)
    assert stat.S_IMODE(environment.data_folder().stat().st_mode) == 0o700


def test_a_postgres_url_becomes_djangos_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(environment.DATABASE_URL, "postgres://me:p%40ss@db:5433/water?sslmode=require")
    assert environment.postgres() == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "water",
        "USER": "me",
        "PASSWORD": "p@ss",
        "HOST": "db",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize(
    "url", ["mysql://me:secret@db/water", "postgres://me:secret@db:port/water", "postgres://me:secret@db"]
)
def test_a_database_url_that_cannot_be_used_is_refused_without_repeating_its_password(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(environment.DATABASE_URL, url)
    with pytest.raises(environment.EnvironmentProblem) as refused:
        environment.postgres()
    assert "postgres://" in str(refused.value)
    assert "secret" not in str(refused.value)


def test_no_database_url_means_the_file_in_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(environment.DATABASE_URL, raising=False)
    assert environment.postgres() is None


@pytest.mark.parametrize("url", ["http://h:1", "redis://", "redis://h:port/0", "6379"])
def test_an_address_of_no_redis_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(environment.REDIS_URL, url)
    with pytest.raises(environment.EnvironmentProblem, match="allowed is redis://"):
        environment.redis_url()


def test_a_data_folder_that_cannot_be_made_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(environment.DATA, str(tmp_path / "file" / "data"))
    with pytest.raises(environment.EnvironmentProblem, match=environment.DATA):
        environment.data_folder()


def test_words_are_split_at_commas_and_blanks_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(environment.HOSTS, " a.example , ,b.example")
    assert environment.words(environment.HOSTS) == ["a.example", "b.example"]
