"""The moments at which a document's captions come in its run."""

from simengine.facts.schema import BY_NAME
from simengine.scenario import Document, Problem
from simengine.scenario.model import Caption
from simengine.verdict.outage import NEVER
from simengine.world.world import build


def caption_moments(document: Document) -> list[tuple[Caption, int | None]]:
    """Each caption with its moment, us; None: its fact never comes.

    A caption that waits for a fact comes at the first one of its kind after the caption before it, as on a page.
    """
    if all(caption.on is None for caption in document.captions):
        return [(caption, caption.at_us) for caption in document.captions]
    world = build(document)
    world.run(document.until_us)
    after = -1
    found: list[tuple[Caption, int | None]] = []
    for caption in document.captions:
        at = caption.at_us
        if caption.on is not None:
            kind = BY_NAME[caption.on].number
            end = NEVER if caption.before_us is None else caption.before_us
            times = (int(fact.t) for fact in world.trace.decisive if fact.kind == kind)
            at = next((t for t in times if after < t < end), None)
        found.append((caption, at))
        after = after if at is None else at
    return found


def waiting_in_vain(document: Document) -> list[Problem]:
    """A problem for each caption whose fact never comes in the run, but for those that a branch has cut off."""
    return [
        Problem(
            f"captions[{i}].on",
            str(caption.on),
            f"the run has no such fact after the caption before it, up to {document.until_us / 1e6:g} s",
        )
        for i, (caption, at) in enumerate(caption_moments(document))
        if at is None and caption.before_us is None
    ]
