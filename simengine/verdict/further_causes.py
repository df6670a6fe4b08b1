"""Causes of a topic's stops beside the deciding fact: what kept the longest stop up, and what stopped its groups."""

from typing import Final

from mypy_extensions import i64

from simengine.facts.trace import Decisive
from simengine.scenario.verb import REPAIR
from simengine.scenario.verbs import with_trait
from simengine.verdict.account import PartitionCounters
from simengine.verdict.seen import ClientView
from simengine.verdict.so_far import LongestOutage
from simengine.verdict.together import action_behind, numbered

REPAIRS: Final = with_trait(REPAIR)


def kept_up_by(accounts: list[PartitionCounters], facts: list[Decisive], began_by: int, goes_on: bool, now: int) -> int:
    """The action that kept a stop up; 0 where that is what began it (``began_by``). ``goes_on``: calls wait now.

    It was done while the stop lasted, repaired nothing, and the servers were out by it later.
    """
    seen = ClientView()
    for account in accounts:
        seen.look(account, now)
    stop = seen.explained_silence(goes_on)
    if stop is None:
        return 0
    later, began = numbered(facts, int(seen.kept_up_by(stop))), numbered(facts, began_by)
    if later is None or began is None:
        return 0
    done = action_behind(facts, later)
    is_other = done is not None and done.verb not in REPAIRS and done is not action_behind(facts, began)
    return int(done.seq) if done is not None and is_other and done.t > max(stop.since, began.t) else 0


def groups_stopped_by(accounts: list[PartitionCounters], now: i64) -> int:
    """The fact that began the longest stop of the coordinators in some partitions; 0 without one."""
    longest = LongestOutage()
    for account in accounts:
        longest.look(account.p, account.out_all, now)
    return int(longest.cause)
