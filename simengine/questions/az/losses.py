"""The rows of the table of AZs: each AZ, and the broker and the two AZs whose loss weighs most by rule."""

from dataclasses import replace
from itertools import combinations

from simengine.questions.az import words
from simengine.questions.az.causes import AzFate, controllers_left, fates_in, running_racks
from simengine.questions.az.cell import ANY_BROKER, ANY_TWO, AzLoss
from simengine.questions.az.edits import DARK
from simengine.questions.az.figures import step_of
from simengine.scenario import Action, Document
from simengine.scenario.verbs import KILL_RACK, POWER_LOSS
from simengine.words.phrases import plural
from simengine.world.world import World


def rows_of(doc: Document, dies: str, world: World) -> list[AzLoss]:
    """The rows, the worst AZ first by what goes offline and what takes no writes.

    ``world``: a run of the document to the moment before the loss, which says what weighs most.
    """
    racks = list(running_racks(doc))
    zones = [az_loss(doc, (rack,), dies) for rack in racks]
    harm = _weights(world, zones)
    order = sorted(range(len(zones)), key=lambda at: [-one for one in harm[at][:3]])  # of equals the first by name
    rows = [zones[at] for at in order]
    running = [broker.id for broker in doc.brokers if broker.state != "down"]
    if running:
        brokers = [broker_loss(doc, broker, dies) for broker in running]
        worst = _heaviest(world, brokers)
        rows.append(replace(worst, note=f"worst: {worst.place}"))
    if len(racks) > 2:
        pairs = [az_loss(doc, pair, dies) for pair in combinations(racks, 2)]
        worst = _heaviest(world, pairs)
        rows.append(replace(worst, note=f"worst: {worst.place}"))
    return rows


def loss_of(doc: Document, key: str, pick: str, dies: str) -> AzLoss | None:
    """The row that a cell is of, without a run; ``pick``: what stands for any in it. None: there is no such row."""
    racks = list(running_racks(doc))
    if key == ANY_BROKER:
        runs = {str(one.id): one.id for one in doc.brokers if one.state != "down"}
        return broker_loss(doc, runs[pick], dies) if pick in runs else None
    if key == ANY_TWO:
        pair = tuple(pick.split(","))
        return az_loss(doc, pair, dies) if len(pair) == 2 and all(rack in racks for rack in pair) else None
    return az_loss(doc, (key,), dies) if key in racks else None


def az_loss(doc: Document, azs: tuple[str, ...], dies: str) -> AzLoss:
    """The row of an AZ, or of two."""
    racks = running_racks(doc)
    running = [one.id for one in doc.controllers if one.state == "running"]
    controllers = tuple(one.id for one in doc.controllers if one.rack in azs and one.id in running)
    brokers = tuple(broker for rack in azs for broker in racks[rack])
    has_majority = 2 * len(controllers) > len(running)
    return AzLoss(
        key=azs[0] if len(azs) == 1 else ANY_TWO,
        place=" and ".join(azs),
        actions=_actions(azs, dies),
        brokers=brokers,
        disks=tuple(broker.id for broker in doc.brokers if broker.rack in azs),
        azs=azs,
        controllers=controllers,
        voters=(len(running) - len(controllers), len(doc.controllers)),
        has_majority=has_majority,
        is_dark=dies == DARK,
        note=words.standing(len(brokers), len(controllers)),
    )


def _actions(azs: tuple[str, ...], dies: str) -> tuple[Action, ...]:
    if dies == DARK:
        return (Action(POWER_LOSS, (",".join(azs), "0")),)
    return tuple(Action(KILL_RACK, (rack,)) for rack in azs)


def broker_loss(doc: Document, broker: int, dies: str) -> AzLoss:
    """The row of a single broker; a controller in its process goes with it."""
    inside = tuple(one.id for one in doc.controllers if one.broker == broker and one.state == "running")
    return AzLoss(
        key=ANY_BROKER,
        place=f"broker {broker}",
        actions=(Action(POWER_LOSS, (str(broker), "0")) if dies == DARK else Action("kill", (str(broker),)),),
        brokers=(broker,),
        disks=(broker,),
        controllers=inside,
        voters=(controllers_left(doc) - len(inside), len(doc.controllers)),
        is_dark=dies == DARK,
    )


def dark_racks(doc: Document) -> dict[str, list[int]]:
    """The AZs in which no broker runs, with their brokers, and whose controllers a majority goes on without."""
    racks: dict[str, list[int]] = {}
    for broker in doc.brokers:
        if broker.rack is not None:
            racks.setdefault(broker.rack, []).append(broker.id)
    return {rack: brokers for rack, brokers in racks.items() if rack not in running_racks(doc)}


def tie(doc: Document) -> str:
    """The sentence on the one AZ that holds the majority of the controllers; "" where none does."""
    for rack in dict.fromkeys(one.rack for one in doc.controllers if one.rack is not None):
        there = sum(one.rack == rack for one in doc.controllers)
        if 2 * there > len(doc.controllers):
            who = plural(there, "controller stands", "controllers stand") if there == len(doc.controllers) else ""
            all_of = f"All {who}" if who and there > 1 else "The only controller stands" if who else ""
            majority = f"The majority of controllers, {there} of {len(doc.controllers)}, stand"
            return f"{all_of or majority} in {rack}: without it nobody can elect."
    return ""


def _weights(world: World, losses: list[AzLoss]) -> list[tuple[int, int, int, int]]:
    pasted = {topic.name: True for topic in world.doc.topics}  # what the cluster has made itself decides nothing
    return [_weight([fate for fate in fates_in(world, loss.brokers) if fate.topic in pasted], loss) for loss in losses]


def _heaviest(world: World, losses: list[AzLoss]) -> AzLoss:
    weights = _weights(world, losses)
    return losses[max(range(len(losses)), key=lambda at: weights[at])]


def _weight(told: list[AzFate], loss: AzLoss) -> tuple[int, int, int, int]:
    """The weight of a loss: its step on the scale of the table, partitions taken off, those without writes, leaders."""
    waits = 0 if loss.has_quorum else sum(fate.needs_controllers("all", False) for fate in told)
    offline = sum(fate.is_offline for fate in told)
    refuses = sum(fate.is_below_min for fate in told) + waits
    return step_of(offline + refuses, len(told)), offline, refuses, sum(fate.was_led_there for fate in told)
