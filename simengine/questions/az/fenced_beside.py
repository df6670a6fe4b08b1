"""Brokers that a loss does not touch and that may be fenced for a while, and what that may cost.

A broker asks the active controller for metadata. If that controller goes dark, the request runs out, and the next one
goes to a random voter: a dark one makes it wait again (QUO-5). With bad luck the broker finds the new controller later
than a session after its activation, and is fenced till then (QUO-4, LIVE-4). So may several. A controller that is
killed refuses at once. A standby controller is not asked as long as the active one responds.

A loss that takes the quorum fences nobody. When enough of its controllers are back to elect one, the same happens while
another one of them is still dark: brokers that went on all the time are fenced, and a copy that lacks what they
acknowledged meanwhile, or an empty one, may lead.
"""

from dataclasses import dataclass

from simengine.questions.az.cell import AzLoss
from simengine.questions.az.partition_states import NOBODY, PartitionState
from simengine.world.world import World


@dataclass(frozen=True, slots=True)
class Beside:
    """The brokers beside a loss that may be fenced; none of them where the loss cannot do that.

    ``gone``: the brokers of the loss; they may be elected until they are fenced. ``at_return``: others are fenced only
    when the controllers of the loss come back. ``has_elr``: ELR is on.
    """

    others: tuple[int, ...]
    gone: tuple[int, ...]
    at_return: bool
    disks_gone: bool
    has_elr: bool

    @property
    def fences(self) -> bool:
        """True if a broker may be fenced before the loss is back."""
        return bool(self.others) and not self.at_return

    def may_lose(self, at: PartitionState, acks: str) -> bool:
        """True if acknowledged records of a partition may be lost because a broker beside is fenced."""
        if at.leader == NOBODY:
            return False
        is_early = acks == "1" and not at.topic.startswith("__")  # acknowledged before any follower has it
        if is_early and (self._leaves_a_leader(at) or self._leaves_it_to_the_elr(at)):
            return True
        return self._finds_outdated(at) or self.disks_gone and self._leaves_it_to_the_gone(at)

    def may_stop_it(self, at: PartitionState) -> bool:
        """True if a partition with a running copy in sync may wait for the brokers of the loss without a leader."""
        return self.fences and at.leader != NOBODY and not at.unclean and self._leaves_it_to_the_gone(at)

    def _leaves_a_leader(self, at: PartitionState) -> bool:
        """True if another broker may take over from a leader that goes on and acknowledges acks=1 (LIVE-5, PROD-4)."""
        heirs = [broker for broker in (*at.isr, *at.elr) if broker != at.leader]
        return at.leader in self.others and any(broker in self.others or broker in self.gone for broker in heirs)

    def _leaves_it_to_the_elr(self, at: PartitionState) -> bool:
        """True if a member of the ELR may lead once the whole ISR is fenced: it lacks records of acks=1 (ELR-8)."""
        has_heirs = any(broker in self.others for broker in at.isr)
        return has_heirs and bool(at.elr) and all(broker in (*self.gone, *self.others) for broker in at.isr)

    def _finds_outdated(self, at: PartitionState) -> bool:
        """True if an unclean election may find an outdated copy once all that may lead cleanly are fenced (UNC-1).

        At the return the copies of the loss are there too, empty where its disks are gone.
        """
        clean = (*at.isr, *at.elr)
        outdated = [broker for broker in at.electable if broker in self.others and broker not in clean]
        if self.at_return:
            outdated += [one for one in at.electable if one in self.gone and (self.disks_gone or one not in clean)]
        return at.unclean and bool(outdated) and any(broker in self.others for broker in clean)

    def _leaves_it_to_the_gone(self, at: PartitionState) -> bool:
        """True if brokers of the loss may be the last members of the ISR, fenced after all others (LIVE-3, ELEC-7).

        With ELR all that leave an ISR at its minimum or below may lead too, as many as the minimum (ELR-2).
        """
        last = max(1, at.min_isr) if self.has_elr else 1
        gone = [broker for broker in at.isr if broker in self.gone]
        return len(gone) >= last and any(broker in self.others for broker in at.isr)


def beside(world: World, loss: AzLoss, running: dict[int, bool], disks_gone: bool) -> Beside:
    """The brokers beside a loss that may be fenced, at the moment before it."""
    others = tuple(broker for broker in running if broker not in loss.brokers) if _may_fence(world, loss) else ()
    return Beside(others, loss.brokers, not loss.has_quorum, disks_gone, bool(world.doc.elr))


def _may_fence(world: World, loss: AzLoss) -> bool:
    """True if the active controller may go dark and another one takes over, now or while a third one is still dark.

    Any controller may be the active one, unless the document names it.
    """
    if not loss.is_dark:
        return False
    if not loss.has_quorum:
        total = loss.voters[1]
        return bool(loss.controllers) and total > total // 2 + 1
    active = world.cluster.quorum.active
    named = world.doc.cluster.active
    if named is not None and active is not None and int(active.id) == named:
        return named in loss.controllers
    return bool(loss.controllers)
