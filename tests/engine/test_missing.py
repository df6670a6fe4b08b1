"""The reason why the log of a later leader does not have a record."""

from typing import Any

import pytest

from simengine.explain.examine import examine
from simengine.scenario import load

DOCUMENT = """
format: 1
PROFILE
until: 120s
elr: false
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [REPLICAS], config: {min.insync.replicas: 1}}]
producers: [{id: P, topic: t, acks: ACKS}]
timeline:
"""
UNCLEAN = "unclean.leader.election.enable: true, min.insync.replicas"


def told(
    acks: str, *actions: str, profile: str = "", config: str = "min.insync.replicas", replicas: str = "[0, 1]"
) -> list[Any]:
    timeline = "".join(f"  - {{{action}}}\n" for action in actions)
    text = (
        DOCUMENT.replace("ACKS", acks)
        .replace("PROFILE", profile)
        .replace("REPLICAS", replicas)
        .replace("min.insync.replicas", config)
    )
    doc = load((text + timeline).encode())
    found = examine(doc, doc.until_us)
    (story,) = found["chains"]
    return list(story["links"])


def texts(links: list[Any], *roles: str) -> list[str]:
    return [link["text"] for link in links if link["role"] in roles]


def is_cut(link: Any) -> bool:
    return "reach each other" in link["text"] or "are cut" in link["text"]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("kill 1", "broker 1 died"),
        ("pause 1", "broker 1 was paused"),
        ("cut 0|1", "could no longer reach each other"),
        ("slow 1 1", "broker 1 was held to 1 record/s of fetches"),
    ],
)
def test_what_kept_the_later_leader_from_having_it_is_told(fault: str, words: str) -> None:
    """FLT-1 to FLT-4: broker 1, still in the ISR, leads without what it could not fetch."""
    undone = {"kill 1": "start 1", "pause 1": "resume 1", "cut 0|1": "heal", "slow 1 1": "heal"}[fault]
    actions = (
        f"at: 5s, do: '{fault}'",
        "at: 5.5s, do: send P t-0 3",
        "at: 5.8s, do: kill 0",
        f"at: 6s, do: {undone}",
    )
    assert any(words in text for text in texts(told("1", *actions, config=UNCLEAN), "missing"))


def test_a_later_leader_that_had_left_the_isr_is_told_with_the_commit() -> None:
    """ISR-2, UNC-1: it was let lead from outside; when it left last is told, as it is of acknowledged records."""
    actions = (
        "at: 1s, do: 'cut 0|1'",
        "at: 2s, do: send P t-0 1",
        "at: 40s, do: heal",
        "at: 45s, do: 'cut 0|1'",
        "at: 46s, do: send P t-0 3",
        "at: 95s, do: kill 0",
    )
    left = "broker 1 left the ISR of t-0 after replica.lag.time.max.ms without catching up"
    found = [link for link in told("1", *actions, config=UNCLEAN) if link["text"].startswith(left)]
    assert [(one["role"], one["rules"], one["t"] > 75_000_000) for one in found] == [("isr", ["ISR-2", "AP-3"], True)]


def test_a_later_leader_that_lost_its_copy_tells_what_kept_it_from_having_it_again() -> None:
    """LOG-8, FLT-4: it copied the record, lost it with the power, and was cut off from the leader when that died."""
    actions = ("at: 5s, do: send P t-0 3", "at: 6s, do: power-loss 1 3")
    cut, back = "at: 7s, do: 'cut 0|1'", "at: 8s, do: start 1"
    story = told("1", *actions, cut, back, "at: 20s, do: kill 0", config=UNCLEAN)
    assert "broker 1 lost what it had not flushed: its log of t-0 ended at 0" in " ".join(
        texts(story, "missing", "truncated")
    )
    assert [link["t"] for link in story if is_cut(link)] == [7_000_000]
    story = told("1", *actions, back, "at: 8.5s, do: kill 0", "at: 9s, do: 'cut 0|1'", config=UNCLEAN)
    assert not any(is_cut(link) for link in story)


def test_a_follower_that_truncates_after_a_power_loss_elsewhere_lost_no_power() -> None:
    """LEG-1, LOG-8: the election of the leader that it follows goes back to a power loss of another broker."""
    links = told(
        "all",
        "at: 5s, do: send P t-0 1",
        "at: 5.1s, do: power-loss 0 0",
        "at: 5.2s, do: 'cut 1|2'",
        "at: 20s, do: kill 1",
        profile="profile: legacy",
        replicas="[0, 1, 2]",
    )
    assert texts(links, "truncated") == ["broker 2 cut its log of t-0 off at its own high watermark, 0"]
    assert not any("flushed" in link["text"] for link in links)
    assert "broker 1 and broker 2 could no longer reach each other" in texts(links, "missing")


def test_what_stands_in_the_place_of_lost_records_was_not_lost_when_it_was_acknowledged() -> None:
    """REG-5, LOG-8: the leader comes back in its epoch without the end of its log, and writes others there."""
    actions = (
        "at: 5s, do: send P t-0 3",
        "at: 6s, do: power-loss 0 3",
        "at: 7s, do: start 0",
        "at: 20s, do: send P t-0 3",
    )
    links = told("all", *actions, profile="profile: legacy", replicas="[0]")
    assert len(texts(links, "acked")) == 1
    assert not any("still took itself" in link["text"] for link in links)
