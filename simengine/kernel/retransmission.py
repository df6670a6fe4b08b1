"""The times at which TCP repeats what a cut has swallowed (TCP-1)."""

from typing import Final

from mypy_extensions import i64

from simengine.kernel.random import Stream

RETRANSMIT_FIRST_US: Final = 204_000  # Linux waits 200 ms and one round trip, in ticks
# Linux keeps timers in the levels of a wheel. A timer fires late, by up to one grain of its level.
TICK_US: Final = 4_000  # the grain of the first level
GRAINS_OF_A_LEVEL: Final = 63  # a longer timer is in the next level
GRAIN_GROWTH: Final = 8  # from each level to the next


def next_retransmission(first_us: i64, now_us: i64, chance: Stream) -> i64:
    """The first time (us) from now on at which TCP repeats what it first sent at ``first_us``.

    The pauses double. ``chance`` draws how late each timer fires.
    """
    pause: i64 = RETRANSMIT_FIRST_US
    at = first_us + pause + chance.below(grain(pause))
    while at < now_us:
        pause *= 2
        at += pause + chance.below(grain(pause))
    return at


def grain(pause_us: i64) -> i64:
    """The grain (us) of the level that a timer is in."""
    found: i64 = TICK_US
    while pause_us >= found * GRAINS_OF_A_LEVEL:
        found *= GRAIN_GROWTH
    return found
