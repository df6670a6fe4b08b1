"""The gallery shows every scenario of the tests, and each opens as a run of one's own."""

import pytest
from django.test import Client

from playground.library.ends import ends
from playground.library.gallery import entries, stop_words
from playground.library.scenario_files import files
from playground.scenarios.models import Scenario, Source
from tools import gallery_ends


@pytest.mark.django_db
def test_every_scenario_has_a_card_with_what_to_notice() -> None:
    text = Client().get("/gallery").content.decode()
    for path in files():
        assert f'data-testid="gallery-{path.stem}"' in text
    assert len(entries()) == len(files()) > 100
    assert all(entry.title and entry.about and entry.rules for entry in entries())


def test_a_card_stands_alone() -> None:
    """A reader who searches sees one card, without the one before it in the file list."""
    leaning = ("As before", "The same", "The story before", "The other outcome", "Here ")
    assert [entry.name for entry in entries() if entry.about.startswith(leaning)] == []
    assert [entry.name for entry in entries() if entry.title.startswith("The same")] == []


def test_cards_stand_in_sections_by_their_numbers() -> None:
    sections = {entry.name: entry.section for entry in entries()}
    assert sections["s08-leader-dies"] == "failures"
    assert sections["s18-legacy-logs-differ"] == "epochs"
    assert sections["v05-after-an-unclean-election"] == "vectors"
    assert sections["s40-follower-read"] == "restarts"
    assert sections["s57-retention-overtakes"] == "mirrors"


def test_a_card_says_whether_the_version_runs_with_its_usual_elr() -> None:
    """New clusters of 4.1 and later have it on (ELR-1)."""
    profiles = {entry.name: entry.profile for entry in entries()}
    assert profiles["s08-leader-dies"] == "Kafka 4.2, ELR off"
    assert profiles["s13-elr-broker-1-is-fenced-last"] == "Kafka 4.2, ELR on"


def test_a_card_says_whether_acknowledged_records_are_lost() -> None:
    lost = {entry.name: entry.lost for entry in entries()}
    assert lost["s08-leader-dies"] == 0
    assert lost["s10-unreplicated-data"] == 5
    assert lost["s28-fast-resume"] == 210
    assert lost["s58-min-isr-does-not-travel"] == 0
    assert all(entry.lost >= 0 for entry in entries() if entry.name.startswith("s05"))


@pytest.mark.django_db
def test_a_card_never_calls_it_nothing_lost_where_nothing_was_promised_or_records_are_hidden() -> None:
    cards = {text.partition('"')[0]: text for text in Client().get("/gallery").content.decode().split('"gallery-s')}
    assert "nothing was promised" in cards["05-acks-0-to-a-former-leader"]
    assert "unreadable" in cards["30-two-replicas-both-wanted"]
    assert "nothing lost" in cards["08-leader-dies"]
    assert "committed offsets lost" in cards["46-the-groups-log-is-gone"]
    assert "records twice for the group" in cards["42-failover"]
    assert "records copied twice" in cards["56-mirror-killed"]
    for name in ("06b-lost-answer-without-idempotence", "72a-restart-doubles-records"):
        assert "records twice in the log" in cards[name]
        assert "nothing lost" not in cards[name]
    assert "twice" not in cards["72b-restart-with-idempotence"].partition("gal-facts")[2].partition("</div>")[0]
    assert "records missing on the target" in cards["57-retention-overtakes"]
    assert "missing" not in cards["43-active-active"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["s10-unreplicated-data", "s42-failover"])
def test_a_card_opens_as_a_run_of_this_browser(name: str) -> None:
    answer = Client().post(f"/gallery/{name}/open")
    assert answer.status_code == 302
    scenario = Scenario.objects.get()
    assert answer["location"] == f"/s/{scenario.id}"
    assert scenario.source == Source.LIBRARY
    assert scenario.title == next(entry.title for entry in entries() if entry.name == name)


@pytest.mark.django_db
def test_the_document_of_a_card_can_be_read() -> None:
    answer = Client().get("/gallery/s10-unreplicated-data.yaml")
    path = next(path for path in files() if path.stem == "s10-unreplicated-data")
    assert answer.content.decode() == path.read_text()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["nothing", "..", "../conftest"])
def test_what_is_no_card_is_not_found(name: str) -> None:
    assert Client().get(f"/gallery/{name}.yaml").status_code == 404
    assert Client().post(f"/gallery/{name}/open").status_code == 404


@pytest.mark.django_db
def test_a_card_is_green_only_where_nothing_was_lost_and_nothing_stopped() -> None:
    cards = {text.partition('"')[0]: text for text in Client().get("/gallery").content.decode().split('"gallery-s')}
    assert "no response for 9.7 s" in cards["08-leader-dies"]
    assert "tag ok" not in cards["08-leader-dies"]
    assert "nothing lost, nothing stopped" in cards["01-steady-state"]
    green = [name for name in (entry.name for entry in entries()) if "tag ok" in cards.get(name.removeprefix("s"), "")]
    assert green and all(not any(ends()["scenarios"][name]["stops"].values()) for name in green)


def test_a_card_shows_the_applications_time_and_the_servers_time_only_where_nobody_wrote() -> None:
    figures = {"writers": 9_658_830, "readers": 0, "groups": 9_721_843, "servers": 0}
    assert stop_words(figures) == ("no response for 9.7 s",)
    figures = {"writers": 18_000_000, "readers": 50_593_561, "groups": 0, "servers": 0}
    assert stop_words(figures) == ("no response for 18.0 s", "a reader got nothing for 50.6 s")
    figures = {"writers": 0, "readers": 0, "groups": 0, "servers": 84_028_218}
    assert stop_words(figures) == ("not writable for 84.0 s by the servers, no application wrote",)
    assert stop_words({}) == ()


def test_the_stops_of_the_cards_are_those_of_the_runs() -> None:
    assert gallery_ends.main(["--check"]) == 0, "run python tools/gallery_ends.py"
