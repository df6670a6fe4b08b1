"""A node of the metadata quorum that has fetched nothing for a long time is down."""

from typing import Any

import pytest

from tests.importers.test_field_faults import assumption, imported, states

HEAD = "NodeId\tDirectoryId\tLogEndOffset\tLag\tLastFetchTimestamp\tLastCaughtUpTimestamp\tStatus\n"
DESCRIBE = "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
NOW = 1_760_000_600_000


def row(node: int, silent_ms: int, status: str, human: bool) -> str:
    """A row of the table, whose node fetched so many ms ago."""
    at = f"{silent_ms} ms ago" if human else str(NOW - silent_ms)
    return f"{node}   \tRk1pZ3Rab2dUd3lRd3FCZw\t918274      \t0     \t{at}   \t{at}   \t{status}  \n"


def controllers(result: dict[str, Any]) -> dict[int, str]:
    return {one["id"]: one.get("state", "running") for one in result["scenario"]["cluster"]["controllers"]}


@pytest.mark.parametrize("human", [False, True])
def test_a_voter_and_an_observer_that_do_not_fetch_are_down(human: bool) -> None:
    table = HEAD + row(12, 5, "Leader", human) + row(11, 210, "Follower", human) + row(13, 522_611, "Follower", human)
    table += row(1, 198, "Observer", human) + row(3, 30_000, "Observer", human)
    result = imported(table + DESCRIBE)
    assert controllers(result) == {11: "running", 12: "running", 13: "down"}
    assert states(result) == {1: "running", 2: "running", 3: "down"}
    assert "controller 13 is down: it has fetched no metadata for 522.6 s" in assumption(result, "controllers")["why"]
    assert [one["text"] for one in result["unread"]] == []


def test_in_combined_mode_the_broker_is_down_with_it() -> None:
    table = HEAD + row(1, 0, "Leader", False) + row(2, 300, "Follower", False) + row(3, 60_000, "Follower", False)
    result = imported(table)
    assert states(result) == {1: "running", 2: "running", 3: "down"}
    assert list(controllers(result).values()) == ["running", "running", "down"]


def test_a_time_that_is_not_known_is_no_sign() -> None:
    table = HEAD + row(11, 0, "Leader", False) + "12\tx\t5\t9\t-1\t-1\tFollower\n"
    assert controllers(imported(table + DESCRIBE)) == {11: "running", 12: "running"}


def test_times_before_now_and_times_of_the_clock_are_not_compared() -> None:
    table = HEAD + row(11, 0, "Leader", False) + row(12, 300, "Follower", True)
    assert controllers(imported(table + DESCRIBE)) == {11: "running", 12: "running"}


def test_an_observer_that_fetches_runs_though_it_is_in_no_isr() -> None:
    table = HEAD + row(11, 0, "Leader", False) + row(1, 100, "Observer", False) + row(2, 200, "Observer", False)
    result = imported(table + DESCRIBE.replace("Isr: 1,2", "Isr: 1"))
    assert states(result) == {1: "running", 2: "running"}
    listed = imported("CurrentVoters: [11]\nCurrentObservers: [1,2]\n" + DESCRIBE.replace("Isr: 1,2", "Isr: 1"))
    assert states(listed) == {1: "running", 2: "down"}


@pytest.mark.parametrize("human", [False, True])
def test_a_voter_that_is_an_observer_too_has_a_new_disk_and_does_not_vote(human: bool) -> None:
    """QUO-10: the row of the observer, which fetches, says nothing about the vote of the old directory."""
    table = HEAD + row(11, 5, "Leader", human) + row(12, 300, "Follower", human) + row(13, 90_000, "Follower", human)
    result = imported(table + row(13, 100, "Observer", human) + row(1, 200, "Observer", human) + DESCRIBE)
    assert controllers(result) == {11: "running", 12: "running", 13: "down"}
    assert states(result)[1] == "running"
    assert any(one.startswith("Node 13: it is a voter with one directory") for one in result["warnings"])


def test_the_same_out_of_the_lists_of_a_status() -> None:
    voters = '[{"id": 11, "directoryId": "a"}, {"id": 12, "directoryId": "b"}]'
    observers = '[{"id": 12, "directoryId": "c"}, {"id": 1, "directoryId": "d"}]'
    result = imported(f"CurrentVoters: {voters}\nCurrentObservers: {observers}\n{DESCRIBE}")
    assert controllers(result) == {11: "running", 12: "down"}
