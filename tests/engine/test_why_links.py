"""Single links of a chain: what they say, and which action they name."""

import pytest

from simengine.decide import Decision
from simengine.kernel.facts import ACTION_DONE, LINK_CHANGED, PROCESS_CHANGED, PROCESS_DOWN
from simengine.kernel.trace import Decisive
from simengine.scenario import load
from simengine.why.examine import why
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
  - {at: 5s, do: kill 1}
  - {at: 20s, do: slow 2 3}
  - {at: 60s, do: pause 2}
  - {at: 75s, do: power-loss 0 5}
  - {at: 95s, do: resume 2}
"""


def chain_with(action: str, at: int) -> list[tuple[int, str, bool]]:
    """The second, text and mark of each link, where an action is what decided the loss."""
    doc = load(TWO_OUT.encode())
    world = build(doc)
    world.run(doc.until_us)
    decided = {"t": Decision(0, at * SECOND, action, 1, 0, 1)}
    [chain, *_] = why(world, doc.until_us, dict(decided), False)["chains"]
    return [(link["t"] // SECOND, link["text"], link["decides"]) for link in chain["links"]]


def test_a_decision_that_kept_a_member_out_of_the_isr_is_a_link_of_the_chain() -> None:
    """ISR-8: broker 1 would have had them; its ISR had shrunk long before they were acknowledged."""
    first, second, third, *_ = chain_with("kill 1", 5)
    assert first == (5, "broker 1 died", True)
    assert second[1:] == ("broker 1 left the ISR of t-0, fenced; the ISR is now brokers 0 and 2", False)
    assert "broker 0 acknowledged" in third[1]


def test_a_decision_that_nothing_goes_back_to_is_a_link_by_itself() -> None:
    assert (20, "broker 2 fetches at most 3 records/s", True) in chain_with("slow 2 3", 20)


def test_a_decision_that_the_chain_names_is_told_once() -> None:
    links = chain_with("power-loss 0 5", 75)
    assert [text for _, text, decides in links if decides] == ["broker 0 died (broker 0 loses power)"]
    assert not any(t == 5 for t, _, _ in links)
