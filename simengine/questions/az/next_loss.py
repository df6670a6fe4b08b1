"""The partitions that a loss leaves with no more in-sync copies than min.insync.replicas asks for (PROD-3)."""

from typing import Final

from simengine.questions.az.cell import AzLoss
from simengine.questions.az.moments import outside
from simengine.questions.az.partition_states import at_start
from simengine.scenario import Document
from simengine.words.phrases import plural

_DOWN: Final = "down to min.insync.replicas in-sync copies"


def next_loss_words(doc: Document, loss: AzLoss) -> str:
    """The words on what one more lost broker stops, by the ISRs after the loss; "" if it stops nothing."""
    runs = [broker.id for broker in doc.brokers if broker.state != "down" and broker.id not in loss.brokers]
    made = [at for at in at_start(doc) if not at.topic.startswith("__")]
    back = _coming_back(doc)
    left = [(at, [one for one in (*at.isr, *back.get((at.topic, at.number), ())) if one in runs]) for at in made]
    going_on = [(at, copies) for at, copies in left if len(copies) >= at.min_isr]
    edge = [copies for at, copies in going_on if len(copies) == at.min_isr]
    if not edge or not loss.has_quorum:
        return ""
    if len(edge) < len(going_on):
        are = f"{len(edge):,} of {plural(len(made), 'partition', 'partitions')} {'is' if len(edge) == 1 else 'are'}"
    else:
        are = "every partition is" if len(edge) == len(made) else "every partition that still takes them is"
    if len(edge) == len(going_on) and all(set(copies) >= set(runs) for copies in edge):
        return f"The loss of any other broker stops all acks=all writes: {are} {_DOWN}"
    return f"One more lost broker stops acks=all writes to what it holds a copy of: {are} {_DOWN}"


def _coming_back(doc: Document) -> dict[tuple[str, int], list[int]]:
    """The followers that join the ISR before the loss, by topic and number: nothing holds them back (ISR-5)."""
    held = {(topic.name, number): state.failed for topic in doc.topics for number, state in topic.initial.items()}
    return {place: [one for one in out if one not in held[place]] for place, out in outside(doc).items()}
