"""The cause of a stop is checked by a run without it, as the decision of a loss is (STOP-3)."""

import re
from pathlib import Path
from typing import Any

import pytest

from simengine.commands.run import verdict_lines
from simengine.explain.decide import Harm, Reruns, harm_to, without_words
from simengine.explain.examine import examine
from simengine.explain.fact_index import FactIndex
from simengine.explain.lines import lines_of
from simengine.explain.stops import stops_of
from simengine.scenario import load
from simengine.scenario.model import Document
from simengine.world.world import build

SECOND = 1_000_000
NAMES = "broker {}".format
SCENARIOS = Path(__file__).parents[1] / "scenarios"


def document(*actions: str, m: int = 2, acks: str = "all", elr: str = "false", extra: str = "") -> Document:
    text = f"""
format: 1
until: 60s
elr: {elr}
seed: 7
cluster: {{brokers: [1, 2, 3], controllers: [100]}}
topics: [{{name: t, assignment: [[1, 2, 3]], config: {{min.insync.replicas: {m}}}}}]
producers: [{{id: P, topic: t, rate: 20, acks: "{acks}"}}]
{extra}
"""
    timeline = "timeline:\n" + "".join(f"  - {{{action}}}\n" for action in actions) if actions else ""
    return load((text + timeline).encode())


def stop(doc: Document) -> dict[str, Any]:
    found: dict[str, Any] = examine(doc, doc.until_us)["stops"]["t"]
    return found


def test_without_the_action_that_a_stop_goes_back_to_there_is_none() -> None:
    doc = document("at: 10s, do: kill 1")
    found = stop(doc)
    assert (found["what"], found["text"], found["amount_without"], found["is_named"]) == ("writes", "kill 1", 0, True)
    assert found["tried"] == 1
    assert found["words"] == "Checked: without the action at 10.000 s (broker 1 is killed) writes never stop."
    assert found["words"] in "\n".join(lines_of(examine(doc, doc.until_us), NAMES))


def test_without_the_action_by_which_records_of_acks_0_vanish_none_does() -> None:
    """S05: a former leader refuses it and tells nobody (PROD-4)."""
    doc = load((SCENARIOS / "s05-acks-0-to-a-former-leader.yaml").read_bytes())
    found = stop(doc)
    assert (found["what"], found["amount"], found["amount_without"]) == ("vanished", 1, 0)
    assert found["words"].endswith("no record sent with acks=0 vanishes.")


def test_where_an_earlier_event_leaves_a_shorter_stop_the_check_says_for_how_long() -> None:
    """Two leaders die one after the other: without the one that began the longer stop the other one's is left."""
    found = stop(document("at: 10s, do: kill 1", "at: 25s, do: start 1", "at: 40s, do: kill 2"))
    assert found["is_named"]
    assert 7 * SECOND < found["amount_without"] < found["amount"]
    assert "writes stop for" in found["words"]
    assert found["words"].endswith(f" s in all instead of {found['amount'] / SECOND:.1f} s.")


def test_a_failure_that_the_fault_model_drew_is_left_out_alike() -> None:
    found = stop(document(extra="faults: {broker-mttf: 40s, broker-mttr: 20s, kind: kill, until: 50s}"))
    assert found["index"] == -1
    assert found["text"].startswith("kill ")
    assert found["amount_without"] < found["amount"]


def told(doc: Document, answers: dict[str, int], left: int = 200) -> Any:
    """The stop as found when a run without an action stops for a given time."""
    world = build(doc)
    world.run(doc.until_us)
    verdict: Any = world.verdict()
    actions = {str(entry.action) for entry in doc.timeline}

    def run(without: Document, _: int) -> dict[str, Harm]:
        (missing,) = actions - {str(entry.action) for entry in without.timeline}
        return {"t": Harm(writes=answers[missing])}

    return stops_of(Reruns(doc, doc.until_us, run, left), verdict, FactIndex(world.trace.decisive))["t"]


def test_where_it_does_not_hold_the_right_action_is_named() -> None:
    doc = document("at: 5s, do: stop 3", "at: 10s, do: kill 1")
    us = told(doc, {"kill 1": 0, "stop 3": 0}).amount
    found = told(doc, {"kill 1": us, "stop 3": 0})
    assert (found.text, found.amount_without, found.is_named, found.tried) == ("stop 3", 0, False, 2)
    words = "Checked: without the action at 5.000 s (broker 3 shuts down) writes never stop."
    assert found.plain(NAMES)["words"] == words


def test_run_and_why_name_one_moment_and_the_check_names_its_action() -> None:
    """S13: without the cut between 0 and 1 only the group that had no position before reads nothing for long."""
    doc = load((SCENARIOS / "s13-broker-0-is-fenced-last.yaml").read_bytes())
    found = examine(doc, doc.until_us)
    [line] = [one for one in lines_of(found, NAMES) if "began at" in one]
    world = build(doc)
    world.run(doc.until_us)
    of_run = next(one for one in verdict_lines(world) if "began at" in one)
    assert line.startswith(f"t: {of_run.strip()}. Checked: without the action at 60.000 s (")
    assert re.search(r"\) reads stop for 45\.0 s in all instead of \d+\.\d s\.$", line)
    assert "the longest stop, a reader’s, began at 61.006 s, caused by what happened at 60.000 s: " in of_run


def test_where_the_named_action_explains_little_the_others_are_tried() -> None:
    doc = document("at: 5s, do: stop 3", "at: 10s, do: kill 1")
    us = told(doc, {"kill 1": 0, "stop 3": 0}).amount
    found = told(doc, {"kill 1": us * 3 // 4, "stop 3": us // 10})
    assert (found.text, found.amount_without, found.is_named) == ("stop 3", us // 10, False)
    found = told(doc, {"kill 1": us // 2, "stop 3": 0})
    assert (found.text, found.tried, found.is_named) == ("kill 1", 1, True)


def test_a_stop_that_nobody_felt_is_told_of_the_servers() -> None:
    doc = document("at: 10s, do: kill 1", "at: 40s, do: kill 2")
    found = stop(doc.model_copy(update={"producers": []}))
    assert found["what"] == "servers"
    left, all_of_it = found["amount_without"], found["amount"]
    assert found["words"].endswith(f"are out for {left / SECOND:.1f} s in all instead of {all_of_it / SECOND:.1f} s.")
    assert 0 < left < all_of_it


def test_where_no_action_holds_it_is_said() -> None:
    doc = document("at: 5s, do: stop 3", "at: 10s, do: kill 1")
    us = told(doc, {"kill 1": 0, "stop 3": 0}).amount
    found = told(doc, {"kill 1": us, "stop 3": us})
    assert (found.text, found.amount_without) == ("", us)
    assert found.plain(NAMES)["words"] == (
        "No single action decided it: "
        "whichever one is left out, writes stop for nine tenths of that time or more (checked)."
    )


@pytest.mark.parametrize("left", [0, 1])
def test_no_more_runs_are_made_than_are_left(left: int) -> None:
    doc = document("at: 5s, do: stop 3", "at: 10s, do: kill 1")
    us = told(doc, {"kill 1": 0, "stop 3": 0}).amount
    found = told(doc, {"kill 1": us, "stop 3": 0}, left)
    assert (found.tried, found.text) == (left, "")
    assert found.plain(NAMES)["words"].startswith(
        ("Not checked", "No single action decided it: whichever of the 1 tried is left out, ")[left]
    )


def test_a_stop_that_was_there_from_the_start_is_nobodys_doing() -> None:
    text = """
    format: 1
    until: 30s
    elr: false
    cluster: {brokers: [1, 2], controllers: [100]}
    topics: [{name: t, assignment: [[1, 2]], initial: {"0": {leader: 1, isr: [1]}}, config: {min.insync.replicas: 2}}]
    producers: [{id: P, topic: t, rate: 5}]
    """
    state = text.replace("[1, 2], controllers", "[1, {id: 2, state: down}], controllers")
    assert stop(load(state))["words"] == "Nobody did anything that brought it about: the run began so."


def test_a_topic_that_lost_records_has_a_decision_instead() -> None:
    doc = document("at: 5s, do: 'cut 1|2,3'", "at: 7s, do: kill 1", acks="1", m=1)
    found = examine(doc, doc.until_us)
    assert found["decided"]
    assert found["stops"] == {}


def test_for_hidden_records_the_action_that_hides_them_is_checked() -> None:
    """HW-3: the kill of the leader stops writes with acks=1; it is not why nobody can read what was acknowledged."""
    doc = document(
        "at: 5s, do: config t min.insync.replicas 3", "at: 6s, do: kill 3", "at: 30s, do: kill 1", acks="1", m=2
    )
    found = stop(doc)
    assert (found["what"], found["text"], found["is_named"]) == ("hidden", "kill 3", True)
    assert found["amount_without"] < found["amount"]
    assert found["words"].startswith("Checked: without the action at 6.000 s (broker 3 is killed) ")
    assert found["words"].endswith(f" acknowledged records cannot be read instead of {found['amount']:,}.")


def test_an_action_that_changes_next_to_nothing_decides_nothing() -> None:
    doc = document("at: 5s, do: stop 3", "at: 10s, do: kill 1")
    us = told(doc, {"kill 1": 0, "stop 3": 0}).amount
    assert told(doc, {"kill 1": us - us // 20, "stop 3": us}).text == ""


def test_records_behind_a_dead_leader_cannot_be_read_either() -> None:
    """HW-3, ELEC-7: without the kill of broker 3 more records wait for an election than are hidden with it."""
    doc = document(
        "at: 10s, do: kill 2",
        "at: 11s, do: kill 3",
        "at: 52s, do: kill 1",
        acks='all"}, {id: Q, topic: t, rate: 1, acks: "1',
    )
    found = stop(doc)
    assert (found["what"], found["text"], found["is_named"]) == ("hidden", "kill 1", True)
    assert 0 < found["amount_without"] < found["amount"]
    [topic] = examine(doc, doc.until_us)["verdict"]["topics"]
    assert found["amount"] == topic["unreadable"] > topic["hidden"]


def test_the_check_is_of_the_stop_that_is_named() -> None:
    """The reader is cut off for longer than writes stop for, which goes back to another action."""
    doc = document(
        "at: 10s, do: kill 1",
        "at: 30s, do: 'cut C|1,2,3'",
        extra="consumers: [{id: C, partitions: [[t, 0]], config: {auto.offset.reset: earliest}}]",
    )
    [line] = [one for one in lines_of(examine(doc, doc.until_us), NAMES) if "began at" in one]
    assert line.startswith("t: the longest stop, a reader’s, began at ")
    assert "Checked: without the action at 30.000 s (" in line
    assert re.search(r"\) reads stop for 10\.5 s in all instead of \d+\.\d s\.$", line)


def test_a_stop_that_goes_on_is_not_checked_as_if_it_were_all_stops_of_the_run() -> None:
    """The stop that goes on since 55 s is short; the check is of all of them together, and says so."""
    doc = document("at: 10s, do: kill 1", "at: 30s, do: start 1", "at: 55s, do: kill 2")
    found = stop(doc)
    recount = [one["no_response"]["all"] for one in examine(doc, doc.until_us)["verdict"]["topics"]]
    assert found["amount"] == recount[0] > 9 * SECOND
    assert f"s in all instead of {found['amount'] / SECOND:.1f} s." in found["words"]


def read_stop(without: Harm) -> Any:
    """The check of a reader that is cut off from all brokers, where the run without the cut has this harm."""
    doc = document(
        "at: 30s, do: 'cut C|1,2,3'",
        extra="consumers: [{id: C, partitions: [[t, 0]], config: {auto.offset.reset: earliest}}]",
    )
    world = build(doc)
    world.run(doc.until_us)
    verdict: Any = world.verdict()
    reruns = Reruns(doc, doc.until_us, lambda *_: {"t": without})
    return stops_of(reruns, verdict, FactIndex(world.trace.decisive))["t"]


def test_a_reader_that_had_nothing_to_read_was_not_served() -> None:
    assert read_stop(Harm()).plain(NAMES)["words"].endswith(") reads never stop.")
    found = read_stop(Harm(shown=("lost", "writes")))
    assert (found.what, found.text, found.amount_without) == ("reads", "", found.amount)
    assert "reads stop for half of that time or more" in found.plain(NAMES)["words"]


def test_a_run_in_which_nobody_writes_does_not_show_that_writes_go_on() -> None:
    """Without the topic there is nobody to wait."""
    doc = document("at: 2s, do: create u 1 1", "at: 3s, do: send P u-0 1", "at: 10s, do: kill 1")
    found = Reruns(doc, doc.until_us).without(0)
    assert found is not None
    assert harm_to("u", found).shown == ()
    assert "writes" in harm_to("t", found).shown


def test_of_a_start_with_an_empty_disk_the_check_leaves_out_that_it_was_emptied() -> None:
    """The broker starts in both runs."""
    text = "{format: 1, seed: 3, until: 40s, cluster: {brokers: [1, 2], controllers: [100]}, topics: [{name: t, "
    text += "assignment: [[1]]}], producers: [{id: P, topic: t, rate: 20}], timeline: [{at: 9s, do: kill 1}, "
    doc = load((text + "{at: 12s, do: start 1 wiped}]}").encode())
    found = examine(doc, doc.until_us)
    said = "t: 12.000 s decided it: Broker 1 starts with its data wiped. With its disk kept the same run loses none of "
    assert said in "\n".join(lines_of(found, NAMES))
    assert without_words(9 * SECOND, "kill 1", NAMES) == "without the action at 9.000 s (broker 1 is killed)"
    kept = "with the disk kept in the action at 12.000 s (broker 1 starts with its data wiped)"
    assert without_words(12 * SECOND, "start 1 wiped", NAMES) == kept


def test_what_keeps_up_a_stop_that_goes_on_is_checked_by_a_run_without_it() -> None:
    """Broker 3 dies after broker 1: without its death it is too slow to be in sync, and the stop goes on, too."""
    one = document("at: 10s, do: kill 1", "at: 35s, do: kill 3")
    assert stop(one)["holds"]
    [line] = [line for line in lines_of(examine(one, one.until_us), NAMES) if "Checked" in line]
    assert "t: the stop that goes on is kept up by what happened at 35.000 s: broker 3 died. Checked: " in line
    two = document("at: 10s, do: kill 1", "at: 35s, do: kill 3", "at: 35.1s, do: slow 3 5")
    assert not stop(two)["holds"]
    [line] = [line for line in lines_of(examine(two, two.until_us), NAMES) if "Checked" in line]
    assert line.startswith("t: the longest stop, of writes, began at ")
    assert "kept up" not in line


def test_a_check_of_vanished_records_does_not_stand_behind_the_moment_of_a_stop() -> None:
    doc = document("at: 10s, do: 'cut 1|2,3,100'", acks='all"}, {id: Q, topic: t, rate: 10, acks: "0')
    assert stop(doc)["what"] == "vanished"
    [line] = [line for line in lines_of(examine(doc, doc.until_us), NAMES) if "Checked" in line]
    assert line.startswith("t: Checked: without the action at 10.000 s (")
