"""A sick cluster is answered as sick: the loss comes now, as pasted, and when all are in sync; the worse one leads."""

from dataclasses import replace
from typing import Any

import pytest

from simengine.importers.report import import_text
from simengine.questions.az import edits as az_edits
from simengine.questions.az import moments, one_az, partition_list, partition_states
from simengine.questions.az import table as az_table
from simengine.questions.az.cell import ACKS
from simengine.questions.az.facts import facts_of
from simengine.questions.az.figures import SECONDS, cell_json
from simengine.questions.az.losses import az_loss
from simengine.questions.az.row import AzRow
from simengine.questions.az.run import run_cell
from simengine.scenario import Document, load, to_plain
from simengine.world.world import build
from tests.questions.az_clusters import HEADER, ROW, SPREAD, TWICE, cluster, listing, quorum, row

FIVE = {1: "az-a", 2: "az-a", 3: "az-b", 4: "az-b", 5: "az-c"}


def weak(least: int = 2, isr: str = "1,2") -> Document:
    """Five copies in three AZs (2, 2, 1); the ISR of pay-0 is 1, 2, both in az-a. All brokers run."""
    head = HEADER.format(name="pay", count=2, least=least).replace("ReplicationFactor: 3", "ReplicationFactor: 5")
    sick = ROW.format(name="pay", number=0, leader=1, ids="1,2,3,4,5").replace("Isr: 1,2,3,4,5", f"Isr: {isr}")
    text = head + sick + ROW.format(name="pay", number=1, leader=3, ids="3,4,5,1,2")
    return load(import_text(text, {"records_per_s": 10}, FIVE)["scenario"])


def facts(found: dict[str, Any]) -> dict[str, Any]:
    return {fact["key"]: fact for fact in found["answer"]["facts"]}


def test_now_is_the_headline_where_all_in_sync_copies_stand_in_one_az() -> None:
    found = az_table.table(weak(), az_edits.read({"disks": "gone"}))
    assert found["moment"] == "Now, as pasted"
    assert found["answer"]["headline"].startswith("az-a going dark and losing its disks hurts most: 1 of 2 partitions")
    assert "Lost for good: records of pay-0, of which only outdated copies are left." in found["answer"]["headline"]
    assert "With acks=1" not in found["answer"]["headline"], "what is gone with the disks is told once"
    assert found["outline"]["standing"] == "The in-sync copies of 1 of 2 partitions stand in one AZ: pay-0 in az-a."
    assert "No acknowledged record of acks=all is lost" in found["other"]["answer"]["headline"]
    assert found["other"]["outline"]["standing"] == "Every partition has in-sync copies in two AZs or more."
    assert {one["key"]: one["decides"] for one in found["decides"]}["outside"] is True


def test_with_its_disks_kept_the_partition_waits_for_its_az_and_the_disks_are_told_apart() -> None:
    found = az_table.table(weak())
    assert "1 of 2 partitions of pay stops taking acks=all writes until it is back" in found["answer"]["headline"]
    assert facts(found)["lost"]["text"] == "Nothing acknowledged with acks=all, by rule"
    assert "lost: what the copies elsewhere lack of pay-0" in facts(found)["disks"]["text"]
    loss = az_loss(moments.at_moment(weak(), "out"), ("az-a",), "dark")
    held = moments.at_moment(weak(), "out")
    safe, fast = (run_cell(held, loss, acks) for acks in ACKS)
    rows = partition_list.rows(held, loss, safe, fast, partition_list.PartitionQuery("disks"))
    assert [one["partition"] for one in rows if "lost for good" in one["why"]] == [0]


def test_with_its_disks_gone_a_copy_that_may_lead_later_is_luck_and_no_rule() -> None:
    """ELR-5, ELR-6: an empty broker may come back first and lead, or the whole copy elsewhere does."""
    plain = to_plain(cluster(("eligible", 2, ["1,2"]), ("last", 2, ["3,2"]), SPREAD))
    plain["cluster"]["brokers"][1]["state"] = "down"
    plain["cluster"]["brokers"][2]["state"] = "down"
    plain["topics"][0]["initial"]["0"] |= {"leader": 1, "isr": [1], "elr": [2]}
    plain["topics"][1]["initial"]["0"] |= {"leader": "none", "isr": [], "elr": [3], "last_known": [2]}
    doc = load({**plain, "topics": plain["topics"][:2], "producers": [], "consumers": []})
    for rack, topic in (("az-b", "eligible"), ("az-c", "last")):
        loss = az_loss(doc, (rack,), "dark") if rack == "az-b" else replace(az_loss(doc, ("az-b",), "dark"), disks=(3,))
        part = next(one for one in run_cell(doc, loss, "all", "gone").parts if one.topic == topic)
        assert (part.log, part.by_luck) == ("", True), topic


@pytest.mark.parametrize(("elr", "lag", "gone"), [(True, 0, 0), (True, 25, 25), (False, 0, 1000)])
def test_after_the_quorum_is_back_an_unclean_election_finds_the_copy_elsewhere(elr: bool, lag: int, gone: int) -> None:
    """ELR-5: brokers with empty disks leave the ISR as they return. Without ELR the leader goes on, its log empty."""
    plain = to_plain(cluster(("pay", 2, ["1,2,3"])))
    topic = plain["topics"][0]
    topic["config"] |= {"unclean.leader.election.enable": True}
    topic["initial"]["0"] |= {"isr": [1, 2], "lag": {"3": lag}, "failed": [3]}
    doc = load({**plain, "elr": elr, "producers": [], "consumers": []})
    loss = az_loss(doc, ("az-b", "az-c"), "killed")
    part = next(one for one in run_cell(doc, loss, "all", "gone").parts if one.topic == "pay")
    assert (part.lost_before, part.by_luck) == (gone, True)


@pytest.mark.parametrize(("elr", "with_last"), [("9", 300), ("", 1000)])
def test_a_removed_broker_in_the_elr_keeps_the_last_known_leader_from_leading(elr: str, with_last: int) -> None:
    """ELR-2, ELR-6: broker 9 is no replica, and only an unclean election gives the partition a leader.

    The whole copy of broker 3 is then no more than any other: with its disk only what the others lack is gone.
    """
    text = HEADER.format(name="pay", count=1, least=2)
    text += f"\tTopic: pay\tPartition: 0\tLeader: none\tReplicas: 3,1,2\tIsr: \tElr: {elr}\tLastKnownElr: 3\n"
    racks = {1: "az-a", 2: "az-b", 3: "az-c"} | ({9: "az-b"} if elr else {})
    doc = load(import_text(text, {"states": {"3": "down"}}, racks)["scenario"])
    (state,) = (one for one in partition_states.at_start(doc) if one.topic == "pay")
    assert (state.elr, state.last_known) == ((), () if elr else (3,))
    gone = {}
    for disk in (1, 3):
        loss = replace(az_loss(doc, ("az-a",), "dark"), disks=(disk,))
        part = next(one for one in run_cell(doc, loss, "all", "gone").parts if one.topic == "pay")
        gone[disk] = part.lost + part.lost_before
    assert gone == {1: 0, 3: with_last}


def test_an_isr_that_spans_two_azs_loses_nothing_at_either_moment() -> None:
    for moment in ("out", "back"):
        doc = moments.at_moment(weak(isr="1,3"), moment)
        loss = az_loss(doc, ("az-a",), "killed")
        cells = [cell_json(run_cell(doc, loss, acks, "gone"), 1000) for acks in ACKS]
        assert cells[0]["lost"]["more"] == "by rule", moment


def test_a_healthy_cluster_has_one_moment_and_says_that_no_partition_stands_in_one_az() -> None:
    found = az_table.table(cluster(SPREAD))
    assert "other" not in found
    assert found["outline"]["label"] == ""
    assert found["outline"]["standing"] == "Every partition has in-sync copies in two AZs or more."
    assert "outside" not in [field["key"] for field in found["outline"]["basis"]]


@pytest.mark.parametrize(
    ("least", "text"),
    [
        (2, "An acknowledged record may stand in one AZ only: pay 2 of 2 (min ISR 2)"),
        (3, "No acknowledged record: each is in two AZs or more"),
    ],
)
def test_min_insync_replicas_and_placement_decide_whether_a_record_may_stand_in_one_az(least: int, text: str) -> None:
    doc = weak(least, "1,2,3,4,5")
    assert [one.count for one in one_az.at_any_time(doc)] == ([2] if least == 2 else [])
    assert facts(az_table.table(doc))["one_az"]["text"] == text


def test_a_topic_of_one_replica_stands_in_one_az_and_an_observer_is_no_copy_that_counts() -> None:
    doc = cluster(("one", 1, ["1"]), ("three", 2, ["1,2,3"]))
    assert [one.name for one in one_az.at_any_time(doc)] == ["one"]
    plain = to_plain(cluster(("seen", 2, ["1,2,4"])))
    assert [one.name for one in one_az.at_any_time(load(plain))] == ["seen"], "1 and 4 stand in az-b"
    plain["topics"][0] |= {"observers": [4], "config": {"min.insync.replicas": 2}}
    plain["topics"][0]["initial"]["0"]["isr"] = [1, 2]
    assert one_az.at_any_time(load(plain)) == []


def test_a_broker_without_an_az_is_no_second_az_and_an_empty_isr_is_said() -> None:
    plain = to_plain(cluster(("pair", 2, ["1,4,2"]), SPREAD))
    del plain["cluster"]["brokers"][1]["rack"]
    assert "of some in-sync copies is not known" in one_az.sentence(load(plain), {})
    unled = to_plain(cluster(("gone", 1, ["1,2"]), ("there", 1, ["3,1"])))
    for broker in unled["cluster"]["brokers"][:2]:
        broker["state"] = "down"
    unled["topics"][0]["initial"]["0"] = {"leader": "none", "isr": [], "elr": [1], "leo": 10}
    unled["topics"][1]["initial"]["0"] |= {"isr": [3], "leader": 3}
    assert one_az.sentence(load(unled), {}).endswith("1 of 2 partitions has no running copy in sync.")


def test_the_in_sync_copies_of_a_dead_broker_stand_in_no_az() -> None:
    unled = to_plain(cluster(("gone", 1, ["1,2"]), ("there", 1, ["3,1"])))
    unled["cluster"]["brokers"][0]["state"] = "down"
    unled["topics"][0]["initial"]["0"] = {"leader": "none", "isr": [1], "leo": 10}
    unled["topics"][1]["initial"]["0"] |= {"isr": [3], "leader": 3}
    said = one_az.sentence(load(unled), {})
    assert said.startswith(
        "The in-sync copies of 1 of 2 partitions stand in one AZ: there-0 in az-a. 1 of 2 partitions"
    )


def test_unclean_election_is_told_as_the_cluster_has_it() -> None:
    plain = to_plain(cluster(SPREAD))
    found = facts(az_table.table(load(plain)))["lost"]
    back = "its disks come back with all that was written, flushed or not"
    assert found["small"] == f"{back}; unclean election is off"
    plain["topics"][0]["config"]["unclean.leader.election.enable"] = True
    on = facts(az_table.table(load(plain)))["lost"]
    assert on["small"] == f"{back}; unclean election is on, and finds no copy to elect that lacks records"


def test_an_outdated_copy_that_an_unclean_election_finds_loses_records_by_rule() -> None:
    plain = to_plain(weak())
    plain["topics"][0]["config"]["unclean.leader.election.enable"] = True
    found = az_table.table(load(plain))
    lost = next(one["lost"] for one in found["cells"] if (one["row"], one["acks"]) == ("az-a", "all"))
    assert lost["count"] > lost["before"] == 300 and lost["step"] == 5
    gone = f"{lost['count'] - 300} acknowledged records"
    assert (
        f"{gone} are gone in this run with acks=all, and with them 300 records from before the run."
        in (found["answer"]["headline"])
    )
    assert facts(found)["lost"]["text"] == f"{gone} and 300 records from before the run"
    assert lost["more"] == "300 of them from before; in this run"


def test_what_an_unclean_election_loses_is_told_beside_logs_that_are_gone() -> None:
    """With acks=all too: else the sentence on acks=1 reads as if acks=all had kept these records."""
    plain = to_plain(weak())
    plain["topics"][0]["config"]["unclean.leader.election.enable"] = True
    plain["topics"].append({"name": "gone", "assignment": [[1, 2]]})
    found = az_table.table(load(plain), az_edits.read({"disks": "gone"}))
    lost = next(one["lost"] for one in found["cells"] if (one["row"], one["acks"]) == ("az-a", "all"))
    of_pay = lost["count"] - 300
    assert of_pay > 0
    told = f"Lost for good: gone. Of other partitions {of_pay} acknowledged records are gone in this run with acks=all"
    assert f"{told}, and with them 300 records from before the run." in found["answer"]["headline"]
    assert facts(found)["lost"]["text"].endswith(f"; of other partitions {lost['count']} records")
    assert lost["more"] == f"10 GB, {lost['count']} of others"


def test_records_from_before_the_run_are_not_said_to_be_of_acks_all() -> None:
    """Nobody knows with which acks they came: here no record of the run is lost, as nobody writes."""
    plain = to_plain(weak())
    plain["topics"][0]["config"]["unclean.leader.election.enable"] = True
    found = az_table.table(load({**plain, "producers": []}))
    assert "300 records from before the run are gone in this run." in found["answer"]["headline"]
    assert "gone in this run with acks=all" not in found["answer"]["headline"]
    assert facts(found)["lost"]["text"] == "300 records from before the run"


def test_what_power_takes_of_a_disk_is_assumed_where_a_partition_waits_for_that_disk() -> None:
    """LOG-8: what was not flushed may be lost with the power; a killed process leaves it to its host."""
    assumed = "is lost, if its disks come back with all that was written, flushed or not."
    found = az_table.table(weak())
    assert found["answer"]["headline"].endswith(assumed)
    disks = next(one for one in found["outline"]["basis"] if one["key"] == "disks")
    assert disks["why"] == "with all that was written, flushed or not: nothing tells it"
    assert assumed not in az_table.table(cluster(SPREAD))["answer"]["headline"], "a copy elsewhere leads"
    killed = az_table.table(weak(), az_edits.read({"dies": "killed"}))
    assert "flushed" not in killed["answer"]["headline"]


def test_what_acks_1_loses_is_a_range_whatever_the_run_of_the_cell_lost() -> None:
    told = set()
    for seed in range(1, 9):
        doc = cluster(SPREAD, TWICE, records_per_s=400).model_copy(update={"seed": seed})
        lost = cell_json(run_cell(doc, az_loss(doc, ("az-b",), "dark"), "1"), 1000)["lost"]
        told.add((lost["step"], lost["more"]))
    assert told == {(SECONDS, "a partition at risk")}


def test_a_stop_that_had_not_ended_with_the_run_is_at_least_that_long() -> None:
    doc = cluster(SPREAD)
    safe, fast = (run_cell(doc, az_loss(doc, ("az-b",), "dark"), acks) for acks in ACKS)
    one = next(part for part in safe.parts if part.stops_us > 0 and not part.is_internal)
    cut = replace(safe, parts=(replace(one, write_open=True, write_us=45_000_000),))
    assert cell_json(cut, 1000)["write"]["text"] == "at least 45.0 s"
    found = {fact["key"]: fact for fact in facts_of(doc, AzRow(az_loss(doc, ("az-b",), "dark"), cut, fast))}
    assert "1 partition, at least 45.0 s for the application" in found["seconds"]["text"]


def test_the_cause_of_a_coordinator_that_waits_for_controllers_is_the_quorum() -> None:
    doc = quorum(cluster(SPREAD, ("__consumer_offsets", 1, ["1,2,3"])), {"rack": "az-a"}, {"rack": "az-a"}, {})
    found = row(doc, "az-a")
    asked = partition_list.PartitionQuery("cause", cause="c0")
    rows = [one for one in partition_list.rows(doc, found.loss, found.safe, found.fast, asked) if one["internal"]]
    assert [one["why"] for one in rows] == ["1 of 3 controllers left, 2 wanted: no ISR can shrink"]


def test_a_pasted_follower_outside_the_isr_stays_out_of_the_run_too() -> None:
    assert moments.outside(weak()) == {("pay", 0): [3, 4, 5]}
    assert weak().topics[0].initial[0].failed == [3, 4, 5]
    assert moments.at_moment(weak(), "out") == weak()
    world = build(weak())
    world.run(20_000_000)
    assert world.snapshot()["partitions"][0]["isr"] == [1, 2]  # type: ignore[index]
    world = build(moments.at_moment(weak(), "back"))
    world.run(20_000_000)
    assert world.snapshot()["partitions"][0]["isr"] == [1, 2, 3, 4, 5]  # type: ignore[index]
    healthy = load(import_text(listing(SPREAD), {}, FIVE | {6: "az-c"})["scenario"])
    assert moments.outside(healthy) == {}


def test_a_fenced_broker_stays_fenced_now_and_is_back_when_all_are_in_sync() -> None:
    """LIVE-4, AP-3: now it joins no ISR and leads nothing, also where it is the only member of an ISR or an ELR."""
    plain = to_plain(cluster(SPREAD, ("pair", 1, ["1,2"]), ("alone", 1, ["2,4"])))
    plain["cluster"]["brokers"][1]["state"] = "fenced"
    spread, pair, alone = (topic["initial"]["0"] for topic in plain["topics"])
    spread |= {"isr": [1, 3], "leader": 1}
    pair |= {"isr": [1], "leader": 1}
    alone |= {"isr": [2], "leader": "none"}
    doc = load(plain)
    assert moments.moments_of(doc, az_edits.read({})) == ["out", "back"]
    for moment, isrs, leader in (("out", [[1, 3], [1], [2]], -1), ("back", [[1, 2, 3], [1, 2], [2, 4]], 2)):
        world = build(moments.at_moment(doc, moment))
        world.run(30_000_000)
        parts: Any = world.snapshot()["partitions"]
        found = [parts[number] for number in (0, 2, 3)]
        assert [sorted(part["isr"]) for part in found] == isrs, moment
        assert found[2]["leader"] == leader, moment
    now = az_table.table(doc)
    assert (now["moment"], now["outline"]["label"]) == ("Now, as pasted", "Now, as pasted")
    assert "outside" in [field["key"] for field in now["outline"]["basis"]]


def test_a_fenced_member_of_the_elr_does_not_take_over_now() -> None:
    """LIVE-4: by rule the partition has no leader until the AZ is back; else one, below min.insync.replicas."""
    plain = to_plain(cluster(("pay", 2, ["1,2"]), SPREAD))
    plain["cluster"]["brokers"][1]["state"] = "fenced"
    pay, spread = (topic["initial"]["0"] for topic in plain["topics"])
    pay |= {"isr": [1], "leader": 1, "elr": [2]}
    spread |= {"isr": [1, 3], "leader": 1}
    doc = load({**plain, "elr": True})
    whys = {}
    for moment in ("out", "back"):
        made = moments.at_moment(doc, moment)
        cell = run_cell(made, az_loss(made, ("az-b",), "dark"), "1")
        whys[moment] = next(part.why for part in cell.parts if part.topic == "pay")
    assert whys == {"out": "isr", "back": "min"}


LAG = """
GROUP    TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG    CONSUMER-ID  HOST  CLIENT-ID
billing  spread 0          5000            40000           35000  -            -     -
"""


def test_the_lagging_group_of_a_paste_has_a_sentence_in_the_answer() -> None:
    racks = {broker: f"az-{'abc'[broker % 3]}" for broker in range(1, 7)}
    doc = load(import_text(listing(SPREAD) + LAG, {}, racks)["scenario"])
    assert az_table.table(doc)["outline"]["standing"].endswith(
        "The group billing is 35,000 records behind: if some of these are lost, it has not read them."
    )
