"""Undo over HTTP, and what a branch keeps: the speed, and all that was shown."""

from tests.rooms.site import QUIET, Browser, Site


def _acted(person: Browser, *actions: str) -> tuple[str, list[int]]:
    """A run in which these were done, one after the other, and when."""
    run_id = person.make(QUIET)
    with person.room(run_id) as viewer:
        return run_id, [int(viewer.do("act", do=action)["at_us"]) for action in actions]


def _timeline(person: Browser, run_id: str) -> list[str]:
    return [entry["do"] for entry in person.get(f"/s/{run_id}.json").json().get("timeline", [])]


def test_two_undos_undo_two_actions_and_a_third_says_that_nothing_is_left(person: Browser) -> None:
    run_id, (first_us, second_us) = _acted(person, "kill 1", "kill 2")
    once = person.post(f"/s/{run_id}/undo", {"at_us": second_us}).json()
    assert once["is_new"] and once["at_us"] == second_us and once["actions"] == ["kill 2"] and once["later"] is None
    branch = once["url"].rsplit("/", 1)[1]
    assert _timeline(person, branch) == ["kill 1"]
    with person.room(branch) as viewer:
        assert viewer.t == second_us
    twice = person.post(f"{once['url']}/undo", {"at_us": second_us}).json()
    assert twice["actions"] == ["kill 1"] and twice["at_us"] == first_us
    assert _timeline(person, twice["url"].rsplit("/", 1)[1]) == []
    assert person.post(f"{twice['url']}/undo", {"at_us": second_us}).json() == {}
    assert _timeline(person, run_id) == ["kill 1", "kill 2"]


def test_an_older_action_is_undone_alone(person: Browser) -> None:
    run_id, (first_us, _, _) = _acted(person, "kill 1", "acks orders 1", "start 1")
    undone = person.post(f"/s/{run_id}/undo", {"at_us": first_us}).json()
    assert undone["actions"] == ["kill 1"]
    assert _timeline(person, undone["url"].rsplit("/", 1)[1]) == ["acks orders 1"]
    assert "start broker 1: " in undone["later"]["problems"][0]


def test_a_branch_has_the_speed_of_the_run_that_it_left(person: Browser) -> None:
    run_id, (at_us,) = _acted(person, "acks orders 1")
    made = [
        person.post(f"/s/{run_id}/fork", {"at_us": at_us, "do": "kill 2", "speed": 1_000_000}).json()["url"],
        person.post(f"/s/{run_id}/undo", {"at_us": at_us, "speed": 1_000_000}).json()["url"],
        person.post(f"/s/{run_id}/carry-on", {"at_us": at_us, "speed": 1_000_000}).json()["url"],
    ]
    for url in made:
        with person.socket(f"/ws/room/{url.rsplit('/', 1)[1]}") as viewer:
            clock = viewer.until("snap")["clock"]
        assert clock["speed"] == 1_000_000 and not clock["playing"]
    automatic = person.post(f"/s/{run_id}/fork", {"at_us": at_us, "speed": "auto"}).json()["id"]
    with person.socket(f"/ws/room/{automatic}") as viewer:
        assert viewer.until("snap")["clock"]["speed"] == "auto"
    refused = person.post(f"/s/{run_id}/fork", {"at_us": at_us, "speed": "quick"})
    assert refused.status == 400 and '"auto"' in refused.json()["error"]


def test_what_happened_at_the_very_moment_that_was_shown_stays_in_the_branch(site: Site, person: Browser) -> None:
    run_id, (first_us, second_us) = _acted(person, "kill 1", "kill 2")
    back = person.post(f"/s/{run_id}/fork", {"shown_us": first_us, "do": "acks orders 1"}).json()["id"]
    assert _timeline(person, back) == ["kill 1", "acks orders 1", "kill 2"]
    shared = person.post(f"/s/{run_id}/share", {"at_us": second_us}).json()["id"]
    stranger = Browser(site).ready()
    own = stranger.post(f"/s/{shared}/fork", {"shown_us": second_us, "do": "kill 3"}).json()["id"]
    assert _timeline(stranger, own) == ["kill 1", "kill 2", "kill 3"]
    late = stranger.post(f"/s/{shared}/fork", {"shown_us": second_us + 1, "do": "kill 3"})
    assert late.status == 400 and "has not been simulated yet" in late.json()["error"]
