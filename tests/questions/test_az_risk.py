"""The AZ answer on losses: records at risk, records lost by luck only, and records that by rule cannot be lost."""

from typing import Any

from simengine.importers.report import import_text
from simengine.questions.az import edits as az_edits
from simengine.questions.az.causes import fates
from simengine.scenario import Document, load, to_plain
from simengine.world.world import build
from tests.questions.az_clusters import HEADER, ROW, SINGLE, SPREAD, answered, cluster, quorum, shown


def facts(doc: Document, **how: str) -> dict[str, Any]:
    return {fact["key"]: fact for fact in answered(doc, **how).facts}


def test_what_is_at_risk_is_the_records_of_the_last_fetches_not_the_traffic() -> None:
    doc = cluster(SPREAD, records_per_s=1000)
    found = shown(doc, "az-b", "1")["lost"]
    assert (found["span_us"], found["risk"]) == (3_600, 5), "500 records/s a partition, for three trips and 5 ms"
    assert found["text"] == "0\u20135" or found["count"] > 0
    said = facts(doc)["risk"]
    assert "the last 3.6 ms before the loss, 0 to 5 records a partition" in f"{said['text']} {said['small']}"
    slow = az_edits.edited(doc, az_edits.read({"assumed": {"latency_ms": 25}}))
    assert shown(slow, "az-b", "1")["lost"]["risk"] == 48
    hasty = doc.model_copy(
        update={"producers": [one.model_copy(update={"config": {"linger.ms": 0}}) for one in doc.producers]}
    )
    assert shown(hasty, "az-b", "1")["lost"]["risk"] == 2


def test_an_unclean_election_finds_no_observer() -> None:
    """OBS-1, UNC-4: broker 2 in az-c only observes, so nobody leads once az-b with the whole ISR is gone."""
    plain = to_plain(cluster(("watched", 2, ["1,4,2"])))
    (topic,) = plain["topics"]
    topic["config"]["unclean.leader.election.enable"] = True
    watched = topic | {"observers": [2], "initial": {"0": {"leader": 1, "epoch": 0, "isr": [1, 4]}}}
    of_all, of_watched = (next(fates(load(plain | {"topics": [one]}), (1, 4))) for one in (topic, watched))
    assert of_all.may_return_unclean is of_all.may_be_unclean is False, "broker 2 is in sync and takes over"
    assert (of_watched.is_offline, of_watched.may_be_unclean, of_watched.may_return_unclean) == (True, False, False)


def at_risk(doc: Document, key: str) -> int:
    """Records a partition that acks=1 can lose with a row."""
    return int(shown(doc, key, "1")["lost"]["risk"])


def test_what_nobody_can_take_over_now_is_at_risk_until_another_leads_after_the_return() -> None:
    """PROD-4: without a quorum, or with the whole ISR dark, a follower can lead first when it is back."""
    assert at_risk(quorum(cluster(SPREAD), {"rack": "az-b"}), "az-b") == 1
    assert at_risk(cluster(("both", 1, ["1,4"])), "az-b") == 1
    assert shown(cluster(SINGLE), "az-c", "1")["lost"]["more"] == "by rule", "RF 1: the leader itself comes back"


def test_a_record_is_at_risk_until_a_response_brings_it_to_a_follower_that_lives() -> None:
    """FET-1, PROD-4: where leader and follower are killed together, the last response arrives nowhere."""
    both = cluster(("both", 1, ["1,4"]), records_per_s=1000)
    apart = cluster(("apart", 1, ["1,2"]), records_per_s=1000)
    spans = [shown(doc, "az-b", "1", dies="killed")["lost"]["span_us"] for doc in (both, apart)]
    assert spans == [3_600, 2_400]


def test_such_a_return_does_lose_records_of_acks_1() -> None:
    """The table's risk comes true: of two leaders that go dark and return together, the one fenced first loses."""
    plain = to_plain(cluster(("both", 1, ["1,4", "4,1"]), records_per_s=500))
    plain["network"] = {"latency": "50ms"}
    acts = [
        ("5s", "acks both 1"),
        ("9s", "power-loss 1 0"),
        ("9s", "power-loss 4 0"),
        ("40s", "start 4"),
        ("40s", "start 1"),
    ]
    run = build(load({**plain, "until": "80s", "timeline": [{"at": at, "do": do} for at, do in acts]}))
    run.run(80_000_000)
    topics: Any = run.verdict()["topics"]
    (topic,) = [one for one in topics if one["topic"] == "both"]
    assert topic["lost"] > 0


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


def test_a_zero_is_by_luck_where_a_replica_outside_the_isr_may_be_elected_uncleanly() -> None:
    """UNC-1: the whole ISR is in az-b; the replica on 3 may lead. With both there, 4 may lead if it is back first."""
    left = next(iter(fates(with_unclean("payments", "1,3", "1"), (1, 4))))
    none_left = next(iter(fates(with_unclean("payments", "1,4", "1"), (1, 4))))
    assert (left.is_offline, left.may_be_unclean) == (True, True)
    assert (none_left.is_offline, none_left.may_be_unclean, none_left.may_return_unclean) == (True, False, True)
    found = shown(with_unclean("payments", "1,3", "1"), "az-b", "all")["lost"]
    assert found["count"] > 0 or found["more"] == "by luck"
    assert shown(with_unclean("payments", "1,4", "1"), "az-b", "all")["lost"]["more"] == "by luck"
    assert shown(with_unclean("payments", "1,4", "1,4"), "az-b", "all")["lost"]["more"] == "by rule"
    clean = with_unclean("payments", "1,2,3", "1,2,3")
    assert [shown(clean, key, "all")["lost"]["more"] for key in ("az-a", "az-b", "az-c")] == ["by rule"] * 3


def test_of_a_log_that_is_gone_nothing_is_at_risk_besides_and_nothing_is_copied() -> None:
    """Both replicas of the only partition stand in az-b: with its disks all of it goes, of acks=1 too."""
    said = facts(cluster(("both", 1, ["1,4"])), dies="killed", disks="gone")
    assert said["lost"]["text"].startswith("both and the committed offsets of 1 coordinator; here ")
    assert said["risk"]["text"] == "Nothing."
    assert said["disks"]["text"] == "Nothing to copy: no other copy is left."


def test_what_is_at_risk_beside_a_log_that_is_gone_is_said_of_other_partitions() -> None:
    said = facts(cluster(("both", 1, ["1,4", "1,2"])), dies="killed", disks="gone")
    assert said["lost"]["text"].startswith("1 of 2 partitions of both; here ")
    assert said["risk"]["text"].startswith("With acks=1 of other partitions the last ")


def test_a_minimum_above_the_replicas_is_told_as_it_is_set() -> None:
    said = facts(cluster(("single", 2, ["1"]), ("both", 1, ["1,2"])))["one_az"]["text"]
    assert said == (
        "An acknowledged record may stand in one AZ only: "
        "both 1 of 1 (min ISR 1), single 1 of 1 (min ISR 2 counts as 1)"
    )


def test_of_brokers_in_one_az_no_record_is_said_to_be_in_two() -> None:
    assert "one_az" not in facts(cluster(SINGLE))
