"""A full disk, a locked or removed database: it is said, nothing acknowledged is lost, and it passes."""

import itertools
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from playground import storage_trouble
from tests.rooms.full_site import FULL
from tests.rooms.site import QUIET, Browser, Site

# long enough that no free space inside the pages holds it
LONG = QUIET + b"about: |\n" + b"  A cluster that waits for its disk.\n" * 300
REFUSED = f"{storage_trouble.FULL} {storage_trouble.NOTHING_STORED}"


@pytest.fixture(scope="module")
def full_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose disk a test may fill."""
    running = Site(tmp_path_factory.mktemp("full"), "tests.rooms.full_site")
    running.start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture
def someone(full_site: Site) -> Browser:
    return Browser(full_site).ready()


@pytest.fixture
def made(someone: Browser) -> str:
    """A run that was made while there was space."""
    return someone.make(LONG)


def database(site: Site) -> sqlite3.Connection:
    return sqlite3.connect(site.data / "highwater.sqlite3", timeout=20, isolation_level=None)


def fillers(rows: sqlite3.Connection) -> list[str]:
    """Statements that add a row of any size (number, text) to a table, for each table that is to be full."""
    return [
        "INSERT INTO rooms_filler VALUES (?, ?)",
        _filler(rows, "scenarios_accepted", "number", "do"),
        _filler(rows, "scenarios_scenario", "id", "title"),
    ]


def _filler(rows: sqlite3.Connection, table: str, number: str, text: str) -> str:
    """An insert with a number, a text, and nothing in all other columns that may not be null."""
    told = [
        (name, is_needed)
        for _, name, _, is_needed, _, is_key in rows.execute(f"PRAGMA table_info({table})")
        if not is_key
    ]
    rest = [name for name, is_needed in told if is_needed and name not in (number, text)]
    return f"INSERT INTO {table} ({', '.join([number, text, *rest])}) VALUES (?, ?{', 0' * len(rest)})"


def fill(site: Site) -> Path:
    """Use up the free space inside the database's pages, and let it have no more of them."""
    flag = site.data / FULL
    rows, number = database(site), itertools.count(time.monotonic_ns())
    rows.execute("CREATE TABLE IF NOT EXISTS rooms_filler (number, text)")
    flag.touch()
    rows.execute("PRAGMA max_page_count = 1")
    for filler in fillers(rows):
        for size in (2_000, 200, 20, 1):
            with pytest.raises(sqlite3.OperationalError, match="full"):
                while True:
                    rows.execute(filler, (next(number), "x" * size))
    rows.close()
    return flag


def stored(site: Site) -> dict[str, int]:
    """The number of rows in each table of ours."""
    rows = database(site)
    names = [name for (name,) in rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    ours = [name for name in names if not name.startswith(("sqlite_", "django_"))]
    counted = {name: int(rows.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in ours}
    rows.close()
    return counted


def test_each_way_to_store_something_is_refused_in_words_and_goes_on_when_there_is_space(
    full_site: Site, someone: Browser, made: str
) -> None:
    with someone.room(made) as viewer:
        assert viewer.do("act", do="kill 1")["k"] == "ack"
        flag = fill(full_site)
        before = stored(full_site)
        answers = {
            "upload": someone.post("/api/documents", raw=LONG),
            "import": someone.post("/import/build", {"text": LONG.decode()}),
            "fork": someone.post(f"/s/{made}/fork", {"at_us": 1, "do": "kill 2"}),
            "share": someone.post(f"/s/{made}/share", {"at_us": 1}),
            "undo": someone.post(f"/s/{made}/undo", {"at_us": 1}),
        }
        refused = viewer.do("act", do="kill 2")
        told = {name: (answer.status, answer.json().get("error")) for name, answer in answers.items()}
        assert told == dict.fromkeys(answers, (503, REFUSED)), json.dumps(told)
        assert refused["k"] == "refused" and refused["reason"].startswith(storage_trouble.FULL)
        assert stored(full_site) == before
        assert someone.get("/alive").status == 200
        flag.unlink()
        assert viewer.do("act", do="kill 2")["k"] == "ack"
    assert someone.post("/api/documents", raw=LONG).status == 201
    assert stored(full_site)["scenarios_scenario"] == before["scenarios_scenario"] + 1
    assert "kill 1" in (document := someone.get(f"/s/{made}.json").text) and "kill 2" in document


def test_a_visitor_on_a_full_disk_reads_a_page_that_says_so(full_site: Site, someone: Browser) -> None:
    flag = fill(full_site)
    try:
        answer = someone.get("/play")
    finally:
        flag.unlink()
    assert answer.status == 503
    assert storage_trouble.FULL in answer.text
    assert someone.get("/play").status == 200


def test_a_locked_database_is_said_and_when_the_lock_has_gone_the_run_goes_on(
    full_site: Site, someone: Browser, made: str
) -> None:
    with someone.room(made) as viewer:
        assert viewer.do("act", do="kill 1")["k"] == "ack"
        other = database(full_site)
        other.execute("BEGIN IMMEDIATE")
        upload, act = someone.post("/api/documents", raw=LONG), viewer.do("act", do="kill 2")
        other.execute("ROLLBACK")
        other.close()
        assert (upload.status, act["k"]) == (503, "refused")
        assert upload.json()["error"] == f"{storage_trouble.LOCKED} {storage_trouble.NOTHING_STORED}"
        assert act["reason"].startswith(storage_trouble.LOCKED)
        assert viewer.do("act", do="kill 3")["k"] == "ack"
    document = someone.get(f"/s/{made}.json").text
    assert "kill 1" in document and "kill 3" in document and "kill 2" not in document


def test_a_removed_database_is_said_and_never_made_anew_and_when_it_is_back_the_run_goes_on(
    full_site: Site, someone: Browser, made: str
) -> None:
    file = full_site.data / "highwater.sqlite3"
    away = file.with_name("away")
    with someone.room(made) as viewer:
        assert viewer.do("act", do="kill 1")["k"] == "ack"
        file.rename(away)
        upload, act = someone.post("/api/documents", raw=LONG), viewer.do("act", do="kill 2")
        is_made_anew = file.exists()
        away.rename(file)
        assert not is_made_anew
        assert (upload.status, act["k"]) == (503, "refused")
        assert upload.json()["error"] == f"{storage_trouble.REMOVED} {storage_trouble.NOTHING_STORED}"
        assert act["reason"].startswith(storage_trouble.REMOVED)
        assert viewer.do("act", do="kill 3")["k"] == "ack"
    document = someone.get(f"/s/{made}.json").text
    assert "kill 1" in document and "kill 3" in document and "kill 2" not in document
