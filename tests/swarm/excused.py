"""An excused partition cannot come back: it fails to serve, and an unexpected recovery is a finding.

Excused is a partition without leader that nobody in the core may lead (UNC-1, ELEC-4, ELR-6), one whose elected leader
is silent for good (KAFKA-19522), and one whose ISR stays below M (HW-2, PROD-2). Property: excused_fails. The first
must stay without a leader; in none may a new call be acknowledged under acks=all (without a leader: at all), the high
watermark move, or a consumer get on.
"""

from typing import Final

from simengine.facts.kinds import CLIENT_OPEN
from simengine.kafka.cluster.admin import CALL_TIMEOUT_US, RETRY_MAX_US
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.shared.standing import is_below_min, successors
from simengine.verdict.outcomes import ACKED
from tests.invariants.violation import demand
from tests.swarm.deadlines import LOOK_US
from tests.swarm.healed import Healed, story_of, where_of
from tests.swarm.healed_clients import name_of

NAME: Final = "excused_fails"
SURE_US: Final = 5_000_000  # what left the core may have got a last request through
TRY_US: Final = 15_000_000


class Excused:
    """The leaderless partitions that nobody may lead, by what has been seen of them."""

    def __init__(self, healed: Healed) -> None:
        self.healed = healed
        self._since: dict[int, int] = {}

    def look(self, now: int) -> None:
        """A partition that nobody could lead stays so, unless unclean elections came on or one was asked for.

        4.0 may elect the last-known leader all the same, silent as it is (KAFKA-19522). Raises Violation.
        """
        image = self.healed.cluster.quorum.image
        for r in self.healed.registrations():
            p = int(r.p)
            if r.leader < 0 and not may_be_led(self.healed, r):
                self._since.setdefault(p, now)
            elif now - self._since.pop(p, now) > SURE_US and r.leader >= 0 and not image.unclean(r.topic):
                excuse = self.healed.is_silent_last_known(r) or was_asked_for(self.healed, r)
                demand(excuse, NAME, where_of(r), f"nobody could lead it: {story_of(r)}")


def was_asked_for(healed: Healed, r: PartitionRegistration) -> bool:
    """UNC-3: whether an administrator asked for an unclean election, and may have repeated that until now.

    The last attempt may be due a pause after the call's time is over (QUO-7), and is then to be committed.
    """
    world = healed.world
    since = world.now_us - CALL_TIMEOUT_US - RETRY_MAX_US - LOOK_US - healed.round_trip_us
    asked = ("unclean", name_of(world, int(r.p)))
    times = [at for at, action in world.timeline if action.verb == "elect" and action.args == asked]
    return any(since <= at <= world.now_us for at in times)


def may_be_led(healed: Healed, r: PartitionRegistration) -> bool:
    """True if anybody in the core may lead a leaderless partition, now or when a task comes to it (UNC-2)."""
    active = [m for m in r.replicas if m in healed.brokers or healed.cluster.quorum.image.is_active(m)]
    if successors(r.lists(), active, allows_unclean=False).brokers:
        return True
    return bool(successors(r.lists(), healed.brokers, healed.allows_unclean(r)).brokers)


def is_excused(healed: Healed, r: PartitionRegistration) -> bool:
    """True if a partition cannot be written with acks=all."""
    if r.leader < 0:
        return not may_be_led(healed, r)
    if healed.is_silent_last_known(r):
        return True
    leader = healed.acting_leader(r.p)
    return leader is not None and bool(is_below_min(len(leader.isr), leader.min_isr))


def check_excused(healed: Healed) -> None:
    """Write to every excused partition, and see that nothing comes of it."""
    world = healed.world
    begun = world.now_us
    excused = [r for r in healed.registrations() if is_excused(healed, r)]
    before = {int(r.p): standing(healed, r) for r in excused}
    for r in excused:
        for producer in world.cluster_parts.producers:
            writes = any(calls.p == r.p for calls in producer.calls)
            if writes and producer.state == CLIENT_OPEN and (producer.settings.acks < 0 or r.leader < 0):
                world.act(world.now_us + 1, f"send {producer.name} {name_of(world, int(r.p))} 1")
    if not excused:
        return
    healed.run(world.now_us + TRY_US)
    for r in excused:
        now = healed.cluster.quorum.image.partition(r.p)
        assert now is not None, "partitions are not deleted"
        changed = now is not r or healed.changed_at(r, "min.insync.replicas") >= begun
        if changed and not is_excused(healed, now):
            continue  # ISR-5, HW-9: somebody joined after all, or M was lowered: no recovery of what was lost
        was, stands = before[int(r.p)], standing(healed, now)
        story = f"mark, acknowledged, read up to {was} -> {stands}, {story_of(now)}"
        demand(stands[:2] == was[:2] and stands[2] <= was[2], NAME, where_of(r), story)


def standing(healed: Healed, r: PartitionRegistration) -> tuple[int, int, int]:
    """The high watermark in the core, calls acknowledged (with a leader: under acks=all), the furthest position.

    Of the leader, or of whoever has the highest one: a follower that cuts its log lowers its own. A position may go
    back: a group that rebalances looks its commits up anew (CON-6).
    """
    p = int(r.p)
    copies = [healed.cluster.by_id[b].replica(p) for b in r.replicas if b in healed.brokers]
    leader = healed.acting_leader(p)
    mark = (
        int(leader.hw) if leader is not None else max((int(copy.hw) for copy in copies if copy is not None), default=0)
    )
    runs = [run for calls in healed.world.book.account(p).calls for run in calls.runs if run.outcome == ACKED]
    acked = sum(int(run.count) for run in runs if run.acks < 0 or r.leader < 0)
    consumers = [c for c in healed.world.cluster_parts.consumers if c.state == CLIENT_OPEN]
    furthest = max((int(x.offset) for c in consumers for x in c.reader().assignment.positions if x.p == p), default=-1)
    return mark, acked, furthest
