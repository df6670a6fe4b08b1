"""Actions in a comparison: on one side or on all at one moment, on all or on none; branches and undo go together."""

import pytest

from playground.rooms.acting import near_us
from tests.rooms.site import QUIET, Answer, Browser

OTHER = QUIET.replace(b"acks: all", b'acks: "1"')


@pytest.fixture
def pair(person: Browser) -> list[str]:
    """Two runs at 2 s that differ in acks."""
    runs = [person.make(QUIET), person.make(OTHER)]
    for run in runs:
        with person.room(run) as room:
            room.do("reach", t=2_000_000)
    return runs


def asked(person: Browser, what: str, runs: list[str], **words: object) -> Answer:
    return person.post(f"/compare/{'..'.join(runs)}/{what}", words)


def actions_of(person: Browser, run: str) -> list[tuple[str, str]]:
    return [(one["at"], one["do"]) for one in person.get(f"/s/{run}.json").json().get("timeline", [])]


def digest_of(person: Browser, run: str) -> str:
    return str(person.get(f"/rooms/{run}/verdict?at_us=6000000").json()["digest"])


def test_an_action_happens_in_both_at_one_moment(person: Browser, pair: list[str]) -> None:
    with person.room(pair[1]) as ahead:
        ahead.do("reach", t=2_030_000)
    answer = asked(person, "act", pair, do="kill 1", shown_us=2_000_000, sides=[0, 1])
    assert (answer.status, answer.json()) == (200, {"at_us": 2_030_001, "said": ""})
    assert actions_of(person, pair[0]) == actions_of(person, pair[1]) == [("2.030001s", "kill 1")]


def test_a_run_that_went_on_alone_goes_back_to_the_moment_shown(person: Browser, pair: list[str]) -> None:
    with person.room(pair[1]) as ahead:
        ahead.do("reach", t=9_000_000)
    assert asked(person, "act", pair, do="kill 1", shown_us=2_000_000, sides=[0, 1]).json()["at_us"] == 2_000_001
    for run in pair:
        with person.room(run) as room:
            room.do("reach", t=6_000_000)
        alone = person.make(person.get(f"/s/{run}.json").body)
        with person.room(alone) as room:
            room.do("reach", t=6_000_000)
        assert digest_of(person, run) == digest_of(person, alone)


def test_a_run_that_plays_just_ahead_of_its_picture_does_not_go_back() -> None:
    """At 1 s/s the picture is some 0.15 s behind. Where time stands, a picture shows what it shows."""
    assert near_us(True, 1_000_000) == 400_000
    assert near_us(True, 100_000) == near_us(False, 1_000_000) == 50_000


def test_an_action_goes_to_one_side_alone(person: Browser, pair: list[str]) -> None:
    assert asked(person, "act", pair, do="kill 1", shown_us=2_000_000, sides=[1]).status == 200
    assert [len(actions_of(person, run)) for run in pair] == [0, 1]


def test_what_one_side_refuses_happens_on_none(person: Browser, pair: list[str]) -> None:
    assert asked(person, "act", pair, do="kill 1", shown_us=2_000_000, sides=[1]).status == 200
    for what, shown_us in (("act", 2_000_001), ("fork", 2_000_001)):
        answer = asked(person, what, pair, do="kill 1", shown_us=shown_us, sides=[0, 1])
        assert answer.status == 409
        assert answer.json()["error"].startswith("B: it changes nothing: ")
        assert answer.json()["error"].endswith("Nothing was done in any run.")
    assert [len(actions_of(person, run)) for run in pair] == [0, 1]
    with person.room(pair[0]) as room:
        room.do("act", do="pause 2")  # its run is where it was, and goes on
    unknown = asked(person, "act", pair, do="kill 9", shown_us=2_000_001, sides=[0, 1])
    assert (unknown.status, unknown.json()["error"][:3]) == (409, "A: ")


def test_somebody_else_does_not_act_and_makes_branches(person: Browser, pair: list[str]) -> None:
    other = Browser(person.site).ready()
    refused = asked(other, "act", pair, do="kill 1", shown_us=2_000_000, sides=[0])
    assert (refused.status, refused.json()["error"][:33]) == (403, "A: this run belongs to another br")
    made = asked(other, "fork", pair, do="kill 1", shown_us=1_000_000, sides=[0, 1])
    assert made.status == 201
    runs = made.json()["url"].removeprefix("/compare/").split("..")
    assert actions_of(other, runs[0]) == actions_of(other, runs[1]) == [("1.000001s", "kill 1")]
    assert not set(runs) & set(pair)


def test_a_branch_of_one_side_stands_beside_the_other(person: Browser, pair: list[str]) -> None:
    runs = asked(person, "fork", pair, do="kill 1", shown_us=1_000_000, sides=[1]).json()["url"].split("/")[-1]
    assert runs.split("..")[0] == pair[0]
    assert runs.split("..")[1] != pair[1]


def test_an_undo_takes_an_action_back_in_all_runs_that_it_went_to(person: Browser, pair: list[str]) -> None:
    asked(person, "act", pair, do="pause 2", shown_us=2_000_000, sides=[0])
    asked(person, "act", pair, do="kill 1", shown_us=2_000_001, sides=[0, 1])
    undone = asked(person, "undo", pair, at_us=3_000_000).json()
    assert (undone["actions"], undone["sides"]) == (["kill 1"], [0, 1])
    runs = undone["url"].split("/")[-1].split("..")
    assert [[do for _, do in actions_of(person, run)] for run in runs] == [["pause 2"], []]
    again = asked(person, "undo", runs, at_us=3_000_000).json()
    assert (again["actions"], again["sides"]) == (["pause 2"], [0])
    assert again["url"].split("..")[1] == runs[1]
    assert asked(person, "undo", again["url"].split("/")[-1].split(".."), at_us=3_000_000).json() == {}


def test_an_undo_never_puts_a_run_beside_itself(person: Browser, pair: list[str]) -> None:
    branch = asked(person, "fork", pair, do="kill 1", shown_us=1_000_000, sides=[1]).json()["url"].split("..")[1]
    undone = asked(person, "undo", [pair[1], branch], at_us=3_000_000).json()
    first, second = undone["url"].split("/")[-1].split("..")
    assert first == pair[1]
    assert second not in (pair[1], branch)
    assert person.get(undone["url"]).status == 200


@pytest.mark.parametrize("sides", [None, [], [2], [0, 0], ["0"], [True], 1])
def test_wrong_sides_are_refused_in_words(person: Browser, pair: list[str], sides: object) -> None:
    answer = asked(person, "act", pair, do="kill 1", shown_us=2_000_000, sides=sides)
    assert answer.status == 400
    assert "allowed is a list of different numbers from 0 to 1" in answer.json()["error"]
