"""One link of a chain: what happened, to whom, with which numbers and by which rules."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from simengine.explain.evidence import RecordEvent
from simengine.facts.decisive import ActionDone, LinkChanged, PartitionChanged
from simengine.facts.trace import Decisive

ACKED: Final = "acked"
MISSING: Final = "missing"
SETTING: Final = "setting"
ISR: Final = "isr"
FAULT: Final = "fault"
ELECTION: Final = "election"
LOST: Final = "lost"
CUT: Final = "truncated"

NUMBERS: Final = (
    "partition",
    "records",
    "epoch",
    "end",
    "until_us",
)  # no part of a story


_ACKED: Final = "{broker} acknowledged {records} of {partition} to {clients} with acks={acks}{until_us}"
_LOST: Final = "{records}, written in epoch {epoch}, {are} lost{until_us}"


class LinkKind(Enum):
    """The statement that a link makes, with its sentence; ``link_words`` says what stands in braces."""

    HAPPENED = "{fact}"
    HAD_STOPPED = "{broker} had stopped"
    CUT_FROM_CONTROLLERS = "{broker} was cut off from the controllers"
    ACKED_ON_WRITE = f"{_ACKED}: it answers after its own write"
    ACKED_ALONE = f"{_ACKED}: it was alone in its ISR, and min.insync.replicas is {{least}}"
    ACKED_ONLY = f"{_ACKED}: no other replica can be in its ISR"
    ACKED_BY_ISR = f"{_ACKED}: all of the ISR, {{members}}, had {{them}}"
    ACKED_AS_FORMER = _ACKED.replace("{broker}", "{broker}, which still took itself for the leader,")
    ACKED_LATE = (
        "{clients} received the acknowledgement of {records} of {partition} with acks={acks} after {broker} had lost "
        "the leadership{until_us}"
    )
    DISK_EMPTY = "{broker}'s log of {partition} was gone: its disk was empty"
    NOT_FLUSHED = "{broker} lost what it had not flushed: its log of {partition} ended at {end}"
    BACK_WITHOUT = "{broker} came back without {them}"
    DELETED = "{broker} deleted its copy of {partition}"
    CUT_AT = "{broker} cut its log of {partition} off at {end}"
    CUT_AT_HW = "{broker} cut its log of {partition} off at its own high watermark, {end}"
    CUT_OFF = "{broker} cut off its copy, {records} of {partition}, to follow the new leader"
    LEFT_ISR = "{gone} left the ISR of {partition}{left_isr}{eligible}; the ISR is now {members}{outsider}"
    ISR_IS = "the ISR of {partition} is now {members}{outsider}"
    LEFT_ELR = "{gone} left the ELR of {partition}{left_elr}; the ELR is now {members}"
    ELECTED = "{broker} became leader of {partition} in epoch {epoch}{how}"
    NO_LEADER = "{partition} was without a leader: {waits_for}"
    LOST_BEYOND_END = f"{_LOST}: the leader's log, {{broker}}'s, ended at {{end}} when it began to lead"
    LOST_TO_OTHERS = f"{_LOST}: the leader's log, {{broker}}'s, has no records of that epoch there"
    LOST_EVERYWHERE = f"{_LOST}: no broker has {{them}} in its log or on its disk any more"


class How(Enum):
    """The kind of election that made a broker leader, and the words for it."""

    CLEAN = ""
    IN_ISR = ", still in the ISR"
    PREFERRED = ", as the preferred leader"
    ELR = ", out of the ELR (eligible leader replicas), though in no ISR"
    LAST_KNOWN = ", as the last known leader, in neither ISR nor ELR"
    UNCLEAN = " without being in the ISR, as unclean.leader.election.enable allows"
    ASKED = " without being in the ISR, as somebody asked for"


@dataclass(frozen=True, slots=True)
class ChainLink:
    """``fields``: subject and numbers by name; ``done``: what somebody did that it goes back to."""

    kind: LinkKind
    fact: Decisive | RecordEvent
    role: str
    rules: tuple[str, ...]
    fields: dict[str, Any] = field(default_factory=dict)
    done: ActionDone | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """The link's statement without its moment: kind and fields."""
        return self.kind, *((name, as_key(value)) for name, value in self.fields.items())

    @property
    def story(self) -> tuple[object, ...]:
        """The link's statement on any partition: kind, subject and rules, without numbers."""
        fields = ((name, as_key(value)) for name, value in self.fields.items() if name not in NUMBERS)
        return self.kind, self.role, self.rules, *fields, self.done.text if self.done is not None else ""


def as_key(value: object) -> object:
    """A field's value, to be compared: of a fact what it says, whatever its number and moment."""
    if isinstance(value, LinkChanged) and value.cut:
        return "cut", *sorted((value.src, value.dst))
    if isinstance(value, PartitionChanged):
        return value.reason, value.leader, *value.replicas
    if isinstance(value, Decisive):
        return value.kind, *value.values, value.words
    return tuple(value) if isinstance(value, list) else value
