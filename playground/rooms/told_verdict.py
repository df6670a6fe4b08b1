"""The verdict as pages without scripts tell it: of thousands of topics those in the most trouble, and how many more."""

from typing import Any

from playground.rooms.limits import TOPICS_TOLD_MAX


def told_verdict(verdict: dict[str, Any]) -> dict[str, Any]:
    """A verdict with at most TOPICS_TOLD_MAX topics, the gravest, and ``topics_more`` where there are others.

    The engine gives the topics by their gravity. The sentence and the digest are those of the whole verdict.
    """
    topics, others = verdict["topics"], verdict.get("others", [])
    if len(topics) + len(others) <= TOPICS_TOLD_MAX:
        return verdict
    shown = topics[:TOPICS_TOLD_MAX]
    kept = {"topics": shown, "others": others[: TOPICS_TOLD_MAX - len(shown)]}
    return {**verdict, **kept, "topics_more": len(topics) - len(shown)}
