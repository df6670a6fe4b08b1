"""The same loss in four setups: the documents, and what each costs."""

from typing import Any

from simengine.plans.documents import documents_of
from simengine.plans.setups import MIN_ISR, SETUPS, THIRD
from simengine.plans.table import row_of
from simengine.scenario import Document, load, to_plain
from simengine.scenario.config_keys import IDENTITY_POLICY
from tests.documents.test_plans import LOSS, SYNCED_WITHIN_SECONDS, TIMES, actions
from tests.mirror.documents import mirrored

S = 1_000_000


def setups(config: dict[str, Any] | None = None, **more: Any) -> dict[str, Document]:
    return documents_of(SETUPS, load(mirrored(config, **more)), "east", "west", TIMES).made


def test_all_setups_lose_the_same_cluster_and_end_together() -> None:
    found = setups()
    assert list(found) == list(SETUPS)
    assert {doc.until_us for doc in found.values()} == {TIMES.switched + TIMES.settle}
    assert {actions(doc)[0][0] for doc in found.values()} == {TIMES.lost // S}


def test_two_clusters_without_a_mirror_have_no_flow() -> None:
    doc = setups()["unmirrored"]
    assert not doc.mirrors
    assert actions(doc) == [(20, "kill-site east"), (35, "move east/P west"), (35, "move east/C west")]


def test_active_active_shares_the_records_between_both_clusters_and_copies_both_ways() -> None:
    doc = setups(rate=50)["active"]
    assert [(one.source, one.target, one.state) for one in doc.mirrors] == [
        ("east", "west", "running"),
        ("west", "east", "running"),
    ]
    rates = {name: [(one.id, one.rate_milli) for one in part.producers] for name, part in doc.clusters.items()}
    assert rates == {"east": [("P", 25_000)], "west": [("P", 25_000)]}
    [twin] = doc.clusters["west"].consumers
    assert (twin.group, twin.topics) == ("g", ["orders"])


def test_active_active_runs_a_flow_back_that_the_document_has() -> None:
    plain = mirrored()
    plain["mirrors"].append({"source": "west", "target": "east", "process": "back", "state": "down"})
    plain["clusters"]["west"]["topics"] = [{"name": "orders", "assignment": [[0, 1, 2]]}]
    doc = documents_of(SETUPS, load(plain), "east", "west", TIMES).made["active"]
    assert [(one.process, one.state) for one in doc.mirrors] == [("mirror-maker", "running"), ("back", "running")]


def test_readers_of_copies_read_the_topics_that_a_setup_has() -> None:
    plain = mirrored()
    plain["mirrors"].append({**plain["mirrors"][0], "source": "west", "target": "east"})
    plain["clusters"]["west"]["topics"] = [{"name": "orders", "assignment": [[0, 1, 2]]}]
    plain["clusters"]["east"]["consumers"][0]["topics"] = ["orders", "west.orders"]
    found = documents_of(SETUPS, load(plain), "east", "west", TIMES)
    assert not found.refused
    assert found.made["unmirrored"].clusters["east"].consumers[0].topics == ["orders"]
    assert found.made["stretched"].consumers[0].topics == ["orders"]


def test_without_a_flow_the_setup_that_is_given_is_named_and_the_others_tell_the_cure() -> None:
    for flows in ([], [{"source": "west", "target": "east"}]):
        given = load({**mirrored(), "mirrors": flows})
        found = documents_of(SETUPS, given, "east", "west", TIMES)
        assert list(found.made) == ["unmirrored", "stretched"]
        assert found.abouts["unmirrored"].endswith("The run that is given is such a setup.") is (not flows)
        cure = "Add the flow east → west in the run's Settings"
        assert all(cure in why for why in found.refused.values())
        assert all(("the flow west->east copies the other way" in why) is bool(flows) for why in found.refused.values())


def test_names_that_are_kept_would_be_copied_in_a_circle() -> None:
    """MM-2: the identity policy has no cycle detection."""
    assert "active" not in setups({"replication.policy.class": IDENTITY_POLICY})


def test_a_stretched_cluster_has_replicas_in_both_sites_and_a_third_controller() -> None:
    doc = setups(network={"latency": "40ms", "jitter": "1ms"})["stretched"]
    assert not doc.clusters
    sites = {broker.id: broker.rack for broker in doc.cluster.brokers}
    [replicas] = doc.topics[0].assignment
    assert [sites[broker] for broker in replicas] == ["east", "east", "west", "west"]
    assert doc.topics[0].config[MIN_ISR] == 2
    assert [one.rack for one in doc.cluster.controllers] == ["west", THIRD, "east"]
    assert {(tuple(link.between), link.latency_us) for link in doc.network.links} == {
        (("west", THIRD), 40_000),
        (("west", "east"), 40_000),
        ((THIRD, "east"), 40_000),
    }
    assert actions(doc) == [(20, "kill-rack east")]


def test_the_prices_differ_as_the_setups_do() -> None:
    """A stretched cluster waits for the other site with each ack, and loses nothing; without a mirror all is left."""
    given = mirrored(SYNCED_WITHIN_SECONDS, rate=5, network={"latency": "40ms", "jitter": "1ms"})
    plans = documents_of(SETUPS, load(given), *LOSS).made
    rows = {key: row_of(key, SETUPS[key], plan) for key, plan in plans.items()}
    assert all(not row["idle"] for row in rows.values()), [row["idle"] for row in rows.values()]
    assert rows["stretched"]["unread"] == 0
    assert rows["stretched"]["writes_down_us"] < rows["passive"]["writes_down_us"]
    assert rows["stretched"]["ack_us"] > 80_000 > rows["passive"]["ack_us"]
    assert rows["unmirrored"]["unread"] >= rows["passive"]["unread"]
    assert rows["active"]["reads_down_us"] < rows["passive"]["reads_down_us"]
    assert [len(row["failovers"]) for row in rows.values()] == [1, 1, 1, 0]
    assert 90 < rows["unmirrored"]["left"] <= 100, "5 a second for 20 s"
    assert rows["passive"]["left"] < 5
    assert rows["stretched"]["left"] == 0
    assert {key for key, row in rows.items() if row["left_range"]} == {"passive", "active"}


def test_records_that_stood_in_the_lost_cluster_before_the_run_are_left_behind_too() -> None:
    plain = mirrored(SYNCED_WITHIN_SECONDS, rate=5)
    state = {"leader": 0, "isr": [0, 1, 2], "leo": 700}
    for name, topic in (("east", "orders"), ("west", "east.orders")):
        plain["clusters"][name]["topics"] = [{"name": topic, "assignment": [[0, 1, 2]], "initial": {"0": state}}]
    plain["mirrors"][0]["history"] = True
    found = documents_of(SETUPS, load(plain), *LOSS).made
    left = {key: row_of(key, SETUPS[key], found[key])["left"] for key in ("passive", "unmirrored")}
    assert left["passive"] < 5
    assert 790 < left["unmirrored"] <= 800


def test_copies_of_a_topic_that_the_flow_no_longer_names_are_not_left_behind() -> None:
    plain = mirrored({**SYNCED_WITHIN_SECONDS, "topics": "orders"}, rate=5)
    state = {"leader": 0, "isr": [0, 1, 2], "leo": 300}
    for name, topic in (("east", "audit"), ("west", "east.audit")):
        audit = {"name": topic, "assignment": [[0, 1, 2]], "initial": {"0": state}}
        plain["clusters"][name]["topics"] = [*plain["clusters"][name].get("topics", []), audit]
    doc = documents_of(SETUPS, load(plain), *LOSS).made["passive"]
    row = row_of("passive", SETUPS["passive"], doc)
    assert row["left"] == row["failovers"][0]["rpo_records"] < 5


def test_each_setup_can_be_stored() -> None:
    for doc in setups().values():
        assert load(to_plain(doc)) == doc
