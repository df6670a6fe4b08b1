"""Runs side by side: the address of a comparison, every wrong one in words, and what the engine says of the runs."""

import pytest

from playground.rooms.work import compared
from playground.scenarios.documents import StoredScenario
from simengine.compare.comparison import compare
from simengine.compare.titles import common_beginning, title_of
from simengine.scenario import load, load_all, to_json
from tests.rooms.site import QUIET, Browser

OTHER = QUIET.replace(b"acks: all", b'acks: "1"')


@pytest.fixture
def pair(person: Browser) -> tuple[str, str]:
    """Two runs that differ in acks."""
    return person.make(QUIET), person.make(OTHER)


def test_the_page_has_both_rooms(person: Browser, pair: tuple[str, str]) -> None:
    boot = person.open(f"/compare/{pair[0]}..{pair[1]}")
    assert [run["scenario"] for run in boot["runs"]] == list(pair)
    assert [run["socket"] for run in boot["runs"]] == [f"/ws/room/{run}" for run in pair]


@pytest.mark.parametrize(
    ("titles", "common"),
    [
        (["Who died? acks=1", "Who died? acks=all"], "Who died? "),
        (["Who died? What now? 1", "Who died? What now? 2"], "Who died? What now? "),
        (["Loss: who died? acks=1", "Loss: who died? acks=all"], "Loss: who died? "),
        (["Pasted: az-b goes dark, acks=1", "Pasted: az-b goes dark, acks=all"], "Pasted: az-b goes dark, "),
        (["Pasted: az-b goes dark, acks=1", "Pasted: az-c goes dark, acks=1"], "Pasted: "),
        (["Sandbox, seed 1", "Sandbox, seed 2"], "Sandbox, "),
        (["Sandbox", "Sandbox, seed 2"], ""),
        (["Who died? acks=1", "Who lives? acks=all"], ""),
        (["Who died? acks=1"], ""),
        (["Who died? acks=1", "Who died? acks=all", "Sandbox"], "Who died? "),
        (["Sandbox", "Who died? acks=1", "Who died? acks=all"], "Who died? "),
        (["Pasted: az-b, 1", "Pasted: az-b, all", "Pasted: az-c, 1"], "Pasted: "),
        (["Who died? acks=1", "Who died? acks=1", "Sandbox"], ""),
    ],
)
def test_titles_have_the_phrases_in_common_that_all_begin_with(titles: list[str], common: str) -> None:
    assert common_beginning(titles) == common


@pytest.mark.parametrize(
    ("titles", "title"),
    [
        (["Who died? acks=1", "Who died? acks=all"], "Who died? acks=1 or acks=all"),
        (["Pasted: az-b, 1", "Pasted: az-b, all", "Pasted: az-c, 1"], "Pasted: az-b, 1 or az-b, all or az-c, 1"),
        (["Sandbox", "Sandbox, seed 2"], "Sandbox or Sandbox, seed 2"),
        (["Who died?", "Who died?"], "Who died?"),
        (["One"], "One"),
        (["Who died? 1", "Who died? all", "Sandbox"], "Who died? 1 or Who died? all or Sandbox"),
    ],
)
def test_a_title_of_several_runs_tells_what_they_share_once(titles: list[str], title: str) -> None:
    assert title_of(titles) == title


def test_the_figures_are_those_of_the_engine_at_the_moment(person: Browser, pair: tuple[str, str]) -> None:
    answer = person.get(f"/compare/{pair[0]}..{pair[1]}/figures?at_us=3000000")
    assert answer.status == 200, answer.text
    assert answer.json() == compare([load(QUIET), load(OTHER)], 3_000_000)


def test_without_a_moment_a_comparison_is_made_where_the_longest_run_ends() -> None:
    quiet, other = load(QUIET), load(OTHER)
    stored = [StoredScenario(to_json(quiet), [(2_000_000, "kill 1")]), StoredScenario(to_json(other), [])]
    found = compared(stored, None)
    assert found["until_us"] == max(quiet.until_us, other.until_us)
    assert found["first_difference"]["sentence"].startswith("They part at 2.000 s. A: Broker 1 is killed.")


def test_a_pair_is_written_as_one_file_that_the_import_reads_back(person: Browser, pair: tuple[str, str]) -> None:
    answer = person.get(f"/compare/{pair[0]}..{pair[1]}.yaml?at_us=3000000")
    assert answer.status == 200, answer.text
    assert [to_json(one) for one in load_all(answer.text.encode())] == [to_json(load(QUIET)), to_json(load(OTHER))]
    built = person.post("/import/build", {"text": answer.text})
    assert built.status == 201, built.text
    again = person.get(f"{built.json()['url']}.yaml?at_us=3000000")
    assert (built.json()["url"], again.text) == (f"/compare/{built.json()['id']}", answer.text)
    preview = person.post("/import/preview", {"text": answer.text}).json()
    assert (preview["label"], preview["can_build"]) == ("2 Highwater documents", True)
    refused = person.post("/import/build", {"text": "---\n".join([answer.text] * 3)})
    assert (refused.status, "6 documents are more than can stand side by side: 4" in refused.text) == (400, True)
    assert person.get(f"/compare/{pair[0]}.yaml").status == 400


def test_a_wrong_address_is_told_with_the_cure(person: Browser, pair: tuple[str, str]) -> None:
    one, other = pair
    cases = {
        one: (400, "2 to 4 of them. This one has 1."),
        f"{one}..": (400, "This one has 1."),
        "..".join([one, other] * 3): (400, "This one has 6."),
        f"{one}..{one}": (400, "stands in this address twice. A run does not differ from itself: fork it"),
        f"{one}..nobody": (404, "There is no run &#x27;nobody&#x27;. Copy its address from its own page"),
    }
    for ids, (status, words) in cases.items():
        answer = person.get(f"/compare/{ids}")
        assert (answer.status, words in answer.text) == (status, True), answer.text
        assert person.get(f"/compare/{ids}/figures").status == status


def test_a_deleted_run_is_told(person: Browser, pair: tuple[str, str]) -> None:
    person.post(f"/s/{pair[1]}/delete")
    answer = person.get(f"/compare/{pair[0]}..{pair[1]}")
    assert (answer.status, "was deleted by whoever made it" in answer.text) == (410, True)


def test_anybody_may_look_at_a_comparison(site_of_another: Browser, pair: tuple[str, str]) -> None:
    boot = site_of_another.open(f"/compare/{pair[0]}..{pair[1]}")
    assert [run["owner"] for run in boot["runs"]] == [False, False]


def test_a_wrong_moment_is_refused_in_words(person: Browser, pair: tuple[str, str]) -> None:
    answer = person.get(f"/compare/{pair[0]}..{pair[1]}/figures?at_us=soon")
    assert (answer.status, "allowed: whole microseconds" in answer.text) == (400, True)


@pytest.fixture
def site_of_another(person: Browser) -> Browser:
    """Another browser at the same site."""
    return Browser(person.site).ready()
