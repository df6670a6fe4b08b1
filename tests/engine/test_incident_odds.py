"""Which actions are incidents, and why one that lost nothing did so: by rule or by luck."""

import pytest

from simengine.scenario import load
from simengine.why.examine import examine

THREE_BROKERS = """
format: 1
until: 40s
cluster: {{brokers: [0, 1, 2], controllers: [100]}}
topics: [{{name: t, assignment: [[0, 1]]}}, {{name: quiet, assignment: [[2, 1]]}}]
producers: [{{id: P, topic: t, acks: {acks}}}]
consumers: [{{id: C, group: g, topics: [t]}}]
phases: {{preferred: 250s}}
timeline: [{actions}]
"""
SENT = "{at: 1s, do: send P t-0 3}, "


def told(acks: str, actions: str) -> list[tuple[int, str]]:
    """The incidents of a run, each with what is said of its RPO."""
    doc = load(THREE_BROKERS.format(acks=acks, actions=actions).encode())
    return [(one["at_us"] // 1_000_000, one["words"][0]) for one in examine(doc, doc.until_us)["incidents"]]


@pytest.mark.parametrize("acks", ["all", "1"])
@pytest.mark.parametrize("cut", ["'cut P>0'", "'cut C|0'"])
def test_the_link_of_a_client_loses_nothing_by_rule(acks: str, cut: str) -> None:
    """FLT-4: no broker misses anything that it had."""
    assert told(acks, f"{SENT}{{at: 5s, do: {cut}}}") == [
        (5, "RPO observed: 0 by rule (only links of clients were hit)")
    ]


@pytest.mark.parametrize(
    ("acks", "sent", "fault", "reason"),
    [
        ("0", SENT, "power-loss 0", "no record had been acknowledged"),
        ("all", "", "power-loss all", "no record had been acknowledged"),
        ("1", "", "kill 0", "no record had been acknowledged"),
        ("all", "", "kill 2", "no record had been acknowledged"),
        ("all", SENT, "kill 2", "no record had been acknowledged where a leader was hit"),
        ("all", SENT, "power-loss 2", "no record had been acknowledged where a leader was hit"),
        ("all", SENT, "kill 1", "no leader was hit"),
    ],
)
def test_what_holds_nothing_acknowledged_loses_nothing_by_rule(acks: str, sent: str, fault: str, reason: str) -> None:
    """PROD-4, LOG-8: a hand-over promises nothing. Whose records had been acknowledged is said."""
    [(_, words)] = told(acks, f"{sent}{{at: 5s, do: {fault}}}, {{at: 30s, do: send P t-0 1}}")
    assert words.startswith(f"RPO observed: 0 by rule ({reason})")


def test_a_leader_that_goes_on_after_the_fault_answers_early_though_nothing_was_acknowledged_before() -> None:
    """PROD-4: what is acknowledged by a leader that is cut off may be lost yet."""
    [(_, words)] = told("1", "{at: 5s, do: 'cut 0|100'}, {at: 6s, do: send P t-0 3}, {at: 9s, do: heal}")
    assert "0 by luck (acks=1 is answered before another" in words


def test_the_internal_topic_is_told_apart() -> None:
    """CON-6: broker 2 leads __consumer_offsets alone."""
    doc = load(
        b"{format: 1, until: 20s, cluster: {brokers: [0, 1, 2], controllers: [100]}, topics: ["
        b"{name: t, assignment: [[0, 1]]}, {name: __consumer_offsets, assignment: [[2, 1]]}], "
        b"producers: [{id: P, topic: t, acks: all}], timeline: [{at: 1s, do: send P t-0 3}, {at: 5s, do: kill 2}]}"
    )
    [incident] = examine(doc, doc.until_us)["incidents"]
    assert incident["words"][0] == "RPO observed: 0 by rule (only leaders of internal topics were hit)"
