"""The later actions of a run, seen from a branch before them: the branch keeps them, or starts afresh.

Kept actions happen again at their times. Those that can no longer be done are left out, each with its reason. A branch
that starts afresh leaves out all of them, and says which.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from simengine.scenario.action_words import NodeName, asked, counted

KEEP: Final = "keep"
DROP: Final = "drop"
CHOICES: Final = (KEEP, DROP)
LEFT_TOLD_MAX: Final = 20  # actions left out that are told one by one
NAMED_MAX: Final = 3  # of them in a sentence


@dataclass(frozen=True)
class LaterActions:
    """The later actions of a branch, (at_us, do): those that stayed, and those left out, which have a reason as well.

    ``is_fresh``: the branch starts afresh, so none was tried.
    """

    kept: list[tuple[int, str]] = field(default_factory=list)
    left: list[tuple[int, str, str]] = field(default_factory=list)
    is_fresh: bool = False

    def plain(self, name: NodeName) -> dict[str, Any] | None:
        """As it is stored, in words; None where nothing came later."""
        if not self.kept and not self.left:
            return None
        return {
            "fresh": self.is_fresh,
            "brief": self._brief(name),
            "problems": self._problems(name),
            "other": self._other(name),
        }

    def _other(self, name: NodeName) -> str:
        """The effect of the other choice on the same actions, in words."""
        if self.is_fresh:
            return f"with what came after: {counted([do for _, do, _ in self.left])}"
        return left_words(sorted([*((at_us, do, "") for at_us, do in self.kept), *self.left]), name)

    def _brief(self, name: NodeName) -> str:
        number = len(self.left)
        if self.is_fresh:
            return f"starts afresh: {left_words(self.left, name)}"
        parts = [f"with what came after: {counted([do for _, do in self.kept])}"] if self.kept else []
        actions = f"{number} later {'action' if number == 1 else 'actions'}"
        if number and not parts:
            return f"without {actions} that can no longer be done"
        return ", ".join([*parts, f"{actions} can no longer be done"] if number else parts)

    def _problems(self, name: NodeName) -> list[str]:
        if self.is_fresh:
            return []
        listed = [f"at {clock(at)}: {asked(do, name)}: {reason}" for at, do, reason in self.left[:LEFT_TOLD_MAX]]
        more = len(self.left) - len(listed)
        return listed + ([f"and {more} more"] if more else [])


def afresh(actions: list[tuple[int, str]]) -> LaterActions:
    """All of them are left out."""
    return LaterActions(left=[(at_us, do, "") for at_us, do in actions], is_fresh=True)


def left_words(left: list[tuple[int, str, str]], name: NodeName) -> str:
    """The actions left out, in words: ``leaves out 2 later actions: kill broker 2 at 20 s, start broker 2 at 30 s``."""
    named = [f"{asked(do, name)} at {clock(at_us)}" for at_us, do, _ in left[:NAMED_MAX]]
    rest = [f"{len(left) - len(named)} more"] if len(left) > len(named) else []
    return f"leaves out {len(left)} later {'action' if len(left) == 1 else 'actions'}: {', '.join([*named, *rest])}"


def clock(at_us: int) -> str:
    """A moment, without zeros at its end: ``20 s``, ``3.621 s``."""
    return f"{at_us / 1_000_000:.3f}".rstrip("0").rstrip(".") + " s"
