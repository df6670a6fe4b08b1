"""A loss that no single action decided: the records of each action, by record and not by sum."""

import json
from typing import Any

import pytest

from simengine.commands.decide import main
from simengine.explain.decide import Decision, Harm, Reruns, decisions
from simengine.explain.decided_parts import parts_of
from simengine.explain.examine import examine
from simengine.explain.lines import lines_of
from simengine.explain.lost_calls import Records, calls_at, count, lost_calls, without
from simengine.scenario import load
from simengine.scenario.action_words import node_names
from simengine.scenario.model import Document
from simengine.world.world import build
from tests.swarm.draw import document_of, draw

SECOND = 1_000_000
TEXT = """
format: 1
seed: 3
until: {until}
cluster: {{brokers: [0, 1, 2, 3], controllers: [100]}}
topics: [{{name: t, assignment: {assignment}, config: {{min.insync.replicas: 1}}}}]
producers: [{{id: P, topic: t, rate: 20, acks: 1}}]
timeline: [{timeline}]
"""
CUTS = ((6, "cut 0|1,100"), (20, "heal"), (35, "cut 2|3,100"), (52, "heal"))


def document(*actions: tuple[int, str], assignment: str = "[[0, 1], [2, 3]]", until: str = "70s") -> Document:
    timeline = ", ".join(f"{{at: {at}s, do: '{do}'}}" for at, do in actions)
    return load(TEXT.format(timeline=timeline, assignment=assignment, until=until).encode())


def test_two_losses_of_one_topic_have_each_its_own_action() -> None:
    doc = document(*CUTS)
    found = examine(doc, doc.until_us)
    by_partition = {chain["partition"]: chain["count"] for chain in found["chains"]}
    parts = found["undecided"]["t"]
    assert found["decided"] == {"t": None}
    assert {part["at_us"] // SECOND: part["kept"] for part in parts["parts"]} == {
        6: by_partition["t-0"],
        35: by_partition["t-1"],
    }
    assert parts["rest"] == 0
    assert (
        f"(the links between broker 0 and broker 1 and controller 100 are cut) {by_partition['t-0']} are kept"
        in (parts["words"])
    )
    assert f"t: {parts['words']}" in lines_of(found, node_names(doc))


def test_each_loss_is_marked_by_the_action_that_decided_it() -> None:
    found = examine(document(*CUTS), 70 * SECOND)
    marked = {
        chain["partition"]: {link["t"] for link in chain["links"] if link["decides"]} for chain in found["chains"]
    }
    assert marked == {"t-0": {6 * SECOND}, "t-1": {35 * SECOND}}


def test_a_loss_on_one_partition_after_another_has_its_own_action_though_offsets_differ_without_the_first() -> None:
    """The first loss shortens the log: by offsets the second loss would be of other records without it.

    The preferred election between them loses one more, that was acknowledged as the leadership moved (PROD-4).
    """
    again = (30, "elect preferred t-0"), (40, "cut 0|1,100"), (55, "heal")
    doc = document(*CUTS[:2], *again, assignment="[[0, 1]]", until="90s")
    found = examine(doc, doc.until_us)
    parts = {part["at_us"] // SECOND: part for part in found["undecided"]["t"]["parts"]}
    lost = found["verdict"]["topics"][0]["lost"]
    assert set(parts) == {6, 30, 40}
    assert parts[6]["kept"] + parts[40]["kept"] + 1 >= lost > 600
    assert max(parts[6]["kept"], parts[40]["kept"]) < 310


def test_the_command_names_the_parts_too(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    file = tmp_path / "two.yaml"
    file.write_text(TEXT.format(timeline=", ".join(f"{{at: {at}s, do: '{do}'}}" for at, do in CUTS),
                                assignment="[[0, 1], [2, 3]]", until="70s"))  # fmt: skip
    assert main([str(file)]) == 0
    told = capsys.readouterr().out
    assert "acknowledged records are gone. No single action decided all" in told
    assert "without the action at 6.000 s (" in told
    assert "without the action at 35.000 s (" in told
    assert main([str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) is None


def test_where_one_action_stands_in_for_the_other_none_of_them_keeps_a_record() -> None:
    doc = document((6, "cut 0|1,100"), (7, "cut 0>100"), (7, "cut 100>0"), (7, "cut 0|1"), assignment="[[0, 1]]")
    twice = doc.model_copy(update={"timeline": [doc.timeline[0], doc.timeline[0]]})
    parts = examine(twice, twice.until_us)["undecided"]["t"]
    assert parts["parts"] == []
    assert parts["words"].startswith("No single action decided it: whichever one is left out, all of these records are")


def found_by(answers: dict[str, Records], lost: Records, most: int = 200, at_us: int = 10 * SECOND) -> Any:
    """The parts of a loss when a run without an action loses given records."""
    doc = document(*((at, f"kill {at}") for at in (1, 2, 3)))
    actions = {str(entry.action) for entry in doc.timeline}

    def run(left: Document, _: int) -> dict[str, Harm]:
        (missing,) = actions - {str(entry.action) for entry in left.timeline}
        return {"t": Harm(count(answers[missing]), records=answers[missing])}

    return parts_of(Reruns(doc, doc.until_us, run, most), "t", [(at_us, lost)])


P0, Q0 = ("t", 0, "P"), ("t", 0, "Q")


def test_records_count_and_not_their_sum() -> None:
    """Without kill 2 as many records are lost, and others."""
    lost: Records = {P0: [(0, 100)]}
    parts = found_by({"kill 1": lost, "kill 2": {Q0: [(0, 60)], P0: [(60, 100)]}, "kill 3": lost}, lost)
    [part] = parts.parts
    assert (part.text, part.kept, part.instead, part.lost_with, part.lost_without) == ("kill 2", 60, 60, 100, 100)
    assert parts.rest == 40
    words = parts.words("broker {}".format)
    assert words == (
        "No single action decided all 100 lost records: without the action at 2.000 s (broker 2 is killed) 60 are kept "
        "and 60 others are lost; 40 are lost whichever action is left out (checked)."
    )


def test_of_actions_that_keep_the_same_records_the_latest_is_named() -> None:
    lost: Records = {P0: [(0, 10)], Q0: [(5, 7)]}
    parts = found_by({"kill 1": {Q0: [(5, 7)]}, "kill 2": {Q0: [(5, 7)]}, "kill 3": lost}, lost)
    assert [part.text for part in parts.parts] == ["kill 2"]
    assert parts.words("broker {}".format).endswith("2 are lost whichever action is left out (checked).")


def test_what_was_not_tried_is_not_called_checked_in_full() -> None:
    lost: Records = {P0: [(0, 10)]}
    parts = found_by(dict.fromkeys(("kill 1", "kill 2", "kill 3"), lost), lost, most=2)
    assert (parts.tried, parts.is_open) == (2, True)
    assert "whichever of the 2 tried is left out, all of these records are lost" in parts.words("broker {}".format)


def test_a_part_is_a_decision_on_its_own_records_alone() -> None:
    lost: Records = {P0: [(0, 10)]}
    parts = found_by({"kill 1": lost, "kill 2": {P0: [(4, 10)]}, "kill 3": lost}, lost)
    assert isinstance(parts.part_of({P0: [(0, 3)]}), Decision)
    assert parts.part_of({P0: [(3, 5)]}) is None


def test_lost_records_are_named_by_the_calls_that_sent_them() -> None:
    doc = document((6, "cut 0|1,100"), assignment="[[0, 1]]", until="40s")
    world = build(doc)
    world.run(doc.until_us)
    lost = lost_calls(world)
    verdict: Any = world.verdict()
    assert set(lost) == {("t", 0, "P")}
    assert count(lost) == verdict["topics"][0]["lost"] > 0
    runs = world.book.account(0).losses.lost
    again = [calls_at(world, 0, run.epoch, [(run.base, run.base + run.count)]) for run in runs]
    assert not any(without(part, lost) for part in again)


def test_an_action_decides_nothing_that_was_lost_before_it() -> None:
    """Without kill 3 more records come back by another leader; they were lost before it."""
    lost: Records = {P0: [(0, 10)]}
    found = found_by({"kill 1": lost, "kill 2": {P0: [(4, 10)]}, "kill 3": {}}, lost, at_us=2 * SECOND)
    assert [(part.text, part.kept) for part in found.parts] == [("kill 2", 4)]
    doc = document((6, "cut 0|1,100"), (20, "heal"), (30, "kill 1"), assignment="[[0, 1]]", until="40s")
    reruns = Reruns(doc, doc.until_us, lambda *_: {"t": Harm()})
    decision = decisions(reruns, [(15 * SECOND, lost)], ["t"])["t"]
    assert decision is not None
    assert decision.text == "cut 0|1,100"


def test_a_run_in_which_nobody_is_told_that_records_are_there_shows_no_loss() -> None:
    doc = document((6, "cut 0|1,100"), assignment="[[0, 1]]", until="40s")
    reruns = Reruns(doc, doc.until_us, lambda *_: {"t": Harm(shown=())})
    assert decisions(reruns, [(15 * SECOND, {P0: [(0, 10)]})], ["t"]) == {"t": None}


def test_no_decision_of_a_random_run_is_later_than_the_loss_that_it_decided() -> None:
    """By the facts: the records were lost at 9.9 and 19.4 s; the topic was deleted at 20.7 s, before they came back."""
    doc = load(document_of(draw(910012)))
    found = examine(doc, doc.until_us, is_all=True)
    assert len(found["chains"]) > 1
    for chain in found["chains"]:
        last = max(link["t"] for link in chain["links"] if link["role"] == "lost")
        assert all(link["t"] <= last for link in chain["links"] if link["decides"])
    decided = found["undecided"]["t0 (deleted)"]["parts"]
    assert [one["text"] for one in decided] == ["kill 0"]
