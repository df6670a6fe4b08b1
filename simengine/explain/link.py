"""One link of a chain: what happened, to whom, with which numbers and by which rules. ``link_words`` has the words."""

from dataclasses import dataclass, field
from enum import Enum, auto
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


class LinkKind(Enum):
    """The statement that a link makes."""

    HAPPENED = auto()  # the fact itself
    HAD_STOPPED = auto()
    CUT_FROM_CONTROLLERS = auto()
    ACKED_ON_WRITE = auto()
    ACKED_ALONE = auto()
    ACKED_BY_ISR = auto()
    ACKED_AS_FORMER = auto()
    ACKED_LATE = auto()
    DISK_EMPTY = auto()
    NOT_FLUSHED = auto()
    BACK_WITHOUT = auto()
    DELETED = auto()
    CUT_AT = auto()
    CUT_AT_HW = auto()
    CUT_OFF = auto()
    LEFT_ISR = auto()
    ISR_IS = auto()
    LEFT_ELR = auto()
    ELECTED = auto()
    NO_LEADER = auto()
    LOST_BEYOND_END = auto()
    LOST_TO_OTHERS = auto()
    LOST_EVERYWHERE = auto()


class How(Enum):
    """The kind of election that made a broker leader."""

    CLEAN = auto()
    IN_ISR = auto()
    PREFERRED = auto()
    ELR = auto()
    LAST_KNOWN = auto()
    UNCLEAN = auto()
    ASKED = auto()  # an unclean election on request


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
