"""Two people who may act want the same at the same moment: it happens once, and one undo takes it back."""

from tests.rooms.site import QUIET, Browser, Site


def _second(site: Site, person: Browser, run_id: str) -> Browser:
    """Another browser that may act: it took the edit link."""
    about = person.get(f"/s/{run_id}/about").text
    other = Browser(site).ready()
    assert other.post(about[about.index(f"/s/{run_id}/edit/") :].split("<")[0]).status == 200
    return other


def _timeline(person: Browser, url: str) -> list[str]:
    return [entry["do"] for entry in person.get(f"{url}.json").json().get("timeline", [])]


def test_the_same_kill_by_two_at_one_moment_happens_once_and_one_undo_takes_it_back(
    site: Site, person: Browser
) -> None:
    run_id = person.make(QUIET)
    other = _second(site, person, run_id)
    with person.room(run_id) as first, other.room(run_id) as second:
        shown_us = second.t
        at_us = first.do("act", do="kill 2", shown_us=shown_us, seen_us=0, nonce="a")["at_us"]
        answer = second.do("act", do="kill 2", shown_us=shown_us, seen_us=0, nonce="b")
        assert answer["k"] == "refused"
        assert answer["reason"] == "the same was done at 0.000 s already, before your picture showed it"
    assert _timeline(person, f"/s/{run_id}") == ["kill 2"]
    undone = person.post(f"/s/{run_id}/undo", {"at_us": at_us}).json()
    assert _timeline(person, undone["url"]) == []


def test_what_somebody_has_seen_done_can_be_done_again_and_another_action_is_no_repetition(
    site: Site, person: Browser
) -> None:
    run_id = person.make(QUIET)
    other = _second(site, person, run_id)
    with person.room(run_id) as first, other.room(run_id) as second:
        done_us = first.do("act", do="config orders min.insync.replicas 1", seen_us=0)["at_us"]
        assert second.do("act", do="config orders min.insync.replicas 2", seen_us=0)["k"] == "ack"
        assert second.do("act", do="config orders min.insync.replicas 1", seen_us=done_us)["k"] == "ack"
    assert [do[-1] for do in _timeline(person, f"/s/{run_id}")] == ["1", "2", "1"]


def test_it_happens_once_also_where_the_first_action_takes_the_run_back_before_what_the_second_one_saw(
    site: Site, person: Browser
) -> None:
    run_id = person.make(QUIET)
    other = _second(site, person, run_id)
    with person.room(run_id) as first, other.room(run_id) as second:
        first.do("speed", value=5_000_000)
        first.do("play")
        while first.t < 3_000_000:
            first.receive()
        at_us = first.do("act", do="kill 2", shown_us=first.t - 400_000, seen_us=0)["at_us"]
        answer = second.do("act", do="kill 2", shown_us=at_us + 300_000, seen_us=0)
        assert answer["k"] == "refused" and "before your picture showed it" in answer["reason"]
    assert _timeline(person, f"/s/{run_id}") == ["kill 2"]


def test_a_setting_asked_for_again_at_the_same_instant_stands_once(site: Site, person: Browser) -> None:
    run_id = person.make(QUIET)
    setting = "config orders min.insync.replicas 1"
    with person.room(run_id) as room:
        at_us = room.do("act", do=setting, seen_us=0)["at_us"]
        again = room.do("act", do=setting, seen_us=0)
        assert (again["k"], again["at_us"]) == ("ack", at_us)
        assert room.do("act", do="config orders min.insync.replicas 2", seen_us=0)["k"] == "ack"
        assert room.do("act", do=setting, seen_us=at_us)["k"] == "ack"  # another one lies between
    settings = [setting, "config orders min.insync.replicas 2", setting]
    assert _timeline(person, f"/s/{run_id}") == settings


def test_an_action_that_changes_nothing_is_not_done_and_says_why(person: Browser, run_id: str) -> None:
    with person.room(run_id) as viewer:
        idle = viewer.do("act", do="heal")
        done = viewer.do("act", do="kill 1")
    assert idle["k"] == "refused" and idle["reason"].startswith("it changes nothing: ")
    assert done["said"] == ""
    assert _timeline(person, f"/s/{run_id}") == ["kill 1"]
    assert "healed" not in person.get("/runs").text
