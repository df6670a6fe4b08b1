"""The still of a run for readers without scripts: picture, verdict and events at a moment, within bounds."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from playground.rooms import limits, still, still_file
from playground.rooms.run import RoomRun
from playground.rooms.still import Still, still_of, window_of
from playground.rooms.still_layout import PITCH
from simengine.scenario import load, to_plain
from simengine.world.event_sentences import events_told
from tests.rooms.site import QUIET, Browser

LOSING = """
format: 1
title: One acknowledges early
seed: 3
cluster: {brokers: [{id: 1, rack: a}, {id: 2, rack: b}, {id: 3, rack: c}], controllers: [100]}
topics: [{name: fast, assignment: [[1, 2, 3]]}]
producers: [{id: quick, topic: fast, rate: 20, acks: 1}]
timeline:
  - {at: 2900ms, do: "slow-link 1|2,3 300ms"}
  - {at: 3s, do: kill 1}
  - {at: 14s, do: start 1}
"""


def _run(document: str | bytes, until_us: int) -> RoomRun:
    run = RoomRun(to_plain(load(document)))
    while run.replay(until_us)["t"] < until_us:
        pass
    return run


def _still(document: str | bytes, until_us: int) -> Still:
    return still_of(_run(document, until_us).world.snapshot(), {1: "a", 2: "b", 3: "c"})


def test_the_picture_says_of_each_replica_what_it_is_and_where_its_marks_stand() -> None:
    picture = _still(LOSING, 2_000_000)
    assert [(head.id, head.rack, head.state) for head in picture.heads] == [
        (1, "a", "Active"),
        (2, "b", "Active"),
        (3, "c", "Active"),
    ]
    leader, follower, _ = picture.rows[0].cells
    assert (leader.role, leader.leads, leader.membership) == ("Leader e0", True, "in ISR")
    assert (follower.role, follower.leads) == ("Follower", False)
    assert leader.leo >= leader.hw > 0
    assert leader.marks and all(mark.dry == (int(mark.label) >= leader.hw) for mark in leader.marks)


@pytest.mark.parametrize("width", [324, 500, 700, 765, 766, 2000])
def test_a_picture_for_a_place_is_no_wider_than_it_and_its_words_have_room(width: int) -> None:
    picture = still_of(_run(LOSING, 13_900_000).world.snapshot(), {1: "a", 2: "b", 3: "zone-of-rack"}, width)
    assert len(picture.heads) == 3
    assert picture.width <= width
    assert bool(picture.lifted) == (width < 766)
    for cell in picture.rows[0].cells:
        role_px = 8 * len(cell.role) + 6 * len(cell.membership_text)
        assert role_px <= picture.cell
        assert max([mark.x + PITCH for mark in cell.marks], default=0) <= picture.cell
    assert all(7 * len(head.state) <= picture.cell for head in picture.heads)
    assert bool(picture.heads[2].rack) == (picture.cell > 180)


def test_a_place_too_narrow_for_all_brokers_shows_those_that_fit() -> None:
    picture = still_of(_run(LOSING, 2_000_000).world.snapshot(), {}, 240)
    assert len(picture.heads) == 2
    assert picture.left_out == "Drawn are 2 of 3 brokers."


def test_a_dead_broker_is_not_said_to_be_active_before_it_is_fenced() -> None:
    states = [_still(LOSING, at_us).heads[0].state for at_us in (4_000_000, 13_900_000)]
    assert states == ["Dead, not fenced yet", "Dead, fenced"]


def test_a_dead_broker_keeps_the_lost_records_in_sight() -> None:
    picture = _still(LOSING, 13_900_000)
    row = picture.rows[0]
    dead, *alive = row.cells
    assert (dead.role, dead.is_dead, row.is_bad) == ("Dead", True, True)
    assert [mark.label for mark in dead.marks if mark.lost]
    assert not [mark for cell in alive for mark in cell.marks if mark.lost]
    assert dead.folds or alive[0].folds  # what came since is far ahead


def test_of_many_partitions_those_in_trouble_are_drawn_and_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(still, "ROWS_MAX", 1)
    picture = _still(QUIET, 1_000_000)
    assert len(picture.rows) == 1
    assert picture.left_out == "Drawn are 1 of 3 partitions, those in trouble first."


def test_a_row_without_old_marks_shows_the_newest_offsets() -> None:
    copy = {"start": 0, "leo": 100, "hw": 99, "epochs": [[0, 0]]}
    assert window_of({"copies": {"1": copy, "2": copy}, "lost": []}) == list(range(92, 100))


def test_a_copy_that_is_far_behind_is_shown_beside_the_newest_offsets() -> None:
    ahead = {"start": 0, "leo": 100, "hw": 99, "epochs": [[0, 0]]}
    behind = {"start": 0, "leo": 12, "hw": 10, "epochs": [[0, 0]]}
    assert window_of({"copies": {"1": ahead, "2": behind}, "lost": []}) == [9, 10, 11, (12, 96), 96, 97, 98, 99]


def test_events_are_told_in_words_and_bounded() -> None:
    run = _run(LOSING, 20_000_000)
    number, events = events_told(run.world, limits.EVENTS_TOLD_MAX)
    texts = [text for _, text in events]
    assert number == len(events)
    assert "Broker 1 is killed." in texts
    assert any(text.startswith("fast-0: ") and "acknowledged record" in text for text in texts)
    assert any("Broker 1 cut its log of fast-0 back" in text for text in texts)
    assert not [text for text in texts if "an event" in text.lower()]
    assert events_told(run.world, 2) == (number, events[-2:])
    fenced = [text for text in texts if "fenced" in text]
    registered = "Broker 1 was registered, fenced until it has caught up."
    assert fenced == ["Broker 1 was fenced.", registered, "Broker 1 was unfenced."], (
        "and not fenced when it was already"
    )


@pytest.mark.parametrize("name", ["s14-unclean-on", "s10-unreplicated-data"])
def test_every_event_of_a_scenario_has_its_own_words(name: str) -> None:
    from tests.rooms.test_why import scenario

    document = scenario(name)
    run = RoomRun(to_plain(document))
    while run.replay(document.until_us)["t"] < document.until_us:
        pass
    assert not [text for _, text in events_told(run.world, 10_000)[1] if "event" in text.lower()]


def test_the_still_of_a_link_has_picture_verdict_and_events_of_its_moment(person: Browser) -> None:
    run_id = person.make(LOSING.encode())
    shared: dict[str, Any] = person.post(f"/s/{run_id}/share", {"at_us": 13_900_000}).json()
    page = person.get(f"/s/{shared['id']}/still").text
    assert page.count('class="cell') == 3
    assert "gone" in page and "Broker 1 is killed." in page
    assert "fast: caused by what happened at " in page
    assert "Broker 1 starts." in page[page.index("Still to come") :]
    assert 'href="?at_us=14000000"' in page
    later = person.get(f"/s/{shared['id']}/still?at_us=20000000").text
    assert "cut its log of fast-0 back" in later


def test_a_still_that_cannot_be_drawn_says_why_on_a_page(person: Browser) -> None:
    run_id = person.make(QUIET)
    answer = person.get(f"/s/{run_id}/still?at_us=yesterday")
    assert answer.status == 400 and "at_us is" in answer.text and "<h1>Not drawn</h1>" in answer.text
    assert person.get("/s/nosuch/still").status == 404


@pytest.mark.parametrize(("theme", "ink"), [("light", "#0e1a24"), ("dark", "#e8f0f6")])
def test_the_picture_is_a_file_of_its_own(person: Browser, theme: str, ink: str) -> None:
    run_id = person.make(LOSING.encode())
    answer = person.get(f"/s/{run_id}/still.svg?at_us=13900000&theme={theme}")
    assert answer.status == 200, answer.text
    drawn = ElementTree.fromstring(answer.body)
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert answer.text.count('class="cell') == 3
    assert "var(" not in answer.text and "light-dark" not in answer.text
    assert f".title {{ fill: {ink};" in answer.text


@pytest.mark.parametrize("width", ["wide", "239", "4001", "-1", "5e2", ""])
def test_a_width_that_no_picture_has_is_refused_in_words(person: Browser, width: str) -> None:
    answer = person.get(f"/s/{person.make(QUIET)}/still.svg?width={width}")
    assert answer.status == 400 and "whole pixels from 240 to 4000" in answer.text


def test_the_style_of_the_picture_has_all_rules_of_the_page() -> None:
    css = (still_file.CSS / "still.css").read_text()
    selectors = re.findall(r"^(\.still [^{,]+)", css, re.MULTILINE)
    assert len(selectors) > 30
    assert [one for one in selectors if one.strip() not in still_file.still_style("light")] == []


@pytest.mark.parametrize("theme", still_file.THEMES)
def test_the_offset_of_a_record_can_be_read_also_on_a_dead_broker(theme: str) -> None:
    """A dead broker's records are pale: the colour of their hue over that of the page, with its ink on it."""
    style = still_file.still_style(theme)
    opacity = float(_value(style, ".still .dead .water", "opacity"))
    ground, ink = (_value(style, place, "fill") for place in (".paper-of-all", ".still .dead .wet"))
    for hue in range(still.HUES):
        colour = _rgb(_value(style, f".still .e{hue}", "fill"))
        pale = [opacity * c + (1 - opacity) * g for c, g in zip(colour, _rgb(ground), strict=True)]
        assert _contrast(pale, _rgb(ink)) >= 4.5, hue


def _value(style: str, selector: str, name: str) -> str:
    found = re.search(re.escape(selector) + r" \{[^}]*\b" + name + r": ([^;]+);", style)
    assert found is not None, selector
    return found[1]


def _rgb(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def _contrast(one: list[float], other: list[float]) -> float:
    """The contrast of two colours by WCAG."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: list[float]) -> float:
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
