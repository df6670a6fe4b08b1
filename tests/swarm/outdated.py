"""An active controller that is cut off, and asked by a leader that knows what its successor has changed (AP-2, QUO-3).

With a fetch timeout of 6 s (`rarer.outdated_controllers`) it takes itself for the active one for 9.2 s or more, and its
successor is elected after 5.7 s or more. A broker that was cut off from it too, and is back, has followed the
successor's log meanwhile; its proposals still go to whom they went before, as that connection has not broken. So they
come from the future: of a partition that has changed since (NOT_CONTROLLER), or of one that there was not
(UNKNOWN_TOPIC_OR_PARTITION).
"""

from typing import Final

from simengine.world.world import World
from tests.swarm.rarer import OUTDATED_VOTERS_MIN

Timed = list[tuple[int, str]]  # moments (us) and actions
SHRUNK_US: Final = 4_000_000
CUT_US: Final = 6_000_000  # time for a first proposal, by which the connection stands
CHANGED_US: Final = 5_600_000  # after the cut: administrators wait for the successor
BACK_US: Final = 6_600_000
STEP_US: Final = 300_000


def outdate(world: World, at: int, which: int, length: int) -> Timed:
    """The actions from ``at`` on; ``which`` one is asked what; ``length``: of the cut (us)."""
    controller = world.active_controller()
    up = [int(b.id) for b in world.cluster.brokers if b.up and not b.paused]
    if controller < 0 or len(world.cluster.controllers) < OUTDATED_VOTERS_MIN or len(up) < 2:
        return []
    asker = up[which % len(up)]
    joiner = up[(which + 1) % len(up)]
    nodes = [int(n.id) for n in (*world.cluster.controllers, *world.cluster.brokers) if n.id != controller]
    others = ",".join(map(str, nodes))
    cut_at = at + CUT_US
    back_at = cut_at + BACK_US + which % 5 * STEP_US
    found = [(at, f"create late {asker}"), (at + 1, f"reassign late-0 {asker},{joiner}")]
    found += [(cut_at, f"cut {controller}|{others}"), (back_at, f"heal {controller}|{asker}")]
    found.append((cut_at + length, f"heal {controller}|{others}"))
    changed_at = cut_at + CHANGED_US
    if which % 2:
        found.append((changed_at, f"create later {asker}"))
        return [*found, (changed_at + 1, f"reassign later-0 {asker},{joiner}")]
    found.append((at + SHRUNK_US, f"reassign late-0 {asker}"))
    return [*found, (changed_at, f"reassign late-0 {asker},{joiner}")]
