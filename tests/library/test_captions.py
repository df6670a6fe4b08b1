"""Every scenario of the gallery tells, while it runs, what to notice at that moment."""

from pathlib import Path
from typing import Final

import pytest

from playground.library.gallery import files
from simengine.kernel.facts import KINDS
from simengine.scenario import Document, load
from simengine.scenario.model import Caption
from simengine.world import build

SCENARIOS: Final = files()
NUMBERS: Final = {kind.name: kind.number for kind in KINDS}
LETTERS_MAX: Final = 140  # of a caption: one line of the page


def moments(document: Document) -> list[tuple[Caption, int | None]]:
    """Each caption with the moment at which it comes in this run, as the page finds it; None: never."""
    world = build(document)
    world.run(document.until_us)
    after = -1
    found: list[tuple[Caption, int | None]] = []
    for caption in document.captions:
        at: int | None = caption.at_us
        if caption.on is not None:
            kind = NUMBERS[caption.on]
            at = next((int(fact.t) for fact in world.trace.decisive if fact.kind == kind and fact.t > after), None)
        found.append((caption, at))
        after = after if at is None else at
    return found


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_captions_come_in_their_order_and_each_fits_a_line(path: Path) -> None:
    document = load(path.read_bytes())
    told = moments(document)
    assert told, "nothing says what to notice"
    times = [at for _, at in told if at is not None]
    assert len(times) == len(told), [caption.text for caption, at in told if at is None]
    assert times == sorted(times)
    assert times[-1] <= document.until_us
    assert [caption.text for caption, _ in told if len(caption.text) > LETTERS_MAX] == []
