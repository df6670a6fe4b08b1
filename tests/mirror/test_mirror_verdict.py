"""The verdict of flows: which figures and sentences a run of a document with mirrors comes to."""

from pathlib import Path
from typing import Any

import pytest

from simengine.commands.expect import observe, wrongs_of
from simengine.commands.run import mirror_lines
from simengine.scenario import DocumentError, load
from simengine.scenario.expect import failures, read_all
from simengine.scenario.expect.language import SUBJECTS
from simengine.world.world import World, build
from tests.checked import checked
from tests.documents.test_expected_values import VALUES
from tests.engine.test_fold import the_fold_equals_the_snapshot
from tests.mirror.documents import mirrored

SECOND = 1_000_000
SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios" / "mirrors").glob("*.yaml"))
SEEDS = (1, 2)


def after(seconds: int, **more: Any) -> World:
    world = build(load(mirrored(**more)))
    world.run(seconds * SECOND)
    return world


def flow(world: World) -> dict[str, Any]:
    mirrors: Any = world.verdict()["mirrors"]
    (found,) = mirrors
    told: dict[str, Any] = found
    return told


def timeline(*entries: tuple[str, str]) -> list[dict[str, str]]:
    return [{"at": at, "do": do} for at, do in entries]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_goes_as_it_says(path: Path, seed: int) -> None:
    scenario = load(path.read_bytes()).model_copy(update={"seed": seed})
    assert not wrongs_of(scenario, checked)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_fold_of_a_scenario_equals_its_snapshot(path: Path) -> None:
    the_fold_equals_the_snapshot(load(path.read_bytes()), 5)


def test_a_mirror_that_keeps_up_is_told_below_the_sentence_and_not_in_it() -> None:
    world = after(20)
    (topic,) = flow(world)["topics"]
    assert topic["mirrored"] > 950
    assert topic["not_mirrored"] < 20
    assert not flow(world)["matters"]
    assert "mirrored" not in str(world.verdict()["sentence"])
    assert mirror_lines(world.verdict())[0].startswith("east->west: orders: ")


def test_what_a_dead_process_owes_comes_first() -> None:
    world = after(20, timeline=timeline(("10s", "kill mirror-maker")))
    (topic,) = flow(world)["topics"]
    assert topic["not_mirrored"] == pytest.approx(500, abs=10)
    assert topic["not_mirrored_us"] == pytest.approx(10 * SECOND, abs=SECOND // 4)
    assert str(world.verdict()["sentence"]).startswith("east->west: mirror-maker is down. orders: ")


def test_a_group_without_a_synced_position_has_its_checkpoint() -> None:
    """MM-7: group sync is off unless it is switched on."""
    world = after(40, config={"emit.checkpoints.interval.seconds": 10})
    (group,) = flow(world)["groups"]
    assert group["continues"] == -1
    assert 0 < group["checkpoint"] <= group["true"]
    assert (group["rereads"], group["skips"] + group["uncommitted"]) == (0, group["starts"] - group["true"])
    assert "has no committed offset there: auto.offset.reset=latest starts it at" in group["sentence"]
    assert f"A client that translates offsets itself would start at {group['checkpoint']:,}." in group["sentence"]


def test_a_group_without_a_checkpoint_is_left_to_its_reset_policy() -> None:
    world = after(10, config={"emit.checkpoints.enabled": False})
    (group,) = flow(world)["groups"]
    assert (group["continues"], group["checkpoint"], group["rereads"]) == (-1, -1, 0)
    assert "auto.offset.reset=latest starts it at" in group["sentence"]
    assert "translates" not in group["sentence"]


def test_copies_of_what_an_unclean_election_took_from_the_source_disagree() -> None:
    """Broker 0 alone has the newest records; it dies, and broker 1 is elected without them."""
    document = mirrored(
        timeline=timeline(
            ("5s", "kill east/1"),
            ("5s", "kill east/2"),
            ("25s", "kill east/0"),
            ("26s", "start east/1 after 2s"),
            ("40s", "elect unclean east/orders-0"),
        ),
    )
    world = build(load(document))
    world.run(60 * SECOND)
    (topic,) = flow(world)["topics"]
    assert topic["disagree"] > 500
    (place,) = topic["disagree_at"]
    ((low, high),) = place["offsets"]
    assert (place["partition"], high - low) == ("east.orders-0", topic["disagree"])
    said = f"{topic['disagree']:,} records that the source no longer has: east.orders-0 at {low:,} to {high - 1:,}."
    assert f"east.orders has {said}" in topic["sentence"]
    assert flow(world)["matters"]


@pytest.mark.parametrize(
    ("expectation", "told"),
    [
        ({"mirror": "east->wets", "topic": "orders", "doubled": 0}, "there is no mirror 'east->wets'"),
        ({"mirror": "east->west", "doubled": 0}, "a flow is looked at for one topic or one group"),
        ({"mirror": "east->west", "topic": "orders", "continues": 0}, "continues is not said of a topic"),
        ({"mirror": "east->west", "group": "g", "doubled": 0}, "doubled is not said of a group"),
        ({"mirror": "east->west", "group": "g", "on": "east.orders-0"}, "expects nothing of its group"),
        ({"mirror": "east->west", "topic": "orders", "doubled": 0, "at": "5s"}, "a verdict is read at the end"),
    ],
)
def test_an_expectation_that_cannot_be_held_is_refused(expectation: dict[str, Any], told: str) -> None:
    with pytest.raises(DocumentError, match=told):
        load(mirrored(expect=[expectation]))


def test_an_expectation_that_fails_says_what_was() -> None:
    wrongs = wrongs_of(load(mirrored(until="10s", expect=[{"mirror": "east->west", "topic": "orders", "doubled": 3}])))
    assert wrongs == ["expect[0] mirror east->west topic orders, doubled 3: doubled was 0, not 3"]
    wrongs = wrongs_of(load(mirrored(until="10s", expect=[{"mirror": "east->west", "topic": "pay", "doubled": 3}])))
    assert wrongs == ["expect[0] mirror east->west topic pay, doubled 3: the verdict has 0 entries of it"]


@pytest.mark.parametrize("beside", [{"topic": "orders", "mirrored": [0, None]}, {"group": "g", "skips": 0}])
def test_no_value_of_any_type_ends_in_a_traceback(beside: dict[str, Any]) -> None:
    seen = observe(load(mirrored(until="5s")), [5 * SECOND])
    accepted = refused = 0
    for value in VALUES:
        for key in SUBJECTS["mirror"]:
            try:
                document = load(mirrored(until="5s", expect=[{"mirror": "east->west", **beside, key: value}]))
            except DocumentError as error:
                refused += 1
                assert all(problem.path.startswith("expect") for problem in error.problems)
            else:
                accepted += 1
                failures(read_all(document.expect)[0], seen)
    assert accepted > 30
    assert refused > 500
