"""The times at which TCP repeats what a cut has swallowed (TCP-1)."""

from typing import Final

from mypy_extensions import i64

RETRANSMIT_FIRST_US: Final = 200_000  # TCP-1: 0.2 * (2^k - 1) s after the first loss


def next_retransmission(first_us: i64, now_us: i64) -> i64:
    """The first time at or after now at which TCP repeats what it first sent at ``first_us``."""
    pause: i64 = RETRANSMIT_FIRST_US
    at = first_us + pause
    while at < now_us:
        pause *= 2
        at += pause
    return at
