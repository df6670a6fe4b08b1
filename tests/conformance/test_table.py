from pathlib import Path

import pytest

from playground.library import truth
from simengine.recordings import mirror_reader
from simengine.recordings.reader import read
from simengine.scenario import load
from tests.conformance.command import main as conform
from tests.conformance.every import EVERY
from tests.conformance.known import KNOWN
from tests.conformance.mirror_table import done_to_the_clusters, mirror_document
from tests.conformance.table import document, done_to_the_cluster
from tests.conformance.told import told

RECORDINGS = Path(__file__).parent / "recordings"


@pytest.mark.parametrize("name", ["s08", "s26", "s38-active", "f039", "s14-m1", "s32", "quo2", "f005"])
def test_every_script_opens_in_the_playground_with_the_real_steps_as_captions(name: str) -> None:
    recording = read(RECORDINGS / f"{name}.json")
    opened = load(document(recording))
    assert [caption.text for caption in opened.captions] == [step.text for step in told(recording)]
    assert {caption.kind for caption in opened.captions} == {"real"}


@pytest.mark.parametrize("name", ["mm05-active-active", "mm12-failback", "mm17-topic-recreated", "mm10-source-lost"])
def test_every_script_of_two_clusters_opens_in_the_playground(name: str) -> None:
    opened = load(mirror_document(mirror_reader.read(RECORDINGS / "mm" / f"{name}.json")))
    assert len(opened.clusters) == 2
    assert {caption.text.split(" ")[0] for caption in opened.captions} <= {"east", "west"}
    assert opened.captions


def test_what_was_done_to_two_clusters_is_told_without_the_end_of_the_script() -> None:
    read_mirrored = mirror_reader.read(RECORDINGS / "mm" / "mm10-source-lost.json")
    assert done_to_the_clusters(read_mirrored) == "kill-site east"
    assert done_to_the_clusters(mirror_reader.read(RECORDINGS / "mm" / "mm03-translation.json")) == "nothing"


def test_controllers_actions_stand_in_the_document() -> None:
    opened = load(document(read(RECORDINGS / "s38-active.json")))
    assert "kill 102" in [str(entry.action) for entry in opened.timeline]


def test_what_was_done_is_told_in_order_without_waits_and_clients() -> None:
    assert done_to_the_cluster(read(RECORDINGS / "s26.json")) == "cut 0 | 1, 2, 100, 101, 102; heal"
    assert done_to_the_cluster(read(RECORDINGS / "s01.json")) == "nothing"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("s34-mchange", "config t min.insync.replicas=2"),
        ("s15-elect", "elect unclean t-0"),
        ("s19b", "config broker 2 follower.replication.throttled.rate off"),
        ("s36", "reassign t-0 to 3, 1, 2"),
        ("s37-rep", "elect preferred t; kill 101"),
        ("s05", "elect preferred t-0"),
        ("s29", "elect preferred t-0; elect preferred t-0 (ElectionNotNeededException); kill 2"),
        ("s41", "crash C; crash S"),
        ("s06-a", "proxy drop-response lost"),
        ("s07-a", "proxy delay-response slowA; proxy hold-request heldB; start 1; proxy release heldB"),
    ],
)
def test_what_an_administrator_asked_for_is_told_with_what_it_was_done_to(name: str, told: str) -> None:
    assert told in done_to_the_cluster(read(RECORDINGS / f"{name}.json"))


def test_no_action_of_any_recording_is_told_by_its_verb_alone() -> None:
    for path in EVERY:
        words = done_to_the_cluster(read(path)).split("; ")
        assert not [word for word in words if " " not in word and word not in ("heal", "nothing")], path.name


def test_a_table_that_cannot_be_written_is_said_before_the_first_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert conform([str(RECORDINGS / "s08.json"), "--table", "/nowhere/table.json"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "--table /nowhere/table.json: cannot be written to: No such file or directory\n")


def test_the_table_has_every_recording_and_what_is_known_of_those_not_explained() -> None:
    """`make conform` writes it; `tests/conformance/known.py` says what is known."""
    known = truth.table()
    rows = [*known.rows, *known.mirror_rows]
    files = [*RECORDINGS.glob("*.json"), *(RECORDINGS / "mm").glob("*.json")]
    assert {row["file"] for row in rows} == {path.stem for path in files}
    assert {row["file"] for row in rows if not row["explained"]} == set(KNOWN)
    assert [row["file"] for row in rows if row.get("known", "") != KNOWN.get(row["file"], "")] == []
