"""Records missing from a broker's log: the fact that kept it from fetching them, or by which it lost its end again."""

from simengine.explain.fact_index import SILENT, FactIndex
from simengine.explain.link import CUT, MISSING, ChainLink, LinkKind
from simengine.explain.settings import TopicSettingsHistory
from simengine.facts.decisive import PartitionChanged, Truncated
from simengine.facts.kinds import PROCESS_DOWN, PROCESS_STARTING
from simengine.facts.trace import Decisive
from simengine.scenario.actions import is_emptied


def obstacle(past: FactIndex, broker: int, source: int, moments: list[int]) -> Decisive | None:
    """The fact that kept a broker from fetching from another, at the first of some moments (facts) that has one."""
    found = (_obstacle_at(past, broker, source, moment) for moment in moments)
    return next((fact for fact in found if fact is not None), None)


def _obstacle_at(past: FactIndex, broker: int, source: int, before: int) -> Decisive | None:
    """Its process was down, hung or not up again yet; the link was bad; or one of the two was too slow."""
    state, fact = past.process(broker, before)
    if state in SILENT:
        return fact
    if state == PROCESS_STARTING:
        return past.fell_silent(broker, before)
    return past.link(broker, source, before) or past.slowed(broker, before) or past.serves_slowly(source, before)


def left_isr(past: FactIndex, p: int, broker: int, before: int) -> PartitionChanged | None:
    """The commit by which a broker left the ISR that it is not in; None if it is in it, or has never been."""
    if broker in past.isr(p, before):
        return None
    left = [fact for fact in past.isr_changes(p, 0, before) if broker in past.isr(p, fact.seq)]
    return left[-1] if left else None


def lost_its_end(fact: Truncated, past: FactIndex, settings: TopicSettingsHistory) -> ChainLink:
    """The link that tells how a log lost its end: while its process was down, or a running one truncated it.

    A power loss takes what was not flushed, whoever led meanwhile; a new disk has nothing.
    """
    where = {"broker": fact.broker, "partition": fact.p}
    if past.process(fact.broker, fact.seq)[0] != PROCESS_DOWN:
        kind = LinkKind.CUT_AT_HW if settings.is_legacy else LinkKind.CUT_AT
        return ChainLink(kind, fact, CUT, settings.truncation_rules(), {**where, "end": fact.new})
    done = past.action(fact)
    if done is not None and is_emptied(done.verb, done.args):
        return ChainLink(LinkKind.DISK_EMPTY, fact, MISSING, ("STATE-7",), where)
    return ChainLink(LinkKind.NOT_FLUSHED, fact, MISSING, ("LOG-8",), {**where, "end": fact.new})
