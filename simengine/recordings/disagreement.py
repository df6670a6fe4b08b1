"""One way in which a set of runs does not explain a recording, in words that an engineer can act on."""

from typing import NamedTuple

from simengine.recordings.history import NOBODY, State
from simengine.recordings.liveness import FENCING, REGISTRATION, UNFENCING

RULES_OF_FATES = "PROD-*, PC-*, IDEM-*"
RULES_OF_READS = "CON-*, HW-*"


class Disagreement(NamedTuple):
    """``rule``: 1 to 7; ``subject``: partition, broker or client concerned; ``t``: seconds, None for a whole run."""

    rule: int
    subject: str
    t: float | None
    text: str

    def __str__(self) -> str:
        return f"rule {self.rule}, {self.subject}: {self.text}"


def rules_of_step(before: State | None, after: State, *, healing: bool, starting: bool) -> str:
    """The ids of the rules that decide such a step."""
    if before is None:
        return "PLACE-6, QUO-8"
    if after.replicas != before.replicas:
        return "REA-1, REA-3"
    if after.leader != before.leader:
        if after.leader == NOBODY:
            return "ELEC-7, ELR-3, LIVE-3"
        if before.leader == NOBODY:
            return "ELEC-6, REG-4, ELR-6"
        return "ELEC-3, LIVE-3, SHUT-1, PREF-1" if after.leader in before.isr else "ELEC-5, UNC-1, ELR-4"
    if len(after.isr) > len(before.isr):
        return "ISR-5, ISR-6, " + ("TCP-1" if healing else "REG-2" if starting else "AP-1")
    if len(after.isr) < len(before.isr):
        return "ISR-2, ISR-8, LIVE-3, SHUT-1, REG-4"
    return "ELR-2, ELR-7"


def rules_of_event(event: str) -> str:
    """The ids of the rules that decide an event of a broker's registration."""
    if event == REGISTRATION:
        return "REG-1, REG-2"
    if event == UNFENCING:
        return "LIVE-6, REG-1, TCP-1"
    return "LIVE-2, LIVE-3, SHUT-4, QUO-4" if event == FENCING else "SHUT-1"
