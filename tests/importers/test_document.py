"""The scenario that a paste becomes: its state, its repairs, what is assumed, and how assumptions are edited."""

from typing import Any

import pytest

from simengine.importers.assumed import AssumedError
from simengine.importers.report import import_text
from simengine.scenario import load
from simengine.world.world import build
from tests.importers import samples
from tests.importers.test_describe import header, row

SECOND = 1_000_000


def scenario_of(
    text: str, changes: dict[str, Any] | None = None, racks: dict[int, str] | None = None
) -> dict[str, Any]:
    """The document of a paste, which also loads."""
    scenario: dict[str, Any] = import_text(text, changes, racks)["scenario"]
    load(scenario)
    return scenario


def states(scenario: dict[str, Any]) -> dict[int, str]:
    return {broker["id"]: broker["state"] for broker in scenario["cluster"]["brokers"]}


def assumptions(text: str, changes: dict[str, Any] | None = None) -> dict[str, Any]:
    return {entry["key"]: entry["value"] for entry in import_text(text, changes)["assumptions"]}


@pytest.mark.parametrize("text", [samples.MODERN, samples.OLD, samples.VERY_OLD, samples.KCAT, samples.KCAT_JSON])
def test_every_sample_becomes_a_document_that_runs(text: str) -> None:
    world = build(load(scenario_of(text)))
    world.run(2 * SECOND)
    assert world.verdict()["balance_ok"]


def test_a_run_starts_in_the_pasted_state() -> None:
    view: Any = build(load(scenario_of(samples.MODERN))).snapshot()
    first = view["partitions"][0]
    assert (first["leader"], first["isr"]) == (1, [1, 2])
    leaderless = view["partitions"][3]
    assert (leaderless["leader"], leaderless["isr"], leaderless["elr"]) == (-1, [], [3])
    assert view["brokers"]["3"]["process"] == "down"


def test_a_broker_in_no_isr_of_a_led_partition_is_down_and_says_why() -> None:
    found = [entry for entry in import_text(samples.MODERN)["assumptions"] if entry["key"] == "broker 3"]
    assert found[0]["value"] == "down"
    assert "ISR" in found[0]["why"]


def test_a_broker_that_is_the_whole_isr_of_a_leaderless_partition_is_down() -> None:
    assert states(scenario_of(header() + row(leader="none", replicas="1,2", isr="2") + row(1))) == {
        1: "running",
        2: "running",
        3: "running",
    }
    assert states(scenario_of(header() + row(leader="none", replicas="4", isr="4")))[4] == "down"


def test_a_broker_of_kcats_list_is_alive_even_if_it_is_in_no_isr() -> None:
    text = samples.KCAT.replace("3 brokers", "4 brokers").replace(
        " 2 topics:", "  broker 4 at b4.example:9092\n 2 topics:"
    )
    assert states(scenario_of(text))[4] == "running"


def test_a_replica_outside_the_isr_lags_by_the_stated_backlog() -> None:
    initial = scenario_of(samples.MODERN, {"backlog": 120})["topics"][0]["initial"]["0"]
    assert initial["lag"] == {"3": 120}


def test_what_has_an_effect_in_a_run_is_taken_of_a_topics_configs_and_the_rest_stays_out() -> None:
    topics = scenario_of(samples.MODERN)["topics"]
    assert [topic["config"] for topic in topics] == [
        {"min.insync.replicas": 2, "cleanup.policy": "compact,delete"},
        {},
    ]


def test_a_listing_with_elr_columns_is_4_2_and_one_without_is_older() -> None:
    assert scenario_of(samples.MODERN)["profile"] == "4.4"
    assert scenario_of(samples.MODERN)["elr"] is True
    assert scenario_of(samples.OLD)["profile"] == "3.7"


@pytest.mark.parametrize(
    ("fetch", "profile", "is_older"),
    [
        (["0 to 13"], "3.7", True),
        (["0 to 16"], "3.7", False),
        (["0 to 17"], "3.7", False),
        (["4 to 17"], "4.0", False),
        (["4 to 18"], "4.1", False),
        (["4 to 18", "4 to 17"], "4.0", False),
    ],
)
def test_the_versions_that_brokers_speak_tell_the_version_of_the_cluster(
    fetch: list[str], profile: str, is_older: bool
) -> None:
    """Of brokers of several versions the oldest counts. A listing of an old tool shows no Elr of a new cluster."""
    api = "".join(
        f"h{at}:9092 (id: {at} rack: null) -> (\n\tProduce(0): 0 to 12 [usable: 12],\n\tFetch(1): {one},\n)\n"
        for at, one in enumerate(fetch, start=1)
    )
    listing = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
    result = import_text(api + listing)
    assert result["scenario"]["profile"] == profile
    assert result["scenario"]["basis"].get("older", False) is is_older
    told = next(one for one in result["assumptions"] if one["key"] == "version")
    assert f"Fetch {fetch[-1]} of kafka-broker-api-versions.sh" in told["why"]
    named = import_text(api + listing + "apache/kafka:3.8.0\n")["scenario"]
    assert (named["profile"], named["basis"].get("older")) == ("3.7", None), "a version that is written counts more"


@pytest.mark.parametrize(
    ("configs", "isr", "told"),
    [("", "1,2,3", False), ("min.insync.replicas=1", "1,2,3", True), ("", "", True)],
    ids=["no value for all brokers (ELR-7)", "a value", "an empty ISR (ELR-3)"],
)
def test_elr_is_told_by_what_only_a_cluster_with_it_shows(configs: str, isr: str, told: bool) -> None:
    columns = "\tElr: \tLastKnownElr: \n"
    leader = "1" if isr else "none"
    text = header(configs=configs) + row(leader=leader, isr=isr).rstrip("\n") + columns
    assert scenario_of(text)["elr"] is told


def test_a_header_without_the_label_of_its_configs_tells_nothing_of_elr() -> None:
    text = header().replace("\tConfigs: ", "") + row().rstrip("\n") + "\tElr: \tLastKnownElr: \n"
    assert assumptions(text)["eligible leader replicas"] is True


def test_partitions_of_a_filtered_listing_keep_their_numbers() -> None:
    text = header(count=9) + row(3) + row(7)
    topic = scenario_of(text)["topics"][0]
    assert topic["partitions"] == [3, 7]
    assert list(topic["initial"]) == ["3", "7"]
    assert assumptions(text)["listed in part"] == "t"


def test_a_listing_without_gaps_needs_no_numbers() -> None:
    assert "partitions" not in scenario_of(header(count=2) + row(0) + row(1))["topics"][0]
    assert "listed in part" not in assumptions(header(count=2) + row(0) + row(1))
    assert assumptions(header(count=9) + row(0) + row(1))["listed in part"] == "t"


def test_a_leaderless_partition_with_a_live_isr_member_gets_the_leader_a_controller_would_elect() -> None:
    text = header(count=2) + row(0) + row(1, leader="none", isr="2")
    assert scenario_of(text)["topics"][0]["initial"]["1"]["leader"] == 2
    assert any("is alive" in entry["why"] for entry in import_text(text)["assumptions"])


def test_an_old_listing_with_an_empty_isr_names_the_replica_that_is_taken_for_it() -> None:
    text = header() + row(leader="none", replicas="5,6", isr="")
    initial = scenario_of(text)["topics"][0]["initial"]["0"]
    assert (initial["leader"], initial["isr"]) == ("none", [5])


def test_a_state_set_by_hand_moves_the_leader_away() -> None:
    scenario = scenario_of(header() + row(), {"states": {"1": "down"}})
    assert states(scenario)[1] == "down"
    assert scenario["topics"][0]["initial"]["0"]["leader"] == 2
    assert scenario["topics"][0]["initial"]["0"]["isr"] == [2, 3]


def test_replicas_in_the_middle_of_a_reassignment_may_differ_in_number() -> None:
    text = header(count=2) + row(0, replicas="1,2", isr="1,2") + row(1)
    assert [len(replicas) for replicas in scenario_of(text)["topics"][0]["assignment"]] == [2, 3]


def test_a_reassignment_in_flight_is_taken_over_as_far_as_it_can_be_true() -> None:
    moving = row(leader=1, replicas="3,1,2", isr="1,2").rstrip("\n") + "\tAdding Replicas: 3,9\tRemoving Replicas: 2\n"
    initial = scenario_of(header() + moving)["topics"][0]["initial"]["0"]
    assert (initial["adding"], initial["removing"]) == ([3], [2])
    assert assumptions(header() + moving)["reassignment"] == "t-0"


def test_internal_topics_keep_their_name_and_get_no_clients() -> None:
    text = header() + row() + (header() + row()).replace("Topic: t", "Topic: __consumer_offsets")
    scenario = scenario_of(text, {"neutral_names": True})
    assert [topic["name"] for topic in scenario["topics"]] == ["topic-1", "__consumer_offsets"]
    assert [producer["topic"] for producer in scenario["producers"]] == ["topic-1"]
    assert scenario["consumers"][0]["topics"] == ["topic-1"]
    assert assumptions(text)["internal topics"] == "__consumer_offsets"


def test_internal_topics_alone_are_treated_as_any_topic() -> None:
    scenario = scenario_of((header() + row()).replace("Topic: t", "Topic: __consumer_offsets"))
    assert [producer["topic"] for producer in scenario["producers"]] == ["__consumer_offsets"]


def test_racks_are_taken_for_brokers_and_controllers_are_spread_over_the_azs_that_have_brokers() -> None:
    cluster = scenario_of(samples.MODERN, racks={1: "east", 2: "west", 3: "west"})["cluster"]
    assert [broker["rack"] for broker in cluster["brokers"]] == ["east", "west", "west"]
    assert [controller.get("rack") for controller in cluster["controllers"]] == ["east", "west", "east"]


def test_controllers_never_take_the_id_of_a_broker() -> None:
    cluster = scenario_of(header() + row(leader=100, replicas="100,101", isr="100,101"))["cluster"]
    assert [controller["id"] for controller in cluster["controllers"]] == [102, 103, 104]


def test_neutral_names_hide_the_topics() -> None:
    scenario = scenario_of(samples.MODERN, {"neutral_names": True})
    assert [topic["name"] for topic in scenario["topics"]] == ["topic-1", "topic-2"]
    assert "parcels" not in str(scenario)
    gaps = scenario_of(header(count=9, configs="min.insync.replicas=x") + row(3) + row(7), {"neutral_names": True})
    assert "part: t " not in gaps["about"] and "of t (" not in gaps["about"]
    assert "listed in part: topic-1" in gaps["about"]


def test_edited_assumptions_reach_the_document() -> None:
    changes = {"records_per_s": "2.5", "acks": "1", "profile": "4.0", "controllers": 1, "min_insync_replicas": 2}
    scenario = scenario_of(samples.MODERN, changes)
    assert (scenario["producers"][0]["rate"], scenario["producers"][0]["acks"]) == (2.5, "1")
    assert scenario["profile"] == "4.0"
    assert len(scenario["cluster"]["controllers"]) == 1
    assert scenario["cluster"]["config"] == {"min.insync.replicas": 2}


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"records_per_s": "-1"}, r"^records/s is -1: allowed is a number from 0 to 10,000\.$"),
        ({"records_per_s": "nan"}, "^records/s is nan"),
        ({"log_end": "1e9"}, r"^records per log is 1e9: allowed is a whole number from 0 to 1,000,000\.$"),
        ({"elr": "maybe"}, "^eligible leader replicas is maybe: allowed are on and off"),
        ({"acks": "2"}, "all"),
        ({"profile": "0.8"}, "3.7"),
        ({"controllers": 0}, "^controllers is 0: allowed is a whole number from 1 to 9"),
        ({"backlog": 5_000}, r"^backlog is 5,000: allowed is a whole number from 0 to 1,000, the records per log\.$"),
        ({"colour": "red"}, "colour"),
        ({"states": {"x": "down"}}, "states"),
    ],
)
def test_a_wrong_edit_is_refused_with_what_is_allowed(changes: dict[str, Any], word: str) -> None:
    with pytest.raises(AssumedError, match=word):
        import_text(samples.MODERN, changes)


def test_the_document_tells_what_was_assumed_as_the_page_says_it() -> None:
    lines = scenario_of(samples.MODERN)["about"].splitlines()
    assert "eligible leader replicas: on (read off the Elr columns)" in lines
    assert "records per log: 1,000 (at the start, in each partition)" in lines


def test_a_topic_for_commits_that_the_listing_has_not_is_assumed() -> None:
    """CON-6."""
    assert assumptions(header() + row())["__consumer_offsets"] == "1 partition"
    both = header() + row() + (header() + row()).replace("Topic: t", "Topic: __consumer_offsets")
    assert "__consumer_offsets" not in assumptions(both)


def test_configs_that_change_nothing_in_a_run_are_said_to_be_left_out() -> None:
    idle = header().replace("Configs: ", "Configs: segment.jitter.ms=5,compression.type=zstd,")
    assert assumptions(idle + row())["left out"] == "compression.type, segment.jitter.ms"
    assert "left out" not in assumptions(header().replace("Configs: ", "Configs: min.insync.replicas=2,") + row())


def test_a_broker_that_is_only_being_added_is_taken_for_alive() -> None:
    """REA-1."""
    text = (
        header()
        + row().rstrip("\n").replace("Replicas: 1,2,3", "Replicas: 1,2,3,7")
        + "\tAdding Replicas: 7\tRemoving Replicas: \n"
    )
    scenario = scenario_of(text)
    assert states(scenario)[7] == "running"
    assert scenario["topics"][0]["initial"]["0"]["adding"] == [7]


def test_followers_outside_the_isr_stay_out_unless_the_assumption_is_changed() -> None:
    text = header(2) + row(0, 1, "1,2,3", "1,2") + row(1, 3, "3,1,2", "3,1,2")
    told = next(
        entry for entry in import_text(text)["assumptions"] if entry["key"] == "followers outside the ISR stay out"
    )
    assert (told["value"], told["why"][:14]) == (True, "in 1 partition")
    initial = scenario_of(text)["topics"][0]["initial"]
    assert [state.get("failed") for state in initial.values()] == [[3], None]
    assert "failed" not in scenario_of(text, {"stay_out": "off"})["topics"][0]["initial"]["0"]


def test_a_dead_follower_and_a_replica_that_is_added_have_not_failed() -> None:
    dead = header() + row(0, 1, "1,2", "1")
    assert states(scenario_of(dead))[2] == "down"
    assert "failed" not in scenario_of(dead)["topics"][0]["initial"]["0"]
    moving = row(0, 1, "1,2,3", "1,2").rstrip("\n") + "\tAdding Replicas: 3\tRemoving Replicas: \n"
    state = scenario_of(header() + moving)["topics"][0]["initial"]["0"]
    assert (state["adding"], state.get("failed")) == ([3], None)
