"""The chains of records that were sent with acks=0 and are in no leader's log: those of one story are one chain."""

from dataclasses import dataclass, field
from typing import Any, Final

from simengine.why.past import Past
from simengine.why.sentences import Words
from simengine.why.settings import Settings
from simengine.why.vanished_seen import Vanished
from simengine.why.vanished_story import Story, link

CHAINS_MAX: Final = 20
OWN: Final = ("written", "vanished")  # links that are of one request, not of what happened to many

Json = dict[str, Any]


@dataclass(slots=True)
class Told:
    """Records of one partition and story; ``actions``: the facts of what somebody did that it names."""

    p: int
    dst: int
    links: list[Json]
    actions: set[int] = field(default_factory=set)
    count: int = 0


def told_of(found: Vanished, past: Past, words: Words, settings: Settings) -> list[Told]:
    """Why records vanished: the stories, the most records first."""
    stories: dict[tuple[object, ...], Told] = {}
    for (client, p, n), sent in sorted(found.calls.items()):
        if sent is None:
            continue
        story = Story(past, words, settings, (client, p, n), sent, found.copies.get((client, p, n), []))
        links = story.links()
        key = (client, p, sent.dst, *((one["text"], one["role"] in OWN or one["seq"]) for one in links))
        if key not in stories:
            head = link(sent.seq, sent.t, "sent", f"{words.client(client)} sent", ("PROD-4", "PC-9"))
            stories[key] = Told(p, sent.dst, [head, *links], story.actions)
        stories[key].count += 1
    return sorted(stories.values(), key=lambda told: -told.count)


def vanished_chains(stories: list[Told], words: Words) -> list[Json]:
    """The first stories, as JSON has them."""
    return [_chain(told, words) for told in stories[:CHAINS_MAX]]


def _chain(told: Told, words: Words) -> Json:
    partition = words.partition(told.p)
    which = "a record" if told.count == 1 else f"the first of {told.count:,} records"
    goes = f"{which} of {partition} to broker {told.dst} with acks=0, which ended the call"
    head, *links = told.links
    head = {**head, "text": f"{head['text']} {goes}: nobody was to answer"}
    return {
        "topic": words.topic(words.topic_of(told.p)),
        "partition": partition,
        "count": told.count,
        "links": sorted([head, *links], key=lambda one: (one["t"], one["seq"])),
    }
