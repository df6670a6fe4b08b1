"""The engine is compiled while a web process runs: what is started from then on is compiled, what runs goes on."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from playground.engine import engine, works
from playground.engine.live import Engines
from playground.engine.turns import Holder
from playground.rooms.limits import RUN_EVENTS_MAX
from playground.rooms.run_limit import events_max, is_over, limit_words
from playground.whatif.work import measured


def holder() -> Holder:
    return Holder("", "")


@pytest.fixture
async def engines() -> AsyncIterator[Engines]:
    made = Engines(1)
    yield made
    await made.stop()


async def test_a_run_goes_to_a_new_process_and_one_from_before_keeps_its_own_until_it_ends(
    engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "form_of_next", lambda: "interpreted")
    before = await engines.take("a", holder)
    assert (await engines.take("b", holder)).engine is before.engine
    monkeypatch.setattr(engine, "form_of_next", lambda: "compiled")
    after = await engines.take("c", holder)
    assert (before.form, after.form) == ("interpreted", "compiled")
    assert before.engine.engine.pid != after.engine.engine.pid
    before.engine.places.clear()
    assert (await engines.take("d", holder)).engine is after.engine
    await asyncio.gather(*engines._stopping)
    assert [place.is_dead for place in (before, after)] == [True, False]


def test_an_answer_of_the_other_form_is_not_an_answer_of_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measured time of a run is an answer too."""
    monkeypatch.setattr(works, "form_of_next", lambda: "interpreted")
    before = measured.question("plan").key()
    monkeypatch.setattr(works, "form_of_next", lambda: "compiled")
    assert measured.question("plan").key() != before


@pytest.mark.parametrize("form", ["compiled", "interpreted"])
def test_a_run_has_the_limit_of_the_form_that_runs_it(form: str) -> None:
    most = RUN_EVENTS_MAX[form]
    assert events_max(form) == most
    assert f"{most:,} events" in limit_words(form)
    assert not is_over(most, form) and is_over(most * 102 // 100, form)
