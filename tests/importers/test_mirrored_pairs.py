"""Pastes of two clusters between which MirrorMaker runs: from the import to a run."""

from typing import Any

import pytest

from simengine.importers.mirror_paste import read_mirrors, with_mirrors
from simengine.importers.report import import_text
from simengine.importers.sites import joined
from simengine.questions.az.site_rows import site_rows
from simengine.scenario import load
from simengine.world.mirrors.lag import lag_of
from simengine.world.world import build

Plain = dict[str, Any]
SECOND = 1_000_000
OWN = {
    "east": ("mm2-offset-syncs.west.internal", "__consumer_offsets"),
    "west": (
        "mm2-offsets.east.internal",
        "mm2-status.east.internal",
        "east.checkpoints.internal",
        "heartbeats",
        "__consumer_offsets",
    ),
}
PAIR = """clusters = east, west
east->west.enabled = true
east->west.topics = orders
sync.group.offsets.enabled = true
emit.checkpoints.interval.seconds = 5
sync.group.offsets.interval.seconds = 5
"""
IDENTITY = PAIR + "replication.policy.class = org.apache.kafka.connect.mirror.IdentityReplicationPolicy\n"
HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def listing(*topics: str) -> str:
    return "".join(
        f"Topic: {name}\tTopicId: 4203002314059244abcdAA\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: \n"
        f"\tTopic: {name}\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n"
        for name in topics
    )


def group(name: str, topic: str, offset: int, end: int, member: str = "c-1") -> str:
    return f"{name} {topic} 0 {offset} {end} {end - offset} {member} /10.0.0.5 {member}\n"


def pasted(texts: dict[str, str], mirrors: str = PAIR) -> tuple[Plain, Plain]:
    parts = {name: import_text(text)["scenario"] for name, text in texts.items()}
    return with_mirrors(joined(parts), read_mirrors(mirrors.encode()))


def verdict_of(document: Plain, seconds: int = 20) -> Plain:
    world = build(load(document))
    world.run(seconds * SECOND)
    found: Any = world.verdict()
    return dict(found)


def clients(document: Plain, cluster: str) -> tuple[list[str], list[str]]:
    part = document["clusters"][cluster]
    return [one["topic"] for one in part["producers"]], [one["group"] for one in part["consumers"]]


def ends(document: Plain, cluster: str) -> dict[str, int]:
    return {one["name"]: one["initial"]["0"]["leo"] for one in document["clusters"][cluster]["topics"]}


EAST = listing("orders", *OWN["east"]) + HEAD + group("billing", "orders", 980, 1000)
WEST = listing("east.orders", "local", *OWN["west"])


def test_mirrormakers_own_topics_and_remote_topics_have_no_clients_of_applications() -> None:
    document, told = pasted({"east": EAST, "west": WEST})
    assert clients(document, "east") == (["orders"], ["billing"])
    assert clients(document, "west") == (["local"], ["readers-west", "billing"])
    assert told["history"] == ["east->west has run before: east.orders on west holds its copies, all of them."]
    assert document["about"].endswith(told["history"][0])
    [flow] = verdict_of(document)["mirrors"]
    [orders] = flow["topics"]
    assert (orders["doubled"], orders["disagree"], orders["skipped"]) == (0, 0, 0)
    assert orders["mirrored"] > 1100


def test_committed_offsets_stay_as_pasted_and_those_on_the_target_are_what_a_sync_has_left() -> None:
    document, _ = pasted({"east": EAST, "west": WEST})
    [billing] = document["clusters"]["east"]["consumers"]
    assert billing["committed"] == [["orders", 0, 980]]
    synced = document["clusters"]["west"]["consumers"][-1]
    assert (synced["committed"], synced["state"]) == ([["east.orders", 0, 809]], "closed")
    [flow] = verdict_of(document, 0)["mirrors"]
    assert [(one["group"], one["source"], one["continues"], one["rereads"]) for one in flow["groups"]] == [
        ("billing", 980, 809, 171)
    ]


def test_a_remote_topic_is_mirrored_up_to_the_end_that_a_group_of_the_target_tells() -> None:
    west = WEST + HEAD + group("billing", "east.orders", 950, 960, "-")
    document, told = pasted({"east": EAST, "west": west})
    assert (ends(document, "east")["orders"], ends(document, "west")["east.orders"]) == (1000, 960)
    assert "holds its copies, all but 40 that wait." in told["history"][0]
    billing = document["clusters"]["west"]["consumers"][0]
    assert (billing["committed"], billing["state"]) == ([["east.orders", 0, 950]], "closed")
    [flow] = verdict_of(document, 0)["mirrors"]
    assert flow["topics"][0]["not_mirrored"] == 40
    assert flow["groups"][0]["continues"] == 950


def test_offsets_in_millions_are_moved_on_both_sides_and_keep_the_lag() -> None:
    east = listing("orders") + HEAD + group("billing", "orders", 48_211_300, 48_211_337)
    west = listing("east.orders") + HEAD + group("billing", "east.orders", 48_211_200, 48_211_330, "-")
    document, told = pasted({"east": east, "west": west})
    assert (ends(document, "east")["orders"], ends(document, "west")["east.orders"]) == (211_337, 211_330)
    assert "all but 7 that wait." in told["history"][0]


def test_with_the_identity_policy_the_topic_of_the_same_name_is_the_remote_one() -> None:
    document, told = pasted({"east": EAST, "west": listing("orders", "local", *OWN["west"])}, IDENTITY)
    assert clients(document, "west") == (["local"], ["readers-west", "billing"])
    assert "orders on west holds its copies" in told["history"][0]
    [flow] = verdict_of(document)["mirrors"]
    assert flow["topics"][0]["doubled"] == 0


def test_two_flows_have_each_their_own_remote_topics() -> None:
    both = PAIR + "west->east.enabled = true\nwest->east.topics = orders\n"
    east, west = listing("orders", "west.orders", *OWN["east"]), listing("orders", "east.orders", *OWN["west"])
    document, told = pasted({"east": east, "west": west}, both)
    assert clients(document, "east")[0] == clients(document, "west")[0] == ["orders"]
    assert len(told["history"]) == 2
    verdict = verdict_of(document)
    assert [topic["doubled"] for flow in verdict["mirrors"] for topic in flow["topics"]] == [0, 0]


def test_an_empty_standby_has_no_clients_and_no_history() -> None:
    document, told = pasted({"east": EAST, "west": listing("__consumer_offsets")})
    assert clients(document, "west") == ([], [])
    assert told["history"] == []
    [flow] = verdict_of(document)["mirrors"]
    assert flow["topics"][0]["mirrored"] > 1000
    assert "starts it at" in flow["groups"][0]["sentence"] or flow["groups"][0]["continues"] >= 0


def test_an_assumed_group_is_on_one_site_only() -> None:
    document, _ = pasted({"east": listing("orders"), "west": listing("local")})
    assert clients(document, "east")[1] == ["readers-east"]
    assert clients(document, "west")[1] == ["readers-west"]
    load(document)


@pytest.mark.parametrize(
    "topic", ["mm2-offset-syncs.west.internal", "east.checkpoints.internal", "__amazon_msk_canary"]
)
def test_internal_topics_of_one_pasted_cluster_have_no_clients(topic: str) -> None:
    scenario = import_text(listing("orders", topic))["scenario"]
    assert [one["topic"] for one in scenario["producers"]] == ["orders"]
    assert [one["topics"] for one in scenario["consumers"]] == [["orders"]]


def test_a_topic_named_after_the_source_has_no_clients_though_the_source_does_not_list_it() -> None:
    west = listing("east.gone", "east.heartbeats", "local")
    document, told = pasted({"east": listing("orders"), "west": west})
    assert clients(document, "west") == (["local"], ["readers-west"])
    assert told["history"] == []


def test_heartbeats_of_the_source_have_no_clients_though_no_flow_leads_there() -> None:
    """A dedicated MirrorMaker writes heartbeats to both clusters."""
    document, _ = pasted({"east": listing("orders", "heartbeats"), "west": WEST})
    assert clients(document, "east") == (["orders"], ["readers-east"])


def test_copies_have_no_clients_though_their_flow_is_off() -> None:
    back = "clusters = east, west\nwest->east.enabled = true\neast->west.enabled = false\n"
    document, _ = pasted({"east": EAST, "west": WEST}, back)
    assert clients(document, "west") == (["local"], ["readers-west"])


def test_heartbeats_have_no_clients_without_a_heartbeat_connector() -> None:
    document, _ = pasted({"east": EAST, "west": WEST}, PAIR + "emit.heartbeats.enabled = false\n")
    assert clients(document, "west")[0] == ["local"]


def test_a_separator_of_its_own_tells_the_remote_topics() -> None:
    mirrors = PAIR + "replication.policy.separator = _\n"
    document, told = pasted({"east": EAST, "west": listing("east_orders", "east.orders")}, mirrors)
    assert clients(document, "west")[0] == [], "east.orders is a copy by its name"
    assert "east_orders on west holds its copies" in told["history"][0]


def failover_of(document: Plain, seconds: int = 10) -> Plain:
    """The failover of a pair in which east is lost and its group moves."""
    client = document["clusters"]["east"]["consumers"][0]["id"]
    loss = [
        {"at": f"{seconds}s", "do": "kill-site east"},
        {"at": f"{seconds + 2}s", "do": f"move east/{client} west"},
    ]
    found: Any = verdict_of({**document, "timeline": loss}, seconds + 5)
    [failover] = found["failovers"]
    return dict(failover)


def test_what_was_mirrored_before_the_run_is_not_behind() -> None:
    """The worst lag once counted the whole pasted history until the first copy of each partition."""
    east = (
        listing("orders", "audit") + HEAD + group("billing", "orders", 980, 1000) + group("billing", "audit", 1, 1000)
    )
    west = listing("east.orders", "east.audit") + HEAD + group("billing", "east.audit", 900, 992, "-")
    document, _ = pasted({"east": east, "west": west}, PAIR.replace("topics = orders", "topics = orders, audit"))
    failover = failover_of(document)
    assert 8 <= failover["lag_records"][2] < 30, failover["lag_records"]
    assert failover["lag_us"][2] < 10 * SECOND


def test_a_mirror_that_copies_nothing_in_the_run_is_behind_from_the_end_of_its_copies() -> None:
    document, _ = pasted({"east": EAST, "west": WEST + HEAD + group("billing", "east.orders", 950, 960, "-")})
    world = build(load({**document, "timeline": [{"at": "0s", "do": "pause mirror-maker"}]}))
    world.run(10 * SECOND)
    lag = lag_of(world.mirrors, "east->west")
    written = 10 * document["clusters"]["east"]["producers"][0]["rate"]
    assert lag is not None
    assert 40 + written / 2 < lag.records[2] <= 40 + written


@pytest.mark.parametrize("mirrors", [PAIR, IDENTITY])
def test_copies_of_a_topic_that_the_flow_no_longer_names_are_not_only_in_the_source(mirrors: str) -> None:
    """``topics`` was narrowed: east.audit still stands on west, up to where it was copied."""
    west = listing("east.orders", "east.audit", *OWN["west"]) + HEAD + group("g", "east.audit", 900, 960, "-")
    document, _ = pasted({"east": EAST + listing("audit"), "west": west}, mirrors)
    audit = next(one for one in document["clusters"]["east"]["topics"] if one["name"] == "audit")
    assert audit["initial"]["0"]["leo"] == 1000
    failover = failover_of(document)
    [alone] = failover["unmirrored"]
    written = sum(one.get("rate", 0) for one in document["clusters"]["east"]["producers"] if one["topic"] == "audit")
    assert alone["topic"] == "audit"
    assert 40 < alone["records"] <= 40 + 10 * written
    assert alone["assumed"] == 40
    assumed = "(40 of them are assumed: no listing tells where the log ends)"
    assert f"audit has no mirror: {alone['records']} records stay in east {assumed}." in failover["sentence"]


def test_records_of_a_log_whose_end_a_group_tells_are_not_assumed() -> None:
    east = EAST + listing("audit") + HEAD + group("auditors", "audit", 500, 500)
    [alone] = failover_of(pasted({"east": east, "west": WEST})[0])["unmirrored"]
    assert (alone["topic"], alone["assumed"]) == ("audit", 0)
    assert alone["records"] > 500


def test_topics_that_mirrormaker_keeps_are_not_left_without_a_mirror() -> None:
    """Connect's topics and the copies' heartbeats stand in the lost cluster, and no application misses them."""
    both = PAIR + "west->east.enabled = true\nwest->east.topics = orders\n"
    own = ("mm2-configs.west.internal", "mm2-status.west.internal", "west.heartbeats", "heartbeats", *OWN["east"])
    document, _ = pasted({"east": listing("orders", *own) + HEAD + group("b", "orders", 9, 10), "west": WEST}, both)
    assert failover_of(document)["unmirrored"] == []


@pytest.mark.parametrize("more", ["", "emit.heartbeats.enabled = false\n"])
def test_heartbeats_that_a_paste_lists_count_in_no_lag_and_no_rpo(more: str) -> None:
    """MirrorMaker writes them to both clusters, and copies those of the source: 1,000 records that nobody misses."""
    east = listing("orders", "heartbeats") + HEAD + group("billing", "orders", 980, 1000)
    document, _ = pasted({"east": east, "west": WEST}, PAIR + more)
    failover = failover_of(document)
    assert failover["rpo_records"] <= failover["lag_records"][2] < 30
    [flow] = verdict_of(document)["mirrors"]
    assert [topic["topic"] for topic in flow["topics"]] == ["orders"]
    assert not any("heartbeats" in line for line in next(site_rows(load(document)))["by_rule"])


def test_the_lag_begins_when_a_topic_with_history_has_been_copied_once_and_counts_all_mirrored_topics() -> None:
    """East's audit holds 1,000 records, and west has no copy of it yet."""
    east = listing("orders", "audit") + HEAD + group("billing", "orders", 980, 1000)
    both = PAIR.replace("topics = orders", "topics = orders, audit")
    document, _ = pasted({"east": east, "west": listing("east.orders")}, both)
    failover = failover_of(document, 40)
    assert failover["lag_records"][2] < 30
    left_out = "The time in which it copied what stood in east at its start is left out."
    assert "While its process ran, the mirror was " in failover["sentence"] and left_out in failover["sentence"]
    soon = failover_of({**document, "network": {"latency": "400ms"}}, 2)
    assert soon["rpo_records"] > 1000
    assert "lag_records" not in soon
    assert (
        "The mirror had not yet copied what stood in east at its start, so no range of its lag is told."
        in soon["sentence"]
    )


@pytest.mark.parametrize("separator", [".", "-", "_"])
@pytest.mark.parametrize("mirrors", [PAIR, IDENTITY, ""])
def test_a_copy_under_another_separator_has_no_clients_of_applications(separator: str, mirrors: str) -> None:
    copy = f"east{separator}orders"
    texts = {"east": EAST, "west": listing(copy, "local", "east-other", *OWN["west"])}
    parts = {name: import_text(text)["scenario"] for name, text in texts.items()}
    document = joined(parts)
    if mirrors:
        document, _ = with_mirrors(document, read_mirrors(mirrors.encode()))
    assert clients(document, "west")[0] == ["local", "east-other"], "east lists no topic other"
    line = f"west: {copy}: a copy of east/orders (by its name, so without clients; a rate of its own gives it some)"
    assert line in document["about"].split("\n")


def test_topics_in_which_connect_keeps_its_state_have_no_clients_and_nobody_misses_them() -> None:
    """Strimzi's MirrorMaker runs on Connect, whose topics have names of their own."""
    own = [f"mirrormaker2-cluster-{what}" for what in ("offsets", "configs", "status")]
    both = PAIR + "west->east.enabled = true\nwest->east.topics = none\n"
    document, _ = pasted({"east": listing("orders", *own), "west": listing("east.orders", "order-status")}, both)
    assert (clients(document, "east")[0], clients(document, "west")[0]) == (["orders"], ["order-status"])
    assert f"east: internal topics: {', '.join(own)} (without clients: only brokers, Connect" in document["about"]
    assert failover_of(document)["unmirrored"] == []


def test_a_topic_of_a_copys_name_with_a_rate_of_its_own_is_written_by_an_application() -> None:
    east = import_text(EAST)["scenario"]
    west = import_text(listing("east-orders", "local"), {"rates": {"east-orders": 5}})["scenario"]
    document = joined({"east": east, "west": west})
    assert clients(document, "west") == (["east-orders", "local"], ["readers-west"])
    assert "a copy of" not in document["about"]


def test_the_paste_of_a_source_alone_gives_mirrormakers_topics_no_clients() -> None:
    """The same rule as for a pair; a group of the paste shows that somebody reads such a topic."""
    own = ("heartbeats", "mm2-offset-syncs.west.internal", "connect-offsets")
    alone = import_text(listing("orders", *own))["scenario"]
    assert [one["topic"] for one in alone["producers"]] == ["orders"]
    assert [one["topics"] for one in alone["consumers"]] == [["orders"]]
    read = import_text(listing("orders", *own) + HEAD + group("monitor", "heartbeats", 5, 5))["scenario"]
    assert [one["topic"] for one in read["producers"]] == ["orders", "heartbeats"]


def test_a_group_that_reads_a_topic_without_a_mirror_is_told_that_it_finds_no_copy() -> None:
    east = listing("orders", "local") + HEAD + group("audit", "local", 5, 5)
    document, _ = pasted({"east": east, "west": listing("east.orders")})
    rows = list(site_rows(load(document)))
    [east_row] = [row for row in rows if row["site"] == "east"]
    assert "audit finds no copy of local on west." in east_row["in_run"]
