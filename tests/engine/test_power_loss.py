"""Power loss: what a disk had not got is gone, and nobody is told (LOG-8, PC-7)."""

from typing import Any

from simengine.facts.decisive import Truncated
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked
from tests.engine.cluster import stated


def run(action: str, *, before: str = "", config: dict[str, Any] | None = None, seed: int = 1) -> World:
    """Twenty records/s for ten seconds, then the action; the run ends at 60 s."""
    early = [{"at": "5s", "do": before}] if before else []
    world = checked(
        load(
            {
                "format": 1,
                "seed": seed,
                "elr": False,
                "cluster": {"brokers": [{"id": 1, "rack": "a"}, {"id": 2, "rack": "b"}], "controllers": [100]},
                "topics": [
                    {"name": "t", "assignment": [[1, 2]], "config": {"min.insync.replicas": 1, **(config or {})}}
                ],
                "producers": [{"id": "P", "topic": "t", "rate": 20}],
                "timeline": [*early, {"at": "10s", "do": "rate P 0"}, {"at": "11s", "do": action}],
            }
        )
    )
    world.run(60_000_000)
    return world


def cuts(world: World) -> list[tuple[int, int, int]]:
    """(broker, old log end, new log end) of every Truncated fact."""
    return [(fact.broker, fact.old, fact.new) for fact in stated(world, Truncated)]


def test_a_host_loses_as_many_records_as_the_action_says() -> None:
    assert cuts(run("power-loss 1 7")) == [(1, 200, 193)]


def test_without_a_word_chance_decides_and_each_copy_has_its_own() -> None:
    ends = {cuts(run("power-loss all", seed=seed))[0][2] for seed in range(1, 9)}
    assert len(ends) > 3
    assert all(0 <= end < 200 for end in ends)


def test_what_flush_messages_forced_to_disk_stays() -> None:
    assert cuts(run("power-loss all 50", config={"flush.messages": 1})) == []
    assert cuts(run("power-loss 1 50", config={"flush.messages": 15})) == [(1, 200, 195)]


def test_a_broker_that_stopped_cleanly_has_everything_on_disk() -> None:
    world = run("power-loss 2 50", before="stop 2")
    assert cuts(world) == []


def test_what_a_clean_stop_wrote_is_on_disk_when_the_power_fails_after_the_next_start() -> None:
    """SHUT-3: what came after it is not."""
    world = run("stop 1")
    world.act(60_100_000, "start 1")
    world.act(70_000_000, "send P t-0 5")
    world.act(72_000_000, "power-loss 1 50")
    world.run(73_000_000)
    assert cuts(world) == [(1, 205, 200)]


def test_what_a_power_failure_left_is_on_disk_when_the_next_one_comes() -> None:
    """LOG-8: no memory is left to lose (seed 7402281)."""
    assert cuts(run("power-loss 2 50", before="power-loss 2 50")) == [(2, 100, 50)]


def test_records_older_than_the_system_keeps_dirty_pages_are_safe_from_chance() -> None:
    world = run("rate P 0")
    world.act(59_000_000, "power-loss all")
    world.run(61_000_000)
    assert cuts(world) == []


def test_a_rack_goes_dark_with_its_brokers_and_the_rest_goes_on() -> None:
    world = run("power-loss a 0")
    view: Any = world.snapshot()
    assert view["partitions"][0]["leader"] == 2
    assert view["brokers"]["1" if "1" in view["brokers"] else 1]["process"] == "down"


def test_a_client_hears_nothing_from_a_host_without_power_until_its_request_times_out() -> None:
    killed, dark = (_first_ack_after(action) for action in ("kill 1", "power-loss 1 0"))
    assert killed < 12_000_000
    assert 30_000_000 <= dark < 32_000_000


def _first_ack_after(action: str) -> int:
    """The time (us) from 60 s until the dead leader's successor acknowledged a record sent just before the action."""
    world = run("rate P 0")
    world.act(60_100_000, "send P t-0 1")
    world.act(60_100_001, action)
    before = acked(world)
    while acked(world) == before:
        world.run(world.now_us + 500_000)
    return world.now_us - 60_000_000


def acked(world: World) -> int:
    """Calls of the producer that were acknowledged."""
    view: Any = world.snapshot()
    return int(view["clients"][0]["acked"])


def test_power_comes_back_with_the_start() -> None:
    world = run("power-loss all 3")
    world.act(61_000_000, "start 1")
    world.act(61_000_000, "start 2")
    world.run(100_000_000)
    view: Any = world.snapshot()
    assert view["partitions"][0]["leader"] >= 0
    assert sorted(view["partitions"][0]["isr"]) == [1, 2]


def test_a_producers_state_goes_with_the_records_of_its_newest_batches() -> None:
    world = run("power-loss all 3")
    replica = world.cluster.by_id[1].replica(0)
    assert replica is not None
    (entry,) = replica.producers.entries.values()
    assert int(entry.newest().end) == int(replica.log.leo) == 197
