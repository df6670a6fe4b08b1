"""The words of a chain's links, by kind; nowhere else are they put into words."""

from collections.abc import Callable
from typing import Any, Final

from simengine.explain.link import FAULT, MISSING, SETTING, ChainLink, How, LinkKind
from simengine.explain.sentences import Words, acks_word, offsets
from simengine.facts.decisive import ActionDone
from simengine.facts.kinds import (
    REASON_ALTER_PARTITION,
    REASON_CONFIG,
    REASON_FENCED,
    REASON_REASSIGNMENT,
    REASON_REGISTRATION,
    REASON_SHUTDOWN,
)
from simengine.facts.trace import Decisive
from simengine.scenario.action_words import inside
from simengine.verdict.presence import length
from simengine.verdict.words import brokers
from simengine.words.phrases import listed

_ACKED: Final = "{broker} acknowledged {records} of {partition} to {clients} with acks={acks}{until_us}"
_LOST: Final = "{records}, written in epoch {epoch}, {are} lost{until_us}"
TEXT: Final[dict[LinkKind, str]] = {
    LinkKind.HAPPENED: "{fact}",
    LinkKind.HAD_STOPPED: "{broker} had stopped",
    LinkKind.CUT_FROM_CONTROLLERS: "{broker} was cut off from the controllers",
    LinkKind.ACKED_ON_WRITE: f"{_ACKED}: it answers after its own write",
    LinkKind.ACKED_ALONE: f"{_ACKED}: it was alone in its ISR, and min.insync.replicas is {{least}}",
    LinkKind.ACKED_BY_ISR: f"{_ACKED}: all of the ISR, {{members}}, had them",
    LinkKind.ACKED_AS_FORMER: _ACKED.replace("{broker}", "{broker}, which still took itself for the leader,"),
    LinkKind.ACKED_LATE: (
        "{clients} received the acknowledgement of {records} of {partition} with acks={acks} after {broker} had lost "
        "the leadership{until_us}"
    ),
    LinkKind.DISK_EMPTY: "{broker}'s log of {partition} was gone: its disk was empty",
    LinkKind.NOT_FLUSHED: "{broker} lost what it had not flushed: its log of {partition} ended at {end}",
    LinkKind.BACK_WITHOUT: "{broker} came back without them",
    LinkKind.DELETED: "{broker} deleted its copy of {partition}",
    LinkKind.CUT_AT: "{broker} cut its log of {partition} off at {end}",
    LinkKind.CUT_AT_HW: "{broker} cut its log of {partition} off at its own high watermark, {end}",
    LinkKind.CUT_OFF: "{broker} cut off its copy, {records} of {partition}, to follow the new leader",
    LinkKind.LEFT_ISR: "{gone} left the ISR of {partition}{left_isr}{eligible}; the ISR is now {members}{outsider}",
    LinkKind.ISR_IS: "the ISR of {partition} is now {members}{outsider}",
    LinkKind.LEFT_ELR: "{gone} left the ELR of {partition}{left_elr}; the ELR is now {members}",
    LinkKind.ELECTED: "{broker} became leader of {partition} in epoch {epoch}{how}",
    LinkKind.NO_LEADER: "{partition} was without a leader: {waits_for}",
    LinkKind.LOST_BEYOND_END: f"{_LOST}: the leader's log, {{broker}}'s, ended at {{end}} when it began to lead",
    LinkKind.LOST_TO_OTHERS: f"{_LOST}: the leader's log, {{broker}}'s, has no records of that epoch there",
    LinkKind.LOST_EVERYWHERE: f"{_LOST}: no broker has them in its log or on its disk any more",
}
HOW: Final[dict[How, str]] = {
    How.CLEAN: "",
    How.IN_ISR: ", still in the ISR",
    How.PREFERRED: ", as the preferred leader",
    How.ELR: ", out of the ELR (eligible leader replicas), though in no ISR",
    How.LAST_KNOWN: ", as the last known leader, in neither ISR nor ELR",
    How.UNCLEAN: " without being in the ISR, as unclean.leader.election.enable allows",
    How.ASKED: " without being in the ISR, as somebody asked for",
}
LEFT_ISR: Final[dict[int, str]] = {
    REASON_ALTER_PARTITION: " after replica.lag.time.max.ms without catching up",
    REASON_FENCED: ", fenced",
    REASON_SHUTDOWN: ", shutting down",
    REASON_REGISTRATION: " as a new process registered",
    REASON_REASSIGNMENT: ", removed by a reassignment",
}
LEFT_ELR: Final[dict[int, str]] = {
    REASON_REGISTRATION: " as a new process registered after an unclean shutdown",
    REASON_CONFIG: " as min.insync.replicas changed",
}
SHOWN: Final[dict[str, Callable[[Any, Words], str]]] = {
    "fact": lambda fact, words: words.clause(fact)[0],
    "broker": lambda broker, words: words.node(broker),
    "partition": lambda p, words: words.partition(p),
    "records": lambda spans, words: offsets(spans),
    "clients": lambda clients, words: listed(sorted({words.client(client) for client in clients})),
    "acks": lambda acks, words: acks_word(acks),
    "until_us": lambda us, words: f", the last of them at {us / 1e6:.3f} s" if us >= 0 else "",
    "gone": lambda some, words: brokers(some),
    "members": lambda some, words: brokers(some) if some else "empty",
    "how": lambda how, words: HOW[how],
    "left_isr": lambda reason, words: LEFT_ISR.get(reason, ""),
    "left_elr": lambda reason, words: LEFT_ELR.get(reason, ""),
    "eligible": lambda is_so, words: ", still eligible to lead (ELR)" if is_so else "",
    "outsider": lambda is_so, words: ", elected from outside it" if is_so else "",
    "waits_for": lambda some, words: f"it waits for {brokers(some, 'or')}" if some else "nobody may lead",
}


def text_of(link: ChainLink, words: Words) -> str:
    """A link as a sentence; in brackets the action that it goes back to, unless the sentence says it."""
    shown = {name: SHOWN[name](value, words) if name in SHOWN else value for name, value in link.fields.items()}
    if "records" in link.fields:
        shown["are"] = "is" if length(link.fields["records"]) == 1 else "are"
    text = TEXT[link.kind].format_map(shown)
    done = link.done
    if done is None or link.role not in (MISSING, SETTING, FAULT) or is_said(link, done, words):
        return text
    return f"{text} ({inside(done.text, words.node)})"


def is_said(link: ChainLink, done: ActionDone, words: Words) -> bool:
    """True if the words on a link's fact already tell the action."""
    is_itself = link.kind in (LinkKind.HAPPENED, LinkKind.HAD_STOPPED, LinkKind.CUT_FROM_CONTROLLERS)
    return isinstance(link.fact, Decisive) and is_itself and words.says(link.fact, done)
