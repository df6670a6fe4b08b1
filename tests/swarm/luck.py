"""Draws of the swarm: a chance in percent, one of several, some of several."""

from typing import Any

from simengine.kernel.random import Stream


def chance(stream: Stream, percent: int) -> bool:
    """True in so many of a hundred draws."""
    return int(stream.below(100)) < percent


def pick(stream: Stream, items: list[Any] | tuple[Any, ...]) -> Any:
    """One of several."""
    return items[int(stream.below(len(items)))]


def placed(stream: Stream, brokers: list[int], factor: int) -> list[int]:
    """A random replica list."""
    left = list(brokers)
    return [left.pop(int(stream.below(len(left)))) for _ in range(factor)]
