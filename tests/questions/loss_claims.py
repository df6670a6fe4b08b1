"""The claims of a cell of the AZ table, held against a run of the same state."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from simengine.questions.az.cell import AzCell, AzLoss
from simengine.questions.az.figures import Json
from simengine.questions.az.partition_outages import UNTIL_BACK, PartitionOutage
from simengine.questions.az.partition_states import NOBODY
from tests.questions.loss_runs import Draw, Place, Played, Standing, State

PIPELINE: Final = 2  # calls that may be under way
SHORT_US: Final = 2_000_000  # a stop of a second is counted from the first call that waits


@dataclass(frozen=True)
class Told:
    """A cell, and the state at its loss."""

    moment: str
    loss: AzLoss
    cell: AzCell
    shown: Json
    state: State

    @property
    def acks(self) -> str:
        """The mode of the producers."""
        return self.cell.acks


@dataclass(frozen=True)
class Denial:
    """A run that denies a claim."""

    kind: str
    place: str
    said: str
    seen: str
    told: Told
    draw: Draw | None

    def __str__(self) -> str:
        told, draw = self.told, self.draw
        run = f"seed {draw.seed}, loss at {draw.at_us / 1e6:.3f} s" if draw is not None else "all runs"
        where = f"{told.moment}, {told.loss.key} ({told.loss.pick}), acks={told.acks}"
        return f"{self.kind}: {self.place} [{where}]: said {self.said}; {self.seen} ({run})"


def denials(told: Told, run: Played, rates: dict[Place, int], draw: Draw) -> Iterator[Denial]:
    """Every claim of the cell that a run denies; ``rates``: records/s to a partition, in thousandths."""
    parts = {part.place: part for part in told.cell.parts}
    for place, late in run.late.items():
        part, early = parts.get(place), run.early[place]
        found = [*_writes(told, place, part, late), *_reads(told, place, part, late, rates)]
        found += [*_flow(told, place, part, run, rates), *_hides(told, place, part, late)]
        found += [*_pauses(told, part, early, late), *_lost(told, part, early, late)]
        if run.back:
            luck = None if told.loss.has_quorum else place  # at the return of its controllers (QUO-5)
            found += _lost(told, part, early, run.back[place], " after the return", luck)
            found += _returns(told, part, run.back[place])
        for kind, said, seen in found:
            yield Denial(kind, f"{place[0]}-{place[1]}", said, seen, told, draw)


def denials_of_fenced(told: Told, run: Played, draw: Draw) -> Iterator[Denial]:
    """The claims that hold where a broker beside the loss is fenced, and that such a run denies.

    The table says which losses do that, what may be lost then, and that what stops until the loss is back still does.
    """
    parts = {part.place: part for part in told.cell.parts}
    if not told.cell.fences_beside:
        yield Denial("fenced", "all", "no broker beside is fenced", f"fenced are {sorted(run.fenced)}", told, draw)
    for place, late in run.late.items():
        part, early, elr = parts.get(place), run.early[place], run.state[place][2]
        found = [*_lost(told, part, early, late, place=place), *_leaders(told, place, part, elr, late)]
        if run.back:
            found += _lost(told, part, early, run.back[place], " after the return", place)
        for kind, said, seen in found:
            yield Denial(f"fenced: {kind}", f"{place[0]}-{place[1]}", said, seen, told, draw)


Found = Iterator[tuple[str, str, str]]


def _leaders(told: Told, place: Place, part: PartitionOutage | None, elr: tuple[int, ...], late: Standing) -> Found:
    """A partition that stops until the loss is back takes no writes at the end. The others are led, or may wait.

    A stop from before the loss may end. A member of the ELR takes over from a leader that is fenced, and that leader
    follows it into the ISR (ELR-4, ISR-5).
    """
    if part is not None and part.was_out and any(broker not in told.loss.brokers for broker in elr):
        return
    if part is not None and _stops(part):
        is_told = part.is_coordinator or not part.is_internal
        if is_told and late.takes(_mode(told, place)) and place not in told.cell.beside:  # an unclean election ends it
            yield "write", "not writable until back", f"led {late.is_led}, ISR whole {late.is_whole}"
    elif not told.cell.stops_beside and not late.is_led:
        yield "led", f"led ({_why(part)})", "no leader"


def _stops(part: PartitionOutage | None) -> bool:
    return part is not None and part.write_us == UNTIL_BACK


def _writes(told: Told, place: Place, part: PartitionOutage | None, late: Standing) -> Found:
    """Partitions that stop until it is back take no writes at the end; all others do."""
    acks = _mode(told, place)
    if place[0].startswith("__") and not (part is None or part.is_coordinator):
        return
    if _stops(part) == late.takes(acks):
        said = "not writable until back" if _stops(part) else f"writable ({_why(part)})"
        yield "write", said, f"led {late.is_led}, ISR whole {late.is_whole}, enough {late.is_enough}"


def _mode(told: Told, place: Place) -> str:
    return "all" if place[0].startswith("__") else told.acks


def _why(part: PartitionOutage | None) -> str:
    return "no part" if part is None else f"why {part.why!r}, out before {part.was_out}"


def _reads(told: Told, place: Place, part: PartitionOutage | None, late: Standing, rates: dict[Place, int]) -> Found:
    """A partition "unreadable until back" has no leader at the end, or hides new records; the rest is readable."""
    if part is not None and (part.was_unread or part.is_internal) or place[0].startswith("__"):
        return
    is_told = part is not None and part.read_us == UNTIL_BACK
    moves = late.moves or told.cell.older and late.is_led and late.is_whole
    is_read = late.is_led and (moves or told.acks == "all" or not rates.get(place, 0))
    if is_told == is_read:
        said = "not readable until back" if is_told else f"readable ({_why(part)})"
        yield "read", said, f"led {late.is_led}, high watermark moves {late.moves}"
    if part is not None and part.hides and (late.moves or not late.is_led):
        yield "hides", "hides new records", f"led {late.is_led}, high watermark moves {late.moves}"


def _flow(told: Told, place: Place, part: PartitionOutage | None, run: Played, rates: dict[Place, int]) -> Found:
    """Calls of the last seconds: none succeeds where writes stop until it is back, some do elsewhere."""
    if not rates.get(place, 0) or place in run.stuck or part is not None and part.write_open:
        return
    acked = run.late[place].acked - run.eve[place].acked
    if _stops(part) and acked:
        yield "flow", "not writable until back", f"{acked} acknowledged at the end"
    goes_on = not _stops(part) and not told.loss.is_dark and rates[place] * 5 > 1_500
    if goes_on and not acked and not _waits_behind_a_stop(told, place, run):
        yield "flow", f"writable ({_why(part)})", "nothing acknowledged at the end"
    if part is not None and part.hides and acked > PIPELINE and not run.late[place].above:
        yield "hides", "hides new records", "no record above the high watermark"


def _waits_behind_a_stop(told: Told, place: Place, run: Played) -> bool:
    """True if a partition of the same topic stops and may hold up the calls for this one for request.timeout.ms.

    A request that brought records to that one before its ISR fell below min.insync.replicas has no response until then
    (PROD-8). So wait the other partitions of that request (PROD-5), and the requests behind it on the connection
    (PROD-12). One of these may ask for the new leader of a partition that has moved. A run ends before that. A
    partition that refused records before the loss makes nothing wait (PROD-2).
    """
    beside = [one for one in told.cell.parts if one.topic == place[0] and _stops(one)]
    took = [run.late[one.place].leader for one in beside if len(run.state[one.place][1]) >= one.wanted]
    leader = run.late[place].leader
    has_moved = leader != run.state[place][0]
    return any(one == leader or has_moved and one != NOBODY for one in took)


def _hides(told: Told, place: Place, part: PartitionOutage | None, late: Standing) -> Found:
    """No partition hides records but those that are said to."""
    if part is not None and (part.was_unread or part.hides or part.may_hide or part.is_internal) or not late.is_led:
        return
    if told.cell.older or not late.hidden:
        return
    yield "hidden", f"nothing hidden ({_why(part)})", f"{late.hidden} acknowledged records are hidden"


def _pauses(told: Told, part: PartitionOutage | None, early: Standing, late: Standing) -> Found:
    """Other partitions are not stopped for more than a second."""
    if part is not None and (part.write_us or part.was_out or part.is_internal):
        return
    if late.stopped_us > early.stopped_us + SHORT_US:
        yield "pause", f"goes on ({_why(part)})", f"stopped for {(late.stopped_us - early.stopped_us) / 1e6:.1f} s"


def _lost(
    told: Told,
    part: PartitionOutage | None,
    early: Standing,
    seen: Standing,
    when: str = "",
    place: Place | None = None,
) -> Found:
    """Nothing is lost by rule; or of acks=1 no more than is at risk; or by luck, or for good, whatever it is.

    ``place``: the partition, where a broker beside the loss is fenced, or may be at the return. Brokers write internal
    topics with acks=all, and the cell of acks=all tells what becomes of those.
    """
    gone, before = seen.gone - early.gone, seen.gone_before - early.gone_before
    figure = told.shown["lost"]
    if gone <= 0 and before <= 0 or told.acks == "1" and part is not None and part.is_internal:
        return
    said = f"{figure['text']} {figure['more']}"
    if figure["more"] == "by rule":
        yield "lost" if gone else "lost before", f"{said} ({_why(part)})", f"{gone} lost, {before} from before{when}"
    elif place in told.cell.beside:
        return
    elif part is None or not (part.lost or part.lost_before or part.by_luck or part.log or part.risk):
        yield "lost, not named", f"{said}, {_why(part)}", f"{gone} lost, {before} from before{when}"
    elif part.risk and not (part.log or part.by_luck) and (gone > part.risk or before > part.lost_before):
        yield "lost, more", f"0 to {part.risk} ({_why(part)})", f"{gone} lost, {before} from before{when}"


def _returns(told: Told, part: PartitionOutage | None, back: Standing) -> Found:
    """A partition "stopped until back" goes on when the brokers are back with their disks.

    Not so with a member of the ELR that was down or fenced before, and so does not return: a broker that died leaves
    the ELR as it returns, and the partition waits for that member (ELR-5), as the table says.
    """
    if part is not None and part.waits_for:
        if back.is_led:
            yield "back", f"waits for {part.waits_for} ({_why(part)})", "led"
        return
    if part is None or told.cell.disks_gone or part.stops_us != UNTIL_BACK or back.takes(_mode(told, part.place)):
        return
    yield "back", f"until back ({_why(part)})", f"led {back.is_led}, whole {back.is_whole}, enough {back.is_enough}"


def unseen(told: Told, runs: list[Played]) -> Iterator[Denial]:
    """Losses that the cell names and no run has. A log without a record loses none when its disks are gone."""
    for part in told.cell.parts:
        is_luck = part.is_lost_by_chance or part.by_luck or part.place in told.cell.beside
        by_rule = part.lost > 0 and not is_luck
        held = [run for run in runs if (early := run.early[part.place]).acked or early.before]
        ends = [run.back.get(part.place) or run.late[part.place] for run in held if run.back or not part.log]
        lost = [one for one in ends if one.gone or one.gone_before or one.may_still_lose]
        if (by_rule or part.log) and ends and not lost:
            said = f"{part.lost} lost, log {part.log!r} ({part.why!r})"
            yield Denial("never lost", f"{part.topic}-{part.number}", said, f"none of {len(ends)} runs", told, None)
