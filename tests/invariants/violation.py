"""The error that a broken property raises to stop the run, and its words about a partition."""

from simengine.kafka.shared.metadata import PartitionRegistration


class Violation(Exception):
    """A named property does not hold. ``name`` is the property's, ``where`` the partition or broker concerned."""

    def __init__(self, name: str, where: str, story: str) -> None:
        super().__init__(f"{name} at {where}: {story}")
        self.name = name
        self.where = where
        self.story = story


def demand(holds: bool, name: str, where: str, story: str) -> None:
    """Raise ``Violation`` unless the property holds."""
    if not holds:
        raise Violation(name, where, story)


def registration_text(r: PartitionRegistration) -> str:
    """A registration in one line."""
    state = f"leader {int(r.leader)} E {int(r.epoch)} PE {int(r.pe)} ISR {r.isr}"
    return f"{state} ELR {r.elr} last {r.last_known} of {r.replicas}"
