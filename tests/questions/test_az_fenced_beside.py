"""A broker that the loss does not touch may be fenced for a while: which losses do that, and what the answer says.

The engine is played with such a broker: one that cannot reach the controllers for a while (QUO-5, LIVE-4).
"""

from random import Random
from typing import Any, Final

import pytest

from simengine.questions.az.cell import AZ, AzCell
from simengine.questions.az.edits import DARK, GONE, KILLED, STAY_OUT
from simengine.questions.az.facts import facts_of
from simengine.questions.az.figures import cell_json
from simengine.questions.az.losses import az_loss
from simengine.questions.az.partition_list import PartitionQuery, rows
from simengine.questions.az.row import AzRow
from simengine.questions.az.run import at_the_loss, run_cell
from simengine.scenario import Document, load
from simengine.world.world import build
from tests.questions.loss_claims import Told, denials_of_fenced
from tests.questions.loss_runs import DRAIN_US, UNLUCKY_US, Draw, Played, document, play, returning, standings, state_of

PLACE: Final = ("pay", 0)
UNCLEAN: Final = "unclean.leader.election.enable"
RUNS: Final = 6  # which of several silent brokers is fenced first is chance


def cluster(
    isr: list[int], replicas: list[int] | None = None, config: dict[str, Any] | None = None, **more: Any
) -> Document:
    """One partition on brokers 1 to 3, a broker and a controller in each of three AZs."""
    racks = {1: "az-a", 2: "az-b", 3: "az-c"}
    out = [broker for broker in replicas or isr if broker not in isr]
    state = {"leader": isr[0], "isr": isr, "leo": 50, "lag": dict.fromkeys(map(str, out), 30), "failed": out}
    state |= more.pop("state", {})
    topic = {"name": "pay", "assignment": [replicas or isr], "config": config or {}, "initial": {"0": state}}
    plain = {
        "format": 1,
        "title": "fenced beside",
        "profile": more.pop("profile", "3.7"),
        "cluster": {
            "brokers": [{"id": at, "rack": rack} for at, rack in racks.items()],
            "controllers": [{"id": 100 + at, "rack": rack} for at, rack in racks.items()],
            "config": {"auto.leader.rebalance.enable": False},
        },
        "topics": [topic],
        "producers": [{"id": "p", "topic": "pay", "rate": 10}],
    }
    plain["cluster"] |= more.pop("cluster", {})
    return load({**plain, **more})


def told(doc: Document, acks: str, dies: str = DARK, disks: str = "back") -> AzCell:
    """The cell of az-c."""
    return run_cell(doc, az_loss(doc, ("az-c",), dies), acks, disks)


def lost(cell: AzCell) -> tuple[str, str]:
    figure = cell_json(cell, 10_000)["lost"]
    return figure["text"], figure["more"]


def unlucky(doc: Document, acks: str, broker: int = 1) -> list[Played]:
    """Runs of the loss of az-c in which this broker is fenced too. The AZ comes back."""
    loss = az_loss(doc, ("az-c",), DARK)
    draws = [Draw(seed, 6_000_000, returns=True, unlucky=(broker,)) for seed in range(1, RUNS + 1)]
    return [play(doc, loss, acks, False, draw) for draw in draws]


def most_lost(runs: list[Played]) -> int:
    assert all(run.fenced == {1, 3} for run in runs)
    return max(run.back[PLACE].gone + run.back[PLACE].gone_before for run in runs)


def test_a_broker_beside_may_be_fenced_where_the_active_controller_may_go_dark() -> None:
    doc = cluster([1, 2, 3])
    assert told(doc, "all").fences_beside
    assert not told(doc, "all", KILLED).fences_beside, "a killed controller refuses, and the next one is asked"
    assert not told(cluster([1, 2, 3], cluster={"active": 101}), "all").fences_beside, "a standby is not asked"
    assert told(cluster([1, 2, 3], cluster={"active": 103}), "all").fences_beside
    alone = cluster([1, 2, 3], cluster={"controllers": [{"id": 103, "rack": "az-c"}]})
    assert not told(alone, "all").fences_beside, "without a quorum nobody is fenced"


def test_acks_all_with_clean_elections_is_safe_by_rule_and_acks_1_may_lose_more_than_the_newest() -> None:
    doc = cluster([1, 2, 3])
    assert lost(told(doc, "all")) == ("0", "by rule")
    assert most_lost(unlucky(doc, "all")) == 0
    assert lost(told(doc, "1")) == ("0", "by luck"), "the leader is in az-a"
    assert most_lost(unlucky(doc, "1")) > 10
    assert lost(told(cluster([3, 1, 2]), "1"))[1] == "a partition at risk", "broker 3 leads: it is of the loss"
    alone = cluster([1])
    assert lost(told(alone, "1")) == ("0", "by rule"), "nobody else may lead"
    assert most_lost(unlucky(alone, "1")) == 0


def test_an_unclean_election_beside_the_loss_is_luck() -> None:
    on = {UNCLEAN: True}
    doc = cluster([1], [1, 2], on)
    assert lost(told(doc, "all")) == ("0", "by luck")
    assert most_lost(unlucky(doc, "all")) > 10
    assert lost(told(doc, "all", KILLED)) == ("0", "by rule")
    whole = cluster([1, 3], [1, 3], on)
    assert lost(told(whole, "all")) == ("0", "by rule"), "every copy is in sync"
    assert most_lost(unlucky(whole, "all")) == 0
    assert lost(told(cluster([1], [1, 2]), "all")) == ("0", "by rule"), "unclean election is off"


@pytest.mark.parametrize(
    ("least", "more", "waits"),
    [
        (1, {}, True),
        (2, {}, True),
        (1, {"profile": "4.0", "elr": True}, True),
        (2, {"profile": "4.0", "elr": True}, False),
    ],
)
def test_a_partition_may_wait_for_the_loss_that_is_fenced_last(least: int, more: dict[str, Any], waits: bool) -> None:
    """ELEC-7: broker 1 is fenced first, 3 stays the only member of the ISR. With ELR 1 is eligible (ELR-2)."""
    doc = cluster([1, 3], config={"min.insync.replicas": least}, **more)
    cell = told(doc, "all")
    assert cell.stops_beside == waits
    assert any(not run.late[PLACE].is_led for run in unlucky(doc, "all")) == waits
    assert lost(cell) == ("0", "by rule")
    assert lost(told(doc, "all", disks=GONE))[1] == ("by luck" if waits else "by rule"), "its empty broker may lead"


def test_with_elr_as_many_brokers_of_the_loss_as_the_minimum_may_be_fenced_last() -> None:
    """ELR-2: broker 1 leaves an ISR above its minimum, so only 3 and 4 may lead, and they are dark."""
    brokers = [{"id": at, "rack": rack} for at, rack in ((1, "az-a"), (2, "az-b"), (3, "az-c"), (4, "az-c"))]
    config = {"min.insync.replicas": 2}
    doc = cluster([3, 4, 1], config=config, profile="4.2", elr=True, cluster={"brokers": brokers})
    assert told(doc, "all").stops_beside
    loss = az_loss(doc, ("az-c",), DARK)
    draws = [Draw(seed, 6_000_000, returns=False, unlucky=(1,)) for seed in range(1, RUNS + 1)]
    assert any(not play(doc, loss, "all", False, draw).late[PLACE].is_led for draw in draws)


@pytest.mark.parametrize("elr", [True, False])
def test_a_stop_from_before_the_loss_ends_where_a_member_of_the_elr_takes_over(elr: bool) -> None:
    """ELR-4: 1 is the ISR and is fenced. 2 leads, though it copies nothing, and 1 follows it into the ISR (ISR-5)."""
    state: dict[str, Any] = {"elr": [2], "lag": {}} if elr else {}
    doc = cluster([1], [1, 2], {"min.insync.replicas": 2}, profile="4.2", elr=elr, state=state)
    cell = told(doc, "all")
    (part,) = [one for one in cell.parts if one.place == PLACE]
    assert (part.was_out, part.stops_us) == (True, 0), "no figure counts a stop from before the loss"
    loss = az_loss(doc, ("az-c",), DARK)
    row = Told(STAY_OUT, loss, cell, cell_json(cell, 10_000), state_of(at_the_loss(doc, "all", is_dark=True)))
    for run in unlucky(doc, "all"):
        assert run.late[PLACE].takes("all") == elr
        assert not list(denials_of_fenced(row, run, Draw(1, 6_000_000, returns=True)))


def test_the_facts_say_what_may_happen_beside_and_the_list_names_the_partitions() -> None:
    doc = cluster([1, 2, 3])
    loss = az_loss(doc, ("az-c",), DARK)
    found = AzRow(loss, told(doc, "all"), told(doc, "1"))
    facts = {fact["key"]: fact for fact in facts_of(doc, found)}
    assert facts["beside"]["text"] == (
        "If the active controller is in az-c, a broker elsewhere may be fenced for a while: what it leads pauses too, "
        "at worst until az-c is back; what it acknowledges with acks=1 meanwhile may be lost"
    )
    assert facts["lost"]["text"].endswith("by rule")
    assert facts["risk"]["text"] == "With acks=1 nothing in this run, by luck"
    listed = rows(doc, loss, found.safe, found.fast, PartitionQuery("lost", "1"))
    assert [(one["topic"], one["partition"]) for one in listed] == [PLACE]
    assert listed[0]["why"].startswith("by luck: another broker")
    assert len(listed) == cell_json(found.fast, 10_000)["lost"]["list"]
    killed = az_loss(doc, ("az-c",), KILLED)
    told_of = facts_of(doc, AzRow(killed, told(doc, "all", KILLED), told(doc, "1", KILLED)))
    assert killed.kind == AZ and "beside" not in [fact["key"] for fact in told_of]


ALL_IN_C: Final = {"controllers": [{"id": 101 + at, "rack": "az-c"} for at in range(3)]}


def lost_at_return(doc: Document, acks: str, disks: str, seed: int) -> int:
    """Records that are lost when az-c is back, its controllers too, and broker 1 finds them only after a session.

    Broker 3 copies nothing from it meanwhile: it leads as soon as it is unfenced.
    """
    loss = az_loss(doc, ("az-c",), DARK)
    made = document(doc, loss, acks, Draw(seed, 6_000_000, returns=True))
    world = build(made)
    world.run(made.until_us)
    starts = returning(doc, loss, disks == GONE, made.until_us)
    for at_us, text in (*starts, (made.until_us + 1, "cut 1|3,101,102,103"), (made.until_us + UNLUCKY_US, "heal")):
        world.act(at_us, text)
    world.run(made.until_us + DRAIN_US)
    found = standings(world, acks)[PLACE]
    return found.gone + found.gone_before


@pytest.mark.parametrize(
    ("isr", "replicas", "config", "acks", "disks", "loses"),
    [
        ([1, 3], [1, 3], {}, "1", "back", True),  # 3 leads next: it lacks what 1 acknowledged alone
        ([1, 3], [1, 3], {}, "all", "back", False),
        ([1], [1, 3], {UNCLEAN: True}, "all", "back", True),  # 3 is outdated, and is back before 1
        ([1], [1, 3], {}, "all", "back", False),
        ([1, 3], [1, 3], {UNCLEAN: True}, "all", GONE, True),  # 3 is empty
        ([1], [1], {UNCLEAN: True}, "1", GONE, False),  # nobody else may lead
    ],
)
def test_a_loss_of_the_quorum_may_fence_a_leader_elsewhere_at_its_return(
    isr: list[int], replicas: list[int], config: dict[str, Any], acks: str, disks: str, loses: bool
) -> None:
    """QUO-5: broker 1 went on all the time. Another controller than the one it asks is active again, and fences it."""
    doc = cluster(isr, replicas, config, cluster=ALL_IN_C)
    cell = told(doc, acks, disks=disks)
    assert not (cell.fences_beside or cell.stops_beside), "before the return nobody can fence"
    assert lost(cell) == ("0", "by luck" if loses else "by rule")
    assert any(lost_at_return(doc, acks, disks, seed) for seed in range(1, RUNS + 1)) == loses
    assert lost(told(doc, acks, KILLED)) == ("0", "by rule"), "a killed controller refuses, and another is asked"


def test_with_one_controller_no_other_can_be_dark_at_its_return() -> None:
    doc = cluster([1, 3], cluster={"controllers": [{"id": 103, "rack": "az-c"}]})
    assert lost(told(doc, "1")) == ("0", "by rule")


def test_the_fact_on_the_return_names_the_controllers() -> None:
    doc = cluster([1, 3], cluster=ALL_IN_C)
    loss = az_loss(doc, ("az-c",), DARK)
    facts = {fact["key"]: fact for fact in facts_of(doc, AzRow(loss, told(doc, "all"), told(doc, "1")))}
    assert facts["beside"]["text"] == (
        "If a controller is active again in az-c while another one there is still dark, a broker elsewhere may be "
        "fenced for a while: what it acknowledged with acks=1 since the loss may be lost"
    )
    (row,) = rows(doc, loss, told(doc, "all"), told(doc, "1"), PartitionQuery("lost", "1"))
    assert row["why"] == (
        "by luck: another broker than those of az-c may be fenced for a while, when its controllers come back"
    )


def test_bad_luck_takes_brokers_beside_the_loss() -> None:
    doc = cluster([1, 2, 3])
    draw = Draw.of(Random(3), must_return=False)
    taken = [draw.with_bad_luck(Random(seed), doc, az_loss(doc, ("az-c",), DARK)).unlucky for seed in range(20)]
    assert {frozenset(one) for one in taken} == {frozenset({1}), frozenset({2}), frozenset({1, 2})}


def test_a_member_of_the_elr_takes_over_from_an_heir_that_is_fenced() -> None:
    """Broker 3 leads, 1 is in sync, 2 is in the ELR. 3 goes dark, 1 is fenced: 2 leads, without the newest records."""
    state = {"leader": 3, "isr": [3, 1], "elr": [2], "leo": 50, "lag": {"2": 5}}
    doc = cluster([3, 1], [3, 1, 2], {"min.insync.replicas": 3}, profile="4.2", elr=True, state=state)
    assert told(doc, "1").beside == (PLACE,)
    assert told(doc, "all").beside == ()
    assert told(doc, "1", KILLED).beside == ()
    assert most_lost(unlucky(doc, "1")) > 0


@pytest.mark.parametrize("disks", ["gone", "back"])
@pytest.mark.parametrize(("loss", "more"), [(("az-c",), ""), (("az-b", "az-c"), "nobody is elected again")])
def test_what_lost_disks_cost_does_not_count_those_of_controllers(disks: str, loss: tuple[str, ...], more: str) -> None:
    """QUO-10."""
    doc = cluster([1, 2, 3])
    made = az_loss(doc, loss, DARK)
    row = AzRow(made, run_cell(doc, made, "all", disks), run_cell(doc, made, "1", disks))
    (small,) = [fact["small"] for fact in facts_of(doc, row) if fact["key"] == "disks"]
    many = "1 controller" if len(loss) == 1 else "2 controllers"
    assert small.startswith(f"not counting {many} there: the loss of a controller's disk is not simulated")
    assert small.endswith(more)
