"""Single links of a chain: what they say, and which action they name."""

import pytest

from simengine.decide import Decision
from simengine.kernel.facts import ACTION_DONE, LINK_CHANGED, PROCESS_CHANGED, PROCESS_DOWN, RECORDS_LOST
from simengine.kernel.trace import Decisive
from simengine.scenario import load
from simengine.why.examine import why
from simengine.why.losses import at_one_moment
from simengine.why.sentences import Words
from simengine.world import build
from tests.engine.cluster import SECOND

CUT, DIED = (LINK_CHANGED, [0, 1, 1, 0]), (PROCESS_CHANGED, [0, PROCESS_DOWN])


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
def test_a_link_names_what_was_done_unless_its_own_words_say_it(
    fact: tuple[int, list[int]], action: str, is_said: bool
) -> None:
    """An action may be one word: heal."""
    words = Words({"topics": [], "partitions": [], "clients": [], "brokers": [{"id": 0}, {"id": 1}]})
    kind, values = fact
    done = Decisive(1, 5, ACTION_DONE, 0, [], [], action)
    assert words.says(Decisive(2, 5, kind, 1, values, [], ""), done) is is_said


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


def test_a_decision_that_kept_a_member_out_of_the_isr_is_a_link_of_the_chain() -> None:
    """ISR-8: broker 1 would have had them; its ISR had shrunk long before they were acknowledged."""
    first, second, *others = chain_with("kill 1", 5)
    assert first == (5, "broker 1 died", True)
    assert second[1:] == ("broker 1 left the ISR of t-0, fenced; the ISR is now brokers 0 and 2", False)
    assert any("broker 0 acknowledged" in text for _, text, _ in others)


def test_a_member_that_was_back_in_the_isr_was_not_kept_out_of_it() -> None:
    """ISR-5: broker 1 left and came back long before they were acknowledged, and was then cut off."""
    back = TWO_OUT.replace("  - {at: 20s", "  - {at: 10s, do: start 1 after 9s}\n  - {at: 20s")
    back = back.replace("  - {at: 75s", '  - {at: 60.5s, do: "cut 0|1"}\n  - {at: 75s')
    links = chain_with("kill 1", 5, back)
    assert links[0] == (5, "broker 1 is killed", True)
    assert not any("broker 1 left the ISR" in text for _, text, _ in links)


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
    facts = [Decisive(n, at * SECOND // 10, RECORDS_LOST, 0, [], [], "") for n, at in enumerate(moments)]
    assert [len(group) for group in at_one_moment(facts, most)] == groups
