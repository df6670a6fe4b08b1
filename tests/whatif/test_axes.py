"""The changes that each axis makes in a document, and the actions that it takes away."""

from typing import Any

import pytest

from playground.whatif.pipeline.axes import common, document_of, removed, value_words, words
from playground.whatif.pipeline.fault import fault_words, past_words
from playground.whatif.pipeline.plan import VARIANTS_MAX, ExperimentPlan, grid, lettered
from simengine.scenario import load
from tests.whatif.plans import SECOND, document, plan, rack_death


def built(horizon_us: int = 15 * SECOND, seed: int = 5, **axes: list[Any]) -> dict[str, Any]:
    experiment = on(axes, horizon_us)
    return document_of(experiment, experiment.variants[0], seed)


def on(axes: dict[str, list[Any]], horizon_us: int) -> ExperimentPlan:
    return ExperimentPlan(document(), lettered(grid(axes)), ("orders", "audit"), 1, 4, horizon_us)


def actions(raw: dict[str, Any]) -> list[str]:
    return [entry["do"] for entry in raw["timeline"]]


def test_the_acks_axis_sets_the_producers_of_the_topics_and_removes_acks_actions() -> None:
    raw = built(acks=["0"])
    assert [producer["acks"] for producer in raw["producers"]] == ["0", "0"]
    assert "acks orders 1" not in actions(raw)
    assert "kill 1" in actions(raw)


def test_an_axis_leaves_topics_alone_that_it_was_not_chosen_for() -> None:
    experiment = ExperimentPlan(
        document(), lettered(grid({"acks": ["0"], "min_isr": [1]})), ("audit",), 1, 2, 15 * SECOND
    )
    raw = document_of(experiment, experiment.variants[0], 1)
    assert raw["producers"][0].get("acks", "all") == "all"
    assert "acks orders 1" in actions(raw)
    assert "config orders min.insync.replicas 1" in actions(raw)
    assert "config audit min.insync.replicas 2" not in actions(raw)


def test_the_min_isr_axis_sets_the_topic_config_and_removes_its_actions() -> None:
    raw = built(min_isr=[3])
    assert [topic["config"]["min.insync.replicas"] for topic in raw["topics"]] == [3, 3]
    assert not [action for action in actions(raw) if "min.insync.replicas" in action]


def test_the_unclean_axis_sets_the_topic_config() -> None:
    raw = built(unclean=[True])
    assert all(topic["config"]["unclean.leader.election.enable"] is True for topic in raw["topics"])


def test_the_lag_axis_sets_the_cluster_and_takes_brokers_of_their_own_value() -> None:
    raw = document()
    raw["cluster"]["brokers"][0]["config"] = {"replica.lag.time.max.ms": 5_000}
    experiment = ExperimentPlan(raw, lettered(grid({"lag_ms": [12_000]})), ("orders",), 1, 2, 15 * SECOND)
    cluster = document_of(experiment, experiment.variants[0], 1)["cluster"]
    assert cluster["config"]["replica.lag.time.max.ms"] == 12_000
    assert not cluster["brokers"][0]["config"]


def test_two_kafka_versions_are_two_sides_of_a_comparison_and_elr_is_off_where_there_is_none() -> None:
    raw = document()
    raw["elr"] = True
    versions = ["3.7", "4.0", "4.2", "legacy"]
    experiment = ExperimentPlan(raw, lettered(grid({"kafka": versions})), ("orders",), 1, 2, 15 * SECOND)
    found = [load(document_of(experiment, variant, 1)) for variant in experiment.variants]
    assert [(doc.profile, doc.elr) for doc in found] == [
        ("3.7", False),
        ("4.0", True),
        ("4.2", True),
        ("legacy", False),
    ]
    assert words(experiment, experiment.variants[0])[0] == "Kafka 3.7 (not checked against a cluster)"


def test_the_rf_axis_finds_the_state_of_partitions_that_have_numbers_of_their_own() -> None:
    raw = document()
    raw["topics"][0] |= {"partitions": [7], "initial": {"7": {"leader": 1, "isr": [1, 2, 3], "leo": 10}}}
    experiment = ExperimentPlan(raw, lettered(grid({"rf": [2]})), ("orders",), 1, 2, 15 * SECOND)
    assert document_of(experiment, experiment.variants[0], 1)["topics"][0]["initial"]["7"]["isr"] == [1, 2]


def test_the_rf_axis_keeps_the_first_replicas_of_each_list() -> None:
    raw = built(rf=[2])
    assert [topic["assignment"] for topic in raw["topics"]] == [[[1, 2]], [[2, 3]]]


def test_a_cut_replica_list_keeps_a_leader_that_it_holds_or_takes_the_first_of_the_isr() -> None:
    raw = document()
    raw["topics"][0]["initial"] = {"0": {"leader": 3, "epoch": 4, "isr": [2, 3], "leo": 10, "lag": {"1": 5}}}
    experiment = ExperimentPlan(raw, lettered(grid({"rf": [2]})), ("orders",), 1, 2, 15 * SECOND)
    state = document_of(experiment, experiment.variants[0], 1)["topics"][0]["initial"]["0"]
    assert (state["leader"], state["isr"], state["lag"]) == (2, [2], {"1": 5})


def test_a_cut_replica_list_without_isr_member_starts_with_its_first_replica() -> None:
    raw = document()
    raw["topics"][0]["initial"] = {"0": {"leader": 3, "epoch": 4, "isr": [3], "leo": 10, "lag": {"1": 5, "2": 1}}}
    experiment = ExperimentPlan(raw, lettered(grid({"rf": [2]})), ("orders",), 1, 2, 15 * SECOND)
    state = document_of(experiment, experiment.variants[0], 1)["topics"][0]["initial"]["0"]
    assert (state["leader"], state["isr"], state["lag"]) == (1, [1], {"2": 1})


def test_a_cut_replica_list_keeps_of_a_reassignment_what_is_left() -> None:
    raw = document()
    start = {"leader": 2, "isr": [2], "adding": [3], "removing": [1, 2]}
    raw["topics"][0]["initial"] = {"0": start}
    experiment = ExperimentPlan(raw, lettered(grid({"rf": [2]})), ("orders",), 1, 2, 15 * SECOND)
    state = document_of(experiment, experiment.variants[0], 1)["topics"][0]["initial"]["0"]
    assert (state["adding"], state["removing"]) == ([], [])


def test_a_fault_removes_actions_on_brokers_and_keeps_those_on_controllers() -> None:
    raw = built(fault=[rack_death()])
    assert "kill 1" not in actions(raw)
    assert "start 1" not in actions(raw)
    assert "kill 100" in actions(raw)
    assert "kill-rack az-a" in actions(raw)


def test_faults_as_they_are_keep_the_actions_on_brokers() -> None:
    assert "kill 1" in actions(built(fault=[{"kind": "as-is"}]))


def test_random_failures_end_at_the_horizon() -> None:
    raw = built(fault=[{"kind": "rates", "mttf_us": 5 * SECOND, "mttr_us": SECOND}])
    assert raw["faults"] == {"broker-mttf": "5s", "broker-mttr": "1s", "kind": "kill", "until": "15s"}
    load(raw)


def test_the_rack_dies_at_one_moment_a_seed_whatever_the_variant() -> None:
    experiment = plan(acks=["1", "all"], min_isr=[1, 2], fault=[rack_death(end=12 * SECOND)])
    moments = {
        seed: {
            entry["at"]
            for variant in experiment.variants
            for entry in document_of(experiment, variant, seed)["timeline"]
            if entry["do"].startswith("kill-rack")
        }
        for seed in range(1, 9)
    }
    assert all(len(at) == 1 for at in moments.values())
    assert len({next(iter(at)) for at in moments.values()}) == 8


def test_actions_at_or_after_the_horizon_are_removed_and_listed() -> None:
    experiment = plan(horizon_us=19 * SECOND, acks=["1"])
    gone = [entry["do"] for entry in removed(experiment, experiment.variants[0])]
    assert gone == ["acks orders 1", "cut 1|2"]


def test_the_given_document_is_not_changed() -> None:
    experiment = plan(acks=["0"], rf=[1], lag_ms=[1], fault=[rack_death()])
    document_of(experiment, experiment.variants[0], 3)
    assert experiment.document == document()


def test_every_variant_is_a_valid_document_of_its_seed_and_horizon() -> None:
    axes: dict[str, list[Any]] = {"acks": ["0", "1", "all"], "unclean": [False, True], "rf": [2], "lag_ms": [10_000]}
    experiment = ExperimentPlan(document(), tuple(lettered(grid(axes))), ("orders", "audit"), 1, 2, 15 * SECOND)
    for variant in experiment.variants:
        checked = load(document_of(experiment, variant, 77))
        assert (checked.seed, checked.until_us) == (77, 15 * SECOND)


def test_a_variant_is_named_by_what_it_does_not_share() -> None:
    experiment = plan(acks=["1", "all"], min_isr=[2], fault=[rack_death()])
    assert [words(experiment, variant) for variant in experiment.variants] == [("acks=1", ""), ("acks=all", "")]
    assert common(experiment) == ["min ISR 2", "az-a dies between 2 s and 6 s"]


def test_more_variants_than_the_limit_are_refused_in_words() -> None:
    settings = grid({"acks": ["0", "1", "all"], "min_isr": [1, 2, 3]})
    with pytest.raises(ValueError, match=rf"9 configurations; at most {VARIANTS_MAX} can be compared"):
        lettered(settings)


def test_the_load_multiplies_the_rates_of_producers_and_of_the_timeline() -> None:
    """A rate of 0 stays 0, and no other rate becomes it."""
    base = document()
    base["timeline"] = [{"at": "1s", "do": "rate P 0"}, {"at": "2s", "do": "rate P 0.5 orders-0"}]
    of = ExperimentPlan(base, lettered(grid({"load": [50, 0.01]})), ("orders",), 1, 2, 8 * SECOND)
    more, less = (document_of(of, variant, 1) for variant in of.variants)
    assert [producer["rate"] for producer in more["producers"]] == ["15000", 5], "the other topic keeps its load"
    assert [entry["do"] for entry in more["timeline"]] == ["rate P 0", "rate P 25 orders-0"]
    assert [entry["do"] for entry in less["timeline"]] == ["rate P 0", "rate P 0.005 orders-0"]
    load(more)


def test_a_value_as_in_the_run_changes_nothing_and_takes_no_action_away() -> None:
    of = plan(acks=["as-is", "1"], min_isr=["as-is"])
    as_it_is = document_of(of, of.variants[0], 1)
    assert "acks orders 1" in [entry["do"] for entry in as_it_is["timeline"]]
    assert words(of, of.variants[0])[0] == "acks as in the run"
    assert value_words("checkpoints_s", "as-is") == "checkpoints as in the run", "a key is too long for a column"
    assert as_it_is["topics"] == document()["topics"]


def outage(kind: str, one: str, how: str, back: int | None = 3 * SECOND, to: int = 2 * SECOND) -> dict[str, Any]:
    """A failure of a rack or a broker at 2 s."""
    return {"kind": kind, kind: one, "how": how, "from_us": 2 * SECOND, "to_us": to, "back_us": back}


OUTAGE_ACTIONS = {
    ("rack", "az-a", "power"): ["2s power-loss az-a", "5s start-rack az-a"],
    ("rack", "az-a,az-b", "power"): [
        "2s power-loss az-a",
        "2s power-loss az-b",
        "5s start-rack az-a",
        "5s start-rack az-b",
    ],
    ("rack", "az-c", "cut"): ["2s cut az-c|1,2,101", "5s heal az-c|1,2,101"],
    ("broker", "1", "cut"): ["2s cut 1|2,3,100,101,102", "5s heal 1|2,3,100,101,102"],
    ("broker", "2", "disk-lost"): ["2s kill 2", "5s start 2 empty"],
    ("broker", "2", "pause"): ["2s pause 2", "5s resume 2"],
    ("broker", "2", "slow"): ["2s slow 2 10", "5s slow 2 off"],
}


@pytest.mark.parametrize("named", OUTAGE_ACTIONS, ids=" ".join)
def test_a_failure_is_the_actions_that_begin_and_end_it(named: tuple[str, str, str]) -> None:
    raw = built(fault=[outage(*named)])
    load(raw)
    done = [f"{entry['at']} {entry['do']}" for entry in raw["timeline"] if entry["at"] in ("2s", "5s")]
    assert [one for one in done if "orders" not in one] == OUTAGE_ACTIONS[named]


def test_a_failure_of_any_rack_strikes_each_in_some_seeds_and_the_same_one_in_every_variant() -> None:
    experiment = plan(acks=["1", "all"], fault=[outage("rack", "any", "power", to=12 * SECOND)])
    struck = []
    for seed in range(1, 31):
        done = {
            (entry["at"], entry["do"])
            for variant in experiment.variants
            for entry in document_of(experiment, variant, seed)["timeline"]
            if entry["do"].startswith("power-loss")
        }
        assert len(done) == 1
        struck.append(next(iter(done)))
    assert {do for _, do in struck} == {f"power-loss az-{letter}" for letter in "abc"}
    assert len({at for at, _ in struck}) > 20, "at a moment of the seed"
    assert words(experiment, experiment.variants[0])[0] == "acks=1"
    assert common(experiment) == ["any rack loses power between 2 s and 12 s, back after 3 s"]


def test_a_rolling_restart_stops_each_broker_when_the_one_before_is_back() -> None:
    raw = built(60 * SECOND, fault=[{"kind": "roll", "from_us": SECOND, "to_us": SECOND, "back_us": 5 * SECOND}])
    done = [f"{entry['at']} {entry['do']}" for entry in raw["timeline"] if entry["do"].split()[0] in ("stop", "start")]
    assert done == ["1s stop 1", "6s start 1", "16s stop 2", "21s start 2", "31s stop 3", "36s start 3"]


def test_failures_are_told_in_their_own_words() -> None:
    slow = outage("broker", "any", "slow", to=9 * SECOND)
    racks = outage("rack", "az-a,az-b", "power", back=None)
    roll = {"kind": "roll", "from_us": SECOND, "to_us": 2 * SECOND, "back_us": 5 * SECOND}
    assert [fault_words(fault) for fault in (slow, racks, roll)] == [
        "any broker fetches at most 10 records/s between 2 s and 9 s, for 3 s",
        "az-a and az-b lose power at 2 s",
        "every broker restarts in turn, 5 s each, beginning between 1 s and 2 s",
    ]
    assert past_words(racks) == "when az-a and az-b lost power"
