"""Single links of a chain: what they say, and which action they name."""

from typing import Any

import pytest

from simengine.explain.commits import isr_change
from simengine.explain.decide import Decision
from simengine.explain.examine import why
from simengine.explain.fact_index import FactIndex
from simengine.explain.link import LOST, ChainLink, LinkKind
from simengine.explain.link_words import text_of
from simengine.explain.losses import at_one_moment, losses_of
from simengine.explain.sentences import Words
from simengine.facts.decisive import ActionDone, LinkChanged, PartitionChanged, ProcessChanged, RecordsLost
from simengine.facts.kinds import (
    ELECTION_CLEAN,
    ELECTION_ELR,
    ELECTION_NONE,
    ELECTION_OFFLINE,
    ELECTION_UNCLEAN,
    PROCESS_DOWN,
    REASON_FENCED,
)
from simengine.facts.trace import Decisive
from simengine.scenario import load
from simengine.world.world import build
from tests.engine.cluster import SECOND
from tests.engine.made_facts import made

CUT = made(LinkChanged, 2, 5, 1, src=0, dst=1, cut=1)
DIED = made(ProcessChanged, 2, 5, 1, node=0, state=PROCESS_DOWN)


@pytest.mark.parametrize(
    ("fact", "action", "is_said"),
    [
        (CUT, "cut 1|0", True),
        (CUT, "cut 0|2", False),
        (CUT, "heal", False),
        (CUT, "heal 0|1", False),
        (DIED, "kill 0", True),
        (DIED, "kill 1", False),
        (DIED, "heal", False),
    ],
)
def test_a_link_names_what_was_done_unless_its_own_words_say_it(fact: Decisive, action: str, is_said: bool) -> None:
    """An action may be one word: heal."""
    words = Words({"topics": [], "partitions": [], "clients": [], "brokers": [{"id": 0}, {"id": 1}]})
    assert words.says(fact, made(ActionDone, 1, 5, text=action)) is is_said


TWO_OUT = """
format: 1
profile: "4.2"
seed: 6
until: 100s
cluster: {brokers: [0, 1, 2], controllers: [100, 101, 102]}
topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 2}}]
producers: [{id: Q, topic: t, acks: 1, rate: 20}]
timeline:
  - {at: 2s, do: config t min.insync.replicas 2}
  - {at: 5s, do: kill 1}
  - {at: 20s, do: slow 2 3}
  - {at: 60s, do: pause 2}
  - {at: 75s, do: power-loss 0 5}
  - {at: 95s, do: resume 2}
"""


def chain_with(action: str, at: int, document: str = TWO_OUT) -> list[tuple[int, str, bool]]:
    """The second, text and mark of each link, where an action is what decided the loss."""
    doc = load(document.encode())
    world = build(doc)
    world.run(doc.until_us)
    decided = {"t": Decision(0, at * SECOND, action, 1, 0, 1)}
    [chain, *_] = why(world, doc.until_us, dict(decided), False)["chains"]
    return [(link["t"] // SECOND, link["text"], link["decides"]) for link in chain["links"]]


def test_a_decision_that_nothing_goes_back_to_is_a_link_by_itself() -> None:
    assert chain_with("config t min.insync.replicas 2", 2)[0] == (2, "t: min.insync.replicas = 2", True)


def test_a_decision_that_the_chain_names_is_told_once() -> None:
    links = chain_with("power-loss 0 5", 75)
    assert [text for _, text, decides in links if decides] == ["broker 0 died (broker 0 loses power)"]
    assert not any(t == 5 for t, _, _ in links)


@pytest.mark.parametrize(
    ("moments", "most", "groups"),
    [
        ([0, 9, 18, 27, 36], 8, [5]),  # a former leader goes on for long: one story
        ([0, 9, 30, 31], 8, [2, 2]),
        ([0, 20, 40, 60], 2, [1, 3]),
    ],
)
def test_losses_of_one_cause_are_one_link_until_they_pause(moments: list[int], most: int, groups: list[int]) -> None:
    facts = [made(RecordsLost, n, at * SECOND // 10) for n, at in enumerate(moments)]
    assert [len(group) for group in at_one_moment(facts, most)] == groups


@pytest.mark.parametrize(
    ("ranges", "gaps"),
    [
        ([(0, 10), (20, 5)], [[(0, 10), (20, 25)]]),
        ([(20, 5), (10, 10), (0, 10)], [[(0, 25)]]),  # of several producers, in any order
        ([(0, 10), (5, 10)], [[(5, 15)], [(0, 10)]]),  # written in the place of those that were lost
        ([(0, 10), (5, 10), (15, 5)], [[(5, 20)], [(0, 10)]]),
    ],
)
def test_what_is_lost_of_the_same_offsets_twice_is_two_losses(
    ranges: list[tuple[int, int]], gaps: list[list[tuple[int, int]]]
) -> None:
    """REG-5: each record counts."""
    facts = [
        made(RecordsLost, n, n, 7, base=base, count=count, epoch=3, acks=1, client=n)
        for n, (base, count) in enumerate(ranges)
    ]
    assert sorted(loss.gaps for loss in losses_of(FactIndex(facts), {})) == sorted(gaps)


def chain_of(document: str) -> list[tuple[str, list[str]]]:
    """The sentence and the rules of each link of the greatest loss."""
    doc = load(document.encode())
    world = build(doc)
    world.run(doc.until_us)
    [chain, *_] = why(world, doc.until_us, {}, False)["chains"]
    return [(link["text"], link["rules"]) for link in chain["links"]]


TWO_UNCLEAN = """
format: 1
elr: false
seed: 3
until: 64s
cluster: {brokers: [1, 2], controllers: [100]}
topics:
  - {name: t, assignment: [[1, 2]], config: {min.insync.replicas: 1, unclean.leader.election.enable: true}}
producers: [{id: P, topic: t, rate: 10, acks: 1}]
timeline:
  - {at: 2s, do: kill 2}
  - {at: 30s, do: kill 1}
  - {at: 31s, do: start 2}
  - {at: 50s, do: kill 2}
  - {at: 51s, do: start 1}
"""


def test_the_unclean_election_that_took_the_later_leader_out_of_the_isr_is_told() -> None:
    """UNC-1, ELEC-5: broker 2 was out of the ISR since it died; it did not stay in it when broker 1 was fenced."""
    links = chain_of(TWO_UNCLEAN)
    texts = [text for text, _ in links]
    left = "broker 1 left the ISR of t-0, fenced; the ISR is now broker 2, elected from outside it"
    assert (left, ["LIVE-4", "ISR-8", "ELEC-5"]) in links
    how = "without being in the ISR, as unclean.leader.election.enable allows"
    elected = f"broker 2 became leader of t-0 in epoch 1 {how}"
    assert texts.index(elected) == texts.index(left) + 1
    assert texts.index(elected) < next(i for i, text in enumerate(texts) if text.startswith("broker 2 acknowledged"))


def test_a_leader_whose_log_is_long_enough_is_said_to_have_none_of_that_epoch() -> None:
    """TRUNC-6: broker 1 has 300 records of epoch 0; those of epoch 1 stood at offsets 20–219 on broker 2."""
    why_not = "the leader's log, broker 1's, has no records of that epoch there"
    assert (f"offsets 20–219, written in epoch 1, are lost: {why_not}", ["TRUNC-6"]) in chain_of(TWO_UNCLEAN)


def test_members_of_the_isr_are_told_by_their_numbers() -> None:
    """They are a set: the order in which a leader lists those who joined says nothing (PROD-6)."""
    document = """
format: 1
profile: "4.0"
seed: 5
until: 45s
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics: [{name: t, assignment: [[1, 2, 3]], config: {min.insync.replicas: 1}}]
producers: [{id: P, topic: t, rate: 10}]
timeline:
  - {at: 5s, do: kill 2}
  - {at: 5s, do: kill 3}
  - {at: 20s, do: start 3}
  - {at: 30s, do: start 2}
  - {at: 40s, do: power-loss all 25}
  - {at: 41s, do: start 1}
"""
    assert any("all of the ISR, brokers 1, 2 and 3, had them" in text for text, _ in chain_of(document))


@pytest.mark.parametrize(
    ("leader", "election", "before", "isr", "elr", "text", "rules"),
    [
        (2, ELECTION_CLEAN, [1, 2], [2], [], "broker 1 left the ISR of t-0, fenced; the ISR is now broker 2", ()),
        (-1, ELECTION_OFFLINE, [1], [], [1], "fenced, still eligible to lead (ELR); the ISR is now empty", ("ELR-2",)),
        (3, ELECTION_UNCLEAN, [1], [3], [], "the ISR is now broker 3, elected from outside it", ("ELEC-5",)),
        (3, ELECTION_ELR, [], [3], [], "the ISR of t-0 is now broker 3, elected from outside it", ("ELR-4",)),
        (1, ELECTION_NONE, [1], [3, 1], [], "the ISR of t-0 is now brokers 1 and 3", ("ISR-5", "AP-3")),
        (
            3,
            ELECTION_NONE,
            [4, 3, 2],
            [3],
            [],
            "brokers 2 and 4 left the ISR of t-0, fenced; the ISR is now broker 3",
            (),
        ),
    ],
)
def test_a_change_of_the_isr_tells_who_came_into_it_by_an_election(
    leader: int, election: int, before: list[int], isr: list[int], elr: list[int], text: str, rules: tuple[str, ...]
) -> None:
    state = {"leader": leader, "epoch": 1, "pe": 1, "replicas": [1, 2, 3], "isr": isr, "elr": elr}
    change = made(PartitionChanged, 2, 5, 1, **state, reason=REASON_FENCED, election=election)
    link = isr_change(change, before)
    words = Words({"topics": ["t"], "partitions": [[0, 0]], "clients": [], "brokers": []})
    assert text_of(link, words).endswith(text)
    left = ("LIVE-4", "ISR-8") if set(before) - set(isr) else ()
    assert link.rules == (*left, *rules)


LAST_KNOWN = """
format: 1
profile: "4.2"
until: 120s
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 1]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: t, acks: 1, rate: 5}]
timeline:
  - {at: 5s, do: kill 1}
  - {at: 20s, do: start 1}
  - {at: 50s, do: kill 0}
  - {at: 51s, do: power-loss 1 4}
  - {at: 70s, do: start 1}
  - {at: 80s, do: start 0}
"""


def test_what_emptied_the_elr_before_the_last_known_leader_was_elected_is_told() -> None:
    """ELR-5, REG-4, ELR-6: each member that started again after an unclean shutdown; not one of an earlier ELR."""
    doc = load(LAST_KNOWN.encode())
    world = build(doc)
    world.run(doc.until_us)
    (chain,) = why(world, doc.until_us, {}, is_all=False)["chains"]
    left = [link for link in chain["links"] if " left the ELR " in link["text"]]
    new = "left the ELR of t-0 as a new process registered after an unclean shutdown; the ELR is now"
    assert [link["text"] for link in left] == [f"broker 1 {new} broker 0", f"broker 0 {new} empty"]
    assert all(link["rules"] == ["ELR-5", "REG-4"] and link["t"] > 70_000_000 for link in left)
    texts = [link["text"] for link in chain["links"]]
    elected = "broker 1 became leader of t-0 in epoch 3, as the last known leader, in neither ISR nor ELR"
    assert texts[texts.index(left[-1]["text"]) + 1] == elected


@pytest.mark.parametrize(
    ("records", "told"),
    [
        ([(170, 171)], "offset 170, written in epoch 2, is lost: no broker has it in its log or on its disk any more"),
        ([(170, 172)], "offsets 170–171, written in epoch 2, are lost: no broker has them in its log or on its disk "),
    ],
)
def test_one_record_is_it_and_several_are_them(records: list[tuple[int, int]], told: str) -> None:
    nobody: Any = None
    link = ChainLink(LinkKind.LOST_EVERYWHERE, nobody, LOST, (), {"records": records, "epoch": 2, "until_us": -1})
    assert text_of(link, nobody).startswith(told)
