"""The table AZ x acks: each cell is a run, and its words are those of the rules."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from simengine.commands.az import main
from simengine.importers import az_table
from simengine.importers.az_causes import fates, heaviest_rack
from simengine.importers.az_cell import ACKS, ANY_BROKER, Cell
from simengine.importers.az_figures import Outage
from simengine.importers.report import import_text
from simengine.scenario import Document, load, to_plain

HEADER = "Topic: {name}\tPartitionCount: {count}\tReplicationFactor: 3\tConfigs: min.insync.replicas={least}\n"
ROW = "\tTopic: {name}\tPartition: {number}\tLeader: {leader}\tReplicas: {ids}\tIsr: {ids}\tElr: \tLastKnownElr: \n"


def cluster(*topics: tuple[str, int, list[str]]) -> Document:
    """Six brokers in three AZs (id mod 3); topics as (name, min.insync.replicas, replica lists)."""
    text = ""
    for name, least, lists in topics:
        text += HEADER.format(name=name, count=len(lists), least=least)
        text += "".join(
            ROW.format(name=name, number=number, leader=ids.split(",")[0], ids=ids) for number, ids in enumerate(lists)
        )
    racks = {broker: f"az-{'abc'[broker % 3]}" for broker in range(1, 7)}
    return load(import_text(text, {"records_per_s": 2}, racks, THREE_SITES)["scenario"])


THREE_SITES = {100: "az-a", 101: "az-b", 102: "az-c"}
SPREAD = ("spread", 2, ["1,2,3", "4,5,6"])
TWICE = ("twice", 2, ["1,4,2"])
SINGLE = ("single", 1, ["5"])


def cell(doc: Document, row: str, acks: str) -> Cell:
    loss = next(loss for loss in az_table.losses(doc) if loss.key == row)
    return az_table.run_cell(doc, loss, acks)


def test_rows_are_the_azs_and_the_single_broker_that_weighs_most() -> None:
    rows = az_table.losses(cluster(SPREAD, TWICE, SINGLE))
    assert [row.key for row in rows] == ["az-a", "az-b", "az-c", ANY_BROKER]
    assert rows[-1].brokers == (5,)


def test_a_well_spread_topic_loses_nothing_by_rule_and_stops_for_a_failover() -> None:
    found = cell(cluster(SPREAD), "az-b", "all")
    assert (found.lost, found.by, found.cause) == (0, "rule", "failover")
    assert found.write_until_back == 0
    assert 5_000_000 < found.write_us < 14_000_000


def test_an_az_that_leads_internal_topics_alone_is_not_called_one_of_followers() -> None:
    doc = cluster(("t", 1, ["1,2,3"]), ("__consumer_offsets", 1, ["2,1,3"]))
    assert cell(doc, "az-c", "1").cause == "leads internal topics only"
    assert cell(doc, "az-a", "1").cause == "followers only"


def test_with_acks_1_a_zero_is_by_luck_where_a_leader_dies() -> None:
    found = cell(cluster(SPREAD), "az-b", "1")
    assert found.lost > 0 or found.by == "luck"
    assert found.at_risk_a_minute == 120
    assert found.at_risk_of == "spread"


def test_two_replicas_in_one_az_stop_acks_all_until_it_is_back_but_not_acks_1() -> None:
    doc = cluster(TWICE)
    stopped, going_on = cell(doc, "az-b", "all"), cell(doc, "az-b", "1")
    assert (stopped.write_until_back, stopped.cause, stopped.stopped_topics) == (1, "2 replicas in one AZ", 1)
    assert stopped.tint == "bad"
    assert going_on.write_until_back == 0


def test_where_all_replicas_are_in_one_az_that_is_the_cause_and_not_that_two_are() -> None:
    found = cell(cluster(("t", 2, ["1,4", "1,2,3"])), "az-b", "1")
    assert (found.write_until_back, found.cause) == (1, "all replicas in one AZ")
    assert found.causes == ("1 partition has all its replicas in az-b",)


def test_with_acks_1_the_cause_of_what_stops_comes_before_that_of_what_hides() -> None:
    found = cell(cluster(("t", 2, ["1,4", "1,4,2", "1,4,3", "4,1,5"])), "az-b", "1")
    assert (found.write_until_back, found.cause) == (1, "all replicas in one AZ")


def test_a_single_replica_goes_offline_until_it_is_back() -> None:
    found = cell(cluster(SINGLE), "az-c", "1")
    assert (found.write_until_back, found.read_until_back, found.cause, found.by) == (1, 1, "RF 1", "rule")


UNCLEAN = "min.insync.replicas=1,unclean.leader.election.enable=true"


def with_unclean(topic: str, replicas: str, isr: str) -> Document:
    """One partition that may elect uncleanly beside `single`, which may not and has its one replica on 5 in az-c.

    Broker 3 is far away: a replica there that is outside the ISR stays there.
    """
    text = HEADER.format(name=topic, count=1, least=1).replace("min.insync.replicas=1", UNCLEAN)
    text += ROW.format(name=topic, number=0, leader=isr[0], ids=replicas).replace(f"Isr: {replicas}", f"Isr: {isr}")
    text += HEADER.format(name="single", count=1, least=1) + ROW.format(name="single", number=0, leader=5, ids="5")
    racks = {broker: f"az-{'abc'[broker % 3]}" for broker in range(1, 7)}
    plain: dict[str, Any] = import_text(text, {"records_per_s": 2, "states": {"3": "running"}}, racks)["scenario"]
    far = [{"between": [1, 3], "latency": "60s"}] if "3" in replicas and "3" not in isr else []
    return load({**plain, "network": {"links": far}})


def test_a_zero_is_by_rule_where_only_a_partition_without_unclean_elections_goes_offline() -> None:
    """UNC-1: that another topic may elect uncleanly loses nothing while that topic keeps a member of its ISR."""
    doc = with_unclean("payments", "1,2,3", "1,2,3")
    assert [cell(doc, row, "all").by for row in ("az-a", "az-b", "az-c")] == ["rule"] * 3


def test_a_zero_is_by_luck_only_where_a_replica_is_left_to_be_elected_uncleanly() -> None:
    """UNC-1: the whole ISR is in az-b; the replica on 3 may lead. With both replicas there, none is left."""
    left = next(iter(fates(with_unclean("payments", "1,3", "1"), (1, 4))))
    none_left = next(iter(fates(with_unclean("payments", "1,4", "1"), (1, 4))))
    assert (left.is_offline, left.may_be_unclean) == (True, True)
    assert (none_left.is_offline, none_left.may_be_unclean) == (True, False)
    found = cell(with_unclean("payments", "1,3", "1"), "az-b", "all")
    assert found.lost > 0 or found.by == "luck"
    assert cell(with_unclean("payments", "1,4", "1"), "az-b", "all").by == "rule"


def test_records_that_nobody_can_read_are_a_figure_of_the_cell_and_its_outcome() -> None:
    """HW-2: with one member left the high watermark stands, whatever the acks; acks=1 is answered all the same."""
    found = cell(cluster(TWICE), "az-b", "1")
    assert found.hidden > 20
    assert (found.lost, found.write_until_back, found.tint) == (0, 0, "bad")
    assert found.outcome == f"{found.hidden} acknowledged records cannot be read."
    assert (found.cause, found.causes) == ("2 replicas in one AZ", ("1 partition has two replicas in az-b",))


def test_what_was_hidden_before_the_loss_is_no_effect_of_it() -> None:
    text = HEADER.format(name="thin", count=1, least=2) + ROW.format(name="thin", number=0, leader=1, ids="1,9")
    text = text.replace("Isr: 1,9", "Isr: 1") + HEADER.format(name="t", count=1, least=1)
    text += ROW.format(name="t", number=0, leader=2, ids="2")
    doc = load(import_text(text, {"records_per_s": 10}, {1: "az-a", 2: "az-b", 9: "az-c"})["scenario"])
    found = cell(doc, "az-b", "1")
    assert found.hidden == 0
    assert found.hidden_before > 100
    assert found.cause == "RF 1"
    assert f"thin: {found.hidden_before} acknowledged records cannot be read." in found.outcome


def test_an_az_of_followers_alone_is_not_said_to_hold_no_replica() -> None:
    doc = cluster(("spread", 2, ["1,2,3"]))
    assert [cell(doc, "az-a", acks).cause for acks in ACKS] == ["ISR shrinks", "followers only"]
    assert (cell(doc, "az-a", "1").tint, cell(doc, "az-a", "1").write_partitions) == ("ok", 0)
    plain = to_plain(doc)
    plain["cluster"]["brokers"].append({"id": 9, "rack": "az-z"})
    assert [cell(load(plain), "az-z", acks).cause for acks in ACKS] == ["no replica there"] * 2


LONE = ROW.format(name="lone", number=0, leader=1, ids="1,2,3").replace("Isr: 1,2,3", "Isr: 1")
ALIVE = {"states": {"2": "running", "3": "running"}}


def test_causes_are_read_from_the_state_at_the_loss_and_what_the_paste_was_weaker_in_is_told() -> None:
    """ISR-5: the followers are running, so they are in the ISR again long before the loss."""
    text = HEADER.format(name="lone", count=1, least=1) + LONE
    doc = load(import_text(text, ALIVE, {1: "az-a", 2: "az-b", 3: "az-c"})["scenario"])
    rows = {row.key: row for row in az_table.losses(doc)}
    found = az_table.run_cell(doc, rows["az-a"], "all")
    assert (found.cause, found.causes, found.write_until_back) == ("failover", (), 0)
    assert rows["az-a"].over == ("1 partition has its whole ISR in az-a",)
    assert rows[ANY_BROKER].over == ("1 partition has its whole ISR in broker 1",)
    assert rows["az-b"].over == ()
    assert rows[ANY_BROKER].why == "it leads most partitions: 1"


def test_the_worst_broker_is_told_from_the_state_at_the_loss() -> None:
    """As pasted broker 1 is a whole ISR; at the loss it only leads, and broker 5 has the only replica of `single`."""
    text = HEADER.format(name="lone", count=1, least=1) + LONE
    text += HEADER.format(name="single", count=1, least=1) + ROW.format(name="single", number=0, leader=5, ids="5")
    racks = {broker: f"az-{'abc'[broker % 3]}" for broker in (1, 2, 3, 5)}
    worst = az_table.losses(load(import_text(text, ALIVE, racks)["scenario"]))[-1]
    assert (worst.brokers, worst.why) == ((5,), "it takes most partitions offline: 1")


def headline(doc: Document) -> str:
    rows = az_table.losses(doc)
    return az_table.sentence(rows, [az_table.run_cell(doc, row, acks) for row in rows for acks in ACKS])


def test_the_sentence_says_how_long_writes_stop_where_they_come_back() -> None:
    said = headline(cluster(SPREAD))
    assert re.match(r"If az-[abc] goes dark, acks=all writes stop for up to \d+\.\d s on 2 partitions; ", said)


def test_the_sentence_says_what_nobody_can_read_and_counts_nothing_that_is_nought() -> None:
    said = headline(cluster(TWICE))
    assert said.startswith("If az-b goes dark, 1 topic stops taking acks=all writes; ")
    assert re.search(r"\d+ acknowledged records cannot be read with acks=1\.$", said)
    assert " 0 " not in said


def test_an_az_without_any_replica_does_nothing() -> None:
    found = cell(cluster(SINGLE, SPREAD), "az-c", "all")
    assert found.write_until_back == 1
    doc = cluster(SINGLE)
    assert [fate.is_touched for fate in fates(doc, (1, 4))] == [False]


def test_the_majority_of_the_controllers_is_named_as_the_cause() -> None:
    plain: dict[str, Any] = import_text(
        HEADER.format(name="t", count=1, least=1) + ROW.format(name="t", number=0, leader=1, ids="1,2"),
        {"controllers": 1},
        {1: "az-a", 2: "az-b"},
    )["scenario"]
    found = cell(load(plain), "az-a", "all")
    assert found.cause == "controllers"
    assert found.write_until_back == 1
    assert found.causes == (
        "1 partition gets no leader and no smaller ISR without a majority of the controllers: "
        "the only one dies with az-a",
    )


def quorum(doc: Document, *controllers: dict[str, Any]) -> Document:
    """The same cluster with these controllers."""
    plain = to_plain(doc)
    plain["cluster"]["controllers"] = [{"id": 100 + at, **one} for at, one in enumerate(controllers)]
    return load(plain)


def test_a_controller_that_is_down_already_counts_for_no_majority() -> None:
    """QUO-1: with one of three down, the loss of another leaves no majority."""
    doc = quorum(cluster(SPREAD, SINGLE), {"rack": "az-a"}, {"rack": "az-b"}, {"rack": "az-c", "state": "down"})
    found = cell(doc, "az-a", "all")
    assert (found.cause, found.write_until_back) == ("controllers", 2)
    assert found.causes == (
        "2 partitions get no leader and no smaller ISR without a majority of the controllers: "
        "1 of 3 controllers dies with az-a, and 1 is down",
    )
    assert (cell(doc, "az-c", "all").cause, cell(doc, "az-c", "all").write_until_back) == ("RF 1", 1)


def test_lost_controllers_are_the_cause_beside_others_only_of_what_waits_for_an_election() -> None:
    """ELEC-7, QUO-1: the single replica is offline whoever is left to elect."""
    doc = quorum(cluster(SPREAD, SINGLE), {"rack": "az-c"}, {"rack": "az-c"}, {"rack": "az-b"})
    found = cell(doc, "az-c", "1")
    assert (found.cause, found.write_until_back) == ("controllers", 1)
    assert found.causes == (
        "2 partitions get no leader and no smaller ISR without a majority of the controllers: "
        "2 of 3 controllers die with az-c",
        "1 partition has its only replica in az-c",
    )
    assert found.hidden > 0, "the ISRs of spread keep their dead members, so its high watermarks stand"
    alone = cell(quorum(cluster(SINGLE), {"rack": "az-c"}, {"rack": "az-c"}, {"rack": "az-b"}), "az-c", "1")
    assert alone.causes == (
        "No leader can be elected without a majority of the controllers: 2 of 3 controllers die with az-c",
        "1 partition has its only replica in az-c",
    )
    assert "1 partition has its only replica in az-c" in cell(doc, "az-c", "all").causes


def test_an_az_with_controllers_alone_has_a_row_of_its_own() -> None:
    doc = quorum(cluster(SPREAD), {"rack": "az-z"}, {"rack": "az-z"}, {"rack": "az-a"})
    rows = {
        row["key"]: (row["brokers"], row["controllers"]) for row in az_table.outline(doc, az_table.losses(doc))["rows"]
    }
    assert rows == {"az-a": (2, 1), "az-b": (2, 0), "az-c": (2, 0), "az-z": (0, 2), ANY_BROKER: (1, 0)}
    found = cell(doc, "az-z", "all")
    assert (found.cause, found.write_partitions) == ("controllers", 0)
    assert found.causes[0].startswith("No leader can be elected")
    assert heaviest_rack(doc) == "az-b"


def test_a_quorum_that_is_lost_already_is_the_cause_in_every_row() -> None:
    doc = quorum(cluster(SPREAD), {"state": "down"}, {"state": "down"}, {"rack": "az-a"})
    found = cell(doc, ANY_BROKER, "1")
    assert found.cause == "controllers"
    assert found.causes == (
        "1 partition gets no leader and no smaller ISR without a majority of the controllers: "
        "only 1 of 3 controllers runs",
    )


def test_the_sentence_names_the_controllers_that_are_lost() -> None:
    doc = quorum(cluster(SPREAD), {"rack": "az-b"}, {"rack": "az-b"}, {"rack": "az-a"})
    rows = [row for row in az_table.losses(doc) if row.key == "az-b"]
    sentence = az_table.sentence(rows, [az_table.run_cell(doc, rows[0], acks) for acks in ACKS])
    assert sentence.startswith(
        "If az-b goes dark, no leader can be elected, for a majority of the controllers is gone;"
    )


def test_what_was_down_before_is_not_counted_as_an_effect() -> None:
    text = HEADER.format(name="t", count=2, least=1) + ROW.format(name="t", number=0, leader=1, ids="1,2")
    text += "\tTopic: t\tPartition: 1\tLeader: none\tReplicas: 9\tIsr: \tElr: 9\tLastKnownElr: \n"
    doc = load(import_text(text, {}, {1: "az-a", 2: "az-b", 9: "az-c"})["scenario"])
    found = cell(doc, "az-a", "1")
    assert found.write_partitions == 1
    assert [row.key for row in az_table.losses(doc)] == ["az-a", "az-b", ANY_BROKER]
    rows = az_table.outline(doc, az_table.losses(doc))["rows"]
    assert [(row["key"], row["dead"], row["controllers"]) for row in rows] == [
        ("az-a", [], 1),
        ("az-b", [], 1),
        ("az-c", [9], 1),
        (ANY_BROKER, [], 0),
    ]


def test_a_partition_that_was_out_for_a_moment_before_the_loss_has_one_time_in_the_cell_and_in_the_sentence() -> None:
    """The sentence of the run is the verdict's, which counts both stretches; so is the figure of the cell."""
    before = {("t", 0): {"us": 1_200_000}, ("t", 1): {"us": 0}, ("t", 2): {"us": 2_999_999}}
    after = {("t", 0): {"us": 10_200_000}, ("t", 1): {"us": 9_500_000}, ("t", 2): {"us": 21_000_000}}
    found = Outage.between(before, after, "us", az_table.KILL_US, az_table.HORIZON_US)
    assert (found.us, found.partitions, found.until_back, found.before) == (10_200_000, 2, 0, 1)


def test_the_sentence_names_the_worst_az() -> None:
    doc = cluster(SPREAD, TWICE, SINGLE)
    rows = az_table.losses(doc)
    cells = [az_table.run_cell(doc, row, acks) for row in rows for acks in ACKS]
    sentence = az_table.sentence(rows, cells)
    assert sentence == (
        "If az-c goes dark, 1 topic stops taking acks=all writes and 1 partition goes offline; "
        "no acknowledged record is at risk."
    )
    assert heaviest_rack(doc) == "az-c"


def test_the_heaviest_az_of_equals_is_the_first_by_name_and_without_azs_there_is_none() -> None:
    doc = cluster(("spread", 2, ["1,2,3", "2,3,1", "3,1,2"]))
    assert heaviest_rack(doc) == "az-a"
    assert (
        heaviest_rack(
            load(
                import_text(
                    HEADER.format(name="t", count=1, least=1) + ROW.format(name="t", number=0, leader=1, ids="1,2")
                )["scenario"]
            )
        )
        == ""
    )


def test_a_cell_document_holds_the_loss_as_its_only_action() -> None:
    doc = cluster(SPREAD)
    made = az_table.cell_document(doc, az_table.losses(doc)[0], "1")
    assert [str(entry.action) for entry in made.timeline] == ["kill-rack az-a"]
    assert [producer.acks for producer in made.producers] == ["1"]


def test_who_names_a_broker_that_does_not_run_is_told_which_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "document.json"
    file.write_text(json.dumps(to_plain(cluster(SPREAD))))
    asked = [(ANY_BROKER, "broker 9 does not run, or is none; allowed: 1, 2, 3, 4, 5, 6"), ("b", "there is no row 'b'")]
    for row, words in asked:
        assert main([str(file), "--row", row, "--broker", "9"]) == 2
        assert capsys.readouterr().err.startswith(words)
