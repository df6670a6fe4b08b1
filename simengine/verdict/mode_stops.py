"""How long calls of each mode of acks had no response in some partitions, where calls were made in more than one."""

from simengine.kafka.api import ACKS_ALL
from simengine.standing import OPEN
from simengine.verdict.account import Account
from simengine.verdict.outage import common_us
from simengine.verdict.sentence import ModeStop


def mode_stops(accounts: list[Account], now: int) -> tuple[ModeStop, ...]:
    """One stop for each mode; none where all calls were made in one."""
    longest: dict[int, ModeStop] = {}
    for account in accounts:
        for calls in account.calls:
            for mode in calls.modes:
                acks, us = int(mode.acks), int(mode.us(now))
                known = longest.get(acks)
                is_waiting = account.state != OPEN and account.waits(mode, now)
                if known is None or us > known.us:
                    out = account.out_all if acks == ACKS_ALL else account.out_1
                    same_us = int(common_us(mode.spans(now), out.spans(now))) if us else 0
                    known = ModeStop(mode_name(acks), us, same_us, known is not None and known.is_waiting)
                longest[acks] = known._replace(is_waiting=True) if is_waiting else known
    return tuple(longest.values()) if len(longest) > 1 else ()


def mode_name(acks: int) -> str:
    """``all``, ``1`` or ``0``."""
    return "all" if acks == ACKS_ALL else str(acks)
