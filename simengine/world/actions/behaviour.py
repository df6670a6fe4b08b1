"""The effect of a verb, and the reason for which it would change nothing.

An action is always possible. Where the state that it asks for is there, or one that it needs is not, a run still
carries it out, and nothing follows its ``ActionDone``. Who replays actions in another run than the one they were made
for (a branch) leaves such an action out and gives the reason. What Kafka itself would refuse is not told here: the run
makes the call, and ``RequestRefused`` says what came of it.
"""

from collections.abc import Callable
from typing import final

Args = tuple[str, ...]


@final
class Behaviour:
    """Of one verb. ``do`` takes the arguments and the number of the action's fact."""

    def __init__(self, do: Callable[[Args, int], None], why_idle: Callable[[Args], str] | None = None) -> None:
        self.do = do
        self._why_idle = why_idle

    def why_idle(self, args: Args) -> str:
        """The reason why the action would change nothing now, as a clause about its subject; "" where it would."""
        return "" if self._why_idle is None else self._why_idle(args)
