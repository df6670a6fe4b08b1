"""All that is asked of a run when something went wrong, as one plain object: verdict, decisions, chains, incidents."""

from collections.abc import Sequence
from typing import Any, Final

from simengine.explain.chain import Chain
from simengine.explain.chance import unlucky_moments
from simengine.explain.decide import Decision, Reruns, decisions, harm_of
from simengine.explain.decided_parts import PartialDecisions, split_losses
from simengine.explain.evidence import Gatherer
from simengine.explain.fact_index import FactIndex
from simengine.explain.incidents import Teller, incidents_of
from simengine.explain.link import ChainLink
from simengine.explain.link_words import text_of
from simengine.explain.longest_stop import longest_stop
from simengine.explain.loss_attribution import LossAttribution, ended, entry_of
from simengine.explain.losses import Loss, losses_of
from simengine.explain.lost_calls import calls_at, lost_moments
from simengine.explain.recoveries import Recoveries
from simengine.explain.refusals import refusals
from simengine.explain.replay_with_traffic import run_again
from simengine.explain.sentences import Words
from simengine.explain.settings import Modes, TopicSettingsHistory
from simengine.explain.stops import stops_of
from simengine.explain.write_outages import Ends
from simengine.scenario.action_words import node_names
from simengine.scenario.model import Document
from simengine.world.world import World, build

CHAINS_MAX: Final = 20  # stories told, the greatest losses first; those of other partitions that are alike are one
LOSSES_MAX: Final = 200  # losses whose story is worked out
INCIDENTS_MAX: Final = 20  # faults whose cost is told, the first ones first

Json = dict[str, Any]


def examine(doc: Document, until_us: int, is_all: bool = False) -> Json:
    """The verdict at a moment, the checked decision of each topic that lost records or stopped, and why they were lost.

    ``undecided``: of the topics whose loss no single action decided, the actions that decided parts of it.
    ``luck``: moments near faults that lost nothing by luck, at which they would have.
    ``is_all``: every story and every incident, however many there are.
    """
    world = build(doc)
    world.run(until_us)
    verdict = world.verdict()
    reruns = Reruns(doc, until_us)
    lost = lost_moments(world)
    decided = decisions(reruns, lost, [topic for topic, harm in harm_of(verdict).items() if harm.lost])
    past = FactIndex(world.trace.decisive)
    stops = stops_of(reruns, verdict, past)
    name = node_names(doc)
    undecided = split_losses(reruns, decided, lost)
    told = why(world, until_us, decided, is_all, undecided)
    return {
        "at_us": until_us,
        "verdict": verdict,
        "decided": _plain(decided),
        "undecided": {topic: parts.plain(name) for topic, parts in undecided.items()},
        "stops": {topic: stop.plain(name) for topic, stop in stops.items()},
        "longest": longest_stop(world, past),
        "refused": refusals(world.trace.decisive, world.names()),
        "luck": unlucky_moments(world, past, verdict, told["incidents"], name),
        **told,
    }


def why(
    world: World,
    until_us: int,
    decided: dict[str, Decision | None],
    is_all: bool,
    undecided: dict[str, PartialDecisions] | None = None,
) -> Json:
    """The stories of what a run has lost, and its incidents; how many of each are ``untold`` and how many records."""
    past = FactIndex(world.trace.decisive)
    accounts = world.book.accounts
    losses = losses_of(past, {int(k): int(v) for one in accounts for k, v in one.losses.taken_by.items()})
    told = losses if is_all else losses[:LOSSES_MAX]
    words = Words(world.names())
    every = incidents_of(past)
    incidents = every if is_all else every[:INCIDENTS_MAX]
    gatherer = Gatherer([records for loss in told for records in loss.records])
    recoveries = Recoveries(
        [incident.at_us for incident in incidents], losses, Ends(world, past), Modes(world.doc, past)
    )
    if told or incidents:
        run_again(world.doc, until_us, [gatherer, recoveries])
    evidence = gatherer.found
    settings = TopicSettingsHistory(world.doc, past, words)
    moments = [incident.at_us for incident in every]
    entries = []
    stories: dict[tuple[object, ...], list[Json]] = {}
    for loss in told:
        decision = _decision(world, loss, words, decided, undecided or {})
        links = Chain(loss, past, evidence, words, settings).links(decision)
        done_us = (int(link.done.t) for link in links if link.done is not None)
        entries.append(entry_of(loss, done_us, decision, moments))
        story = words.topic_of(loss.p), loss.acks, *(link.story for link in links)
        stories.setdefault(story, []).append(_chain(loss, links, decision, words))
    for loss in losses[len(told) :]:
        decision = _decision(world, loss, words, decided, undecided or {})
        entries.append(entry_of(loss, ended(loss, past), decision, moments))
    teller = Teller(world, past, words, LossAttribution(entries), evidence, incidents, recoveries)
    shown = [_alike(*chains) for chains in stories.values()][: None if is_all else CHAINS_MAX]
    here = [loss for chain in shown for loss in (chain, *chain["alike"])]
    return {
        "chains": shown,
        "untold": len(losses) - len(here),
        "untold_records": sum(loss.count for loss in losses) - sum(loss["count"] for loss in here),
        "incidents": teller.tell(),
        "untold_incidents": len(every) - len(incidents),
    }


def _decision(
    world: World, loss: Loss, words: Words, decided: dict[str, Decision | None], undecided: dict[str, PartialDecisions]
) -> Decision | None:
    """The action that decided a loss: all that its topic lost, or the part that it is of."""
    topic = words.topic(words.topic_of(loss.p))
    parts = undecided.get(topic)
    return decided.get(topic) if parts is None else parts.part_of(calls_at(world, loss.p, loss.epoch, loss.gaps))


def _chain(loss: Loss, links: Sequence[ChainLink], decision: Decision | None, words: Words) -> Json:
    return {
        "topic": words.topic(words.topic_of(loss.p)),
        "partition": words.partition(loss.p),
        "count": loss.count,
        "ranges": [list(gap) for gap in loss.gaps],
        "epoch": loss.epoch,
        "acks": "all" if loss.acks < 0 else str(loss.acks),
        "links": [_link(link, words, decision) for link in links],
    }


def _alike(first: Json, *others: Json) -> Json:
    """A chain with those of the same story: partition, count, ranges and epoch of each."""
    alike = [{name: chain[name] for name in ("partition", "count", "ranges", "epoch")} for chain in others]
    return {**first, "alike": alike}


def _link(link: ChainLink, words: Words, decision: Decision | None = None) -> Json:
    done = link.done
    decides = decision is not None and done is not None and (done.text, done.t) == (decision.text, decision.at_us)
    return {
        "seq": link.fact.seq,
        "t": link.fact.t,
        "role": link.role,
        "text": text_of(link, words),
        "rules": list(link.rules),
        "decides": decides,
    }


def _plain(decided: dict[str, Decision | None]) -> Json:
    return {topic: None if one is None else one.plain() for topic, one in decided.items()}
