"""A failover leaves behind only records that the source had; MirrorMaker is a writer."""

import json
from typing import Any

from simengine.commands.run import verdict_lines
from simengine.scenario import load
from simengine.world.world import World, build

SECOND = 1_000_000


def world(until: int, *timeline: tuple[str, str], state: str = "running", **east: Any) -> World:
    """East has ``orders`` with 5 s of retention, west nothing; one flow."""
    document = {
        "format": 1,
        "seed": 5,
        "until": f"{until}s",
        "clusters": {
            "east": {
                "cluster": {
                    "brokers": [1, 2, 3],
                    "controllers": [100],
                    "config": {"log.retention.check.interval.ms": 1000},
                },
                "topics": [
                    {
                        "name": "orders",
                        "assignment": [[1, 2, 3]],
                        "config": {"retention.ms": 5000, "segment.ms": 1000},
                    }
                ],
                "producers": [{"id": "app", "topic": "orders", "rate": 20}],
            },
            "west": {"cluster": {"brokers": [1, 2, 3], "controllers": [100]}, **east},
        },
        "network": {"latency": "5ms"},
        "mirrors": [
            {
                "source": "east",
                "target": "west",
                "process": "mm",
                "state": state,
                "config": {"topics": "orders", "config.properties.exclude": "retention\\.ms, segment\\.ms"},
            }
        ],
        "timeline": [{"at": at, "do": do} for at, do in timeline],
    }
    made = build(load(json.dumps(document)))
    made.run(until * SECOND)
    return made


def of_flow(made: World) -> dict[str, Any]:
    verdict: Any = made.verdict()
    [topic] = verdict["mirrors"][0]["topics"]
    found: dict[str, Any] = topic
    return found


def test_what_had_expired_before_the_flow_began_is_neither_skipped_nor_left_behind() -> None:
    """600 records are written before MirrorMaker starts, and most of them have expired by then."""
    made = world(60, ("30s", "start mm"), ("50s", "move east/app west east.orders"), state="down")
    topic = of_flow(made)
    assert topic["skipped"] == 0
    assert 300 < topic["mirrored"] < 620
    assert "no copy" not in topic["sentence"]
    verdict: Any = made.verdict()
    [failover] = verdict["failovers"]
    assert failover["rpo_records"] <= 5


def test_what_retention_takes_from_a_flow_that_stands_still_is_skipped_and_no_more_at_the_source() -> None:
    made = world(50, ("10s", "pause mm"), ("30s", "resume mm"))
    topic = of_flow(made)
    assert 200 < topic["skipped"] < 400
    assert topic["left"] <= topic["not_mirrored"] + 5


def test_a_failover_while_it_stands_still_leaves_behind_what_the_source_still_has() -> None:
    made = world(40, ("10s", "pause mm"), ("30s", "move east/app west east.orders"))
    verdict: Any = made.verdict()
    [failover] = verdict["failovers"]
    assert 80 < failover["rpo_records"] < 160  # 5 to 8 s of 20/s, not the 20 s since the pause


def test_a_cluster_that_mirrormaker_alone_wrote_to_is_told_so() -> None:
    verdict: Any = world(20).verdict()
    assert verdict["sentence"].endswith("west: Only MirrorMaker has written here.")


def test_a_remote_topic_that_cannot_be_written_has_a_writer() -> None:
    topics = [{"name": "east.orders", "assignment": [[1, 2]], "config": {"min.insync.replicas": 2}}]
    made = world(40, ("15s", "kill west/2"), topics=topics)
    verdict: Any = made.verdict()
    [topic] = [one for one in verdict["topics"] if one["topic"] == "west/east.orders"]
    assert topic["mirrored"]
    assert "Only MirrorMaker writes to it" in topic["sentence"] or "Only MirrorMaker wrote to it" in topic["sentence"]
    assert "obody w" not in topic["sentence"]
    assert any("only MirrorMaker wrote to it" in line for line in verdict_lines(made))


def test_where_nobody_wrote_at_all_nothing_is_changed() -> None:
    verdict: Any = world(20, state="down").verdict()
    assert verdict["sentence"].endswith("west: Nothing has been acknowledged.")
