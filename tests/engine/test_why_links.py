"""Single links of a chain: what they say, and which action they name."""

import pytest

from simengine.kernel.facts import ACTION_DONE, LINK_CHANGED, PROCESS_CHANGED, PROCESS_DOWN
from simengine.kernel.trace import Decisive
from simengine.why.sentences import Words

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
