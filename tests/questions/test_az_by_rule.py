"""Claims "by rule" of the AZ table on random sick clusters hold in other runs of the same state.

`python -m tests.questions.by_rule` examines as many clusters as it is told to.
"""

from dataclasses import replace
from typing import Any, Final

from simengine.questions.az import run as az_run
from simengine.questions.az.cell import AzCell, AzLoss
from simengine.questions.az.edits import COME_BACK, GONE, STAY_OUT, Edits
from simengine.questions.az.figures import cell_json
from simengine.questions.az.losses import az_loss
from simengine.questions.az.moments import at_moment, moments_of
from simengine.questions.az.partition_outages import GOES_ON, UNTIL_BACK
from simengine.scenario import Document, load
from simengine.world.world import build
from tests.long_form import runs
from tests.questions.by_rule import examine, rates_of
from tests.questions.loss_claims import Denial, Told, denials
from tests.questions.loss_runs import Draw, document, play, standings
from tests.questions.sick_clusters import draw

PLAYED: Final = 6  # runs of each moment
PLACE: Final = ("orders", 0)
DENIED_ONCE: Final = (80147, 80504, 80902, 80920, 81721, 83293, 84005)  # observers, replaced disks, fenced brokers


def test_every_sick_cluster_is_a_document() -> None:
    for seed in range(300):
        load(draw(seed).plain)


def test_what_the_table_says_by_rule_holds_in_other_runs_of_random_sick_clusters() -> None:
    denied = [str(one) for seed in range(runs("random sick clusters")) for one in examine(draw(seed), PLAYED).denials]
    assert not denied, "\n".join(denied)


def test_what_a_cluster_denied_once_holds_now() -> None:
    denied = [str(one) for seed in DENIED_ONCE for one in examine(draw(seed), 2 * PLAYED).denials]
    assert not denied, "\n".join(denied)


def sick(state: dict[str, Any], replicas: list[int], config: dict[str, Any], **more: Any) -> Document:
    """One partition on brokers 1 and 3 in az-a, 2 and 4 in az-b; the controller is in az-c."""
    brokers = [{"id": at, "rack": "az-a" if at % 2 else "az-b"} for at in (1, 2, 3, 4)]
    topic = {"name": "orders", "assignment": [replicas], "config": config, "initial": {"0": state}}
    cluster = {"brokers": brokers, "controllers": more.pop("controllers", [{"id": 100, "rack": "az-c"}])}
    cluster["config"] = {"auto.leader.rebalance.enable": False}
    plain = {"format": 1, "title": "sick", "cluster": cluster, "topics": [topic], **more}
    return at_moment(load({**plain, "producers": [{"id": "p", "topic": "orders", "rate": 10}]}), STAY_OUT)


def lost(doc: Document, acks: str, disks: str = "back") -> tuple[str, str, int]:
    """The figure of az-a's row as text, and how many records a run has lost after the return."""
    loss = az_loss(doc, ("az-a",), "killed")
    figure = cell_json(az_run.run_cell(doc, loss, acks, disks), 10_000)["lost"]
    run = play(doc, loss, acks, disks == GONE, Draw(seed=7, at_us=6_000_000, returns=True))
    back = run.back[PLACE]
    return str(figure["text"]), str(figure["more"]), back.gone + back.gone_before


def test_a_whole_partition_that_returns_may_elect_its_outdated_copy_where_unclean_elections_are_on() -> None:
    """UNC-1: 1 is the ISR, 3 is outside; both are in az-a, and whoever is back first leads."""
    config = {"unclean.leader.election.enable": True}
    doc = sick({"leader": 1, "isr": [1], "leo": 50, "lag": {"3": 50}}, [3, 1], config)
    text, more, _ = lost(doc, "all")
    assert (text, more) == ("0", "by luck")
    clean = sick({"leader": 1, "isr": [1], "leo": 50, "lag": {"3": 50}}, [3, 1], {})
    assert lost(clean, "all") == ("0", "by rule", 0)


def test_a_member_of_the_elr_that_leads_lacks_all_records_of_acks_1_since_it_left() -> None:
    """ELR-8: 60 records stood on 1 alone when it died, not the few of the last fetch."""
    doc = sick({"leader": 1, "isr": [1], "elr": [2], "leo": 50}, [1, 2], {"min.insync.replicas": 2}, elr=True)
    text, more, gone = lost(doc, "1")
    assert more == "in this run"
    assert 50 <= gone <= 65
    assert 50 <= int(text) <= 65


def test_the_log_is_lost_with_the_disk_of_the_isr_though_a_copy_outside_it_has_every_record() -> None:
    """ELR-6, ELEC-7: the empty broker leads when it is back, and the other truncates to its log."""
    for elr in (True, False):
        doc = sick({"leader": 1, "isr": [1], "leo": 50}, [1, 2], {}, elr=elr, producers=[])
        assert lost(doc, "all", GONE)[0] == "1 log"


def test_an_unclean_leader_alone_below_min_insync_replicas_hides_what_acks_1_writes() -> None:
    """HW-2, UNC-1."""
    config = {"unclean.leader.election.enable": True, "min.insync.replicas": 2}
    doc = sick({"leader": 1, "isr": [1, 3], "leo": 50}, [1, 3, 2], config)
    (part,) = of_orders(az_run.run_cell(doc, az_loss(doc, ("az-a",), "killed"), "1"))
    assert (part.why, part.hides, part.unread_us) == ("unclean", True, UNTIL_BACK)


def of_orders(cell: AzCell) -> list[Any]:
    return [part for part in cell.parts if part.topic == "orders"]


def test_where_most_controllers_are_down_there_is_one_moment() -> None:
    """AP-3: nobody joins an ISR."""
    down = [{"id": 100, "rack": "az-c"}, {"id": 101, "state": "down"}, {"id": 102, "state": "down"}]
    state = {"leader": 1, "isr": [1], "leo": 50}
    assert moments_of(sick(state, [1, 2], {}), Edits()) == [STAY_OUT, COME_BACK]
    assert moments_of(sick(state, [1, 2], {}, controllers=down), Edits()) == [STAY_OUT]


def test_calls_that_share_a_request_with_a_stopped_partition_wait_for_its_timeout_and_no_longer() -> None:
    """PROD-5, PROD-8: 0 and 1 are led by broker 1 and get their records in one request, 2 is led by broker 3.

    Broker 2 is the last copy in sync that 0 needs. The request under way waits for 30 s; later ones are refused for 0
    and acknowledged for 1 (PROD-2). A run does not deny a table that says that 1 goes on.
    """
    doc = beside_a_stop([[1, 2, 5], [1, 3, 4], [3, 1, 4]], rate=300)
    loss = az_loss(doc, ("az-b",), "killed")
    made = document(doc, loss, "all", Draw(seed=7, at_us=6_000_000, returns=False))
    world = build(made)
    acked: dict[int, list[int]] = {number: [] for number in range(3)}
    for at_us in (6_000_000, 7_000_000, made.until_us, 35_000_000, 37_000_000, 41_000_000):
        world.run(at_us)
        for (topic, number), one in standings(world, "all").items():
            if topic == "orders":
                acked[number].append(one.acked)
    assert acked[0][1] == acked[0][-1], "stopped until broker 2 is back"
    assert acked[1][1] == acked[1][3] < acked[1][4], "waits for request.timeout.ms"
    assert acked[1][-1] - acked[1][4] >= 4 * 90, "the refused partition delays nothing"
    assert acked[2] == sorted(set(acked[2])), "another broker answers"
    assert not denied(doc, loss, seed=7)


def test_a_client_may_learn_of_a_new_leader_only_after_the_timeout_of_a_request_for_a_stopped_partition() -> None:
    """PROD-12: 1 moves from broker 2 to 3. The client may ask broker 1 who leads, behind a request for 0."""
    doc = beside_a_stop([[1, 2, 5], [2, 3, 4]], rate=20)
    loss = az_loss(doc, ("az-b",), "killed")
    acked = []
    for seed in range(1, 7):
        made = document(doc, loss, "all", Draw(seed, 6_000_000, returns=False))
        world = build(made)
        found = []
        for at_us in (made.until_us - 5_000_000, made.until_us, 41_000_000, 45_000_000):
            world.run(at_us)
            found.append(standings(world, "all")["orders", 1].acked)
        acked.append(found)
        assert not denied(doc, loss, seed)
    assert any(eve == late for eve, late, _, _ in acked)
    assert all(early < end for _, _, early, end in acked), "the response comes within request.timeout.ms"


def beside_a_stop(assignment: list[list[int]], rate: int) -> Document:
    """A topic with min.insync.replicas=2. Broker 5 is down, and the loss of 2, alone in az-b, stops partition 0."""
    racks = {1: "az-a", 2: "az-b", 3: "az-c", 4: "az-c", 5: "az-c"}
    plain: dict[str, Any] = {
        "format": 1,
        "title": "beside a stop",
        "cluster": {
            "brokers": [
                {"id": at, "rack": rack, "state": "down" if at == 5 else "running"} for at, rack in racks.items()
            ],
            "controllers": [{"id": 100, "rack": "az-c"}],
        },
        "topics": [{"name": "orders", "assignment": assignment, "config": {"min.insync.replicas": 2}}],
        "producers": [{"id": "p", "topic": "orders", "rate": rate, "config": {"linger.ms": 20}}],
    }
    return load(plain)


def denied(doc: Document, loss: AzLoss, seed: int) -> list[Denial]:
    """The denials by one run of a table whose own run had luck: no calls were waiting at its end."""
    cell = az_run.run_cell(doc, loss, "all")
    cell = replace(cell, parts=tuple(replace(part, write_open=False) for part in cell.parts))
    told, chance = Told(STAY_OUT, loss, cell, cell_json(cell, 10_000), {}), Draw(seed, 6_000_000, returns=False)
    return list(denials(told, play(doc, loss, "all", disks_gone=False, draw=chance), rates_of(doc), chance))


def test_a_stop_that_a_rule_ends_is_at_least_so_long_and_never_until_back() -> None:
    """QUO-5, AP-1: with this seed broker 3 is fenced too: it asks controllers that are dark. Its way back into the ISR
    waits 30 s for the controller that was active.
    """
    racks = {1: "az-a", 2: "az-b", 3: "az-c"}
    pay: dict[str, Any] = {"name": "pay", "assignment": [[2, 3], [3, 2]]}  # their leaders have spoken to the controller
    pay["initial"] = {"0": {"leader": 2, "isr": [2]}, "1": {"leader": 3, "isr": [3]}}
    plain = {
        "format": 1,
        "title": "sick",
        "seed": 246,
        "cluster": {
            "brokers": [
                {"id": at, "rack": rack, "state": "down" if at == 5 else "running"} for at, rack in racks.items()
            ],
            "controllers": [{"id": 100 + at, "rack": rack} for at, rack in racks.items()],
            "active": 101,
            "config": {"auto.leader.rebalance.enable": False},
        },
        "topics": [pay, {"name": "orders", "assignment": [[2, 3, 1]], "config": {"min.insync.replicas": 2}}],
        "producers": [{"id": "p", "topic": "orders", "rate": 1}],
    }
    doc = load(plain)
    (part,) = of_orders(az_run.run_cell(doc, az_loss(doc, ("az-a",), "dark"), "all"))
    assert part.why in GOES_ON
    assert (part.write_us, part.write_open) == (az_run.horizon_us(doc, True) - az_run.KILL_US, True)
