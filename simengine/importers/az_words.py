"""The words of the table of AZs: its headline, the causes with their counts, and where the controllers are."""

from simengine.importers.assumed import ASSUMED
from simengine.importers.az_causes import ALL_THERE, CONTROLLERS, ISR_THERE, MIN_ISR, RF_1, TWO_IN_ONE
from simengine.importers.az_cell import Cell, Loss
from simengine.scenario import Document
from simengine.verdict.sentence import plural, seconds


def headline(loss: Loss, safe: Cell, fast: Cell) -> str:
    """What the loss of an AZ does, in one sentence, from its cells for acks=all and acks=1."""
    quorum = ["no leader can be elected, for a majority of the controllers is gone"] if loss.quorum else []
    ends = [gone for cell in (safe, fast) if (gone := _gone(cell))]
    if not ends:
        ends = [_risk(safe, fast)]
    return f"If {loss.event}, {'; '.join([*quorum, _stops(safe, fast), *ends])}."


def _stops(safe: Cell, fast: Cell) -> str:
    """Which writes stop: for good, else for how long."""
    parts = []
    if safe.stopped_topics:
        stop = plural(safe.stopped_topics, "topic stops", "topics stop")
        parts.append(f"{stop} taking acks=all writes")
    if fast.write_until_back:
        parts.append(plural(fast.write_until_back, "partition goes offline", "partitions go offline"))
    if parts:
        return " and ".join(parts)
    if safe.write_us:
        out = plural(safe.write_partitions, "partition", "partitions")
        return f"acks=all writes stop for up to {seconds(safe.write_us)} on {out}"
    return "writes go on"


def _gone(cell: Cell) -> str:
    """The gravest of what a cell did to records, as the verdict says it; "" where it did nothing to them."""
    if cell.lost:
        gone = plural(cell.lost, "acknowledged record is gone", "acknowledged records are gone")
        return f"{gone} in this run with acks={cell.acks}"
    if cell.duplicated:
        return f"{plural(cell.duplicated, 'record exists', 'records exist')} twice in this run with acks={cell.acks}"
    if cell.hidden:
        unread = plural(cell.hidden, "acknowledged record cannot", "acknowledged records cannot")
        return f"{unread} be read with acks={cell.acks}"
    return ""


def _risk(safe: Cell, fast: Cell) -> str:
    if fast.at_risk_a_minute:
        return f"with acks=1 about {fast.at_risk_a_minute:,} records a minute of {fast.at_risk_of} are at risk"
    if "luck" in (safe.by, fast.by):
        return "acknowledged records are at risk, and none is gone in this run"
    return "no acknowledged record is at risk"


def told(causes: dict[str, int], loss: Loss) -> list[str]:
    """The causes with their counts, in words: ``41 partitions have two replicas in az-b``."""
    words = {
        RF_1: ("has its only replica in", "have their only replica in", loss.place),
        ALL_THERE: ("has all its replicas in", "have all their replicas in", loss.place),
        TWO_IN_ONE: ("has two replicas in", "have two replicas in", loss.place),
        ISR_THERE: ("has its whole ISR in", "have their whole ISR in", loss.place),
        MIN_ISR: ("falls below", "fall below", "min.insync.replicas"),
        CONTROLLERS: (
            "gets",
            "get",
            f"no leader and no smaller ISR without a majority of the controllers: {loss.quorum}",
        ),
    }
    lines = []
    if loss.quorum and CONTROLLERS not in causes:
        lines.append(f"No leader can be elected without a majority of the controllers: {loss.quorum}")
    for cause, number in causes.items():
        one, many, what = words[cause]
        lines.append(f"{plural(number, f'partition {one}', f'partitions {many}')} {what}")
    return lines


def why_worst(offline: int, below: int, led: int) -> str:
    """Why the loss of a broker weighs most, as a clause on it."""
    if offline:
        return f"it takes most partitions offline: {offline:,}"
    if below:
        return f"it takes most partitions below min.insync.replicas: {below:,}"
    return f"it leads most partitions: {led:,}" if led else "it leads none, as the others"


def no_quorum(rack: str | None, total: int, left: int, there: int) -> str:
    """Why ``left`` of the controllers are no majority when the ``there`` that run in an AZ are gone, as a clause."""
    if there == total:
        return f"{'the only one dies' if total == 1 else f'all {total} die'} with {rack}"
    controllers = plural(total, "controller", "controllers")
    if not there:
        return f"only {left} of {controllers} run{'s' if left == 1 else ''}"
    with_it = f"{there} of {controllers} die{'s' if there == 1 else ''} with {rack}"
    down = total - there - left
    return f"{with_it}, and {down} {'is' if down == 1 else 'are'} down" if down else with_it


def assumed_controllers(doc: Document) -> str:
    """Where the controllers are; of a pasted cluster it is assumed, for no listing tells."""
    told = "Assumed: " if ASSUMED in doc.about else ""
    places: dict[str, int] = {}
    for controller in doc.controllers:
        place = controller.rack or "no AZ of these"
        places[place] = places.get(place, 0) + 1
    count = plural(len(doc.controllers), "controller", "controllers")
    if len(places) == len(doc.controllers) > 1 and "no AZ of these" not in places:
        return f"{told}{count}, one in each AZ"
    return f"{told}{count}, {', '.join(f'{number} in {place}' for place, number in places.items())}"
