"""The times at which TCP repeats what a cut has swallowed (TCP-1)."""

from typing import Final

from mypy_extensions import i64

from simengine.kernel.random import Stream

# Linux waits 200 ms and the round trip, in ticks of 4 ms, and doubles that each time.
RETRANSMIT_FIRST_US: Final = 204_000
# Its timer wheel has a coarser grain for longer pauses: up to so long, and the grain. A timer fires late, by up to one.
TICK_US: Final = 4_000
TICKS_OF_A_LEVEL: Final = 63
LEVELS_MORE: Final = 8  # times the pause and the grain of the level before


def next_retransmission(first_us: i64, now_us: i64, late: Stream) -> i64:
    """The first time at or after now at which TCP repeats what it first sent at ``first_us``; ``late``: its chance."""
    pause: i64 = RETRANSMIT_FIRST_US
    at = first_us + pause + late.below(grain(pause))
    while at < now_us:
        pause *= 2
        at += pause + late.below(grain(pause))
    return at


def grain(pause_us: i64) -> i64:
    """The grain of a timer of so many us, in us."""
    found: i64 = TICK_US
    while pause_us >= found * TICKS_OF_A_LEVEL:
        found *= LEVELS_MORE
    return found
