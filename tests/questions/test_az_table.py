"""The AZ answer: each cell is a run, its words are those of the rules, and headline, facts, causes and lists agree."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from simengine.commands.az import main
from simengine.importers.report import import_text
from simengine.questions.az import edits as az_edits
from simengine.questions.az import partition_states
from simengine.questions.az import run as az_run
from simengine.questions.az import table as az_table
from simengine.questions.az.causes import heaviest_rack
from simengine.questions.az.cell import ACKS, ANY_BROKER, ANY_TWO
from simengine.questions.az.edits import GONE, KILLED
from simengine.questions.az.figures import step_of
from simengine.questions.az.losses import az_loss, tie
from simengine.questions.az.partition_outages import UNTIL_BACK
from simengine.questions.az.whys import causes_of
from simengine.scenario import Document, load, to_plain
from simengine.world.world import build
from tests.questions.az_clusters import (
    HEADER,
    ROW,
    SINGLE,
    SPREAD,
    TWICE,
    answered,
    cell,
    cluster,
    listing,
    loss_of,
    losses,
    quorum,
    row,
    shown,
)


def told(doc: Document, key: str, dies: str = "dark") -> list[tuple[int, str, str]]:
    """The causes of a row: how many partitions, title, note."""
    found = row(doc, key, dies)
    return [(len(one.parts), one.title, one.note) for one in causes_of(found.loss, found.safe, found.fast)]


def facts(doc: Document, **how: str) -> dict[str, Any]:
    return {fact["key"]: fact for fact in answered(doc, **how).facts}


def test_rows_are_the_azs_then_the_broker_and_the_two_azs_that_weigh_most() -> None:
    rows = losses(cluster(SPREAD, TWICE, SINGLE))
    assert [one.key for one in rows] == ["az-c", "az-b", "az-a", ANY_BROKER, ANY_TWO], "the worst AZ comes first"
    assert (rows[3].brokers, rows[3].note) == ((5,), "worst: broker 5")
    assert rows[4].azs == ("az-b", "az-c")
    assert rows[2].note == "2 brokers, 1 controller"


def test_of_two_azs_both_places_of_the_majority_are_rows_and_no_site_is_invented() -> None:
    plain = import_text(listing(("pay", 2, ["1,3,2,4", "3,1,4,2"])), {}, {1: "a", 2: "a", 3: "b", 4: "b"})["scenario"]
    doc = load(plain)
    rows = {one.key: one for one in losses(doc)}
    assert list(rows) == ["a", "b", ANY_BROKER]
    assert (rows["a"].has_majority, rows["b"].has_majority) == (True, False)
    assert {controller.rack for controller in doc.controllers} == {"a", "b"}
    assert tie(doc) == "The majority of controllers, 2 of 3, stand in a: without it nobody can elect."
    found = answered(doc)
    assert found.headline.startswith(
        "a, which has the majority of controllers, going dark hurts most: "
        "nobody can elect (1 of 3 controllers left, 2 wanted), pay stops taking acks=all writes, and no group can join"
    )


def test_an_az_that_goes_dark_closes_no_connection_so_its_clients_wait_for_their_timeout() -> None:
    doc = cluster(SPREAD)
    dark, killed = shown(doc, "az-b", "all"), shown(doc, "az-b", "all", KILLED)
    assert 29_000_000 < dark["write"]["us"] < 35_000_000
    assert killed["write"]["us"] < 15_000_000
    assert dark["write"]["servers_us"] < 15_000_000
    assert re.fullmatch(r"this run \(servers \d+\.\d s\)", dark["write"]["more"]), "another run has another time"
    assert re.fullmatch(r"this run \(servers \d+\.\d s\)", shown(doc, "az-b", "1")["write"]["more"])
    assert re.fullmatch(r"this run \(servers \d+\.\d s\)", killed["read"]["more"])
    quick = az_edits.edited(doc, az_edits.read({"assumed": {"request_timeout_ms": "15000"}}))
    assert 14_000_000 < shown(quick, "az-b", "all")["write"]["us"] < 20_000_000


def test_every_cell_says_whose_newest_records_may_hide_and_how_long_the_servers_were_out() -> None:
    """HW-10: az-c leads what it leaves below the minimum. One partition of the second cluster is off besides."""
    servers = r"servers \d+\.\d s"
    alone = cluster(("p", 2, ["2,1", "3,1"]))
    assert re.fullmatch(rf"this run \({servers}\), newest of 1 may hide", shown(alone, "az-c", "all")["read"]["more"])
    beside = cluster(("p", 2, ["2,1", "3,1"]), ("off", 1, ["2"]))
    assert shown(beside, "az-c", "all")["read"]["more"] == "partitions 1/3, newest of 1 may hide"
    others = shown(cluster(("p", 1, ["2,1", "2"])), "az-c", "1")["write"]["more"]
    assert re.fullmatch(rf"1 of 2, others \d+\.\d s \({servers}\)", others)


def test_the_run_of_a_cell_does_what_the_row_says() -> None:
    doc = cluster(SPREAD)
    actions = {
        (key, dies): [str(entry.action) for entry in az_run.cell_document(doc, loss_of(doc, key, dies), "1").timeline]
        for key in ("az-a", ANY_TWO, ANY_BROKER)
        for dies in ("dark", KILLED)
    }
    assert actions["az-a", "dark"] == ["power-loss az-a 0"]
    assert actions["az-a", KILLED] == ["kill-rack az-a"]
    assert actions[ANY_TWO, "dark"] == ["power-loss az-a,az-b 0"]
    assert actions[ANY_TWO, KILLED] == ["kill-rack az-a", "kill-rack az-b"]
    assert actions[ANY_BROKER, "dark"] == ["power-loss 1 0"]
    made = az_run.cell_document(doc, loss_of(doc, "az-a"), "1")
    assert [producer.acks for producer in made.producers] == ["1"]


def test_a_controller_in_the_process_of_a_broker_dies_with_it() -> None:
    plain = to_plain(cluster(SPREAD))
    racks = {broker["id"]: broker["rack"] for broker in plain["cluster"]["brokers"]}
    for controller, home in zip(plain["cluster"]["controllers"], (3, 1, 2), strict=True):
        controller.update({"broker": home, "rack": racks[home]})
    loss = loss_of(load(plain), ANY_BROKER)
    assert loss.brokers == (1,)
    assert [str(action) for action in loss.actions] == ["power-loss 1 0"]
    assert loss.voters == (2, 3)


def test_a_well_spread_topic_loses_nothing_by_rule_and_stops_for_seconds() -> None:
    found = shown(cluster(SPREAD), "az-b", "all", KILLED)
    assert (found["lost"]["text"], found["lost"]["more"], found["lost"]["step"]) == ("0", "by rule", 0)
    assert (found["write"]["until_back"], found["write"]["step"]) == (0, 1)
    assert 5_000_000 < found["write"]["us"] < 15_000_000
    assert told(cluster(SPREAD), "az-b")[0][1] == "The leader moves"


def test_causes_are_counted_and_the_worst_comes_first() -> None:
    six = ["1,4,2,5,3,6", "4,1,5,2,6,3"]
    doc = cluster(("pay", 4, six), ("one", 1, ["1"]), ("both", 1, ["4,1"]))
    found = told(doc, "az-b")
    assert found[0] == (1, "0 of 1 replica left", "the only one is in az-b; neither writable nor readable")
    assert (1, "0 of 2 replicas left", "all of them are in az-b; neither writable nor readable") in found
    assert not any("wanted" in title for _, title, _ in found), "four of six are left, and four are wanted"
    two_sites = load(
        import_text(listing(("pay", 4, six)), {}, {broker: "ab"[broker > 3] for broker in range(1, 7)})["scenario"]
    )
    assert (2, "3 of 6 replicas left, 4 wanted") in [(n, title) for n, title, _ in told(two_sites, "b")]


def test_one_partition_without_any_replica_comes_before_many_that_only_refuse_writes() -> None:
    """D2: what is neither writable nor readable is worse than what refuses acks=all, however many that are."""
    many = ("many", 2, ["1,4,2"] * 6)
    doc = cluster(many, ("all-there", 1, ["1,4"]), SPREAD)
    found = row(doc, "az-b")
    told = [(cause.title, len(cause.parts)) for cause in causes_of(found.loss, found.safe, found.fast)]
    assert told[:2] == [("0 of 2 replicas left", 1), ("1 of 3 replicas left, 2 wanted", 6)]


def test_two_replicas_in_one_az_are_said_by_number() -> None:
    found = told(cluster(TWICE), "az-b")
    assert [(n, title) for n, title, _ in found] == [
        (1, "1 of 3 replicas left, 2 wanted"),
        (1, "Coordinators of groups move"),  # of the topic that the cluster has made itself
    ]
    safe, fast = shown(cluster(TWICE), "az-b", "all"), shown(cluster(TWICE), "az-b", "1")
    assert (safe["write"]["until_back"], safe["write"]["text"], safe["write"]["more"]) == (1, "until back", "1 of 1")
    assert fast["write"]["until_back"] == 0
    assert (fast["read"]["until_back"], fast["read"]["hidden"] > 20) == (1, True)


def test_the_scale_has_six_steps() -> None:
    assert [step_of(count, 100) for count in (0, 9, 10, 49, 50, 100)] == [0, 2, 3, 3, 4, 4]
    found = shown(cluster(SINGLE, SPREAD), "az-c", "1")
    assert (found["write"]["step"], found["write"]["word"]) == (3, "until it is back: more than 10 %")
    assert found["step"] == 3


def test_of_causes_that_end_by_themselves_the_longest_comes_first() -> None:
    found = [(n, title) for n, title, _ in told(cluster(("orders", 2, ["1,2,3", "2,3,1", "3,1,2"])), "az-b")]
    assert [title for _, title in found[:2]] == ["The leader moves", "Only a follower is lost"], found


def test_groups_whose_coordinator_is_gone_are_in_cells_causes_and_headline() -> None:
    doc = cluster(("orders", 2, ["1,2,3"]), ("__consumer_offsets", 1, ["1", "2,1,3"]))
    for acks in ACKS:
        read = shown(doc, "az-b", acks)["read"]
        assert (read["groups"], read["coordinators"], read["step"]) == (1, 2, 4)
        assert read["more"] == "groups 1/2"
    assert told(doc, "az-b")[0] == (1, "No group of 1 of 2 coordinators can join or commit", "0 of 1 replica left")
    found = answered(doc)
    assert (found.worst, found.order[0]) == ("az-b", "az-b")
    assert "the groups of 1 of 2 coordinators can neither join nor commit until it is back" in found.headline
    alone = cluster(("orders", 2, ["1,2,3"]), ("__consumer_offsets", 1, ["1"]))
    assert "no group can join or commit until it is back" in answered(alone).headline
    assert "groups 1 of 1" in facts(alone)["until_back"]["text"]


def test_coordinators_below_min_isr_stop_their_groups_too() -> None:
    doc = cluster(("orders", 1, ["1,2,3"]), ("__consumer_offsets", 3, ["1,2,3"]))
    assert [shown(doc, key, "1")["read"]["groups"] for key in ("az-a", "az-b", "az-c")] == [1, 1, 1]
    assert told(doc, "az-a")[0] == (
        1,
        "No group can join or commit",
        "2 of 3 replicas left, 3 wanted",
    )


def test_before_3_7_consumers_read_what_only_an_unclean_election_or_a_lost_disk_takes() -> None:
    """HW-2 holds since 3.7 (KAFKA-15583)."""
    doc = cluster(TWICE)
    assert "new records of 1 partition cannot be read (on 3.7 or newer)" in answered(doc).headline
    assert "before, consumers read them" in facts(doc)["hidden"]["small"]
    older = az_edits.edited(doc, az_edits.read({"assumed": {"version": "3.6 or older"}}))
    said = answered(older).headline
    assert (
        "consumers read new records of 1 partition that only an unclean election, or the loss of a disk, would" in said
    )
    assert "cannot be read" not in said
    assert shown(older, "az-b", "1")["read"]["hidden"] == 0


def test_with_unclean_election_off_luck_is_not_put_down_to_it() -> None:
    racks = {1: "az-a", 2: "az-a", 3: "az-b", 4: "az-b"}
    text = listing(("t", 2, ["1,2,3", "2,3,4", "3,4,1", "4,1,2"]))
    doc = load(import_text(text, {"records_per_s": 2}, racks, {100: "az-a", 101: "az-b", 102: "az-a"})["scenario"])
    lost = facts(doc, disks=GONE)["lost"]
    assert lost["text"] == "Nothing acknowledged with acks=all in this run, by luck"
    assert lost["small"] == "another moment, or another order of return, could lose some"


def test_of_a_topic_that_lost_some_of_its_logs_the_share_is_said() -> None:
    doc = cluster(("some", 1, ["5", "1,3"]))
    assert "Lost for good: 1 of 2 partitions of some." in answered(doc, disks=GONE).headline


def test_a_single_replica_is_in_one_of_two_azs() -> None:
    found = told(cluster(SINGLE, SPREAD), ANY_TWO)
    assert ("0 of 1 replica left", "the only one is in az-b or az-c; neither writable nor readable") in [
        (title, note) for _, title, note in found
    ]


def test_with_its_disks_gone_logs_without_a_copy_are_lost_with_their_records_from_before() -> None:
    doc = cluster(SINGLE, SPREAD, log_end=700)
    found = row(doc, "az-c", disks=GONE)
    gone = [part for part in found.safe.parts if part.log]
    assert [(part.topic, part.log, part.lost_before) for part in gone] == [("single", "whole", 700)]
    assert told(doc, "az-c")[0][1] == "0 of 1 replica left"
    said = answered(doc, disks=GONE)
    assert "Lost for good: single." in said.headline
    lost = next(fact for fact in said.facts if fact["key"] == "lost")
    assert (lost["step"], lost["title"]) == (5, "Lost for good")
    records = re.search(r"here ([\d,]+) records", lost["text"])
    assert records is not None
    assert int(records.group(1)) >= 700


def test_how_long_copying_takes_stands_beside_the_size_it_is_counted_from() -> None:
    doc = cluster(SPREAD, log_gb=400, copy_mb_per_s=40)
    said = facts(doc)["disks"]["text"]
    assert said == "2 partitions back in sync after about 3 h (400 GB at 40 MB/s a broker)"


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("*", "about 6 h (400 GB at 20 MB/s a broker, follower.replication.throttled.rate)"),
        ("none", "about 3 h (400 GB at 40 MB/s a broker)"),
    ],
)
def test_a_throttle_that_lists_the_replicas_slows_copying(listed: str, said: str) -> None:
    """FET-19."""
    made = to_plain(cluster(SPREAD, log_gb=400, copy_mb_per_s=40))
    made["cluster"]["config"]["follower.replication.throttled.rate"] = 20_000_000
    for topic in made["topics"]:
        topic["config"]["follower.replication.throttled.replicas"] = listed
    assert facts(load(made))["disks"]["text"] == f"2 partitions back in sync after {said}"


def test_a_topic_is_lost_as_a_whole_only_if_all_its_partitions_are() -> None:
    """`mixed` has one partition in az-c alone, and one in all three AZs."""
    mixed = ("mixed", 1, ["5", "1,2,3"])
    said = facts(cluster(mixed))["disks"]["text"]
    assert said.startswith("lost: 1 of 2 partitions of mixed, 1 log, 10 GB; ")
    said = facts(cluster(SINGLE))["disks"]["text"]
    assert said.startswith("lost: single as a whole, 1 log, 10 GB")


def test_the_cause_of_lost_controllers_is_said_by_number_and_told_from_replicas_that_are_gone() -> None:
    """ELEC-7, QUO-1: the single replica is offline whoever is left to elect."""
    doc = quorum(cluster(SPREAD, SINGLE), {"rack": "az-c"}, {"rack": "az-c"}, {"rack": "az-b"})
    found = told(doc, "az-c")
    assert (2, "1 of 3 controllers left, 2 wanted") in [(n, title) for n, title, _ in found]
    assert (1, "0 of 1 replica left") in [(n, title) for n, title, _ in found]
    assert shown(doc, "az-c", "1")["read"]["hidden"] > 0, "the ISRs keep their dead members"


def test_a_controller_that_is_down_already_counts_for_no_majority() -> None:
    """QUO-1: with one of three down, the loss of another leaves no majority."""
    doc = quorum(cluster(SPREAD, SINGLE), {"rack": "az-a"}, {"rack": "az-b"}, {"rack": "az-c", "state": "down"})
    loss = loss_of(doc, "az-a")
    assert (loss.voters, loss.has_quorum) == ((1, 3), False)
    assert shown(doc, "az-a", "all")["write"]["until_back"] == 2
    assert loss_of(doc, "az-c").has_quorum


def test_an_az_with_controllers_alone_has_a_row_of_its_own() -> None:
    doc = quorum(cluster(SPREAD), {"rack": "az-z"}, {"rack": "az-z"}, {"rack": "az-a"})
    rows = {one.key: (len(one.brokers), len(one.controllers)) for one in losses(doc)}
    assert rows["az-z"] == (0, 2)
    assert (
        "nobody can elect (1 of 3 controllers left, 2 wanted), and nothing that runs stops." in answered(doc).headline
    )
    assert told(doc, "az-z") == [
        (0, "1 of 3 controllers left, 2 wanted", "no leader can be elected, no ISR can shrink")
    ]
    assert heaviest_rack(doc) == "az-b"


def test_what_was_out_before_is_not_counted_as_an_effect() -> None:
    text = HEADER.format(name="t", count=2, least=1) + ROW.format(name="t", number=0, leader=1, ids="1,2")
    text += "\tTopic: t\tPartition: 1\tLeader: none\tReplicas: 9\tIsr: \tElr: 9\tLastKnownElr: \n"
    doc = load(import_text(text, {}, {1: "az-a", 2: "az-b", 9: "az-c"})["scenario"])
    found = shown(doc, "az-a", "1")["write"]
    assert (found["seconds"] + found["until_back"], found["before"]) == (1, 1)
    assert [one.key for one in losses(doc)] == ["az-a", "az-b", ANY_BROKER]
    azs = az_table.outline(doc, losses(doc), az_edits.Edits())["azs"]
    assert [(one["name"], one["brokers"], one["down"], one["is_dark"]) for one in azs] == [
        ("az-a", [1], [], False),
        ("az-b", [2], [], False),
        ("az-c", [], [9], True),
    ]


def test_what_was_hidden_before_the_loss_is_no_effect_of_it() -> None:
    text = HEADER.format(name="thin", count=1, least=2) + ROW.format(name="thin", number=0, leader=1, ids="1,9")
    text = text.replace("Isr: 1,9", "Isr: 1") + HEADER.format(name="t", count=1, least=1)
    text += ROW.format(name="t", number=0, leader=2, ids="2")
    doc = load(import_text(text, {"records_per_s": 10}, {1: "az-a", 2: "az-b", 9: "az-c"})["scenario"])
    found = cell(doc, "az-b", "1")
    thin = next(part for part in found.parts if part.topic == "thin")
    assert (thin.hidden > 100, thin.was_unread, thin.unread_us) == (True, True, 0)


LONE = ROW.format(name="lone", number=0, leader=1, ids="1,2,3").replace("Isr: 1,2,3", "Isr: 1")


def test_followers_outside_the_isr_stay_out_unless_the_reader_says_that_they_come_back() -> None:
    text = HEADER.format(name="lone", count=1, least=1) + LONE
    alive = {"states": {"2": "running", "3": "running"}}
    doc = load(import_text(text, alive, {1: "az-a", 2: "az-b", 3: "az-c"})["scenario"])
    found = az_table.table(doc)
    assert (found["moment"], found["other"]["moment"]) == ("Now, as pasted", "When all are in sync")
    assert found["answer"]["headline"].startswith("az-a going dark hurts most: lone stops taking acks=all writes until")
    assert "and go on before it is back" in found["other"]["answer"]["headline"]
    assert found["outline"]["standing"] == "The in-sync copies of 1 of 1 partition stand in one AZ: lone-0 in az-a."
    healed = az_table.table(doc, az_edits.read({"outside": "back"}))
    assert "other" not in healed
    assert healed["answer"] == found["other"]["answer"]


def test_cells_survive_being_written_down() -> None:
    found = cell(cluster(TWICE, SINGLE), "az-b", "1")
    assert az_table.cell_of(json.loads(json.dumps({**asdict(found), "pick": ""}))) == found


def test_the_stream_gives_the_azs_first_then_the_answer_then_the_rest() -> None:
    kinds = []
    for line in az_table.lines(cluster(SPREAD)):
        assert line.pop("moment", "out") == "out"
        ((key, value),) = line.items()
        if key != "parts":
            kinds.append(f"{key} {value['row']}" if key in ("cell", "causes") else key)
    zones = [f"{kind} {rack}" for rack in ("az-a", "az-b", "az-c") for kind in ("cell", "cell", "causes")]
    rest = [f"{kind} {key}" for key in (ANY_BROKER, ANY_TWO) for kind in ("cell", "cell", "causes")]
    assert kinds[:18] == ["outline", *zones, "answer", "worst", *rest]
    assert (set(kinds[18:-1]), kinds[-1]) == ({"decides"}, "done")


def test_the_command_prints_the_same_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    doc = cluster(TWICE)
    file = tmp_path / "document.json"
    file.write_text(json.dumps(to_plain(doc)))
    assert main([str(file), "--edits", '{"dies": "killed"}']) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(az_table.table(doc, az_edits.read({"dies": "killed"}))))
    assert main([str(file), "--row", "az-b", "--list", "write"]) == 0
    assert "twice,0,az-b: 1 4; az-c: 2,1,1 4,until it is back" in capsys.readouterr().out
    assert main([str(file), "--row", "az-b"]) == 0
    assert json.loads(capsys.readouterr().out)["cells"][0]["write"]["until_back"] == 1


def test_who_names_a_row_that_is_none_is_told_which_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "document.json"
    file.write_text(json.dumps(to_plain(cluster(SPREAD))))
    asked = [
        (ANY_BROKER, "9", "broker 9 does not run, or is none; allowed: 1, 2, 3, 4, 5, 6"),
        (ANY_TWO, "az-a,b", "'az-a,b' are no two AZs"),
        ("b", "", "there is no row 'b'; allowed: az-a, az-b, az-c"),
    ]
    for key, pick, words in asked:
        assert main([str(file), "--row", key, "--pick", pick]) == 2
        assert capsys.readouterr().err.startswith(words)
    assert main([str(file), "--edits", '{"dies": "x"}']) == 2
    assert "dies is 'x'" in capsys.readouterr().err


def test_two_azs_that_are_lost_take_what_stands_in_both() -> None:
    loss = az_loss(cluster(SPREAD), ("az-a", "az-c"), "dark")
    assert (loss.brokers, loss.controllers, loss.has_majority) == ((3, 6, 2, 5), (100, 102), True)
    found = cell(cluster(SPREAD), ANY_TWO, "all")
    assert all(part.write_us == UNTIL_BACK for part in found.parts if not part.is_internal)


def test_what_is_lost_with_the_disks_is_what_a_run_loses_whose_brokers_start_again_with_empty_ones() -> None:
    """Whole logs, of partitions too whose only other copy is outside the ISR: the next leader's disk is empty (ELR-6).

    Level lags by nothing, and truncates to that leader's log all the same.
    """
    plain = to_plain(cluster(SINGLE, SPREAD, ("lags", 1, ["5,1"]), ("level", 1, ["2,4"]), log_end=700))
    for topic in plain["topics"]:
        if topic["name"] in ("lags", "level"):
            leader = topic["assignment"][0][0]
            topic["initial"]["0"] |= {"isr": [leader], "lag": {str(topic["assignment"][0][1]): 0}}
        if topic["name"] == "lags":
            topic["initial"]["0"]["lag"] = {"1": 250}
    plain["cluster"]["config"]["replica.lag.time.max.ms"] = 300_000
    plain["timeline"] = [{"at": "0s", "do": "cut 1|5"}, {"at": "0s", "do": "cut 4|2"}]
    plain["producers"] = [one for one in plain["producers"] if one["topic"] != "level"]
    doc = load(plain)
    loss = loss_of(doc, "az-c")
    found = {part.topic: part for part in az_run.run_cell(doc, loss, "all", GONE).parts}
    assert (found["single"].log, found["lags"].log, found["level"].log) == ("whole", "tail", "tail")
    made = az_run.cell_document(doc, loss, "all")
    world = build(made)
    world.run(made.until_us)
    for broker in loss.brokers:
        world.act(made.until_us + 1, f"start {broker} empty")
    world.act(made.until_us + 30_000_000, "elect preferred all")  # a broker on a new disk waits for an election (DIR-3)
    world.run(made.until_us + 60_000_000)
    verdict: Any = world.verdict()
    for topic in verdict["topics"]:
        part = found.get(topic["topic"])
        of_cell = (0, 0) if part is None else (part.lost, part.lost_before)
        assert of_cell == (topic["lost"], topic["lost_before"]), topic["topic"]


def test_no_observer_counts_for_what_acks_all_asks_for() -> None:
    """OBS-1, HW-3: three replicas, one of them an observer, and min.insync.replicas=3: two in sync are enough."""
    plain = to_plain(cluster(("watched", 3, ["1,2,3"])))
    plain["topics"][0] |= {"observers": [3], "initial": {"0": {"leader": 1, "isr": [1, 2]}}}
    doc = load(plain)
    states = *partition_states.at_start(doc), *partition_states.at_moment(build(doc))
    assert [state.min_isr for state in states if state.topic == "watched"] == [2, 2]
