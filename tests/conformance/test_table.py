from pathlib import Path

import pytest

from simengine.recordings.reader import read
from simengine.recordings.table import document, done_to_the_cluster
from simengine.scenario import load

RECORDINGS = Path(__file__).parent / "recordings"


@pytest.mark.parametrize("name", ["s08", "s26", "s38-active", "f039", "s14-m1"])
def test_every_script_opens_in_the_playground_with_the_real_steps_as_captions(name: str) -> None:
    opened = load(document(read(RECORDINGS / f"{name}.json")))
    assert opened.captions
    assert {caption.kind for caption in opened.captions} == {"real"}


def test_controllers_actions_stand_in_the_document() -> None:
    opened = load(document(read(RECORDINGS / "s38-active.json")))
    assert "kill 102" in [str(entry.action) for entry in opened.timeline]


def test_what_was_done_is_told_in_order_without_waits_and_clients() -> None:
    assert done_to_the_cluster(read(RECORDINGS / "s26.json")) == "cut 0 | 1, 2, 100, 101, 102; heal"
    assert done_to_the_cluster(read(RECORDINGS / "s01.json")) == "nothing"
