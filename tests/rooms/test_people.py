"""The people in a room are told to everybody there; a run is renamed by its owner alone."""

from tests.rooms.site import Browser, Site


def test_who_comes_and_goes_is_told_and_each_browser_once(site: Site, person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer, person.room(run_id):
        told = viewer.until("people")
        assert (told["here"], told["owner"]) == (1, True), "two pages of one browser are one person"
        with Browser(site).ready().room(run_id) as stranger:
            while (told := stranger.until("people"))["here"] < 2:
                pass
            assert told["owner"]
        while viewer.until("people")["here"] > 1:
            pass


def test_a_room_whose_owner_is_away_says_so(site: Site, run_id: str) -> None:
    with Browser(site).ready().room(run_id) as stranger:
        told = stranger.until("people")
        assert (told["here"], told["owner"]) == (1, False)
