"""Documents and links of every format that ever landed still open, or say why not."""

import hashlib
from collections.abc import Iterator
from random import Random

import pytest
from django.test import override_settings

from playground.scenarios import owner
from playground.scenarios.models import Scenario
from tests.faults.world import LoggedSite, World
from tests.links.stored import DOCUMENTS, MANIFEST, Stored, documents, put
from tests.rooms.site import FRAME_S, Browser

KEPT_LEAST = 29  # it only grows


class Whole(World):
    """A world in which nothing is damaged, with one experiment, which is finished."""

    def _damage(self) -> None:
        pass

    def _experiments(self) -> None:
        self._finish(self._experiment())


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A site with a run, a shared copy, a deleted run and a finished experiment."""
    site = LoggedSite(tmp_path_factory.mktemp("links"))
    site.start()
    try:
        yield Whole(site, seed=1)
    finally:
        site.stop()


def test_every_document_is_there_as_it_was_stored() -> None:
    kept = documents()
    assert len(kept) >= KEPT_LEAST
    assert sorted(one.name for one in kept) == sorted(file.name for file in DOCUMENTS.iterdir())
    changed = [one.name for one in kept if hashlib.sha256(one.file.read_bytes()).hexdigest() != one.sha256]
    assert not changed, "what was stored never changes: add another file"


def test_every_stored_document_opens_at_its_moment_or_says_why_not(world: World) -> None:
    kept = documents()
    with world.database() as database:
        ids = [put(database, world.ids["frozen"], number, one) for number, one in enumerate(kept)]
    person = Browser(world.site).ready()
    wrong = [f"{one.name}: {told}" for name, one in zip(ids, kept, strict=True) if (told := _wrong(person, name, one))]
    assert not wrong, "\n".join(wrong)


def _wrong(person: Browser, name: str, one: Stored) -> str:
    """The difference from the manifest when the copy is opened as its page does it; "" if there is none."""
    boot = person.open(f"/s/{name}")
    with person.socket(boot["socket"]) as viewer:
        first = viewer.receive(FRAME_S)
        while first["k"] not in ("hello", "end"):
            first = viewer.receive(FRAME_S)
        if one.refused or first["k"] == "end":
            told = first.get("reason", "it opened")
            return "" if told == one.refused else f"{told!r}, not {one.refused!r}"
        notice = first["notice"]
        moment_us = viewer.until("snap", FRAME_S)["view"]["t"]
        digest = person.get(f"/rooms/{boot['room']}/verdict?at_us={one.at_us}").json()["digest"]
    computed_by = notice and notice["computed_by"]
    found = (moment_us, digest, computed_by)
    awaited = (one.at_us, one.today, one.engine if one.is_told else None)
    return "" if found == awaited else f"{found}, not {awaited}"


def test_every_address_that_people_were_shown_leads_somewhere(world: World) -> None:
    wrong = []
    for link in MANIFEST["links"]:
        answer = world.owner.get(world.said(link["address"], Random(1)))
        is_right = answer.status == link.get("status", 200) and link.get("leads_to", "") in answer.url
        if not is_right:
            wrong.append(f"{link['address']}: {answer.status} at {answer.url}: {answer.text[:200]}")
    assert not wrong, "\n".join(wrong)


def test_the_word_of_an_edit_link_stays() -> None:
    kept = MANIFEST["edit_word"]
    with override_settings(SECRET_KEY=kept["secret_key"]):
        assert owner.edit_word(Scenario(id=kept["scenario"])) == kept["word"]
