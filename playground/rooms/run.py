"""One run inside an engine process: the world, what is kept of its past, and its facts as bytes for each stream.

Knows nothing of sockets, viewers or wall clocks of rooms; every call does a bounded piece of work (``limits``), so
that the runs that share a process take turns.
"""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from heapq import merge
from itertools import islice
from typing import Any

import msgpack

from playground.rooms.brief import stated_sentence
from playground.rooms.continue_run import document_from
from playground.rooms.history import History, View
from playground.rooms.limits import (
    BACK_EVENTS_MAX,
    DRAWN_TOLD_MAX,
    FACTS_A_FRAME_MAX,
    FRAME_BUDGET_S,
    HISTORY_BYTES_MAX,
    KEYFRAME_WALL_S,
    REPLAY_BUDGET_S,
    SHORT_HISTORY_BYTES_MAX,
)
from playground.rooms.pace import Restlessness, is_event, is_worth_a_stop
from playground.rooms.ranges import FactCollection, FactMarks, FactRange
from playground.rooms.rewind import Reading, Rewind, folded, readings
from playground.rooms.slices import Slices
from playground.rooms.stated_verdicts import StatedVerdicts
from playground.rooms.still_told import still_told
from playground.rooms.streams import FLIGHTS, STATE, SUMMARY, Row, pack_rows, state_rows, summary_rows
from playground.rooms.told_verdict import told_verdict
from playground.scenarios import documents
from simengine.alerts.prometheus import rule_file
from simengine.explain.decide import drawn_failures
from simengine.facts.trace import Decisive
from simengine.form import engine_form
from simengine.questions.listing import listing
from simengine.scenario import Document, to_plain
from simengine.scenario.metric_names import METRICS
from simengine.scenario.not_simulated import not_simulated
from simengine.scenario.parts import parts_of
from simengine.world.world import World, build

Answer = dict[str, Any]


class RoomRun:
    """The run of one document, its live actions included."""

    def __init__(self, source: documents.Source) -> None:
        checked = self._document = documents.read(source)
        self.world: World = build(checked)
        self.world.trace.keep_traffic = True
        self.rewinds = (Rewind(checked), Rewind(checked))  # for those who watch, and for those who steer
        self.scheduled_us = sorted(entry.at_us for entry in checked.timeline)
        self.drawn = _drawn(checked)
        self.fails_by_itself = any(part.faults is not None for part in parts_of(checked).values())
        self.restlessness = Restlessness.of_view(self.world.snapshot())
        self.history = History(self.world.snapshot())
        self.marks = FactMarks()
        self.verdicts = StatedVerdicts()
        self.summary: list[Row] = []  # since the last flush
        self.summary_seq = self.world.trace.seq
        self.sent_seq = self.world.trace.seq
        self._last_keyframe = 0.0
        self._slices = Slices()

    # --- forward ---

    def opened(self) -> Answer:
        """The facts that a room needs to begin; ``script``: the last action of the timeline, and the end, us."""
        return {
            "names": self.world.names(),
            "drawn": self.drawn,
            "not_simulated": not_simulated(self.world.doc),
            "fails_by_itself": self.fails_by_itself,
            "script": (max(self.scheduled_us, default=-1), self.world.doc.until_us),
        }

    def advance(self, until_us: int, stop_at_event: bool, streams: list[str], flush: bool) -> Answer:
        """Run to ``until_us`` or as far as a frame's budget goes; the new facts, encoded once for each stream."""
        from_seq = self.sent_seq
        rows = self._run(until_us, FRAME_BUDGET_S, _EVENT if stop_at_event else _NOTHING)
        return self._frame(rows, from_seq, streams, flush)

    def step(self, end_us: int, any_fact: bool, streams: list[str]) -> Answer:
        """Run to the next event worth a stop (or the next fact of any kind), at most to ``end_us``.

        ``found`` says whether it is there; where it is not and ``t`` is before ``end_us``, ask again.
        """
        from_seq = self.sent_seq
        stop = _ANY if any_fact else _WORTH_A_STOP
        rows = self._run(end_us, REPLAY_BUDGET_S, stop)
        return self._frame(rows, from_seq, streams, flush=True) | {"found": any(stop(row) for row in rows)}

    def advance_to_seq(self, seq: int, until_us: int, streams: list[str]) -> Answer:
        """Run until fact ``seq`` has been stated, at most to ``until_us``."""
        from_seq = self.sent_seq
        rows = self._run(until_us, REPLAY_BUDGET_S, lambda row: row[0] >= seq)  # type: ignore[operator]
        return self._frame(rows, from_seq, streams, flush=True)

    def replay(self, until_us: int) -> Answer:
        """Run to ``until_us`` without keeping traffic, one slice; ``t`` says how far it came."""
        world = self.world
        world.trace.keep_traffic = False
        if world.now_us < until_us:
            self.history.reached_without_facts(world.now_us)
        deadline = time.monotonic() + REPLAY_BUDGET_S
        while (reached_us := self._run_slice(until_us)) < until_us and time.monotonic() < deadline:
            pass
        if reached_us >= until_us:
            self._end_replay()
        return {"t": world.now_us, "events": world.events}

    def act(self, at_us: int, do: str) -> int:
        """Schedule a live action; the microsecond at which it lands. Raises Refused."""
        used = self.world.act(at_us, do)
        for rewind in self.rewinds:
            rewind.act(used, do)
        return used

    # --- what is known ---

    def view(self) -> bytes:
        """The whole view now."""
        return packed(self.world.snapshot())

    def document(self) -> bytes:
        """The whole document, without the live actions since the run was opened; packed here as ``view`` is."""
        return packed(to_plain(self._document))

    def described(self) -> str:
        """The state now as ``kafka-topics.sh --describe`` prints it."""
        return listing(self.world, self._document)

    def still(self, width: int | None = None) -> Answer:
        """The content of the still of a link, for the run now; its picture for a place of a width (px)."""
        return still_told(self.world, self._document, width)

    def carried_on(self) -> Answer:
        """The document that begins in the state of now, as it is stored (``documents.CheckedDocument``)."""
        return documents.check(document_from(self._document, self.world))

    def seq(self) -> int:
        """The number of the newest fact."""
        return self.world.trace.seq

    def without_effect(self) -> list[tuple[int, str]]:
        """Actions that changed nothing when their time came: their places in the timeline, and why."""
        return sorted(self.world.without_effect().items())

    def nothing_done(self) -> str:
        """The reason why the newest action changed nothing, as a clause about its subject; "" if it did something."""
        return str(self.world.without_effect().get(len(self.world.timeline) - 1, ""))

    def is_due(self) -> bool:
        """True if the cluster is on its way to another state (``pace``)."""
        return self.restlessness.is_due()

    def digest(self) -> str:
        """The digest of all facts so far."""
        return self.world.digest()

    def verdict(self) -> Answer:
        """The verdict so far, with the digest of all facts so far."""
        return self.world.verdict()

    def verdict_told(self) -> Answer:
        """The verdict so far, as a copy keeps it and pages tell it: of very many topics the gravest."""
        return told_verdict(self.world.verdict())

    def alerts(self) -> Answer:
        """The alerts so far and the moment; the rules as a file for Prometheus, and the metrics that rules may name."""
        return {
            "at_us": self.world.now_us,
            "alerts": self.world.alerts_account(),
            "file": rule_file(self._document),
            "metrics": sorted(METRICS, key=str.lower),
        }

    def sentence(self) -> str:
        """The gravest that the verdict has stated so far, in one sentence; "" before it stated anything."""
        return stated_sentence(self.world)

    def decisive(self, from_us: int, to_us: int, most: int) -> tuple[int, bytes]:
        """The number of decisive facts with from_us <= t <= to_us, and their packed rows if at most ``most``."""
        kept = self.world.trace.decisive
        first, end = bisect_left(kept, from_us, key=_time_of), bisect_right(kept, to_us, key=_time_of)
        stated = self.verdicts.between(from_us, to_us)
        number = max(0, end - first) + len(stated)
        if number > most:
            return number, b""
        return number, packed(list(merge((fact.row() for fact in kept[first:end]), stated, key=_seq_of)))

    # --- the past; ``steers``: for somebody who may move the clock, and so does not wait for the replays of others ---

    def view_at(self, steers: bool, at_us: int) -> bytes | None:
        """The view at a past moment, packed; None while it takes another call."""
        at_us = min(at_us, self.world.now_us)
        if at_us == self.world.now_us:
            return self.view()
        segment = next(iter(self.history.since(at_us)), None)
        if segment is not None and segment.has_view_at(at_us):
            return packed(folded(segment.load_view(), segment.rows(), at_us))
        view = self.rewinds[steers].view_at(at_us)
        return packed(view) if view is not None else None

    def verdict_at(self, steers: bool, at_us: int) -> Answer | None:
        """The verdict at a past moment; None while it takes another call."""
        if at_us >= self.world.now_us:
            return self.verdict()
        return self.rewinds[steers].verdict_at(at_us)

    def metrics_at(self, steers: bool, at_us: int, node: int) -> list[Reading] | None:
        """The JMX readings of one process (-1: all) at a past moment; None while it takes another call."""
        if at_us >= self.world.now_us:
            return readings(self.world, node)
        return self.rewinds[steers].metrics_at(at_us, node)

    def rows_between(self, steers: bool, from_us: int, to_us: int, stream: str, most: int) -> tuple[int, bytes] | None:
        """The number of facts with from_us < t <= to_us, and a stream's rows, packed; None while it takes another call.

        Where they are more than ``most``, the number is a lower bound.
        """
        wanted = FactRange(from_us, min(to_us, self.world.now_us), stream, most)
        if wanted.from_us >= wanted.to_us:
            return 0, packed([])
        if (number := self.marks.at_least(wanted.from_us, wanted.to_us)) > most:
            return number, b""
        found = self._kept_facts(wanted) or self.rewinds[steers].collected(wanted)
        return (found.number, packed(found.rows)) if found is not None else None

    def _kept_facts(self, wanted: FactRange) -> FactCollection | None:
        """The facts of a range, if all of them are kept."""
        segments = [segment for segment in self.history.since(wanted.from_us) if segment.t_us <= wanted.to_us]
        if not segments or not all(segment.has_facts() for segment in segments):
            return None
        found = FactCollection(wanted)
        for segment in segments:
            found.add(segment.rows())
            if found.is_too_many():
                break
        return found

    # --- inside ---

    def _run(self, until_us: int, budget_s: float, stop: "Stop | None") -> list[Row]:
        """Run up to a moment, a budget or the first fact for which ``stop`` holds; the new rows."""
        world = self.world
        rows: list[Row] = []
        deadline = time.monotonic() + budget_s
        while world.now_us < until_us:
            if stop is None:
                self._run_slice(until_us)
            else:
                world.run(until_us, 1)
                self.marks.note(world.now_us, world.trace.seq)
            new = world.trace.take().rows()
            rows.extend(new)
            if stop is not None and any(stop(row) for row in new):
                world.run(world.now_us)  # the rest of this microsecond
                rows.extend(world.trace.take().rows())
                break
            if time.monotonic() > deadline:
                break
        return rows

    def _run_slice(self, until_us: int) -> int:
        """Run one slice, at most to ``until_us``; the time that was reached."""
        reached_us = self._slices.run_one(self.world, until_us)
        self.marks.note(reached_us, self.world.trace.seq)
        return reached_us

    def _frame(self, rows: list[Row], from_seq: int, streams: list[str], flush: bool) -> Answer:
        world = self.world
        self.sent_seq = world.trace.seq
        event_us = self._note(rows)
        everything = pack_rows(rows)
        self.history.add(everything, world.now_us)
        if self.history.is_keyframe_due(world.now_us) and time.monotonic() - self._last_keyframe > KEYFRAME_WALL_S:
            self._last_keyframe = time.monotonic()
            self._keep_less(world.snapshot())
        return {
            "t": world.now_us,
            "from": from_seq,
            "seq": world.trace.seq,
            "events": world.events,
            "event_us": event_us,
            "is_due": self.restlessness.is_due() if event_us >= 0 else None,
            "next_action_us": self.next_action_us(),
            "streams": self._encode(rows, everything, from_seq, streams, flush),
        }

    def _encode(
        self, rows: list[Row], everything: bytes, from_seq: int, streams: list[str], flush: bool
    ) -> dict[str, tuple[int, int, bytes]]:
        """Stream -> (fact before the first row, number of rows, their bytes)."""
        encoded: dict[str, tuple[int, int, bytes]] = {}
        is_too_many = len(rows) > FACTS_A_FRAME_MAX
        thinned = summary_rows(rows) if is_too_many else []
        if FLIGHTS in streams:
            encoded[FLIGHTS] = _packed(from_seq, thinned) if is_too_many else (from_seq, len(rows), everything)
        if STATE in streams:
            encoded[STATE] = _packed(from_seq, thinned if is_too_many else state_rows(rows))
        if SUMMARY not in streams:
            self.summary, self.summary_seq = [], self.world.trace.seq
            return encoded
        self.summary.extend(thinned if is_too_many else state_rows(rows))
        if flush:
            encoded[SUMMARY] = _packed(self.summary_seq, summary_rows(self.summary))
            self.summary, self.summary_seq = [], self.world.trace.seq
        return encoded

    def _note(self, rows: list[Row]) -> int:
        """Take in what is decisive; the time of the newest event, -1 without one."""
        event_us = -1
        for row in rows:
            kind, t_us = row[2], row[1]
            assert isinstance(kind, int) and isinstance(t_us, int)
            if is_event(kind):
                event_us = t_us
                self.restlessness.note(row)
        return event_us

    def next_action_us(self) -> int:
        """The moment (us) of the next action of the document's own timeline; -1 if there is none."""
        index = bisect_right(self.scheduled_us, self.world.now_us)
        return self.scheduled_us[index] if index < len(self.scheduled_us) else -1

    def _end_replay(self) -> None:
        self.world.trace.keep_traffic = True
        self.world.trace.take()
        self.sent_seq = self.world.trace.seq
        view = self.world.snapshot()
        self.restlessness = Restlessness.of_view(view)
        if self.world.now_us > self.history.segments[-1].t_us:
            self.history.reached_without_facts(self.world.now_us)
        self._keep_less(view)

    def _keep_less(self, view: View) -> None:
        """Begin anew at a keyframe of this moment; what was before it is kept within its limit, and compressed."""
        is_short = self.world.events <= BACK_EVENTS_MAX[engine_form()]
        self.history.add_keyframe(view, SHORT_HISTORY_BYTES_MAX if is_short else HISTORY_BYTES_MAX)
        self.verdicts.take_from(self.world.trace)


def packed(value: View | list[Row]) -> bytes:
    """A view or rows in the form of the wire; packed here, so that the web process need not look into it."""
    data: bytes = msgpack.packb(value)
    return data


def _drawn(document: Document) -> Answer:
    """``steps``: the fault model's actions until the document's end, (us, action); ``whole``: none is left out."""
    first = list(islice(drawn_failures(document), DRAWN_TOLD_MAX))
    steps = [(entry.at_us, str(entry.action)) for entry in first if entry.at_us <= document.until_us]
    return {"steps": steps, "whole": len(steps) < DRAWN_TOLD_MAX}


def _time_of(fact: Decisive) -> int:
    return fact.t


def _seq_of(row: Row) -> int:
    seq = row[0]
    assert isinstance(seq, int)
    return seq


def _packed(from_seq: int, rows: list[Row]) -> tuple[int, int, bytes]:
    return from_seq, len(rows), pack_rows(rows)


Stop = Callable[[Row], bool]


def _is_event_row(row: Row) -> bool:
    kind = row[2]
    assert isinstance(kind, int)
    return is_event(kind)


def _is_any_row(row: Row) -> bool:
    return True


_NOTHING: Stop | None = None
_EVENT: Stop = _is_event_row
_WORTH_A_STOP: Stop = is_worth_a_stop
_ANY: Stop = _is_any_row
