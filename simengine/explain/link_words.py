"""A chain's links as sentences: the values that stand in the sentence of each kind."""

from collections.abc import Callable
from typing import Any, Final

from simengine.explain.link import FAULT, MISSING, SETTING, ChainLink, LinkKind
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
    "how": lambda how, words: how.value,
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
        is_one = length(link.fields["records"]) == 1
        shown |= {"are": "is", "them": "it"} if is_one else {"are": "are", "them": "them"}
    text = link.kind.value.format_map(shown)
    done = link.done
    if done is None or link.role not in (MISSING, SETTING, FAULT) or is_said(link, done, words):
        return text
    return f"{text} ({inside(done.text, words.node)})"


def is_said(link: ChainLink, done: ActionDone, words: Words) -> bool:
    """True if the words on a link's fact already tell the action."""
    is_itself = link.kind in (LinkKind.HAPPENED, LinkKind.HAD_STOPPED, LinkKind.CUT_FROM_CONTROLLERS)
    return isinstance(link.fact, Decisive) and is_itself and words.says(link.fact, done)
