"""The price of plans: counted again by another way, on random documents, and rules of single figures."""

import re
from dataclasses import replace
from random import Random

import pytest

from simengine.commands.plans import line_of
from simengine.kafka.log.log import BEFORE_RUN
from simengine.plans.call_spans import CallSpans
from simengine.plans.documents import BACK, WAYS, S, Times, documents_of
from simengine.plans.origins import Origins
from simengine.plans.price import down_us
from simengine.plans.sample import TOPICS_MAX
from simengine.plans.setups import SETUPS
from simengine.plans.table import row_of
from simengine.scenario import load, to_plain
from simengine.world.mirrors.counted import counted_copy
from simengine.world.world import build
from tests.documents.test_plans import LOSS
from tests.long_form import runs
from tests.mirror.documents import SYNCED, Plain, cluster, mirrored
from tests.recount.plans import PlanRecount
from tests.recount.random_pairs import random_pair, random_times


@pytest.mark.parametrize("seed", range(runs("random pairs of clusters whose plans are counted again")))
def test_the_price_of_each_plan_is_that_of_a_second_account(seed: int) -> None:
    draw, plans = Random(seed), {**WAYS, **SETUPS}
    pair, times, leaves_running = random_pair(draw), random_times(draw), draw.random() < 0.3
    for key, doc in documents_of(plans, load(pair), "east", "west", times, leaves_running).made.items():
        row = row_of(key, plans[key], doc)
        counted = PlanRecount(build(doc)).counted()
        assert {name: row[name] or 0 for name in counted} == counted, key
        left = [one["rpo_records"] for one in row["failovers"][:1] if one["mirrored"]]
        assert left in ([], [row["left"]]), key


def test_offsets_that_are_used_again_are_other_records() -> None:
    """A start with empty disks: a copy of a copy would point in a circle if offsets were records."""
    config = {**SYNCED, "refresh.topics.interval.seconds": 5}
    given = load(mirrored(config, rate=5, network={"latency": "20ms"}))
    doc = documents_of({"rebuild": WAYS["rebuild"]}, given, *LOSS, leaves_running=True).made["rebuild"]
    row = row_of("rebuild", WAYS["rebuild"], doc)
    counted = PlanRecount(build(doc)).counted()
    assert {name: row[name] for name in counted} == counted
    assert row["unread"] > 0


def prices(plain: Plain) -> dict[str, Plain]:
    made = documents_of(WAYS, load(plain), *LOSS).made
    return {key: row_of(key, WAYS[key], doc) for key, doc in made.items()}


def test_records_that_stand_twice_after_the_identity_policy_copied_them_back_count() -> None:
    found = prices(mirrored({**SYNCED, "emit.checkpoints.interval.seconds": 5}, rate=5))
    assert found["identity"]["standing"] > 90, "all that east had written in 20 s"
    assert found["swap"]["standing"] == found["rebuild"]["standing"] == found["dual-run"]["standing"] == 0


def test_silence_between_records_is_no_downtime() -> None:
    """One record in two seconds: nobody waits but while clients have no cluster."""
    plain = mirrored(SYNCED)
    plain["clusters"]["east"]["producers"][0]["rate"] = 0.5
    for row in prices(plain).values():
        assert 12 * S < row["writes_down_us"] < 18 * S, "lost at 20 s, and open in west at 35 s"


def test_what_nobody_does_has_no_figure() -> None:
    plain = mirrored()
    plain["clusters"]["east"]["consumers"] = []
    row = prices(plain)["swap"]
    assert [row[key] for key in ("unread", "doubled", "out_of_order", "reads_down_us")] == [None] * 4
    assert row["writes_down_us"] > 10 * S


def test_a_reader_of_a_silent_topic_on_the_standby_is_not_down() -> None:
    """It reads west's own orders and audit: what is written in east reaches neither, except by a failover."""
    plain = mirrored(SYNCED)
    local = {"id": "L", "group": "local", "topics": ["orders", "audit"], "config": {"auto.offset.reset": "earliest"}}
    writer = {"id": "W", "topic": "audit", "rate": 5}
    plain["clusters"]["west"] = cluster("orders", "audit", producers=[writer], consumers=[local])
    doc = documents_of({"swap": WAYS["swap"]}, load(plain), *LOSS).made["swap"]
    alone = documents_of({"swap": WAYS["swap"]}, load(mirrored(SYNCED)), *LOSS).made["swap"]
    row, usual = (row_of("swap", WAYS["swap"], one) for one in (doc, alone))
    assert abs(row["reads_down_us"] - usual["reads_down_us"]) < 5 * S
    assert row["unread"] == usual["unread"]


def test_a_plan_whose_flow_back_cannot_make_its_topics_says_what_follows() -> None:
    two = {f"{key}.replication.factor": 2 for key in ("offset.storage", "checkpoints.topic", "heartbeats.topic")}
    plain = mirrored({**SYNCED, **two, "offset-syncs.topic.replication.factor": 3})
    plain["clusters"]["west"]["cluster"]["brokers"] = [0, 1]
    refused = documents_of(WAYS, load(plain), *LOSS).refused["swap"]
    assert refused == (
        "west has 2 brokers, and MirrorMaker cannot make mm2-offset-syncs.east.internal with 3 replicas. Kafka refuses "
        "the topic, and the flow copies nothing. With offset-syncs.topic.replication.factor of 1 to 2 it would run."
    )


def test_a_plan_whose_way_back_does_not_end_says_so_and_what_is_only_in_the_other_cluster() -> None:
    """Clients go back 1 s after MirrorMaker has begun to fill the empty east, and the run ends 3 s after the groups."""
    soon = replace(LOSS[2], copy_back=21 * S, settle=3 * S)
    plain = mirrored({**SYNCED, "topics": "orders"})
    plain["clusters"]["west"] = cluster("audit", producers=[{"id": "W", "topic": "audit", "rate": 10}])
    for given, of_audit in ((mirrored(SYNCED), 0), (plain, 10)):
        doc = documents_of(WAYS, load(given), *LOSS[:2], soon).made["rebuild"]
        row = row_of("rebuild", WAYS["rebuild"], doc)
        back = row["failovers"][-1]
        assert (back["from"], back["rto_us"], back["rpo_records"] > 3000) == ("west", -1, True)
        at_end = of_audit * doc.until_us // S
        told = re.fullmatch(
            "The way from west to east did not end: groups have not read east to its end. "
            r"Only in west: ([\d,]+) records when clients moved, ([\d,]+) at the end.",
            row["not_over"],
        )
        assert told is not None, row["not_over"]
        moved, left = (int(number.replace(",", "")) for number in told.groups())
        assert (moved, at_end - 5 <= left <= at_end) == (back["rpo_records"], True), row["not_over"]


@pytest.mark.parametrize(("paused", "is_over"), [([(81, "pause")], False), ([(81, "pause"), (125, "resume")], True)])
def test_a_way_back_is_over_when_the_clients_that_moved_find_all(paused: list[tuple[int, str]], is_over: bool) -> None:
    """The flow back stands still from its start on: groups are soon at the end of an empty topic."""
    made = documents_of(WAYS, load(mirrored(SYNCED, rate=5)), *LOSS).made["rebuild"]
    plain = to_plain(made)
    plain["timeline"] += [{"at": f"{at}s", "do": f"{verb} {BACK}"} for at, verb in paused]
    plain["timeline"].sort(key=lambda entry: float(entry["at"].removesuffix("s")))
    row = row_of("rebuild", WAYS["rebuild"], load(plain))
    assert row["failovers"][-1]["rto_us"] > 0, "groups have read what is there"
    told = "The way from west to east did not end: clients moved before the copy was complete, and it is not complete "
    assert (row["not_over"] == "", row["not_over"].startswith(told)) == (is_over, not is_over), row["not_over"]


def test_a_plan_that_ends_has_nothing_that_is_not_over() -> None:
    for key, row in prices(mirrored(SYNCED)).items():
        assert row["not_over"] == "", key


@pytest.mark.parametrize(
    ("waits", "down"),
    [
        ([(0, 10), (2 * S, 2 * S + 10)], 0),
        ([(0, 3 * S)], 3 * S),
        ([(0, 4 * S), (1 * S, 4 * S), (2 * S, 5 * S)], 5 * S),
        ([(0, 99 * S), (3 * S, 3 * S + 10)], 3 * S + 10),  # it failed, and its application went on
        ([(0, 2 * S), (5 * S, 8 * S)], 5 * S),
    ],
)
def test_downtime_is_the_time_in_which_calls_wait(waits: list[tuple[int, int]], down: int) -> None:
    assert down_us(waits) == down


def test_plans_of_many_topics_run_a_sample_of_them() -> None:
    names = [f"t{n}" for n in range(150)]
    producers = [{"id": name, "topic": name, "rate": 1} for name in names]
    reader = {"id": "C", "group": "g", "topics": names, "committed": [[name, 0, 0] for name in names]}
    plain = mirrored()
    plain["clusters"]["east"] = cluster(*names, producers=producers, consumers=[reader])
    found = documents_of(WAYS, load(plain), "east", "west", Times())
    east = found.made["dual-run"].clusters["east"]
    assert len(east.topics) == len(east.producers) == len(east.consumers[0].topics) <= TOPICS_MAX
    assert [topic for topic, _, _ in east.consumers[0].committed] == east.consumers[0].topics
    assert found.sample.startswith("8 of 150 topics run")


def test_plans_of_many_records_write_a_part_of_them() -> None:
    found = documents_of(WAYS, load(mirrored(rate=1000)), "east", "west", Times())
    assert found.made["swap"].clusters["east"].producers[0].rate_milli < 60_000
    assert found.sample.startswith("Producers write 1 of ")


def test_a_history_of_many_records_is_followed_as_one_range() -> None:
    """Each of 110,000 records alone took most of the time of a plan."""
    plain = mirrored(SYNCED, rate=5)
    state = {"leader": 0, "isr": [0, 1, 2], "leo": 110_000}
    for name, topic in (("east", "orders"), ("west", "east.orders")):
        plain["clusters"][name]["topics"] = [{"name": topic, "assignment": [[0, 1, 2]], "initial": {"0": state}}]
    plain["mirrors"][0]["history"] = True
    world = build(load(plain))
    world.run(10 * S)
    west = world.cluster_runs[1].parts
    p = west.partition_index["east.orders", 0]
    copy = counted_copy(west.cluster, p)
    assert copy is not None
    log = copy.log
    first, *later = Origins(world).in_log(p, log, 0, int(log.leo))
    source_p = world.cluster_runs[0].parts.partition_index["orders", 0]
    assert first == ((source_p, BEFORE_RUN, 0), 110_000)
    assert sum(count for _, count in later) == int(log.leo) - 110_000 > 0


def test_calls_are_counted_once_however_often_they_are_added() -> None:
    one, other = CallSpans(), CallSpans()
    for n, count in ((0, 10), (5, 10), (30, 1)):
        one.add(((0, 7, n), count))
    other.add(((0, 7, 14), 100))
    other.add(((1, 7, 0), 100))
    assert (one.added, one.count(), one.common(other).count()) == (21, 16, 2)


def test_a_rebuilt_cluster_with_elr_gets_leaders_by_an_unclean_election() -> None:
    """No replica that lost its disk is eligible (KIP-966): without an election nobody would ever write there."""
    plain = mirrored(SYNCED, rate=5)
    plain["clusters"]["east"] |= {"profile": "4.2", "elr": True}
    made = documents_of(WAYS, load(plain), *LOSS)
    assert "an unclean election gives each partition a leader." in made.abouts["rebuild"]
    row = row_of("rebuild", WAYS["rebuild"], made.made["rebuild"])
    assert (row["not_over"], row["idle"], row["unread"]) == ("", [], 0)


def test_a_group_that_reads_copies_in_both_clusters_from_the_start_reads_nothing_twice_by_that() -> None:
    """Its members in each cluster are a reader of their own: before any loss each of them gets each record once."""
    plain = mirrored({**SYNCED, "topics": "orders"}, rate=5)
    plain["mirrors"].append({**plain["mirrors"][0], "source": "west", "target": "east", "process": "back"})
    reader = plain["clusters"]["east"]["consumers"][0]
    writer = {"id": "W", "topic": "orders", "rate": 5}
    there = {**reader, "id": "V", "topics": ["orders", "east.orders"]}
    plain["clusters"]["west"] = cluster("orders", producers=[writer], consumers=[there])
    reader["topics"] = ["orders", "west.orders"]
    row = row_of("dual-run", WAYS["dual-run"], documents_of(WAYS, load(plain), *LOSS).made["dual-run"])
    assert row["doubled"] < 100, "those after the loss; 5 + 5 a second for 20 s were read in both"


def test_what_others_write_in_the_cluster_to_which_a_group_moves_is_not_due_to_it() -> None:
    """West has an orders of its own, which the group reads after its move, since the copies bear the same name."""
    plain = mirrored({**SYNCED, "topics": "orders"}, rate=5)
    plain["clusters"]["west"] = cluster("orders", producers=[{"id": "W", "topic": "orders", "rate": 20}])
    for key, doc in documents_of(WAYS, load(plain), *LOSS).made.items():
        row = row_of(key, WAYS[key], doc)
        assert row["unread"] < 100, f"{key}: 20 a second for minutes are none of its records"


def test_records_of_different_applications_are_not_out_of_order_to_each_other() -> None:
    """Copies of what west writes come to east later than what east writes meanwhile; no order holds between them."""
    plain = mirrored({**SYNCED, "topics": "orders"}, rate=20, network={"latency": "60ms"})
    plain["mirrors"].append({**plain["mirrors"][0], "source": "west", "target": "east", "process": "back"})
    plain["clusters"]["west"] = cluster("orders", producers=[{"id": "W", "topic": "orders", "rate": 20}])
    plain["clusters"]["east"]["consumers"][0]["topics"] = ["orders", "west.orders"]
    row = row_of("passive", SETUPS["passive"], documents_of(SETUPS, load(plain), *LOSS).made["passive"])
    assert row["out_of_order"] < 50, "20 a second for 20 s were read beside each other"


def test_a_group_that_nobody_moves_is_named_with_its_own_figures() -> None:
    """A standby reads the copies, and the flow to them stays stopped: the most of what is not read is its own."""
    plain = mirrored({**SYNCED, "topics": "orders"}, rate=5)
    standby = {"id": "D", "group": "standby", "topics": ["east.orders"]}
    plain["clusters"]["west"] = cluster("orders", consumers=[standby])
    row = row_of("swap", WAYS["swap"], documents_of(WAYS, load(plain), *LOSS).made["swap"])
    by_group = {one["group"]: one for one in row["groups"]}
    assert {group: one["stays_on"] for group, one in by_group.items()} == {"g": "", "standby": "east.orders"}
    assert row["unread"] == sum(one["unread"] for one in by_group.values())
    assert row["reads_down_us"] == by_group["standby"]["reads_down_us"] > by_group["g"]["reads_down_us"]
    told = line_of(row).split("\n")[1:3]
    assert told[0].startswith(f"  not read: {by_group['standby']['unread']:,} of standby, which stays on east.orders")
    assert told[1].startswith("  reads down: ")
    assert line_of(prices(mirrored(SYNCED))["swap"]).count("\n") == 0, "one group that moves has the figures of the row"
