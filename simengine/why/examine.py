"""Everything that is asked of a run when something went wrong, as one plain object: verdict, decisions, chains."""

from collections.abc import Sequence
from typing import Any, Final

from simengine.decide import Decision, decisions
from simengine.scenario.model import Document
from simengine.why.chain import Chain, Link
from simengine.why.evidence import gather
from simengine.why.losses import Loss, losses_of
from simengine.why.past import Past
from simengine.why.sentences import Words
from simengine.why.settings import Settings
from simengine.world import World, build

CHAINS_MAX: Final = 20  # stories told, the greatest losses first

Json = dict[str, Any]


def examine(doc: Document, until_us: int) -> Json:
    """The verdict at a moment, the checked decision of each topic that lost records, and why they were lost."""
    world = build(doc)
    world.run(until_us)
    verdict = world.verdict()
    decided = decisions(doc, until_us, lost_by_topic(verdict))
    return {"at_us": until_us, "verdict": verdict, "decided": _plain(decided), **why(world, until_us, decided)}


def lost_by_topic(verdict: Json) -> dict[str, int]:
    """Acknowledged records that each topic has lost, of topics that lost some."""
    topics: list[Json] = verdict["topics"]
    return {topic["topic"]: topic["lost"] for topic in topics if topic["lost"]}


def why(world: World, until_us: int, decided: dict[str, Decision | None]) -> Json:
    """The stories of what a run has lost: ``chains`` of the greatest losses, and how many are ``untold``."""
    past = Past(world.trace.decisive)
    losses = losses_of(past)
    told = losses[:CHAINS_MAX]
    evidence = gather(world.doc, until_us, [records for loss in told for records in loss.records])
    words = Words(world.names())
    settings = Settings(world.doc, past, words)
    chains = []
    for loss in told:
        links = Chain(loss, past, evidence, words, settings).links()
        topic = words.topic(words.topic_of(loss.p))
        chains.append(_chain(loss, words.partition(loss.p), topic, links, decided.get(topic)))
    return {"chains": chains, "untold": len(losses) - len(told)}


def _chain(loss: Loss, partition: str, topic: str, links: Sequence[Link], decision: Decision | None) -> Json:
    return {
        "topic": topic,
        "partition": partition,
        "count": loss.count,
        "ranges": [list(gap) for gap in loss.gaps],
        "epoch": loss.epoch,
        "acks": "all" if loss.acks < 0 else str(loss.acks),
        "links": [_link(link, decision) for link in links],
    }


def _link(link: Link, decision: Decision | None) -> Json:
    decides = decision is not None and (link.action, link.action_t) == (decision.text, decision.at_us)
    return {
        "seq": link.seq,
        "t": link.t,
        "role": link.role,
        "text": link.text,
        "rules": list(link.rules),
        "decides": decides,
    }


def _plain(decided: dict[str, Decision | None]) -> Json:
    return {topic: None if one is None else one.plain() for topic, one in decided.items()}
