"""The picture of a run that stands still: the matrix of brokers and partitions as figures and words for a template.

Pure: a view in, plain values out. A row's copies share one window of offsets (``windowOf`` in layout.js is its twin),
so that two logs that differ are seen to differ. Lengths are units of the picture; the style sheet knows the colours.
"""

from dataclasses import dataclass
from typing import Any, Final

from playground.rooms.still_layout import PITCH, SLOTS, Layout, columns_for, layout_for
from simengine.kernel.titles import partition_title

ROWS_MAX: Final = 12
BROKERS_MAX: Final = 8
HUES: Final = 5
DIGITS_MAX: Final = 3  # of an offset that fits a record; of longer ones the last digits are shown
NOT_SERVING: Final = ("down", "starting", "registering", "recovering")

View = dict[str, Any]
Runs = list[list[int]]


@dataclass(frozen=True)
class Mark:
    """One record: where, its label, the hue of its epoch, and what became of it."""

    x: int
    label: str
    hue: int
    dry: bool  # at or above the high watermark
    acked: bool
    lost: bool


@dataclass(frozen=True)
class ReplicaCell:
    """One replica. `membership_text`, `leo_text`: "" where there is no room for it beside the role, or the HW."""

    x: int
    y: int
    role: str
    leads: bool
    hue: int
    membership: str
    membership_text: str
    leo_text: str
    water: int
    is_dead: bool
    hw: int
    leo: int
    hw_x: int
    leo_x: int
    marks: list[Mark]
    folds: list[tuple[int, str]]  # where offsets are left out, and how many


@dataclass(frozen=True)
class Head:
    """One broker."""

    x: int
    id: int
    rack: str
    state: str
    is_down: bool


@dataclass(frozen=True)
class PartitionRow:
    """One partition."""

    y: int
    name: str
    state: str
    is_bad: bool
    cells: list[ReplicaCell]


@dataclass(frozen=True)
class Still:
    """The whole picture; ``left_out`` says what of the cluster is not drawn."""

    width: int
    height: int
    cell: int  # the width of a copy
    pad: int  # left of its records
    letters: int  # of a partition's name
    lifted: int  # the height of the words above the columns and above each row; 0: they stand beside them
    controller: str
    heads: list[Head]
    rows: list[PartitionRow]
    left_out: str


def still_of(view: View, racks: dict[int, str], width: int | None = None) -> Still:
    """The picture of a view, for a place of a width (px). Of many partitions those in trouble come first."""
    partitions = view["partitions"]
    chosen = sorted(sorted(range(len(partitions)), key=lambda p: _health(view, partitions[p]))[:ROWS_MAX])
    brokers = _brokers_of(view, [partitions[p] for p in chosen], columns_for(width, BROKERS_MAX))
    layout = layout_for(width, len(brokers))
    rows = [_row(view, partitions[p], brokers, i, layout) for i, p in enumerate(chosen)]
    active = view["active"]
    return Still(
        width=layout.x_of(len(brokers)),
        height=layout.y_of(len(rows)),
        cell=layout.cell_width,
        pad=layout.pad,
        letters=layout.letters(len(brokers)),
        lifted=layout.lifted,
        controller=f"Active controller {active}" if active >= 0 else "No active controller",
        heads=[_head(view, racks, broker, i, layout) for i, broker in enumerate(brokers)],
        rows=rows,
        left_out=_left_out(len(partitions), len(rows), len(view["brokers"]), len(brokers)),
    )


def _health(view: View, partition: View) -> tuple[bool, int]:
    """Sort key: those without a leader, then those with the fewest replicas in sync, then the others; internal last."""
    missing = len(partition["replicas"]) - len(partition["isr"])
    is_internal = view["topics"][partition["topic"]]["name"].startswith("__")
    return is_internal, -(missing + (100 if partition["leader"] < 0 else 0))


def _brokers_of(view: View, partitions: list[View], most: int) -> list[int]:
    """All brokers where they fit, else those that hold replicas of what is drawn."""
    every = sorted(int(broker) for broker in view["brokers"])
    if len(every) <= most:
        return every
    holding = {broker for partition in partitions for broker in partition["replicas"]}
    return [broker for broker in every if broker in holding][:most]


def _left_out(partitions: int, rows: int, brokers: int, columns: int) -> str:
    parts = []
    if rows < partitions:
        parts.append(f"{rows} of {partitions:,} partitions, those in trouble first")
    if columns < brokers:
        parts.append(f"{columns} of {brokers:,} brokers")
    return f"Drawn are {' and '.join(parts)}." if parts else ""


def _head(view: View, racks: dict[int, str], broker: int, column: int, layout: Layout) -> Head:
    known = view["brokers"][str(broker)]
    is_down = known["process"] == "down"
    process = ("Shut down" if known["left"] else "Dead") if is_down else known["process"].capitalize()
    registration = known["registration"]
    fenced = "not fenced yet" if registration == "active" else registration
    state = registration.capitalize() if process == "Running" else f"{process}, {fenced}"
    rack = racks.get(broker, "")
    told = rack if layout.fits(f"Broker {broker}  ", rack) else ""
    return Head(layout.x_of(column), broker, told, state if layout.fits(state) else process, is_down)


def _row(view: View, partition: View, brokers: list[int], index: int, layout: Layout) -> PartitionRow:
    y = layout.y_of(index)
    name = partition_title(view["topics"][partition["topic"]]["name"], partition["number"])
    tokens = window_of(partition, layout.slots)
    cells = [
        _cell(view, partition, tokens, broker, (layout.x_of(column), y + layout.lifted), layout)
        for column, broker in enumerate(brokers)
        if broker in partition["replicas"]
    ]
    missing = len(partition["replicas"]) - len(partition["isr"])
    if partition["leader"] < 0:
        return PartitionRow(y, name, "no leader", True, cells)
    return PartitionRow(y, name, f"{missing} not in ISR" if missing else "all in ISR", missing > 0, cells)


def _cell(
    view: View, partition: View, tokens: list["Token"], broker: int, at: tuple[int, int], layout: Layout
) -> ReplicaCell:
    copy = partition["copies"].get(str(broker)) or {
        "epoch": -1,
        "role": "none",
        "hw": 0,
        "leo": 0,
        "start": 0,
        "epochs": [],
    }
    is_dead = view["brokers"][str(broker)]["process"] in NOT_SERVING
    roles, leads = _role(partition, copy, broker, is_dead)
    role = next((one for one in roles if layout.fits(one)), roles[-1])
    drawn = [(i, token) for i, token in enumerate(tokens)]
    membership = "in ISR" if broker in partition["isr"] else "not in ISR"
    hw, leo, hw_x = f"HW {copy['hw']}", f"LEO {copy['leo']}", _x_of(tokens, copy["hw"], layout)
    return ReplicaCell(
        x=at[0],
        y=at[1],
        role=role,
        leads=leads,
        hue=max(0, copy["epoch"]) % HUES,
        membership=membership,
        membership_text=membership if layout.fits(role, "  ", membership) else "",
        leo_text=leo if layout.fits(hw, " ", leo) else "",
        water=max(0, hw_x - layout.pad),
        is_dead=is_dead,
        hw=copy["hw"],
        leo=copy["leo"],
        hw_x=hw_x,
        leo_x=_x_of(tokens, copy["leo"], layout),
        marks=[
            _mark(partition, copy, layout.pad + i * PITCH, token)
            for i, token in drawn
            if isinstance(token, int) and copy["start"] <= token < copy["leo"]
        ],
        folds=[
            (layout.pad + i * PITCH + PITCH // 2, f"+{min(copy['leo'], token[1]) - token[0]}")
            for i, token in drawn
            if not isinstance(token, int) and copy["leo"] > token[0]
        ],
    )


def _role(partition: View, copy: View, broker: int, is_dead: bool) -> tuple[tuple[str, ...], bool]:
    """The role of a copy, in words and in fewer words, and True if the controller has it as leader."""
    leads = partition["leader"] == broker
    if is_dead:
        return ((f"Leader e{partition['epoch']}, dead", "Leads, dead") if leads else ("Dead",)), leads
    if copy["role"] == "leader":
        epoch = copy["epoch"]
        return ((f"Leader e{epoch}",) if leads else (f"Thinks it leads e{epoch}", f"Thinks e{epoch}")), leads
    if copy["role"] == "none":
        return ("No log yet",), leads
    return (f"Elected e{partition['epoch']}" if leads else "Follower",), leads


def _mark(partition: View, copy: View, x: int, offset: int) -> Mark:
    epoch = _epoch_of(copy["epochs"], offset)
    lost = _is_in(partition["lost"], offset, epoch)
    digits = str(offset)
    return Mark(
        x=x,
        label=digits if len(digits) <= DIGITS_MAX else f"…{digits[-2:]}",
        hue=max(0, epoch) % HUES,
        dry=offset >= copy["hw"],
        acked=not lost and _is_in(partition["acked"], offset, epoch),
        lost=lost,
    )


# --- the window of offsets ---

Token = int | tuple[int, int]
"""An offset, or a fold: offsets from .. to-1 are not drawn."""


def window_of(partition: View, slots: int = SLOTS) -> list[Token]:
    """The offsets that a row shows: the newest, and where a watermark is older or a copy holds lost records, those."""
    copies = list(partition["copies"].values())
    if not copies:
        return []
    end = max(copy["leo"] for copy in copies)
    oldest = min(min(copy["hw"], copy["leo"]) for copy in copies)
    first = max(0, min(copy["start"] for copy in copies))
    tail = max(first, end - slots)
    lost = _lost_before(partition, tail)
    if lost is None and (tail <= oldest - 1 or tail <= first):
        return list(range(tail, end))
    head_from = max(first, (lost[0] if lost else oldest) - 1)
    holder = next((copy["leo"] for copy in copies if min(copy["hw"], copy["leo"]) == oldest), oldest)
    length = (lost[1] if lost else holder) - head_from
    head = max(2, length if length <= slots - 4 else min(4, slots - 4))
    tail_from = end - (slots - head - 1)
    if tail_from <= head_from + head:
        return list(range(max(head_from, end - slots), end))
    return [*range(head_from, head_from + head), (head_from + head, tail_from), *range(tail_from, end)]


def _lost_before(partition: View, tail: int) -> tuple[int, int] | None:
    """The first lost records that some copy still holds and that stand before the tail."""
    for base, count, epoch in partition["lost"]:
        for copy in partition["copies"].values():
            if copy["leo"] > base and _epoch_of(copy["epochs"], base) == epoch and base < tail:
                return base, min(copy["leo"], base + count)
    return None


def _x_of(tokens: list[Token], offset: int, layout: Layout) -> int:
    """The x at which an offset begins; one before the window stands at its start, a later one at its end."""
    for i, token in enumerate(tokens):
        if isinstance(token, int):
            if token >= offset:
                return layout.pad + i * PITCH
        elif token[0] <= offset < token[1]:
            return layout.pad + i * PITCH + (PITCH // 2 if offset > token[0] else 0)
    return layout.pad + len(tokens) * PITCH


def _epoch_of(epochs: Runs, offset: int) -> int:
    return next((epoch for epoch, start in reversed(epochs) if start <= offset), -1)


def _is_in(runs: Runs, offset: int, epoch: int) -> bool:
    return any(e == epoch and base <= offset < base + count for base, count, e in runs)
